// Node.js runs these: what the page on reading says of readers whose slope is known, and which files it takes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInThisContext } from "node:vm";

globalThis.window = globalThis;
for (const name of ["items", "statistics", "simulate", "file"]) runInThisContext(readFileSync(`assets/reading/${name}.js`, "utf8"), `${name}.js`);
const { tlReading: R, tlItems: items } = globalThis;
const aClass = (readers, given) => R.simulatedClass(items, readers, { slope: 0, ...given });
const fitted = (records) => R.fit(R.observations(records, items).rows);

test("each list has every item once, each condition of a kind equally often, also of half", () => {
  const all = { gardena: 4, gardenb: 4, agreementaa: 2, agreementab: 2, agreementba: 2, agreementbb: 2, filler: 24 };
  for (let list = 0; list < R.LISTS; list++) {
    for (const isHalf of [false, true]) {
      const counts = {};
      for (const { kind, condition } of R.listOf(items, list, isHalf)) counts[kind + condition] = (counts[kind + condition] ?? 0) + 1;
      assert.deepEqual(counts, Object.fromEntries(Object.entries(all).map(([name, n]) => [name, isHalf ? n / 2 : n])));
    }
  }
});

test("a filler stands between any two other sentences, whatever is drawn", () => {
  for (let seed = 0; seed < 50; seed++) {
    const order = R.ordered(R.listOf(items, seed % R.LISTS, seed % 3 === 0), R.random(seed)).map((each) => each.kind !== "filler");
    assert.ok(!order.some((is, i) => is && order[i + 1]));
    assert.equal(order.filter(Boolean).length, seed % 3 === 0 ? 8 : 16);
  }
});

test("times that follow from the columns give their slopes back, whatever the deciding words take", () => {
  const { rows } = R.observations(aClass(2, { next: R.random(1) }), items), truth = [2, 3, -1, 7, -1, 4, 0.5, 2, 1, -2, -20];
  rows.forEach((row) => {
    row.time = 400 + 50 * row.reader + (row.decides ? 500 : 0) + truth.reduce((sum, b, i) => sum + b * row.x[i], 0);
  });
  const found = R.fit(rows);
  truth.forEach((b, i) => assert.ok(Math.abs(R.slopesOf(rows)[i] - b) < 1e-8));
  assert.ok(Math.abs(found.value - 4) < 1e-8 && found.high - found.low < 1e-6);
  const [garden] = found.contrasts; // all conditions cost the same 500 for each word, so no difference is left
  assert.ok(Math.abs(garden.rest.value) < 1e-6);
});

test("what only deciding words cost is found there and not in the slope", () => {
  const with60 = aClass(2, { next: R.random(3), name: "deciding words cost 60 ms", isExact: true });
  const without = aClass(2, { next: R.random(3), isExact: true }), [a, b] = [with60, without].map(fitted);
  assert.ok(Math.abs(a.value - b.value) < 1e-9);
  const cost = a.contrasts[0].rest.value - b.contrasts[0].rest.value; // a file has tenths of a millisecond
  assert.ok(Math.abs(cost - 180) < 0.3, cost);
});

test("interrupted sentences and impossible times are left out and counted", () => {
  const [reader] = aClass(1, { next: R.random(3) }), all = R.observations([reader], items).rows, first = reader.trials[0];
  const other = reader.trials.find((trial) => trial.item !== first.item && trial.times.length > 6);
  first.interrupted = true;
  other.times[2] = 20;
  const { rows, outside, interrupted } = R.observations([reader], items);
  assert.equal(rows.length, all.filter((row) => row.version.item !== first.item).length - 1);
  assert.deepEqual([outside, interrupted], [1, 1]);
});

test("practice does not count among the answers, and who guesses is known", () => {
  const trials = (...given) => ({ trials: given.map((right, i) => ({ item: i ? `f${i}` : "p2", right })) });
  assert.equal(R.rightShare(trials(false, true, true, null)), 1);
  assert.equal(R.rightShare(trials(true)), null);
  assert.deepEqual([trials(true, true, false), trials(false, true, true, true, false)].map(R.guesses), [true, false]);
});

test("a file comes back as it was, and the stored one is what the simulation writes", () => {
  const [reader] = aClass(1, { next: R.random(1) });
  Object.assign(reader, { code: "abcdefgh", language: "another" });
  assert.deepEqual(R.read(R.written([reader])).map((each) => R.written([each])), [R.written([reader])]);
  const stored = R.simulated(items, { slope: 3, list: 0, next: R.random(1) });
  assert.equal(readFileSync("chapters/models/reading.csv", "utf8"), R.written([stored]));
});

test("the cells of the page find in NumPy what the scripts find", () => {
  const { cells } = JSON.parse(readFileSync("chapters/you_and_the_model.ipynb", "utf8"));
  const printed = (id) => cells.find((cell) => cell.id === id).outputs.map((output) => output.text?.join("")).join("");
  const { value, low, high, words, items: n } = fitted(R.read(TEXT));
  assert.equal(printed("fit"), `slope: ${value.toFixed(1)} ms for each bit, from ${words} words\n`);
  assert.equal(printed("interval"), `95% interval over ${n} sentences: ${low.toFixed(1)} to ${high.toFixed(1)}\n`);
});

test("the table of a class has no code, and no first language of a few", () => {
  const records = aClass(12, { next: R.random(1) }).map((record, i) => ({ ...record, code: `abcdefg${"hjkmnpqrstuv"[i]}`, language: i < 7 ? "English" : "another" }));
  const safe = R.anonymous(records, 5, R.random(1)), few = R.anonymous(records.slice(0, 8), 5, R.random(1));
  assert.deepEqual(safe.map((each) => each.code).sort(), [...Array(12).keys()].map((i) => `reader-${i + 1}`).sort());
  assert.deepEqual([new Set(safe.map((each) => each.language)).size, new Set(few.map((each) => each.language))], [2, new Set([""])]);
  assert.notDeepEqual(safe.map((each) => each.list), records.map((each) => each.list));
});

const TEXT = readFileSync("chapters/models/reading.csv", "utf8"), [HEAD, ...LINES] = TEXT.trim().split("\n");
const changed = (change) => [HEAD, ...change([...LINES])].join("\n");
const cellOf = (line, i, text) => line.split(",").map((cell, at) => (at === i ? text : cell)).join(",");
const BAD = {
  "another file": "{}", "no line": HEAD, "fewer sentences": changed((lines) => lines.filter((line) => line.split(",")[4] !== "g1")), "a lost word": changed((lines) => lines.slice(1)), "a lost end": changed((lines) => lines.slice(0, -1)),
  "a word twice": changed(([first, ...lines]) => [first, first, ...lines]), "another word": changed(([first, ...lines]) => [cellOf(first, 8, "Ware"), ...lines]),
  "no time": changed(([first, ...lines]) => [cellOf(first, 9, ""), ...lines]), "a negative time": changed(([first, ...lines]) => [cellOf(first, 9, "-3"), ...lines]),
  "markup for a name": changed((lines) => lines.map((line) => cellOf(line, 0, "<b>x</b>"))), "an unknown item": changed(([first, ...lines]) => [cellOf(first, 4, "__proto__"), ...lines]),
  "semicolons": TEXT.replaceAll(",", ";"), "a sentence twice": changed((lines) => [...lines, ...lines.filter((line) => line.split(",")[4] === "g1").map((line) => cellOf(line, 3, "99"))]),
};
for (const [what, text] of Object.entries(BAD)) {
  test(`a file with ${what} is refused in words`, () => assert.throws(() => R.read(text), /^Error: (is no file|has a|lacks lines)/));
}
