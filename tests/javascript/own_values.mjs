// What the scripts of a reader's own language compute, for tests/book/test_flow_own.py:
// node own_values.mjs REFUSALS, with texts, batches and trainings as JSON on the standard input.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

// A worker for worker.js, which loads the other scripts.
const run = (file) => runInThisContext(readFileSync(file, "utf8"), file);
let told = [], answer;
globalThis.self = globalThis;
globalThis.importScripts = (...names) => names.forEach((name) => run(name.endsWith("refusals.js") ? process.argv[2] : `assets/flow/own/${name}`));
globalThis.addEventListener = (_, listener) => { answer = listener; };
globalThis.postMessage = (each) => told.push(each);
run("assets/flow/own/worker.js");
const { texts, batches, trainings } = JSON.parse(readFileSync(0, "utf8"));
const { read, after, draw } = window.tlRules, { asPicture, generator, lossAndGradients } = window.tlTrain;

function language(text) {
  const begun = performance.now(), seconds = () => (performance.now() - begun) / 1000;
  try {
    const found = read(text), drawn = draw(found, generator(1), 40).map(({ words }) => words), forms = Object.fromEntries(found.forms);
    return { words: found.words, forms, drawn, next: drawn.map((words) => [...after(found, words.slice(0, words.length >> 1))]), seconds: seconds() };
  } catch (error) {
    return { error: error.message, type: error.name, seconds: seconds() };
  }
}

async function training({ stop, ...asked }) {
  told = [];
  if (stop) await window.tlRun(asked, globalThis.postMessage, () => told.at(-1).step >= stop);
  else await answer({ data: asked });
  const sizes = (T) => T && Object.fromEntries(Object.entries(T).map(([name, array]) => [name, array.length]));
  return told.map(({ T, ...each }) => ({ ...each, sizes: sizes(T), first: T?.E[0] }));
}

const flat = (T) => Object.fromEntries(Object.entries(T).map(([name, rows]) => [name, Float64Array.from(rows.flat())]));
const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
// What the picture computes of the first sentence of a batch: the logits at each of its places.
function pictured({ T, sentences: [ids] }) {
  const { last, logits } = window.tlFlow.forward(asPicture(flat(T)), ids);
  return ids.map((_, i) => logits(last, i));
}

const losses = batches.map(({ T, sentences }) => lossAndGradients(flat(T), sentences)), trained = [];
for (const each of trainings) trained.push(await training(each));
console.log(JSON.stringify({ languages: texts.map(language), losses, pictured: batches.map(pictured), trained }, plain));
