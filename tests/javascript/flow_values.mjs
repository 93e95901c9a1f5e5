// What assets/flow/transformer.js computes, for tests/book/test_flow_model.py:
// node flow_values.mjs WEIGHTS, with cases and texts as JSON on the standard input.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

globalThis.window = globalThis;
for (const file of [process.argv[2], "assets/flow/transformer.js"]) runInThisContext(readFileSync(file, "utf8"), file);
const { cases, texts } = JSON.parse(readFileSync(0, "utf8"));
const { forward, pattern, unpack } = window.tlFlow, P = await unpack();

function values({ ids, silent, lifted }) {
  const found = forward(P, ids, new Set(silent), lifted);
  return {
    stream: found.stream,
    weights: found.layers.map(({ heads }) => heads.map(({ weights }) => weights)),
    logits: ids.map((_, i) => found.logits(found.stream.length - 1, i)),
  };
}

const grammar = new RegExp(pattern);
const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
const said = { P, found: cases.map(values), begun: texts.map((text) => grammar.test(text)) };
console.log(JSON.stringify(said, plain));
