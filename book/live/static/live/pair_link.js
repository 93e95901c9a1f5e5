// Two sentences for the real model in a link. The fields of its widget come with Python, which starts at a press;
// until then the sentences stand above them.
import "../address.js";
import { button, Line, made } from "./sent.js";

const { MOST, copy, isLine, link, read, refuse, write } = window.tlAddress;
const NAMES = ["first", "second"];
const cell = document.querySelector("main .tl-still:has([data-press])")?.closest("div.cell");

function checked(text, name) {
  if (text.length > MOST.sentence) refuse(`the ${name} sentence has ${text.length} characters, and at most ${MOST.sentence} are read`);
  if (!isLine(text) || text.includes("\ufffd")) refuse(`the ${name} sentence is not one line of text`);
  return text;
}

function pairOf(texts) {
  const pair = NAMES.map((name, i) => checked(texts[i], name));
  if (!pair.some((text) => text.trim())) refuse("there is no sentence");
  return pair;
}

class SentPair {
  constructor() {
    this.line = new Line(cell, "The sentences of a link");
    // The widget comes and is drawn anew, and its answers come, whenever Python has them.
    new MutationObserver(() => this.#look()).observe(cell, { childList: true, subtree: true });
    addEventListener("hashchange", () => this.#arrive());
    this.#arrive();
  }

  get fields() {
    const labels = [...cell.querySelectorAll(".tl-widget label")];
    const found = NAMES.map((name) => labels.find((label) => label.textContent === `${name} sentence`)?.parentElement.querySelector("input"));
    return found.every(Boolean) ? found : null;
  }

  #arrive() {
    let pair;
    try {
      const given = read(location.hash, NAMES);
      if (!given) return;
      pair = pairOf(NAMES.map((name) => given.get(name) ?? ""));
    } catch (error) {
      this.sent = undefined;
      this.line.say(`This link cannot be shown: ${error.message}. The page is as it was.`);
      return this.line.show();
    }
    const before = this.fields?.map(({ value }) => value);
    this.sent = pair;
    this.#look();
    this.#tell(pair, button(before ? "Put back what stood there" : "Leave them out", () => this.#close(before)));
    this.line.show();
  }

  #tell(sent, ...buttons) {
    const list = made("ol", {}, ...sent.map((text) => made("li", {}, text || "(none)")));
    const what = sent.every(Boolean) ? "two sentences" : "a sentence";
    const where = this.fields ? "are in the fields below" : "come into the fields below when you have loaded the model";
    this.line.say(`This link brings ${what} of somebody else, which ${where}. Nothing is scored before you press a button.`,
      list, ...buttons);
  }

  #close(before) {
    this.sent = undefined;
    if (before) this.#fill(before);
    this.line.remove();
    cell.querySelector(".tl-start, .tl-widget input")?.focus();
  }

  // The events of a reader's keys, or Python would not hear of it.
  #fill(texts) {
    this.fields?.forEach((field, i) => {
      field.value = texts[i];
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    });
  }

  #look() {
    const { fields, sent } = this;
    if (!fields) return;
    if (sent) {
      this.sent = undefined;
      this.#fill(sent);
      this.#tell(sent);
    }
    this.#offer();
  }

  // Once there is an answer, beside the button that asked for it.
  #offer() {
    const score = [...cell.querySelectorAll(".tl-widget button")].find((each) => each.textContent === "Score");
    const answer = cell.querySelector(".tl-result");
    if (!score || this.copies?.isConnected || !answer?.innerText.trim() || answer.querySelector("[role=alert]")) return;
    const said = made("span", { className: "tl-copy-said" });
    said.setAttribute("role", "status");
    this.copies = button("Copy link", () => this.#copy(said));
    this.copies.className = `${score.className} tl-copy-link`; // it looks like its neighbor
    score.after(this.copies, said);
  }

  #copy(said) {
    try {
      const pair = pairOf(this.fields.map(({ value }) => value));
      return copy(link(write(NAMES.map((name, i) => [name, pair[i] || undefined]))), "link", said);
    } catch (error) {
      said.textContent = `There is no link: ${error.message}.`;
    }
  }
}

if (cell) new SentPair();
