// What did not come or cannot be used: one sentence that says why, and what to do.

const MEND = "whoever put the book there can mend that: the file has to lie there as the build made it";

/** A file that did not come, or that cannot be used; the message is for the reader. */
export class Lost extends Error {}

const ofHost = (text) => Object.assign(new Lost(text), { isOfHost: true });

export const unreached = (name) => new Lost(`${name} could not be loaded: is there a network?`);

export const missing = (name, status) => ofHost(
  `The host of this book does not give ${name} (it answers ${status}). Only ${MEND}, and the host has to know its ending.`);

export const foreign = (name) => Object.assign(ofHost(
  `The host of this book gives something else than ${name}, or a part of it. If it asks you to log in, do so, and load `
  + `this page anew. Else ${MEND}.`), { isForeign: true });

export const silent = (name) => new Lost(
  `The host of this book stopped sending ${name}. A better network may help.`);

export const forbidden = () => new Lost(
  "The host of this book forbids WebAssembly, which Python needs. Whoever runs the host can allow it: its header "
  + "Content-Security-Policy needs 'wasm-unsafe-eval' in script-src.");

export const noRoom = () => new Lost(
  "This browser has no room for Python. Close other tabs and programs.");

const mistyped = (name, type) => new Lost(
  `The host of this book gives ${name} as ${type}, and a browser runs a script only as text/javascript. Whoever put `
  + "the book there can mend that.");

/** Why a script did not run, of which a browser says only that it did not: each is asked for again. */
export async function why(root, ask = fetch) {
  const list = await ask(`${root}files.json`).then((answer) => answer.json()).catch(() => ({}));
  const scripts = Object.keys(list).filter((path) => /^_static\/(live|vendor\/(pyodide|editor)).*\.js$/.test(path));
  for (const path of [...scripts, "files.json"]) {
    const name = path.replace(/.*\//, "");
    const answer = await ask(root + path).catch(() => undefined);
    const type = answer?.headers.get("Content-Type") ?? "a file of no type";
    if (!answer) return unreached(name);
    if (!answer.ok) return missing(name, answer.status);
    if (path.endsWith(".js") && !/(java|ecma)script/.test(type)) return mistyped(name, type);
  }
  return new Lost("Python did not start, and this browser does not say why. Another browser may start it.");
}
