// The bar of a page and a Run button at each of its cells. Python and all that belongs to it is
// loaded when one of them is pressed, and not before.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const page = location.href.slice(root.length).replace(/\.html.*$/, "");
  const elements = [...document.querySelectorAll("main div.cell")];
  const title = document.querySelector("main article h1");
  // The place that the page keeps for the bar, so that nothing moves when it comes.
  document.querySelector("main .tl-live-room")?.remove();
  const isExercise = /^exercises\//.test(page);
  if (!(isExercise || /^(chapters\/|intro$)/.test(page)) || !elements.length || !title) return;

  const made = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const said = made("span", { className: "tl-live-said" });
  said.setAttribute("role", "status");
  const buttons = made("span", { className: "tl-live-buttons" });
  const bar = made("div", { className: "tl-live-bar" }, buttons, said);
  title.after(bar);

  // A browser starts no worker in a page that was opened from the disk.
  const onDisk = location.protocol === "file:";
  const reason = window.tlRuntime?.reason;
  if (onDisk || reason) {
    document.querySelectorAll(".tl-start").forEach((each) => each.remove());
    said.append(...(onDisk
      ? ["Served with ", made("code", { textContent: "make serve" }), ", this page can run its code."]
      : [`This page cannot run its code: ${reason}`]));
    return;
  }

  let opened;
  const open = () => (opened ??= import(`${root}_static/live/page.js`)
    .then((module) => module.open({ root, page, elements, bar: { said, buttons } })));
  const press = async (act) => {
    said.textContent = "Loading …";
    try {
      await act(await open());
    } catch (error) {
      opened = undefined;
      said.textContent = `That did not work: ${error.message}`;
    }
  };

  const start = made("button", { type: "button", textContent: "Run this page" });
  start.addEventListener("click", () => press((all) => all.runAll()));
  buttons.append(start);
  if (isExercise) {
    title.closest("article").classList.add("tl-exercise");
    // An exercise is there to be written: its editors open at once, its Python with the first run.
    press(() => {
      said.textContent = "Write your answers below: Python runs in your browser, which keeps them. "
        + "To hand them in, download the notebook.";
    });
    return;
  }
  // A page without code to read has widgets, which belong together.
  const hasCode = elements.some((element) => element.querySelector(".cell_input"));
  said.textContent = hasCode
    ? "Python in your browser: the code below runs, and you can change it."
    : "Python in your browser: the model below answers what you type.";
  for (const element of elements) {
    const input = element.querySelector(".cell_input");
    if (!input) continue;
    const run = made("button", { type: "button", textContent: "Run", className: "tl-run-cell" });
    run.addEventListener("click", () => { if (!opened) press((all) => all.runElement(element)); });
    input.append(made("div", { className: "tl-cell-bar" }, run));
  }

  // An editor that stands still comes alive at its button, or at the first touch.
  for (const still of document.querySelectorAll(".tl-still")) {
    still.querySelector(".tl-start").hidden = false;
    still.addEventListener("click", (event) => {
      if (event.target.closest(".tl-start, label:has(> :is(input, select, textarea))")) {
        press((all) => (hasCode ? all.runElement(still.closest("div.cell")) : all.runAll()));
      }
    });
  }
})();
