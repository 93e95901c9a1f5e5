// The files that the worker loads: each is what the build has listed, or is lost.
import { Lost, foreign, missing, silent, unreached } from "./lost.js";

const SILENCE = 60_000; // milliseconds without a byte, after which a host counts as silent
const LIST = "files.json";
const TYPES = { js: "text/javascript", json: "application/json", wasm: "application/wasm" };
const ANY = "application/octet-stream";

export class Files {
  /**
   * @param {string} root the address of the book, with a slash at its end
   * @param {(length: number) => void} onBytes hears of each piece that arrives
   */
  constructor(root, onBytes) {
    Object.assign(this, { root, onBytes });
    this.ask = self.fetch.bind(self);
  }

  /** What `fetch` gives; a file of the book is proved first, and has its right type. */
  async fetch(address, options = {}) {
    const { href } = new URL(address.url ?? address, self.location.href); // a Request has an address
    const entry = await this.#entry(href);
    if (!entry) return this.ask(address, options);
    try {
      return await this.#proved(href, options, entry);
    } catch (error) {
      if (!(error instanceof Lost) || !error.isForeign) throw error;
      return this.#proved(href, { ...options, cache: "reload" }, entry); // what was kept is of another build
    }
  }

  /** Throw where a file that came in another way cannot be the one of the book. */
  prove(address, length) {
    const [wanted] = this.list[address.slice(this.root.length)] ?? [length];
    if (wanted !== length) throw foreign(nameOf(address));
  }

  async #entry(address) {
    if (!address.startsWith(this.root)) return undefined;
    this.arriving ??= this.#list();
    this.list = await this.arriving;
    return this.list[address.slice(this.root.length)];
  }

  async #list() {
    const answer = await this.#answer(this.root + LIST, { cache: "no-cache" });
    return answer.json().catch(() => { throw foreign(LIST); });
  }

  async #proved(address, options, [length, hash]) {
    const stop = new AbortController();
    // Pyodide's own integrity would end in an error that gives no reason.
    const answer = await this.#answer(address, { ...options, integrity: "", signal: stop.signal }, stop);
    // A browser keeps the compiled Python only of an answer that is its own.
    const copy = answer.clone();
    const bytes = await this.#bytes(answer, nameOf(address), stop);
    if (bytes.byteLength !== length || await digest(bytes, hash) !== hash) throw foreign(nameOf(address));
    const type = TYPES[address.split(".").pop()] ?? ANY;
    const isTyped = type === ANY || copy.headers.get("Content-Type")?.startsWith(type);
    return isTyped ? copy : new Response(bytes, { headers: { "Content-Type": type } });
  }

  async #answer(address, options, stop) {
    const name = nameOf(address);
    const answer = await soon(this.ask(address, options), name, stop).catch((error) => {
      throw error instanceof Lost ? error : unreached(name);
    });
    if (!answer.ok) throw missing(name, answer.status);
    return answer;
  }

  async #bytes(answer, name, stop) {
    const pieces = [], reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await soon(reader.read(), name, stop).catch(() => { throw silent(name); });
      if (done) return new Blob(pieces).arrayBuffer();
      pieces.push(value);
      this.onBytes(value.length);
    }
  }
}

const nameOf = (address) => address.replace(/.*\//, "");

// What does not come in time is asked for no longer.
async function soon(promise, name, stop) {
  let timer;
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => { failed(silent(name)); stop?.abort(); }, SILENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// A page of http, on another machine, has no hashes: there the length has to do.
async function digest(bytes, otherwise) {
  if (!self.crypto?.subtle) return otherwise;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((each) => each.toString(16).padStart(2, "0")).join("").slice(0, otherwise.length);
}
