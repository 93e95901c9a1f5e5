// What a page keeps of a reader's work, and what a file of it may be: book/live/static/live/store.js, notebook.js.
import assert from "node:assert/strict";
import { test } from "node:test";

import { read, written } from "../../book/live/static/live/notebook.js";
import { MOST, Store } from "../../book/live/static/live/store.js";

const kept = new Map();
let isFull = false;
globalThis.addEventListener = () => {};
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  removeItem: (key) => kept.delete(key),
  setItem(key, text) {
    if (isFull) throw new Error("QuotaExceededError");
    kept.set(key, text);
  },
};

test("a store says that it keeps nothing when the browser refuses, and that it keeps when it does not", () => {
  const store = new Store("page", () => {});
  store.set("a", "x = 1");
  assert.equal(store.keeps, true);
  isFull = true;
  store.set("b", "y = 2");
  assert.equal(store.keeps, false);
  isFull = false;
  store.set("b", "y = 3");
  assert.equal(store.keeps, true);
  assert.deepEqual(JSON.parse(kept.get("tl-live:page")), { a: "x = 1", b: "y = 3" });
});

test("what is changed together is written once, and leaves what another tab wrote", () => {
  kept.clear();
  const store = new Store("page", () => {});
  store.set("a", "x = 1");
  kept.set("tl-live:page", JSON.stringify({ a: "x = 1", other: "y = 2" }));
  const { setItem } = localStorage;
  let writes = 0;
  localStorage.setItem = (...given) => { writes += 1; setItem(...given); };
  store.together(() => { store.forget("a"); store.set("b", "z = 3"); store.set("c", "c = 4"); });
  localStorage.setItem = setItem;
  assert.equal(writes, 1);
  assert.deepEqual(JSON.parse(kept.get("tl-live:page")), { other: "y = 2", b: "z = 3", c: "c = 4" });
  assert.equal(store.get("other"), undefined);
});

const release = (...ids) => ({
  nbformat: 4,
  cells: ids.map((id) => ({ id, cell_type: "code", metadata: {}, source: `${id} = 1` })),
});
const page = ["a", "b", "c", "d"].map((id) => ({ id, role: "answer", name: id, code: `${id} = 2` }));

test("a file with half of the page's cells is its notebook, and one with fewer is not", () => {
  const { work, over } = read(JSON.stringify(release("a", "b", "x")), page, "Title");
  assert.deepEqual([...work], [["a", "a = 1"], ["b", "b = 1"]]);
  assert.equal(over, 1);
  assert.throws(() => read(JSON.stringify(release("a", "x", "y")), page, "Title"), /another notebook/);
});

test("a cell may have as many characters as the page takes, and not one more", () => {
  const long = (size) => {
    const notebook = release("a", "b");
    notebook.cells[0].source = "x".repeat(size);
    return JSON.stringify(notebook);
  };
  assert.equal(read(long(MOST), page, "Title").work.get("a").length, MOST);
  assert.throws(() => read(long(MOST + 1), page, "Title"), /more than 100,000 characters/);
});

test("what is written can be read again", () => {
  const { work } = read(written(release("a", "b", "c", "d"), page), page, "Title");
  assert.deepEqual([...work.values()], page.map(({ code }) => code));
});
