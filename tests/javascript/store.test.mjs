// What a page keeps of a reader's work, and what a file of it may be: assets/moved.js, and store.js and
// notebook.js in book/live/static/live.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

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
  const store = new Store("tl-live:/2027/page", () => {});
  store.set("a", "x = 1");
  assert.equal(store.keeps, true);
  isFull = true;
  store.set("b", "y = 2");
  assert.equal(store.keeps, false);
  isFull = false;
  store.set("b", "y = 3");
  assert.equal(store.keeps, true);
  assert.deepEqual(JSON.parse(kept.get("tl-live:/2027/page")), { a: "x = 1", b: "y = 3" });
});

test("what is changed together is written once, and leaves what another tab wrote", () => {
  kept.clear();
  const store = new Store("tl-live:/2027/page", () => {});
  store.set("a", "x = 1");
  kept.set("tl-live:/2027/page", JSON.stringify({ a: "x = 1", other: "y = 2" }));
  const { setItem } = localStorage;
  let writes = 0;
  localStorage.setItem = (...given) => { writes += 1; setItem(...given); };
  store.together(() => { store.forget("a"); store.set("b", "z = 3"); store.set("c", "c = 4"); });
  localStorage.setItem = setItem;
  assert.equal(writes, 1);
  assert.deepEqual(JSON.parse(kept.get("tl-live:/2027/page")), { other: "y = 2", b: "z = 3", c: "c = 4" });
  assert.equal(store.get("other"), undefined);
});

/** What assets/moved.js tells a page of the book in this folder. */
function book(folder) {
  const window = {};
  const document = {
    currentScript: { src: `https://host${folder}_static/moved.js?v=1` },
    body: { dataset: { page: "chapters/02_embeddings" } },
    querySelector: () => null,
  };
  const given = { window, document, localStorage, URL, location: { hash: "" } };
  vm.runInNewContext(readFileSync("assets/moved.js", "utf8"), given);
  return window.tlBook;
}

/** Open a page of a book as page.js does. */
function opened(folder, page, ...ids) {
  const { key, copied, older } = book(folder);
  const store = new Store(key(page), () => {});
  store.copy(older(page), copied(page), ids);
  return store;
}

/** Keep what an older version of the book would have kept. */
function keptBefore(page, texts) {
  kept.clear();
  kept.set(`tl-live:${page}`, JSON.stringify(texts));
}

test("a key names the folder of the book", () => {
  assert.equal(book("/").key("chapters/x"), "tl-live:/chapters/x");
  assert.equal(book("/a/b/").key("chapters/x"), "tl-live:/a/b/chapters/x");
});

test("what an older version kept is copied once into each book, and stays as it is", () => {
  keptBefore("p", { a: "a = 1", b: "b = 1" });
  const before = kept.get("tl-live:p");
  kept.set("tl-live:/2027/p", JSON.stringify({ b: "b = 2" }));
  const store = opened("/2027/", "p", "a", "b");
  assert.deepEqual([store.hasCopied, store.get("a"), store.get("b")], [true, "a = 1", "b = 2"]);
  store.forget("a");
  const again = opened("/2027/", "p", "a", "b");
  assert.deepEqual([again.hasCopied, again.get("a"), again.get("b")], [undefined, undefined, "b = 2"]);
  assert.equal(opened("/2026/", "p", "a", "b").get("b"), "b = 1");
  assert.equal(kept.get("tl-live:p"), before);
});

test("what an older version kept is copied where the page has half of its cells", () => {
  keptBefore("p", { a: "a = 1", dropped: "b = 1" });
  const store = opened("/2027/", "p", "a", "b");
  assert.deepEqual([store.hasCopied, store.get("a"), store.get("dropped")], [true, "a = 1", undefined]);
});

test("what an older version kept of other cells is not copied", () => {
  keptBefore("p", { a: "a = 1", other: "b = 1", another: "c = 1" });
  const store = opened("/2027/", "p", "a", "b");
  assert.deepEqual([store.hasCopied, store.get("a"), store.keeps], [undefined, undefined, true]);
  assert.equal(book("/2027/").older("p"), null);
  assert.equal(kept.has("tl-live:/2027/p"), false);
});

test("what an older version writes after the first visit is not copied", () => {
  kept.clear();
  opened("/2027/", "p", "a");
  kept.set("tl-live:p", JSON.stringify({ a: "a = 1" }));
  assert.equal(opened("/2027/", "p", "a").get("a"), undefined);
});

test("an older text whose cell has moved is copied where its cell is now", () => {
  keptBefore("chapters/04_attention", { c013: "weights = 1", c061: "stays = 1" });
  const before = kept.get("tl-live:chapters/04_attention");
  assert.equal(opened("/", "chapters/attention", "c013", "c015").get("c013"), "weights = 1");
  const rest = opened("/", "chapters/04_attention", "c061");
  assert.deepEqual([rest.get("c061"), rest.get("c013")], ["stays = 1", undefined]);
  assert.equal(kept.get("tl-live:chapters/04_attention"), before);
});

test("where there is no room for a copy, the page shows it, and the next visit tries again", () => {
  keptBefore("p", { a: "a = 1" });
  isFull = true;
  const store = opened("/", "p", "a");
  isFull = false;
  assert.deepEqual([store.get("a"), store.keeps, [...kept.keys()]], ["a = 1", false, ["tl-live:p"]]);
  const { setItem } = localStorage;
  localStorage.setItem = (key, text) => { if (text === "1") setItem(key, text); else throw new Error("full"); };
  assert.equal(opened("/", "p", "a").keeps, false);
  localStorage.setItem = setItem;
  assert.deepEqual([...kept.keys()], ["tl-live:p"]);
  assert.equal(opened("/", "p", "a").keeps, true);
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
