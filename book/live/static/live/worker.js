// The worker: Pyodide, the library, and the kernel of book/kernel.
import { Files } from "./files.js";
import { Lost, forbidden, missing, noRoom, unreached, why } from "./lost.js";

const ROOT = new URL("../../", import.meta.url).href;
const CORE = new URL("../vendor/pyodide/", import.meta.url).href;
const COURSE = new URL("../vendor/course.zip", import.meta.url).href;
const START = `
import sys, os, json
os.environ["MPLBACKEND"] = "module://book.live.kernel.figures"
sys.path.insert(0, "/course")
os.chdir("/course/chapters")
from pathlib import Path
from book.live.kernel import late
from book.live.kernel.run import Kernel
def fetch(name):
    data = lateFile(name)
    if data is None:
        raise OSError(f"the file {name} did not come")  # why, the page says
    return data.to_bytes()
late.fill(Path("/course/chapters"), json.load(open("/course/late.json")), fetch)
Kernel(send, json.load(open("/course/brings.json")), tell)
`;
const LATE = new URL("../vendor/", import.meta.url);
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]); // the shortest module of WebAssembly
const quiet = { messageCallback() {}, errorCallback() {} };
let python, kernel, lost, interrupts;

let bytes = 0, doing = "Python";
const progress = (what = doing) => {
  doing = what;
  postMessage({ type: "progress", what, bytes });
};

// Pyodide waits for ever for a file that does not come, and warns only on the console.
let giveUp;
const failed = new Promise((_, reject) => { giveUp = reject; });
failed.catch(() => {});
const lose = (error) => {
  if (error instanceof Lost) giveUp(lost ??= error);
  throw error;
};
const files = new Files(ROOT, (length) => { bytes += length; progress(); });
self.fetch = (...asked) => files.fetch(...asked).catch(lose);
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (...given) => instantiateStreaming.apply(WebAssembly, given).catch((error) => {
  // Only WebKit compiles the shortest module where a policy forbids all others.
  lose(/policy|unsafe-eval/i.test(error.message) ? forbidden() : noRoom());
});

// A cell that opens a model or the corpus waits for it: a worker may do what would halt a page.
function lateFile(name) {
  progress(name);
  try {
    const data = loadedNow(new URL(name, LATE).href, `the file ${name}`);
    bytes += data.byteLength;
    progress("");
    return new Uint8Array(data);
  } catch (error) {
    lost = error;
    return null;
  }
}

function loadedNow(address, name) {
  const asked = new XMLHttpRequest();
  asked.open("GET", address, false);
  asked.responseType = "arraybuffer";
  try {
    asked.send();
  } catch {
    throw unreached(name);
  }
  if (asked.status !== 200) throw missing(name, asked.status);
  files.prove(address, asked.response.byteLength);
  return asked.response;
}

async function boot(given) {
  progress("Python");
  await WebAssembly.compile(EMPTY).catch(() => { throw forbidden(); });
  await Promise.race([loaded(), failed]).catch((error) => {
    throw /memory|allocat/i.test(error.message) ? noRoom() : error;
  });
  ({ interrupts } = given);
  doing = "";
  return { version: python.version };
}

async function loaded() {
  const course = fetch(COURSE).then((answer) => answer.arrayBuffer());
  const script = fetch(`${CORE}pyodide.asm.js`); // Pyodide imports it, and then no browser says what it lacks
  const { loadPyodide } = await import(`${CORE}pyodide.js`).catch(async () => { throw await why(ROOT, files.ask); });
  python = await loadPyodide({ indexURL: CORE, packages: ["numpy"] })
    .catch((error) => script.then(() => { throw error; }));
  progress("the library of the course");
  python.unpackArchive(await course, "zip", { extractDir: "/course" });
  const send = (text) => postMessage({ type: "comm", message: JSON.parse(text) });
  const tell = (text) => postMessage({ type: "news", outputs: JSON.parse(text) });
  const names = python.toPy({ send, lateFile, tell });
  kernel = python.runPython(START, { globals: names });
}

// Stop is for what a reader's code does: a package that is loaded meanwhile is loaded whole, and the
// interrupt waits until then.
async function stoppable(act) {
  if (interrupts) python.setInterruptBuffer(interrupts);
  try {
    return await act(); // a cell may await
  } finally {
    try {
      python.setInterruptBuffer(undefined);
    } catch {
      // This Python is at its end, and what ended it is thrown already.
    }
  }
}

async function run({ code, name, cell }) {
  lost = undefined;
  const wanted = absent(JSON.parse(kernel.packages(code)));
  if (wanted.length) {
    progress(wanted.join(", "));
    await python.loadPackage(wanted, quiet).catch(quiet.errorCallback);
    const [without] = absent(wanted);
    // Without a network it is not one of its files that the reader misses.
    if (without) throw lost?.isOfHost ? lost : unreached(without);
    kernel.warm_up(JSON.stringify(wanted));
    progress("");
  }
  const outputs = JSON.parse(await stoppable(() => kernel.run(code, name, cell)));
  if (lost) throw lost;
  return outputs;
}

// Pyodide calls a package as its makers write it: Pygments.
function absent(packages) {
  const there = Object.keys(python.loadedPackages).map((each) => each.toLowerCase());
  return packages.filter((each) => !there.includes(each));
}

const receive = ({ comm, data }) => stoppable(() => kernel.receive(comm, JSON.stringify(data)));
const acts = { boot, run, comm: receive };

// Why a Python is at its end, if it is. A recursion through C, as of sorted(key=...), fills the stack of
// the browser before Python counts to its limit.
function fatal(error) {
  if (/call stack|too much recursion/i.test(`${error.name} ${error.message}`)) return "calls itself without end";
  return error.pyodide_fatal_error || /fatal/i.test(error.message) ? "asked more of Python than a browser gives" : undefined;
}

// One after the other: a message that comes while a package is loaded waits for its turn.
let turn = Promise.resolve();
onmessage = ({ data }) => {
  turn = turn.then(async () => {
    try {
      postMessage({ id: data.id, value: await acts[data.type](data) });
    } catch (error) {
      postMessage({ id: data.id, error: String(error.message ?? error), fatal: fatal(error) });
    }
  });
};
