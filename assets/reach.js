// A box that scrolls is reached by the keyboard and has a name; one that does not is passed over.
(function () {
  "use strict";
  const BOXES = ".tl-box, .tl-frame, .tl-ledger, .tl-ledger dl > div, div.math, mjx-container, .highlight pre, "
    + ".cell_output pre, .cell_output .output, .pst-scrollable-table-container";
  const REACHED = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  // A caption names its table, and its words would be heard of the box, too.
  const nameOf = (box) => box.querySelector("figcaption")?.textContent.trim()
    || box.querySelector("table[aria-label]")?.getAttribute("aria-label")
    || (box.matches("pre") ? "Code" : box.matches(".math, mjx-container") ? "Formula" : "Table");
  const show = (box) => {
    // A box with something inside that has the focus scrolls with it.
    const overflows = box.scrollWidth > box.clientWidth + 1 || (box.matches(".stream pre") && box.scrollHeight > box.clientHeight + 1);
    const scrolls = overflows && !box.querySelector(REACHED)
      && ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
    if (scrolls === box.hasAttribute("data-reached") && scrolls === (box.tabIndex === 0)) return;
    box.toggleAttribute("data-reached", scrolls);
    const named = [["tabindex", "0"], ["role", "group"], ["aria-label", nameOf(box)]];
    // A part of a list of terms may have no role of its own, and it has its term.
    for (const [name, value] of box.matches("dl > div") ? named.slice(0, 1) : named) {
      if (scrolls) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };
  // The button that copies says of which cell, as those that run it do.
  addEventListener("load", () => {
    const cells = [...document.querySelectorAll("main .cell")].filter((cell) => cell.querySelector(".cell_input"));
    for (const button of document.querySelectorAll("main .cell .copybtn")) {
      const number = 1 + cells.indexOf(button.closest(".cell")), what = button.closest(".cell_input") ? "code" : "output";
      if (number) button.setAttribute("aria-label", `Copy the ${what} of cell ${number}`);
    }
  });
  let asked = false;
  const look = () => {
    asked = false;
    for (const box of document.querySelectorAll(`main :is(${BOXES})`)) show(box);
    // What a live widget shows is said when it changes, as a frame is; not all steps of a stepper or of a bar.
    for (const shown of document.querySelectorAll("main .tl-widget .widget-html-content")) {
      const isQuiet = shown.querySelector(".tl-stepper") || shown.closest(".tl-quiet");
      shown.setAttribute("aria-live", isQuiet ? "off" : "polite");
    }
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(look);
    asked = true;
  };
  // Whatever is opened, moved, run or typeset changes the height of something in the article.
  const watcher = new ResizeObserver(ask);
  const article = document.querySelector("main article");
  if (article) watcher.observe(article);
  for (const kind of ["toggle", "input", "click"]) document.addEventListener(kind, ask, true);
  addEventListener("resize", ask);
  ask();
})();
