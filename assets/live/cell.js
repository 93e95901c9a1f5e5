// One code cell of a page: its code, the editor of it, what it gave and how it stands.
import { editor } from "../vendor/editor.mjs";
import { Ended } from "./kernel.js";
import { Outputs } from "./outputs.js";

const NEEDS_TORCH = "Needs PyTorch, which a page does not have: make lab";
const ANSWER_NEEDS_TORCH = "Write here; its check needs PyTorch, which a page does not have: make lab";

export class Cell {
  /**
   * @param {{id: string, code: string, torch: boolean, fails: boolean, role: string,
   *   prints: number[]}} described
   */
  constructor(described, element, number, page) {
    const { id, torch, fails, role } = described;
    Object.assign(this, { element, number, page, id, torch, fails, role });
    this.book = described.code;
    // The judge takes checks and what is given from its own notebook.
    this.isFixed = role === "check" || role === "given";
    this.code = (this.isFixed ? undefined : page.store.get(this.id)) ?? this.book;
    this.isFresh = false;
    this.outputs = new Outputs(element, described.prints);
    this.input = element?.querySelector(".cell_input") ?? null;
    this.name = this.input ? `Cell ${number}` : `The hidden cell before Cell ${number}`;
    if (this.input) this.#dress();
  }

  get isChanged() { return this.code !== this.book; }

  /** Whether the cells below run, too, when this one fails: one task does not wait for another. */
  get mayFail() { return this.fails || this.role === "answer"; }

  /** Whether this cell has to run before another one, further below. */
  isNeededBy(cell) {
    return !this.isFresh && (!this.fails || this.isChanged || cell.id.startsWith(`${this.id}-`));
  }

  /** Run the code; says what came of it: "same", "other", "error" or "skipped". */
  async run(kernel) {
    if (this.torch) return "skipped";
    this.say("running …");
    this.#running(true);
    try {
      const { outputs, error } = await kernel.run(this.code, this.name, this.id);
      const same = await this.outputs.show(outputs, this.page.widgets);
      this.isFresh = !error;
      this.say(this.#verdict(same, error));
      this.last = { outputs, error };
      return error ? "error" : same ? "same" : "other";
    } catch (error) {
      this.say(error instanceof Ended ? "ended" : error.message);
      throw error;
    } finally {
      this.#running(false);
    }
  }

  say(text) {
    if (!this.status || this.torch) return;
    this.status.textContent = text;
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
    this.outputs.restore();
    this.say(this.isChanged ? "changed" : "");
  }

  #verdict(same, error) {
    if (error === "KeyboardInterrupt") return "stopped";
    if (this.role === "check") return error ? "does not pass yet" : "passes";
    return error || (same && !this.page.isExercise ? "as in the book" : "done");
  }

  #running(is) {
    this.element?.classList.toggle("tl-running", is);
    if (!this.runButton) return;
    const text = is ? "Stop" : this.#verb;
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
      this.status.textContent = this.role === "answer" ? ANSWER_NEEDS_TORCH : NEEDS_TORCH;
      bar.replaceChildren(...(this.role === "answer" ? [label, this.resetButton] : []), this.status);
      if (this.role === "answer") this.#edit();
      return;
    }
    this.runButton = button(this.#verb, () => this.#press(), `${this.#verb} ${name}`);
    const above = button("Run all above", () => this.page.runAbove(this), `Run all above ${name}`);
    bar.replaceChildren(label, this.runButton, ...(this.page.isExercise ? [] : [above]),
      this.resetButton, this.status);
    if (!this.isFixed) this.#edit();
  }

  // A check stays folded while it is run; what is given runs by itself, but a reader asks for numbers.
  #bar() {
    const there = this.element.querySelector(".tl-cell-bar");
    if (there) return there;
    const bar = Object.assign(document.createElement("div"), { className: "tl-cell-bar" });
    const fold = this.input.closest("details");
    if (fold) this.#nameFold(fold);
    if (fold && (this.role !== "given" || this.id.endsWith("-numbers"))) fold.after(bar);
    else this.input.append(bar);
    return bar;
  }

  // The book calls each fold "code cell source".
  #nameFold(fold) {
    const what = { check: "the check", given: "what is given" }[this.role] ?? "the code";
    fold.querySelector("summary .collapsed").textContent = `Show ${what}`;
    fold.querySelector("summary .expanded").textContent = `Hide ${what}`;
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
      onChange: (text) => this.#changed(text),
    });
  }

  #press() {
    if (this.element.classList.contains("tl-running")) this.page.stop();
    else this.page.run(this);
  }

  #changed(text) {
    this.code = text;
    this.isFresh = false;
    this.before = undefined;
    this.#offer();
    if (this.isChanged) this.page.keep(this.id, text);
    else this.page.store.forget(this.id);
    this.say(this.isChanged ? "changed" : "");
    this.page.tell();
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
