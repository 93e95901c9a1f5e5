// One code cell of a page: its code, the editor of it, what it gave and how it stands.
import { editor } from "../vendor/editor.js";
import { Ended, Fatal } from "./kernel.js";
import { defined, looked, mentioned } from "./names.js";
import { chosen, download } from "./notebook.js";
import { Outputs } from "./outputs.js";
import { frontPage, SentRules } from "./rules_link.js";
import { MOST } from "./store.js";
import { inside, withText } from "./text_file.js";

const NEEDS_TORCH = "Runs in JupyterLab: it needs PyTorch"; // as live.js says before a press
const ANSWER_NEEDS_TORCH = "Write here; its check needs PyTorch, which a page does not have: make lab";
const AS_IN_THE_BOOK = "as in the book";
const EDITED = "edited";
const OUT_OF_DATE = "out of date because a cell above changed";

export class Cell {
  /**
   * @param {{id: string, code: string, torch: boolean, fails: boolean, alone: boolean,
   *   role: string, prints: number[], drawings: string[], waits: string[]}} described
   */
  constructor(described, element, number, page) {
    const { id, torch, fails, alone, role, drawings, waits } = described;
    Object.assign(this, { element, number, page, id, torch, fails, alone, role, drawings, waits });
    this.book = described.code;
    this.input = element?.querySelector(".cell_input") ?? null;
    // The judge takes checks and what is given from its own notebook.
    this.isFixed = !this.input || role === "check" || role === "given" || (torch && role !== "answer");
    this.#write(this.isFixed ? this.book : this.kept);
    this.isFresh = false;
    this.outputs = new Outputs(element, described.prints);
    this.name = this.input ? `Cell ${number}` : `The hidden cell before Cell ${number}`;
    if (this.input) this.#dress();
  }

  /** The text that the browser keeps of this cell, else that of the book. */
  get kept() { return this.page.store.get(this.id) ?? this.book; }

  get isChanged() { return this.code !== this.book; }

  /** Whether the cells below run, too, when this one fails: one task does not wait for another. */
  get mayFail() { return this.fails || this.role === "answer"; }

  /** Whether a press of another cell may run this one: what waits runs before what waits for it. */
  mayRunBefore(cell) {
    return !cell.alone && this.waits.every((name) => cell.waits.includes(name));
  }

  /** Whether this cell has to run before another one, further below. */
  isNeededBy(cell) {
    return this.mayRunBefore(cell) && (!this.isFresh || this.#isOutOfDate(this.page.upTo(this)))
      && (!this.fails || this.isChanged || cell.id.startsWith(`${this.id}-`));
  }

  /** Whether a change of this cell may change what another one, further below, gives. */
  affects(cell) {
    // The tasks of an exercise do not depend on each other, so there it has to be named.
    return !this.page.isExercise || this.isNamedIn(cell);
  }

  /** Whether another cell mentions a name of this one. */
  isNamedIn(cell) { return this.defined.some((name) => cell.mentioned.has(name)); }

  /** Run the code, one text of the `work` of the page; says "same", "other", "error" or "skipped". */
  async run(kernel, work) {
    if (this.torch) return "skipped";
    this.#running(true);
    this.page.running.cell = this;
    this.outputs.begin();
    const code = work.get(this.id);
    this.ran = { work, outcome: "ended", same: false };
    try {
      const { outputs, error } = await kernel.run(code, this.name, this.id);
      const same = await this.outputs.show(outputs, this.page.widgets);
      this.isFresh = !error && this.code === code;
      this.defined.forEach((name) => this.page.makers.set(name, this));
      this.ran = { work, outcome: this.#outcome(error, outputs), same };
      this.last = { outputs, error };
      return error ? "error" : same ? "same" : "other";
    } catch (error) {
      if (!(error instanceof Ended)) this.ran.outcome = error.message;
      if (error instanceof Fatal) {
        error.cell = this;
        await this.outputs.show([{ kind: "error", text: `This cell ${error.message}.` }], this.page.widgets);
      }
      throw error;
    } finally {
      this.outputs.rest();
      this.pale(false);
      this.#running(false);
      this.page.tell();
    }
  }

  /** What the cell shows is pale while it is to be drawn anew; a widget that stands still says so itself. */
  pale(is) { this.element?.classList.toggle("tl-awaits", is); }

  /** Say why a press did not come to this cell. */
  missed(why) {
    this.ran = { work: this.page.work(), outcome: why, same: false };
    this.tell();
  }

  /** Say how the cell stands to the book, and what its last run came to if that still holds. */
  tell() {
    if (!this.status) return;
    const upTo = this.page.upTo(this);
    const isOutOfDate = this.#isOutOfDate(upTo);
    const isBook = !(this.page.isExercise || upTo.some((cell) => cell.isChanged)) && (this.ran?.same ?? true);
    const state = this.isChanged ? EDITED : isOutOfDate ? OUT_OF_DATE : isBook ? AS_IN_THE_BOOK : "";
    const outcome = this.ran && !isOutOfDate && !isBook ? this.ran.outcome : "";
    const waits = this.waits.length && !this.isFresh && isOutOfDate ? "waits for a press" : "";
    const needs = this.role === "answer" ? ANSWER_NEEDS_TORCH : NEEDS_TORCH;
    const said = this.torch ? [needs, isBook ? "" : state] : [state, outcome, waits];
    const now = this.isRunning ? "running …" : this.#awaited();
    const text = now || said.filter(Boolean).join(this.torch ? "; " : ", ");
    if (this.status.textContent !== text) this.status.textContent = text;
    this.#name();
  }

  // What this cell waits for, if it was pressed and its turn has not come.
  #awaited() {
    const { queue, isReady, loaded, running } = this.page;
    const place = queue.findIndex(({ pressed }) => pressed === this);
    this.isWaiting = place >= 0;
    if (!this.isWaiting) return "";
    const now = isReady ? `${running?.cell?.name ?? "Python"} is running` : `Python is loading${loaded ? ` (${loaded})` : ""}`;
    const before = place - (isReady && place > 0);
    return `${now}, ${before ? `and ${before} more ${before > 1 ? "presses are" : "press is"} before this cell` : "this cell is next"}`;
  }

  // What shows comes from the last run, or from the book, which stores nothing for an exercise.
  #isOutOfDate(upTo) {
    if (!this.ran && this.page.isExercise) return false;
    return upTo.some((cell) => cell.code !== (this.ran ? this.ran.work.get(cell.id) : cell.book));
  }

