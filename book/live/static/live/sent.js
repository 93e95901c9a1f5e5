// The line above a cell in which a page says what a link has brought.

export class Line {
  /** @param {string} name what a screen reader calls the line */
  constructor(cell, name) {
    this.cell = cell;
    this.said = made("p", {});
    this.rest = made("div", {});
    this.element = made("div", { className: "tl-sent", tabIndex: -1, role: "group", ariaLabel: name }, this.said, this.rest);
    this.said.setAttribute("role", "status");
  }

  /** Say a sentence; what else is shown, and buttons, stand below it. */
  say(text, ...content) {
    if (!this.element.isConnected) this.cell.before(this.element);
    this.said.textContent = text;
    this.rest.replaceChildren(...content);
  }

  /** Lead the reader, who has just opened the link, to the line. */
  show() {
    this.element.scrollIntoView({ block: "start" });
    this.element.focus({ preventScroll: true });
  }

  remove() { this.element.remove(); }
}

/** An element, made of text and elements and never of markup. */
export function made(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function button(text, act) {
  const element = made("button", { type: "button" }, text);
  element.addEventListener("click", act);
  return element;
}

/** What the link brought has its place now: a reload does not bring it again. */
export function forgetFragment() {
  history.replaceState(history.state, "", location.href.replace(/#.*/s, ""));
}
