// The worker: Pyodide, the library, and the kernel of book/kernel.
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

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
        raise OSError(f"the file {name} could not be loaded: is there a network?")
    return data.to_bytes()
late.fill(Path("/course/chapters"), json.load(open("/course/late.json")), fetch)
Kernel(send, json.load(open("/course/brings.json")), tell)
`;
const LATE = new URL("../vendor/", import.meta.url);
const silent = { messageCallback() {}, errorCallback() {} };
let python, kernel, missed, interrupts;

// Counts what is fetched, whoever asks: in a copy, for the browser keeps the compiled Python only of
// an answer that is its own.
const fetched = self.fetch.bind(self);
let bytes = 0, doing = "Python";
const progress = (what = doing) => {
  doing = what;
  postMessage({ type: "progress", what, bytes });
};
self.fetch = async (...asked) => {
  const answer = await fetched(...asked);
  if (answer.ok && answer.body) count(answer.clone().body);
  return answer;
};
function count(body) {
  const counter = { write(chunk) { bytes += chunk.length; progress(); } };
  body.pipeTo(new WritableStream(counter)).catch(silent.errorCallback);
}

// A cell that opens a model or the corpus waits for it: a worker may do what would halt a page.
function lateFile(name) {
  progress(name);
  const asked = new XMLHttpRequest();
  asked.open("GET", new URL(name, LATE), false);
  asked.responseType = "arraybuffer";
  try {
    asked.send();
  } catch {
    missed = name;
  }
  if (asked.status !== 200) missed = name;
  if (missed) return null;
  bytes += asked.response.byteLength;
  progress("");
  return new Uint8Array(asked.response);
}

async function boot(given) {
  progress("Python");
  const course = fetch(COURSE).then((answer) => answer.arrayBuffer());
  python = await loadPyodide({ indexURL: CORE, packages: ["numpy"] });
  progress("the library of the course");
  python.unpackArchive(await course, "zip", { extractDir: "/course" });
  const send = (text) => postMessage({ type: "comm", message: JSON.parse(text) });
  const tell = (text) => postMessage({ type: "news", outputs: JSON.parse(text) });
  const names = python.toPy({ send, lateFile, tell });
  kernel = python.runPython(START, { globals: names });
  ({ interrupts } = given);
  doing = "";
  return { version: python.version };
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
  const wanted = absent(JSON.parse(kernel.packages(code)));
  if (wanted.length) {
    progress(wanted.join(", "));
    await python.loadPackage(wanted, silent).catch(silent.errorCallback);
    const [lost] = absent(wanted);
    if (lost) throw new Error(without(lost));
    kernel.warm_up(JSON.stringify(wanted));
    progress("");
  }
  missed = undefined;
  const outputs = JSON.parse(await stoppable(() => kernel.run(code, name, cell)));
  if (missed) throw new Error(without(`the file ${missed}`));
  return outputs;
}

// Pyodide calls a package as its makers write it: Pygments.
function absent(packages) {
  const there = Object.keys(python.loadedPackages).map((each) => each.toLowerCase());
  return packages.filter((each) => !there.includes(each));
}

const without = (what) => `${what} could not be loaded: is there a network?`;

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