  /** Back to the book's text and outputs; the text that stood there can be had again. */
  reset() {
    const before = this.code;
    this.take(this.book);
    this.before = before;
    this.#offer();
  }

  /** Put another text in the place of this one. */
  take(code) {
    if (code === this.code || !this.editor) return;
    this.editor.set(code);
    this.#restore();
  }

  #restore() {
    this.outputs.restore();
    this.ran = undefined;
    this.page.tell();
  }

  #outcome(error, outputs) {
    if (error === "KeyboardInterrupt") return "stopped";
    if (this.role !== "check") return error || "done";
    // The last line of a check says whether it has seen the answer or its form alone.
    const said = outputs.at(-1)?.text ?? "";
    return error || /not yet right/i.test(said) ? "does not pass yet" : /not judged yet/.test(said) ? "not judged yet" : "passes";
  }

  /** The sentence in which a check says why it does not pass, which who listens has to find otherwise. */
  get why() {
    const { says, text } = (this.role === "check" && this.ran?.outcome === "does not pass yet" && this.last?.outputs.at(-1)) || {};
    return says ?? text?.trim().split("\n").at(-1) ?? "";
  }

  #running(is) {
    this.isRunning = is;
    this.tell();
    this.element?.classList.toggle("tl-running", is);
  }

  // The button says what a press does now.
  #name() {
    const text = this.isRunning ? "Stop" : this.isWaiting ? "Cancel" : this.#verb;
    if (!this.runButton || this.runButton.textContent === text) return;
    this.runButton.textContent = text;
    this.runButton.setAttribute("aria-label", `${text} ${this.name.toLowerCase()}`);
  }

  get #verb() { return this.role === "check" ? "Check" : "Run"; }

  #dress() {
    const bar = this.#bar();
    this.status = Object.assign(document.createElement("span"), { className: "tl-cell-said" });
    const name = this.name.toLowerCase();
    const label = Object.assign(document.createElement("b"), { textContent: this.name });
    this.resetButton = button("", () => this.#resetOrBack());
    this.resetButton.hidden = true;
    if (this.torch) {
      bar.replaceChildren(...(this.role === "answer" ? [label, this.resetButton] : []), this.status);
      if (this.role === "answer") this.#edit();
      return;
    }
    this.runButton = button(this.#verb, () => this.#press(), `${this.#verb} ${name}`);
    const above = button("Run all above", () => this.page.runAbove(this), `Run all above ${name}`);
    const copy = button("Copy", () => this.#copy(), `Copy the code of ${name}`);
    const isHere = bar.contains(document.activeElement); // its button was pressed by the keyboard
    bar.replaceChildren(label, this.runButton, ...(this.page.isExercise ? [] : [above]),
      ...(this.isFixed ? [] : [copy]), ...this.#ofText(), this.resetButton, this.status);
    if (isHere) this.runButton.focus();
    if (!this.isFixed) this.#edit();
  }

  // A check stays folded while it is run; what is given runs by itself, but a reader asks for numbers and choices.
  #bar() {
    const there = this.element.querySelector(".tl-cell-bar");
    if (there) return there;
    const bar = Object.assign(document.createElement("div"), { className: "tl-cell-bar" });
    const fold = this.input.closest("details");
    if (fold) this.#nameFold(fold);
    if (fold && (this.role !== "given" || /-(numbers|choices)$/.test(this.id))) fold.after(bar);
    else this.input.append(bar);
    return bar;
  }

  // The book calls each fold "the code".
  #nameFold(fold) {
    const what = { check: "the check", given: "what is given" }[this.role] ?? "the code";
    for (const [at, verb] of [["collapsed", "Show"], ["expanded", "Hide"]]) {
      const which = Object.assign(document.createElement("span"), { className: "visually-hidden" });
      which.textContent = ` of ${this.name.toLowerCase()}`; // who listens hears which of many
      fold.querySelector(`summary .${at}`).replaceChildren(`${verb} ${what}`, which);
    }
  }

  #edit() {
    this.#offer();
    const shown = this.input.querySelector("div.highlight");
    const holder = Object.assign(document.createElement("div"), { className: "tl-editor" });
    shown.closest("[class*=highlight-]").replaceWith(holder);
    this.editor = editor({
      parent: holder,
      text: this.code,
      label: `Code of ${this.name.toLowerCase()}. Shift and Enter run it; Escape, then Tab, leaves it.`,
      onRun: () => this.#press(),
      most: MOST,
      onChange: (text) => this.#changed(text),
      onTooLong: (length) => this.page.say(`${this.name} stays as it was. A cell of this page may have `
        + `${MOST.toLocaleString("en")} characters, and with that text it would have ${length.toLocaleString("en")}.`),
    });
  }

  async #copy() {
    const name = this.name.toLowerCase();
    try {
      await navigator.clipboard.writeText(this.code);
      this.page.say(`The code of ${name} is copied.`);
    } catch { // a page that came without https has no clipboard
      this.page.say(`Your browser lets this page copy nothing: select the code of ${name} and copy it by the keyboard.`);
    }
  }

  // A cell whose text a reader keeps as a file, and where it is rules, sends; opening one runs nothing.
  #ofText() {
    const { classList } = this.element;
    if (!classList.contains("tag_holds-text")) return [];
    const said = (act) => async () => {
      try {
        this.#note(await act());
      } catch (error) {
        this.#note(error.message);
      }
    };
    const ofFiles = [
      button("Save text", said(() => {
        download(`${this.id}.txt`, inside(this.code), "text/plain");
        return `${this.id}.txt holds the text of ${this.name.toLowerCase()}.`;
      })),
      button("Open text", said(async () => {
        this.take(withText(this.code, await chosen()));
        return `The text is in ${this.name.toLowerCase()}; nothing has run yet.`;
      })),
    ];
    if (!classList.contains("tag_holds-rules")) return ofFiles;
    this.sent = new SentRules(this);
    return [...ofFiles, button("Show on the front page", said(async () => {
      location.href = await frontPage(this.code);
      return "";
    }))];
  }

  // The bar of the page may be screens away.
  #note(text) {
    this.page.say(text);
    this.tell();
    this.status.textContent = text;
  }

  #press() {
    if (this.isRunning) this.page.stop();
    else if (this.isWaiting) this.page.cancel(this);
    else this.page.run(this);
  }

  #changed(text) {
    this.#write(text);
    this.isFresh = false;
    this.before = undefined;
    this.#offer();
    if (this.isChanged) this.page.keep(this.id, text);
    else this.page.store.forget(this.id);
    // The book's text has the book's outputs, whichever way it came back.
    if (this.isChanged) this.page.tell();
    else this.#restore();
  }

  #write(code) {
    this.code = code;
    this.defined = [this.id, ...defined(this.book), ...defined(code)];
    this.mentioned = mentioned(code);
    this.looked = looked(code);
  }

  #resetOrBack() {
    if (this.before === undefined) this.reset();
    else this.take(this.before);
  }

  // Say what the button does that takes a text back, or brings it back.
  #offer() {
    const isBack = this.before !== undefined && !this.isChanged;
    this.resetButton.hidden = !this.isChanged && !isBack;
    this.resetButton.textContent = isBack ? "Undo reset" : "Reset";
    const name = this.name.toLowerCase();
    this.resetButton.setAttribute("aria-label", isBack ? `Undo reset of ${name}` : `Reset ${name} to the book's text`);
  }
}

function button(text, act, label) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}
