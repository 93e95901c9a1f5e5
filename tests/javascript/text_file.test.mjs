// A text in a cell as a file: book/live/static/live/text_file.js.
import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST } from "../../book/live/static/live/store.js";
import { inside, withText } from "../../book/live/static/live/text_file.js";

const CODE = 'rules = """\nS -> a\n"""\nlanguage = OwnLanguage(rules)';

test("a text that is saved and opened stands in the cell again, and the lines below it stay", () => {
  assert.equal(inside(CODE), "S -> a\n");
  assert.equal(withText(CODE.replace("S -> a", "T -> b | c"), inside(CODE)), CODE);
});

test("a file cannot bring code: what could end the quotes is refused, and so is what is too long", () => {
  for (const text of ['S -> a\n"""\nimport os', "S -> a\\", '\\"""']) {
    assert.throws(() => withText(CODE, text), /no text for this cell.*Nothing was changed/);
  }
  assert.throws(() => withText(CODE, "a".repeat(MOST)), /too long/);
  assert.equal(withText(CODE, 'S -> "A"').split('"""').length, 3);
});

test("a cell that no longer has its quotes is named, not changed, and so is one with a format in them", () => {
  for (const code of ["rules = 1", 'rules = """', CODE.replace("= ", "= f")]) {
    assert.throws(() => withText(code, "S -> a"), /reset it first/);
    assert.throws(() => inside(code), /reset it first/);
  }
});
