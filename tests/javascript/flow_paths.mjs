// The path rules of assets/flow/draw.js, for tests/book/test_flow_paths.py: calls as JSON on the standard input.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

globalThis.window = globalThis;
runInThisContext(readFileSync("assets/flow/draw.js", "utf8"), "assets/flow/draw.js");
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map(([rule, ...values]) => window.tlFlow[rule](...values))));
