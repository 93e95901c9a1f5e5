// What a reader changed on a page, kept by the browser, which may have the page open in several tabs.

/** The characters that a cell may have: a browser keeps some five million for the whole book. */
export const MOST = 100_000;

export class Store {
  /** @param {(ids: string[]) => void} onOther hears which cells another tab has changed */
  constructor(page, onOther) {
    this.key = `tl-live:${page}`;
    this.keeps = true;
    this.known = this.#read(); // what is kept, as far as this tab knows, by the ids of the cells
    this.own = new Set(); // the cells that were written in this tab
    addEventListener("storage", ({ key }) => { if (key === this.key) onOther(this.#heard()); });
  }

  get(id) { return this.known.get(id); }

  set(id, code) { this.#change(id, code); }

  forget(id) { this.#change(id, undefined); }

  // Only this cell is written: what another tab wrote meanwhile stays as it is.
  #change(id, code) {
    if (this.get(id) === code) return;
    this.own.add(id);
    const kept = this.#read();
    this.keeps = this.#write(put(kept, id, code));
    if (this.keeps) put(this.known, id, code);
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

function put(kept, id, code) {
  if (code === undefined) kept.delete(id);
  else kept.set(id, code);
  return kept;
}
