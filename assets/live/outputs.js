// The outputs of a cell, drawn as the book draws those that it stores.
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
    if (same && !hasView) this.restore();
    else await this.#replace(outputs, widgets);
    return same;
  }

  /** Show what the book stores. */
  restore() {
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
    this.box.replaceChildren(...outputs.map(drawn));
    for (const [i, { data }] of outputs.entries()) {
      if (data?.[VIEW]) await widgets.show(data[VIEW].model_id, this.box.children[i]);
    }
    await window.MathJax?.typesetPromise?.([this.box]);
  }

  #added() {
    const box = document.createElement("div");
    box.className = "cell_output docutils container";
    this.element.append(box); // the code above it may be folded
    return box;
  }
}

function drawn(output) {
  const { kind, data = {}, text, says } = output;
  const piece = document.createElement("div");
  const html = data["text/html"] ?? data["image/svg+xml"] ?? output.html;
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
    if (says && text.endsWith(says)) {
      const end = Object.assign(document.createElement("span"), { className: "tl-says", textContent: says });
      pre.replaceChildren(text.slice(0, -says.length), end);
    }
    const box = document.createElement("div");
    box.className = "highlight";
    box.append(pre);
    piece.append(box);
  }
  return piece;
}
