// The button "Present" of a chapter. What draws the slides is loaded when it is pressed: docs/lecture.md.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const article = document.querySelector("main article");
  const title = article?.querySelector("h1");
  if (!title || !/^chapters\//.test(document.body.dataset.page) || !article.querySelector("div.cell")) return;
  const SCRIPTS = ["prose", "slides", "fit", "question", "speaker", "bar", "talk"];
  const STYLES = ["slide", "around"];

  const come = (name, properties) => new Promise((done, failed) => {
    const element = document.createElement(name);
    Object.assign(element, properties, { onload: done, onerror: () => { element.remove(); failed(); } });
    document.head.append(element);
  });
  // By elements, because a page that was opened from the disk may import no module.
  const load = () => Promise.all([
    ...STYLES.map((name) => come("link", { rel: "stylesheet", href: `${root}_static/present/${name}.css` })),
    ...SCRIPTS.map((name) => come("script", { async: false, src: `${root}_static/present/${name}.js` })),
  ]);

  // A key without a modifier is in the way of who speaks to the computer, so letters act only if a
  // lecturer has asked for them, and the browser remembers that for the book.
  const key = `tl-letters:${window.tlBook.base}`;
  const letters = {
    get on() {
      try {
        return localStorage.getItem(key) !== null;
      } catch {
        return this.here; // a browser may forbid it: then for this page
      }
    },
    set on(wanted) {
      this.here = wanted;
      try {
        if (wanted) localStorage.setItem(key, "1");
        else localStorage.removeItem(key);
      } catch {
        // it is known until the page is left
      }
    },
    here: false,
  };

  let loaded;
  const enter = async (index) => {
    try {
      await (loaded ??= load());
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
  const files = [...STYLES.map((name) => `${name}.css`), ...SCRIPTS.map((name) => `${name}.js`)];
  window.tlPresent = { article, title, start, letters, files };
  document.querySelector(".article-header-buttons")?.prepend(start);

  document.addEventListener("keydown", (event) => {
    const isTyped = event.target.closest?.("input, select, textarea, [contenteditable=true]");
    if (event.key !== "p" || event.ctrlKey || event.metaKey || event.altKey || isTyped || !letters.on) return;
    if (!document.documentElement.classList.contains("tl-presenting")) enter(0);
  });
  const from = location.hash.match(/^#present(?:-(\d+))?$/);
  if (from) addEventListener("load", () => enter(Number(from[1] ?? 1) - 1));
})();
