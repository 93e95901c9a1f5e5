// The bar of a page and a Run button at each of its cells that can run here. Python and all that
// belongs to it is loaded when one of them is pressed, and not before.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const { page } = document.body.dataset;
  const elements = [...document.querySelectorAll("main div.cell")];
  const title = document.querySelector("main article h1");
  // The place that the page keeps for the bar, so that nothing moves when it comes.
  document.querySelector("main .tl-live-room")?.remove();
  const isExercise = /^exercises\//.test(page);
  if (!(isExercise || /^chapters\//.test(page)) || !elements.length || !title) return;

  const made = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const said = made("span", { className: "tl-live-said" });
  said.setAttribute("role", "status");
  const buttons = made("span", { className: "tl-live-buttons" });
  const bar = made("div", { className: "tl-live-bar" }, buttons, said);

  // The course comes first; what this copy cannot do is said below it. A browser starts no worker in a
  // page that was opened from the disk. Why the build found no Python, it said to whoever built.
  const onDisk = location.protocol === "file:";
  const isShutOff = !onDisk && self.origin === "null"; // a frame with the attribute sandbox
  if (onDisk || isShutOff || window.tlRuntime?.reason) {
    document.querySelectorAll(".tl-start").forEach((each) => each.remove());
    said.append(`Code cannot run in this ${isShutOff ? "frame" : "copy"}.`);
    if (isShutOff) said.append(" It can ", made("a", { href: location.href, target: "_blank", textContent: "in a tab of its own" }), ".");
    if (onDisk) said.append(" It can where ", made("code", { textContent: "make serve" }), " serves the book.");
    title.closest("article").classList.remove("tl-exercise"); // no editor opens
    title.closest("article").append(bar);
    return;
  }
  title.after(bar);

  const keeps = () => {
    try {
      const { key, older } = window.tlBook;
      return localStorage.getItem(key(page)) !== null || Object.keys(older(page) ?? {}).length > 0;
    } catch {
      return false; // a browser may forbid it
    }
  };
  // A browser says of a script only that it could not load it, each in its own words.
  const why = () => import(`${root}_static/live/lost.js`).then((lost) => lost.why(root))
    .then(({ message }) => message, () => "This page could not be loaded: is there a network?");
  let opened;
  const open = () => (opened ??= import(`${root}_static/live/page.js`)
    .then((module) => module.open({ root, page, elements, bar: { said, buttons } })));
  const press = async (act) => {
    said.textContent = "Loading …";
    try {
      await act(await open());
    } catch (error) {
      opened = undefined;
      said.textContent = error instanceof TypeError ? await why() : error.message;
    }
  };

  const start = made("button", { type: "button", textContent: "Run this page" });
  start.addEventListener("click", () => press((all) => all.runAll()));
  buttons.append(start);
  if (isExercise) {
    // An exercise is there to be written: its editors open at once, its Python with the first run.
    const forget = made("a", { href: `${root}chapters/device.html#what-you-wrote`, textContent: "until you let it forget" });
    press((all) => all.greet("Write your answers below: Python runs in your browser, which keeps them ", forget,
      ". To hand them in, download the notebook."));
    return;
  }
  // A page without code to read has widgets, which belong together.
  const coded = elements.filter((element) => element.querySelector(".cell_input"));
  const hasCode = coded.length > 0;
  // The build says which of the cells with code need what no browser has: "0 3 4".
  const { torch } = title.closest("article").dataset;
  const needing = new Set(torch?.match(/\d+/g)?.map((at) => coded[at]));
  const text = !hasCode
    ? "Python in your browser: the model below answers what you type."
    : needing.size === 0
      ? "Python in your browser: the code below runs, and you can change it."
      : `${coded.length - needing.size} of ${coded.length} cells run in the browser; `
        + `the ${needing.size === 1 ? "other needs" : "others need"} PyTorch.`;
  said.textContent = text;
  for (const [at, element] of coded.entries()) {
    const run = made("button", { type: "button", textContent: "Run", className: "tl-run-cell" });
    run.setAttribute("aria-label", `Run cell ${at + 1}`); // as cell.js calls it after the first press
    for (const fold of element.querySelectorAll("summary > p"))
      fold.append(made("span", { className: "visually-hidden", textContent: ` of cell ${at + 1}` }));
    const heard = made("span", { className: "tl-cell-said" });
    run.addEventListener("click", async () => {
      heard.textContent = "Loading …";
      await press((all) => all.runElement(element));
      heard.textContent = said.textContent; // where the page did not come, and so did not replace this
    });
    const needs = made("span", { className: "tl-cell-said", textContent: "Runs in JupyterLab: it needs PyTorch" });
    element.querySelector(".cell_input").append(made("div", { className: "tl-cell-bar" }, ...(needing.has(element) ? [needs] : [run, heard])));
  }

  // What a reader changed here before shows at once, and so do the buttons of a text that is kept as a
  // file; Python still waits for a press.
  const holdsText = document.querySelector("main .tag_holds-text");
  if (keeps() || holdsText) press((all) => all.greet(text));

  // A link may bring sentences for the model, and take them along.
  if (page === "chapters/real_model") import(`${root}_static/live/pair_link.js`).catch(() => {});

  // A widget is attached a moment after it is made, its parts in no order. A tab in the background has
  // no frames to count, and a busy device may take seconds.
  const attached = async (found) => {
    for (let turn = 0; turn < 600 && !found(); turn++) await new Promise((go) => setTimeout(go, 16));
    return found();
  };

  // An editor that stands still comes alive at its button, or at the first touch, and there a reader
  // sees how far it is.
  for (const still of document.querySelectorAll(".tl-still")) {
    const start = still.querySelector(".tl-start");
    start.hidden = false;
    still.addEventListener("click", async (event) => {
      if (start.disabled || !event.target.closest(".tl-start, label:has(> :is(input, select, textarea))")) return;
      still.querySelector(".tl-seen")?.remove(); // of a press that failed
      const seen = made("span", { className: "tl-seen" });
      const watcher = new MutationObserver(() => { seen.textContent = said.textContent; });
      watcher.observe(said, { childList: true, characterData: true, subtree: true });
      const box = still.closest("div.cell"), isHere = document.activeElement === start;
      start.disabled = true;
      start.after(" ", seen);
      await press((all) => (hasCode ? all.runElement(still.closest("div.cell")) : all.runAll()));
      watcher.disconnect();
      start.disabled = false;
      if (start.isConnected) return;
      // Who pressed the button by the keyboard goes on in what came in its place.
      const all = (what) => [...box.querySelectorAll(`.tl-widget :is(${what})`)];
      const entry = await attached("press" in start.dataset
        ? () => all("button").find((each) => each.textContent === start.textContent)
        : () => all("input, select, textarea, button")[0]);
      if (isHere) entry?.focus();
      if ("press" in start.dataset) entry?.click();
    });
  }
})();
