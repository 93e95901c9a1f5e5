// What a reader changed on a page, kept by the browser, which may have the page open in several tabs.

/** The characters that a cell may have: a browser keeps some five million for the whole book. */
export const MOST = 100_000;

export class Store {
  /**
   * @param {string} key under which the browser keeps the page: assets/moved.js
   * @param {(ids: string[]) => void} onOther hears which cells another tab has changed
   */
  constructor(key, onOther) {
    this.key = key;
    this.keeps = true;
    this.known = this.#read(); // what is kept, as far as this tab knows, by the ids of the cells
    this.own = new Set(); // the cells whose text was written in this tab
    addEventListener("storage", ({ key }) => { if (key === this.key) onOther(this.#heard()); });
  }

  get(id) { return this.known.get(id); }

  set(id, code) { this.#change(id, code); }

  forget(id) { this.#change(id, undefined); }

  /** Do what changes several cells, and write it once: another tab hears of all of them together. */
  together(act) {
    this.changes = new Map();
    act();
    const { changes } = this;
    this.changes = undefined;
    this.#keep(changes);
  }

  /**
   * Copy what an older version of the book kept of this page, if the page has half of those cells, as a
   * file of it would; and set the mark: what the reader resets afterwards does not come back. `older` is
   * null where it is set.
   */
  copy(older, mark, ids) {
    if (!older) return;
    const isMarked = marked(mark);
    const mine = Object.entries(older).filter(([id]) => ids.includes(id));
    const isOfPage = 2 * mine.length >= Object.keys(older).length;
    const found = (isOfPage ? mine : [])
      .filter(([id, code]) => typeof code === "string" && this.get(id) === undefined);
    if (!found.length) return;
    found.forEach(([id, code]) => put(this.known, id, code));
    this.hasCopied = true;
    this.keeps = isMarked && this.#write(this.known);
    if (!this.keeps) localStorage.removeItem(mark); // there was no room: the next visit tries again
  }

  #change(id, code) {
    if (this.changes) this.changes.set(id, code);
    else this.#keep(new Map([[id, code]]));
  }

  // Only these cells are written: what another tab wrote meanwhile stays as it is.
  #keep(changes) {
    const now = [...changes].filter(([id, code]) => this.get(id) !== code);
    if (!now.length) return;
    const kept = this.#read();
    for (const [id, code] of now) {
      if (code === undefined) this.own.delete(id);
      else this.own.add(id);
      put(kept, id, code);
    }
    this.keeps = this.#write(kept);
    if (this.keeps) now.forEach(([id, code]) => put(this.known, id, code));
  }

  #heard() {
    const now = this.#read();
    const changed = [...new Set([...this.known.keys(), ...now.keys()])]
      .filter((id) => now.get(id) !== this.get(id));
    this.known = now;
    return changed;
  }

  #read() {
    let text;
    try {
      text = localStorage.getItem(this.key);
    } catch {
      this.keeps = false; // a browser may forbid it
    }
    const found = Object.entries(parsed(text ?? "{}"));
    const good = found.filter(([, code]) => typeof code === "string");
    this.isDamaged = good.length < found.length;
    return new Map(good);
  }

  #write(kept) {
    try {
      if (kept.size) localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(kept)));
      else localStorage.removeItem(this.key);
      return true;
    } catch {
      return false; // the change lives as long as the page
    }
  }
}

// What cannot be read counts as one cell that cannot.
function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { damaged: null };
  }
}

function marked(mark) {
  try {
    localStorage.setItem(mark, "1");
    return true;
  } catch {
    return false;
  }
}

function put(kept, id, code) {
  if (code === undefined) kept.delete(id);
  else kept.set(id, code);
  return kept;
}
