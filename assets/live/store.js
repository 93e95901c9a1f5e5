// What a reader changed on a page, kept by the browser.
export class Store {
  constructor(page) {
    this.key = `tl-live:${page}`;
    this.kept = this.#read();
    this.keeps = true;
  }

  get size() { return Object.keys(this.kept).length; }

  get(id) { return this.kept[id]; }

  set(id, code) {
    this.kept[id] = code;
    this.#write();
  }

  forget(id) {
    delete this.kept[id];
    this.#write();
  }

  #read() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  }

  #write() {
    try {
      if (this.size) localStorage.setItem(this.key, JSON.stringify(this.kept));
      else localStorage.removeItem(this.key);
    } catch {
      this.keeps = false; // the change lives as long as the page
    }
  }
}
