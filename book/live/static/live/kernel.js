// One worker with a Python, asked by messages.
import { why } from "./lost.js";

const ROOT = new URL("../../", import.meta.url).href;
const SILENCE = 300_000; // milliseconds in which a start says nothing, after which it counts as stuck

/**
 * @param {{onProgress: (message: object) => void, onComm: (message: object) => void,
 *   onNews: (outputs: object[]) => void}} hears
 */
export class Kernel {
  constructor({ onProgress, onComm, onNews }) {
    this.waiting = new Map();
    this.next = 0;
    // Shared memory is there where the server isolates its pages, but not in each browser; without
    // it a cell that runs cannot be interrupted, only ended with its worker.
    const shares = self.crossOriginIsolated && typeof SharedArrayBuffer !== "undefined";
    this.interrupts = shares ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => {
      this.#expect();
      if (data.type === "progress") return onProgress(data);
      if (data.type === "comm") return onComm(data.message);
      if (data.type === "news") return onNews(data.outputs);
      this.#settle(data);
    };
    this.worker.onerror = ({ message }) => (message ? this.end(message) : this.#endSaying());
    this.ready = this.ask("boot", { interrupts: this.interrupts }).finally(() => this.#settled());
    this.#expect();
  }

  // A slow processor may take its time, but not without a word.
  #expect() {
    clearTimeout(this.watch);
    if (!this.isSettled) this.watch = setTimeout(() => this.#endSaying(), SILENCE);
  }

  // Of a script that did not come, Firefox says nothing to a worker, and other browsers not which.
  async #endSaying() {
    this.end((await why(ROOT)).message);
  }

  #settled() {
    this.isSettled = true;
    clearTimeout(this.watch);
  }

  /** Run a cell; resolves to its outputs. What a cell of this id made before goes. */
  run(code, name, cell = "") {
    if (this.interrupts) this.interrupts[0] = 0;
    return this.ask("run", { code, name, cell });
  }

  ask(type, data) {
    return new Promise((done, failed) => {
      const id = ++this.next;
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ id, type, ...data });
    });
  }

  /** Raise KeyboardInterrupt in the cell that runs; false where that cannot be done. */
  interrupt() {
    if (this.interrupts) this.interrupts[0] = 2;
    return Boolean(this.interrupts);
  }

  end(reason) {
    this.worker.terminate();
    for (const { failed } of this.waiting.values()) failed(new Ended(reason));
    this.waiting.clear();
    this.#settled();
  }

  #settle({ id, value, error, fatal }) {
    const { done, failed } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) done(value);
    else failed(fatal ? new Fatal(fatal) : new Error(error));
  }
}

/** What a question gets whose worker was ended. */
export class Ended extends Error {}

/** What a question gets that has ended its Python; the message says what the cell did. */
export class Fatal extends Error {}
