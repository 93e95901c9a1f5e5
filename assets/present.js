// The button "Present" of a page. What draws the slides is loaded when it is pressed: docs/lecture.md.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const article = document.querySelector("main article"), title = article?.querySelector("h1");
  const page = document.body.dataset.page;
  if (!title || !/^(chapters\/|intro$)/.test(page) || !article.querySelector("div.cell")) return;
  const files = ["lecture.css", "lecture.js"]; // book/html/lecture.py joins them

  // By elements, because a page that was opened from the disk may import no module.
  const come = (file) => new Promise((done, failed) => {
    const address = `${root}_static/present/${file}`, isScript = file.endsWith("js");
    const element = Object.assign(document.createElement(isScript ? "script" : "link"), {
      ...(isScript ? { src: address } : { rel: "stylesheet", href: address }),
      onload: done, onerror: () => { element.remove(); failed(); },
    });
    document.head.append(element);
  });

  const known = {};
  /** What the browser keeps of a lecture under a key, or with a value, what it is to keep. */
  const kept = (key, value) => {
    if (value !== undefined) known[key] = value;
    try {
      if (value !== undefined) localStorage.setItem(key, value);
      return localStorage.getItem(key);
    } catch {
      return known[key]; // a browser may forbid it: then until the page is left
    }
  };
  // A key without a modifier is in the way of who speaks to the computer, so letters act only if a
  // lecturer has asked for them.
  const key = `tl-letters:${window.tlBook.base}`;
  const letters = {
    get on() { return Boolean(kept(key)); },
    set on(wanted) { kept(key, wanted ? "1" : ""); },
  };

  let loaded;
  const enter = async (index) => {
    try {
      await (loaded ??= Promise.all(files.map(come)));
      window.tlPresent.talk.enter(index);
    } catch (error) {
      loaded = undefined;
      start.textContent = "No slides: is there a network?";
      if (error) throw error;
    }
  };
  const start = Object.assign(document.createElement("button"), {
    type: "button", className: "tl-present", textContent: "Present", title: "Show this page as slides",
  });
  start.addEventListener("click", () => {
    start.textContent = "Present";
    enter(0);
  });
  window.tlPresent = { article, title, start, letters, kept, files };
  document.querySelector(".article-header-buttons")?.prepend(start);

  document.addEventListener("keydown", (event) => {
    const isTyped = event.target.closest?.("input, select, textarea, [contenteditable=true]");
    if (event.key !== "p" || event.ctrlKey || event.metaKey || event.altKey || isTyped || !letters.on) return;
    if (!document.documentElement.classList.contains("tl-presenting")) enter(0);
  });
  const from = location.hash.match(/^#present(?:-(\d+))?$/);
  if (from) addEventListener("load", () => enter(Number(from[1] ?? 1) - 1));
})();
