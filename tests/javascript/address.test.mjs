// Node.js runs these: what an address brings is what was put there, and what does not fit is refused in words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInThisContext } from "node:vm";

globalThis.window = globalThis;
runInThisContext(readFileSync("assets/address.js", "utf8"), "address.js");
const { count, isLine, pack, packRules, read, unpack, unpackRules, write } = window.tlAddress;
const RULES = "S -> the N V! | # книга\nN -> 2: cat | dog";

test("rules come back as they were, in letters that an address may have", async () => {
  const packed = await packRules(RULES, "the cat");
  assert.match(packed, /^[\w-]+$/);
  assert.deepEqual(await unpackRules(packed), { rules: RULES, text: "the cat" });
});

test("what is written is read", () => {
  const pairs = [["s", "the cats & dogs"], ["silence", "2.3,1.1"], ["t", undefined]];
  assert.equal(write(pairs), "#s=the+cats+%26+dogs&silence=2.3,1.1");
  assert.deepEqual([...read(write(pairs), ["s", "silence", "t"])], pairs.slice(0, 2));
  assert.equal(write([]), "");
});

test("the name of a section is no state, and no key of an object is one", () => {
  for (const each of ["", "#section", "#__proto__=1", "#mass=1"]) assert.equal(read(each, ["s"]), null);
});

const DAMAGED = {
  "cut off": async () => (await packRules(RULES.repeat(9), "")).slice(0, 60),
  "no base 64": () => "%%%",
  "no text": () => btoa("\xff\xfe"),
  "packed small": () => pack("a".repeat(3_000_000)),
  "no JSON": () => pack("rules"),
  "an object": () => pack('{"__proto__": 1}'),
  "three": () => pack('["a", "b", "c"]'),
  "numbers": () => pack("[1, 2]"),
  "no rules": () => pack('["  ", "the cat"]'),
  "too long": () => packRules("a".repeat(4001), ""),
  "a long sentence": () => packRules("S -> a", "a".repeat(301)),
  "half of a pair": () => pack('["S -> \\ud800", ""]'),
  "a turned line": () => packRules("S -> a\u202eb", ""),
  "a bell": () => packRules("S -> a", "a\u0007"),
  "nothing": () => "",
};

for (const [name, made] of Object.entries(DAMAGED)) {
  test(`rules are refused: ${name}`, async () => {
    await assert.rejects(async () => unpackRules(await made()), (error) => error instanceof RangeError && /^(it|what it brings) /.test(error.message));
  });
}

test("a long fragment is not read, and a number keeps to its bounds", () => {
  assert.throws(() => read(`#s=${"a".repeat(6000)}`, ["s"]), /it has 6002 characters, and at most 6000 are read/);
  assert.equal(count("2.5", 1, 3, "stage"), 2.5);
  for (const wrong of ["", "-1", "1e3", "٣", "0x1", "NaN", "4", "2.55", "99999"]) {
    assert.throws(() => count(wrong, 1, 3, "stage"), /its stage must be from 1 to 3/);
  }
});

test("a line of any script is a line, and what hides a text is none", () => {
  for (const text of ["the cats", "красивая книга", "می\u200cخواهم", "👩\u200d🔬", ""]) assert.ok(isLine(text), text);
  for (const text of ["a\nb", "a\rb", "\u0000", "\u0085", "\u2028", "\u202e", "\u2066", "\ud800"]) assert.ok(!isLine(text));
});

test("what was unpacked is the text that was packed", async () => {
  for (const text of ["", "a", "ü".repeat(8000)]) assert.equal(await unpack(await pack(text)), text);
});
