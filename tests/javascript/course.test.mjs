// What a page says to a number that a reader has typed: assets/course.js with a page of one question.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const SCRIPT = readFileSync("assets/course.js", "utf8");

/** Type a number into a question whose answer is given, press Check and return what the page says. */
function said(typed, { answer, tolerance = 1e-9, mistakes = [], wrong = "Not so." }) {
  const listeners = {};
  const input = {
    value: typed,
    dataset: { answer, tolerance, mistakes: JSON.stringify(mistakes), right: "Right.", wrong },
  };
  const output = { dataset: {}, removeAttribute() { delete this.dataset.verdict; } };
  const parts = { ".tl-number": input, output };
  const question = { dataset: {}, querySelector: (name) => parts[name], querySelectorAll: () => [] };
  const document = { addEventListener: (kind, act) => { listeners[kind] = act; } };
  vm.runInNewContext(SCRIPT, { window: {}, document });
  listeners.click({ target: { matches: () => true, closest: () => question } });
  return { verdict: output.dataset.verdict, text: output.textContent ?? output.innerHTML };
}

for (const [typed, answer] of [
  ["\u22120.25", -0.25], // the minus sign that a page shows, copied
  ["1,234,567", 1234567],
  ["12,345", 12345],
  ["12,345", 12.345],
  ["0,5", 0.5],
  ["3 / 4", 0.75],
  ["2\u00b73\u00d74", 24],
  ["1e-3", 0.001],
]) {
  test(`${typed} is read as ${answer}`, () => assert.equal(said(typed, { answer }).verdict, "right"));
}

test("a comma after two digits of three does not part thousands", () => {
  assert.equal(said("1,23", { answer: 123 }).verdict, "wrong");
});

test("a known mistake gets its own message, any other number the common one", () => {
  const question = { answer: 4, mistakes: [[2, "You forgot to square it."], [8, "You doubled it."]] };
  assert.deepEqual(said("8", question), { verdict: "wrong", text: "You doubled it." });
  assert.deepEqual(said("7", question), { verdict: "wrong", text: "Not so." });
});

test("a number that nobody foresaw gets a hint", () => {
  const hints = { "-4": /sign/, 400: /percentage/, 4.1: /round/, 0.05: /each step/, 9: /each step/ };
  for (const [typed, hint] of Object.entries(hints)) {
    const question = { answer: 4, tolerance: 0.02, wrong: "<b>✗ Not so.</b>" };
    assert.match(said(typed, question).text, hint);
  }
});

test("the right answer is right although it is within the tolerance of a mistake", () => {
  const question = { answer: 0.5, tolerance: 0.1, mistakes: [[0.55, "That is another one."]] };
  assert.deepEqual(said("0.52", question), { verdict: "right", text: "Right." });
});

test("what is no number gets no verdict", () => {
  const { verdict, text } = said("four", { answer: 4 });
  assert.equal(verdict, undefined);
  assert.match(text, /Type a number/);
});
