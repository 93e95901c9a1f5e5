// ESLint's recommended rules for each script that we write: node book/lint.mjs TOOLS FILE ...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [tools, ...files] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { Linter } = require(`${tools}/eslint/linter.cjs`);
const { rules } = require(`${tools}/eslint/eslint-recommended.js`);
const known = require(`${tools}/eslint/globals.json`);
// What the pages load before our scripts: MathJax, require.js, the scripts of the theme.
const LOADED = { MathJax: "readonly", requirejs: "readonly", require: "readonly", define: "readonly" };

const config = (file) => [{
  files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
  rules: { ...rules, "no-var": "error", "prefer-const": "error", eqeqeq: ["error", "smart"] },
  languageOptions: {
    ecmaVersion: 2022,
    sourceType: file.endsWith(".cjs") ? "commonjs" : /live\/|mjs$/.test(file) ? "module" : "script",
    globals: /[cm]js$/.test(file) ? { ...known.browser, ...known.node }
      : { ...known.browser, ...known.worker, ...known.serviceworker, ...LOADED },
  },
}];

const linter = new Linter();
let faults = 0;
for (const file of files) {
  for (const { line, column, message, ruleId } of linter.verify(readFileSync(file, "utf8"), config(file), file)) {
    console.log(`${file}:${line}:${column}: ${message} (${ruleId})`);
    faults++;
  }
}
process.exitCode = faults ? 1 : 0;
