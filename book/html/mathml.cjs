// Turns formulas into MathML: node mathml.cjs FOLDER-OF-MATHJAX < {"macros", "formulas"} > [MathML].
const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");
const { init } = require(resolve(process.argv[2], "node-main.js"));

const { macros, formulas } = JSON.parse(readFileSync(0, "utf8"));
const settings = { loader: { load: ["input/tex"] }, tex: { macros } };
init(settings).then(async (MathJax) => {
  const made = [];
  for (const { tex, display } of formulas) made.push(await MathJax.tex2mmlPromise(tex, { display }));
  process.stdout.write(JSON.stringify(made));
});
