// The outputs of a cell, drawn as the book draws those that it stores.
const MOMENT = 300; // milliseconds
const VIEW = "application/vnd.jupyter.widget-view+json";

/** The outputs that a page stores for a cell, and those that a run puts in their place. */
export class Outputs {
  constructor(element, prints) {
    this.element = element;
    this.prints = prints;
    this.box = element?.querySelector(".cell_output") ?? null;
    this.stored = this.box ? [...this.box.childNodes] : [];
  }

  /** Show what came out; says whether it is what the book stores. */
  async show(outputs, widgets) {
    const same = outputs.length === this.prints.length
      && outputs.every((output, i) => output.print === this.prints[i]);
    const hasView = outputs.some((output) => output.data?.[VIEW]);
    if (!this.element) return same;
    this.isAlive = hasView;
    if (same && !hasView) this.restore();
    else await this.#replace(outputs, widgets);
    return same;
  }

  /** A cell begins to run: what its last run has shown goes, unless the cell has run in a moment. */
  begin() {
    this.waiting = setTimeout(() => this.#clear(), MOMENT);
  }

  /** Show what a cell puts out while it runs. */
  hear(news) {
    if (!this.element) return;
    this.box ??= this.#added();
    if (!this.isGrowing || news[0]?.kind === "clear") this.#clear();
    for (const output of news) {
      const last = this.box.lastElementChild?.querySelector("pre");
      if (output.goes_on && last) last.append(output.text);
      else if (output.kind !== "clear" && !output.data?.[VIEW]) this.box.append(drawn(output));
    }
    for (const pre of this.box.querySelectorAll(".stream pre")) pre.scrollTop = pre.scrollHeight;
  }

  // The page below keeps its place: the box stays as high as it was until the cell has run.
  #clear() {
    clearTimeout(this.waiting);
    this.isGrowing = true;
    if (!this.box || this.#asleep().length) return;
    this.box.style.minHeight = `${this.box.offsetHeight}px`;
    this.box.replaceChildren();
  }

  /** The cell has run. */
  rest() {
    clearTimeout(this.waiting);
    this.isGrowing = false;
    this.box?.style.removeProperty("min-height");
  }

  /** Show what the book stores. */
  restore() {
    this.isAlive = false;
    if (!this.box || this.#isStored()) return;
    this.box.replaceChildren(...this.stored);
  }

  #isStored() {
    return this.box.childNodes.length === this.stored.length
      && this.stored.every((node, i) => node === this.box.childNodes[i]);
  }

  async #replace(outputs, widgets) {
    if (!this.box && !outputs.length) return;
    this.box ??= this.#added();
    const pieces = outputs.map(drawn), views = outputs.map(({ data }) => data?.[VIEW]);
    // A widget that stood still stays, with what its button says, until the living one is drawn.
    const asleep = views.some(Boolean) ? this.#asleep() : [];
    pieces.forEach((piece) => { piece.hidden = asleep.length > 0; });
    this.box.replaceChildren(...asleep, ...pieces);
    for (const [i, view] of views.entries()) {
      if (view) await widgets.show(view.model_id, pieces[i]);
    }
    asleep.forEach((each) => each.remove());
    pieces.forEach((piece) => { piece.hidden = false; });
    await window.MathJax?.typesetPromise?.([this.box]);
  }

  #asleep() { return [...this.box.children].filter((each) => each.querySelector(".tl-still")); }

  #added() {
    const box = document.createElement("div");
    box.className = "cell_output docutils container";
    this.element.append(box); // the code above it may be folded
    return box;
  }
}

function picture(png) {
  return `<img class="tl-figure" srcset="data:image/png;base64,${png} 2x" alt="The figure that this cell draws">`;
}

function drawn(output) {
  const { kind, data = {}, text, says } = output;
  const piece = document.createElement("div");
  const png = data["image/png"];
  const html = data["text/html"] ?? data["image/svg+xml"] ?? (png ? picture(png) : output.html);
  if (data[VIEW]) {
    piece.className = "output tl-widget";
  } else if (html !== undefined) {
    piece.className = output.html ? "output text_markdown" : "output text_html";
    piece.innerHTML = html;
  } else {
    const name = kind === "stream" ? `stream ${output.name}` : kind === "error" ? "traceback" : "text_plain";
    piece.className = `output ${name} highlight-myst-ansi notranslate`;
    const pre = document.createElement("pre");
    pre.textContent = text ?? data["text/plain"];
    if (says) {
      const at = text.startsWith(says) ? 0 : text.length - says.length;
      const line = Object.assign(document.createElement("span"), { className: "tl-says", textContent: says });
      pre.replaceChildren(text.slice(0, at), line, text.slice(at + says.length));
    }
    const box = document.createElement("div");
    box.className = "highlight";
    box.append(pre);
    piece.append(box);
  }
  // A browser that translates a page leaves them as they are, as in book/html/finish.py.
  for (const each of piece.querySelectorAll("[class^=tl-table], [class^=tl-matrix], [class^=tl-tokens], [class^=tl-arch], svg, pre, code")) {
    each.setAttribute("translate", "no");
  }
  return piece;
}
