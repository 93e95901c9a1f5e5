// The notation of a reader's language, as course/languages/notation.py reads it. What is refused there is refused here
// with the same sentence, from the same data (refusals.toml). Rules are never run.
(function () {
  "use strict";
  const { bounds, says, page } = window.tlRefusals, MOST = { ...bounds, ...page.bounds }, SAYS = { ...says, ...page.says };
  // Python's white space and ends of lines: it has some control characters that \s lacks.
  const SPACE = "[\\s\\x1c-\\x1f\\x85]", BREAK = "\\r\\n|[\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]", LINES = new RegExp(BREAK);
  const SPACES = new RegExp(`${SPACE}+`, "u"), ENDS = new RegExp(`^${SPACE}+|${SPACE}+$`, "gu");
  const COMMAS = new RegExp(`${SPACE}*,${SPACE}*(?=[^[]*\\])`, "gu"), WEIGHT = new RegExp(`^${SPACE}*([^\\s\\x1c-\\x1f\\x85":]+):`, "u");
  const SYMBOL = /^(?:"[^"]+"|([^"![\]]+)(?:\[([^"![\]]+)\])?!?)$/u;
  const HIDDEN = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, QUOTES = /[“”„«»]/gu;
  const strip = (text) => text.replace(ENDS, ""), split = (text) => text.split(SPACES).filter(Boolean);
  const plain = (symbol) => symbol.replace(/!$/, ""), bare = (symbol) => symbol.replace(/^"+|"+$/g, "");
  const push = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));

  // ---- what is wrong, in words ----

  const said = (which, parts) => SAYS[which].replace(/\{(\w+)\}/g, (_, name) => String({ ...MOST, ...parts }[name]));

  function refuse(line, which, parts = {}) {
    const why = said(which, parts) + (parts.more ?? "");
    throw new RangeError(line ? said("line", { ...line, why }) : why);
  }

  // A text as Python's repr shows it.
  function quoted(text) {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'", named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    const code = (letter) => {
      const hex = letter.codePointAt(0).toString(16), size = [2, 4, 8].find((n) => hex.length <= n);
      return `\\${{ 2: "x", 4: "u", 8: "U" }[size]}${hex.padStart(size, "0")}`;
    };
    const safe = text.replace(/[\\\p{C}\p{Z}]|['"]/gu, (c) => {
      if (c === "\\" || c === quote) return `\\${c}`;
      return /['" ]/.test(c) ? c : named[c] ?? code(c);
    });
    return quote + safe + quote;
  }
  const list = (texts) => `[${[...texts].map(quoted).join(", ")}]`;

  // ---- the notation ----

  function linesOf(text) {
    if (text.length > MOST.characters) refuse(null, "text", { count: text.length });
    const typed = text.normalize("NFC").replace(HIDDEN, "").replace(QUOTES, '"').replaceAll("→", "->");
    return typed.split(LINES).map((line, k) => ({ number: k + 1, text: strip(line.split("#")[0].replace(COMMAS, ",")) }))
      .filter((line) => line.text);
  }

  function featuresOf(lines) {
    const found = new Map(), values = (line) => split(line.text.split("=").slice(1).join("="));
    for (const line of lines) {
      const name = strip(line.text.split("=")[0]);
      if (!values(line).length || !/^[\p{L}\p{N}_]+$/u.test(name)) refuse(line, "neither");
      found.set(name, values(line));
    }
    for (const line of lines) {
      const value = values(line).find((each) => found.has(each));
      if (value !== undefined) refuse(line, "both", { value });
    }
    return found;
  }

  // What to write instead of a symbol that other notations have.
  function refuseHabit(line, symbol) {
    if (/^'[^']+'$/u.test(symbol)) refuse(line, "quotes", { symbol, word: symbol.slice(1, -1) });
    if (/^\p{Nd}+([.,]\p{Nd}+)?$/u.test(symbol)) refuse(line, "number", { symbol });
    if (symbol.split("[").length > symbol.split("]").length) refuse(line, "comma", { symbol });
  }

  // The features of a symbol that have no value yet.
  function named(line, symbol, features) {
    refuseHabit(line, symbol);
    const match = SYMBOL.exec(symbol);
    if (!match) refuse(line, "symbol", { symbol });
    const parts = match[2]?.split(",") ?? [], values = new Set([...features.values()].flat());
    const part = parts.find((each) => !features.has(each) && !values.has(each));
    if (part !== undefined) refuse(line, "value", { part, symbol, features: list(features.keys()), values: list(values) });
    return parts.filter((each) => features.has(each));
  }

  function filled(symbol, chosen) {
    if (symbol.startsWith('"')) return symbol;
    return symbol.replace(/\[(.*)\]/u, (_, inside) => `[${inside.split(",").map((part) => chosen.get(part) ?? part).join(",")}]`);
  }

  // As Python's float, which knows the digits of all scripts: each stands in a row of ten.
  function number(text) {
    return Number(text.replace(/\p{Nd}/gu, (digit) => {
      let zero = digit.codePointAt(0);
      while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
      return (digit.codePointAt(0) - zero) % 10;
    }));
  }

  function weighed(line, option) {
    const match = WEIGHT.exec(option), typed = match?.[1];
    if (!match) return [1, split(option)];
    if (!/^\p{Nd}+(\.\p{Nd}+)?$/u.test(typed) || !number(typed)) refuse(line, "weight", { typed });
    if (number(typed) > MOST.weight) refuse(line, "heavy", { typed });
    return [number(typed), split(option.slice(match[0].length))];
  }

  // The choices of values, the last feature first: a rule with features is one plain rule for each.
  function* choices(names, features) {
    const ways = names.reduce((n, name) => n * features.get(name).length, 1);
    for (let k = 0; k < ways; k++) {
      const chosen = new Map();
      let left = k;
      for (const name of names.slice().reverse()) {
        const values = features.get(name);
        chosen.set(name, values[left % values.length]);
        left = Math.floor(left / values.length);
      }
      yield chosen;
    }
  }

  function leftOf(line) {
    const left = strip(line.text.slice(0, line.text.indexOf("->")));
    if (split(left).length !== 1 || !SYMBOL.exec(left)?.[1]) refuse(line, "left", { left: quoted(left) });
    if (left.endsWith("!")) refuse(line, "marked", { left });
    return left;
  }

  function* plainRules(line, features) {
    const left = leftOf(line);
    for (const option of line.text.slice(line.text.indexOf("->") + 2).split("|")) {
      const [weight, symbols] = weighed(line, option);
      const names = [...new Set([left, ...symbols].flatMap((symbol) => named(line, symbol, features)))], given = named(line, left, features);
      const ways = names.reduce((n, name) => n * (given.includes(name) ? 1 : features.get(name).length), 1);
      for (const chosen of choices(names, features)) {
        yield [filled(left, chosen), { weight: weight / ways, symbols: symbols.map((symbol) => filled(symbol, chosen)), line }];
      }
    }
  }

  function all(lines, features) {
    const rules = new Map();
    let count = 0;
    for (const line of lines) {
      for (const [name, rule] of plainRules(line, features)) {
        if (++count > MOST.rules) refuse(line, "many");
        push(rules, name, rule);
      }
    }
    return rules;
  }

  function needsRule(symbol, rules, line) {
    const name = plain(symbol), isUpper = /^\p{Uppercase}/u.test(symbol);
    if (bare(name) !== name && rules.has(bare(name))) refuse(line, "name", { symbol: name });
    if (!rules.has(name) && name !== symbol && !isUpper && !name.includes("[")) refuse(line, "plain", { symbol: name });
    if (!rules.has(name) && (isUpper || name.includes("["))) {
      refuse(line, "missing", { symbol: name, more: isUpper && /^\p{L}+$/u.test(name) ? SAYS.capital : "" });
    }
    return rules.has(name);
  }

  // The rules that can be used, with probabilities, and words without quotes; each with its line.
  function reachedFrom(start, rules) {
    const found = new Map(), names = new Set([start]);
    for (const name of names) {
      const own = rules.get(plain(name)), given = plain(name) === name ? own : [{ weight: 1, symbols: [plain(name)], line: own[0].line }];
      const total = given.reduce((sum, rule) => sum + rule.weight, 0);
      found.set(name, given.map(({ weight, symbols, line }) => ({ p: weight / total, symbols: symbols.map(bare), line })));
      for (const { symbols, line } of given) for (const symbol of symbols) if (needsRule(symbol, rules, line)) names.add(symbol);
    }
    return found;
  }

  function written(text) {
    const lines = linesOf(text), isRule = (line) => line.text.includes("->");
    const features = featuresOf(lines.filter((line) => !isRule(line))), every = all(lines.filter(isRule), features);
    const start = every.keys().next().value ?? "";
    if (!start || start.includes("[")) refuse(null, "start", { start: quoted(start) });
    const rules = reachedFrom(start, every), used = new Set([...rules.keys()].flatMap((name) => every.get(name) ?? []).map(({ line }) => line));
    const unused = [...every.values()].flat().find(({ line }) => !used.has(line));
    if (unused) refuse(unused.line, "unused", { start });
    return { rules, start };
  }

  window.tlNotation = { written, refuse, quoted, list, split, plain, MOST };
})();
