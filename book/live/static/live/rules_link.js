// The rules of a cell in a link: to the front page, and from somebody else into the cell. They are a text, they wait
// for the reader's consent, and the reader's own rules are kept beside them.
import "../address.js";
import { button, forgetFragment, Line, made } from "./sent.js";
import { inside, withText } from "./text_file.js";

const { MOST, keep, mine, packRules, read, refuse, unpackRules, write } = window.tlAddress;
const FRONT = new URL("../../intro.html", import.meta.url).href;
const MINE = ".mine", LINK = ".link"; // whose rules are kept beside those of the cell

/** The address of the front page that shows the rules of this code. */
export async function frontPage(code) {
  const rules = inside(code).trim();
  if (!rules) throw new Error("This cell holds no rules.");
  const fragment = write([["own", await packRules(rules, "")]]);
  if (rules.length > MOST.rules || fragment.length > MOST.fragment) {
    throw new Error(`These rules are too long for a link, which holds some ${MOST.rules} characters. Save text makes a file of them.`);
  }
  if (mine().foreign !== rules) keep("sent", rules); // or the front page would say that somebody else wrote them
  return FRONT + fragment;
}

export class SentRules {
  constructor(cell) {
    this.cell = cell;
    this.store = cell.page.store;
    this.line = new Line(cell.element, "The rules of a link");
    this.#recall();
    addEventListener("hashchange", () => this.#arrive());
    addEventListener("storage", ({ key }) => { if (key === this.store.key && !this.asks) this.#recall(); });
    this.#arrive();
  }

  // What this tab or another one has put aside is offered again.
  #recall() {
    const id = [MINE, LINK].find((each) => this.store.get(this.cell.id + each) !== undefined);
    this.kept = id && { id, code: this.store.get(this.cell.id + id) };
    if (this.kept) this.#offer(id === MINE ? "A link has brought rules to this cell." : "");
    else this.line.remove();
  }

  async #arrive() {
    const { hash } = location;
    let rules;
    try {
      const packed = read(hash, ["own"])?.get("own");
      if (packed === undefined) return;
      rules = (await unpackRules(packed)).rules;
      if (/"""|\\/.test(rules)) refuse('it has """ or \\, and no rules have that');
    } catch (error) {
      this.asks = true;
      this.line.say(`This link cannot be shown: ${error.message}. The rules are ${this.cell.isChanged ? "yours, as they were" : "as in the book"}.`, ...this.#ways());
      return this.line.show();
    }
    if (hash !== location.hash) return; // another link came meanwhile
    this.#ask(rules);
    this.line.show();
  }

  #ask(rules) {
    const { cell } = this;
    const code = withText(cell.book, rules);
    this.asks = true;
    if (code === cell.code) return this.#offer("The rules of this link are in the cell.");
    const own = !cell.isChanged ? ""
      : this.kept?.id === MINE ? " They would take the place of those in the cell. Your own, which are kept, stay so."
        : " Your own rules are in the cell; they are kept if you put these in their place.";
    const fold = made("details", {}, made("summary", {}, "Show the rules of the link"), made("pre", {}, rules.trim()));
    this.line.say(`This link brings rules of somebody else, who is not the author of this book. Nothing has run.${own}`,
      fold, button("Put them into the cell", () => this.#put(code)), button("Leave them out", () => this.#leave()));
  }

  #put(code) {
    const { cell } = this;
    if (cell.isChanged && this.kept?.id !== MINE) this.#keep(MINE, cell.code);
    cell.take(code);
    keep("foreign", inside(code).trim());
    if (this.store.keeps) forgetFragment();
    this.#offer("The rules of the link are in the cell. Nothing has run.");
  }

  #leave() {
    forgetFragment();
    this.#offer("");
    this.cell.runButton?.focus();
  }

  // The text of the cell and the one that is kept change places, so neither is lost.
  #swap() {
    const { cell, kept } = this;
    // Where another tab has done so first, the cell still has the text of this tab, and the browser the other one.
    const now = cell.code === kept.code ? this.store.get(cell.id) : cell.isChanged ? cell.code : undefined;
    cell.take(kept.code);
    cell.page.keep(cell.id, kept.code);
    this.#keep(kept.id === MINE ? LINK : MINE, now === kept.code ? undefined : now);
    this.#offer(kept.id === MINE ? "Your own rules are in the cell again. Nothing has run."
      : "The rules of the link are in the cell again. Nothing has run.");
  }

  // The browser keeps one text of a cell: the other one stands beside it, under a name of its own.
  #keep(id, code) {
    const { id: cell } = this.cell;
    this.kept = code === undefined ? undefined : { id, code };
    this.store.together(() => [MINE, LINK].forEach((each) => this.store.set(cell + each, each === id ? code : undefined)));
  }

  #offer(text) {
    this.asks = false;
    if (!this.kept) return text ? this.line.say(text, button("Close", () => this.line.remove())) : this.line.remove();
    const where = this.store.keeps ? "Your browser keeps" : "Until you leave this page, it keeps";
    const what = this.kept.id === MINE ? "your own rules, too" : "those of the link, too";
    this.line.say(`${text} ${where} ${what}.`.trim(), ...this.#ways());
  }

  // What can be done with the text that is kept beside that of the cell.
  #ways() {
    const isMine = this.kept?.id === MINE;
    const back = button(isMine ? "Back to my rules" : "Back to the rules of the link", () => {
      this.#swap();
      this.line.element.focus({ preventScroll: true });
    });
    const forget = button("Forget them", () => {
      this.#keep(LINK, undefined);
      this.#leave();
    });
    return !this.kept ? [] : isMine ? [back] : [back, forget];
  }
}
