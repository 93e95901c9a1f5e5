// "On this device": which pages the browser keeps, and one press that lets it keep all of them.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const KEPT = `the-worked-transformer:${window.tlBook.base}`; // as assets/top/offline.js calls it
  const AT_ONCE = 4; // files that are asked for

  const made = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const button = (textContent, act) => {
    const element = made("button", { type: "button", textContent });
    element.addEventListener("click", act);
    return element;
  };
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  const list = () => fetch(`${root}files.json`).then((answer) => answer.json());
  const sum = (files) => files.reduce((total, [, [length]]) => total + length, 0);

  const lost = new URLSearchParams(location.search).get("lost");
  if (lost) {
    document.querySelector("main article h1").after(made("p", { className: "tl-kept-copy" },
      "There is no network, and your browser has not kept the page ", made("code", { textContent: lost }), "."));
  }

  const said = made("p");
  said.setAttribute("role", "status");
  const place = document.querySelector(".tl-device-book");
  if (!window.isSecureContext || !navigator.serviceWorker || !window.caches) {
    said.textContent = window.isSecureContext
      ? "This window keeps no pages, perhaps because it is a private one."
      : "A browser keeps pages only where the address of the book begins with https.";
    place.replaceChildren(said);
    return;
  }

  const bar = made("progress", { hidden: true });
  bar.setAttribute("aria-label", "kept");
  const shown = made("div");
  const all = button("Keep the whole book on this device", keepAll);
  const stop = button("Stop", () => { stop.hidden = true; });
  const remove = button("Remove the pages that are kept", removeAll);
  stop.hidden = remove.hidden = true;
  place.replaceChildren(made("p", { className: "tl-device-bar" }, all, stop, remove, bar), said, shown);
  list().then((files) => { all.textContent += ` (${megabytes(sum(Object.entries(files)))} MB)`; }).catch(() => {});
  show();

  async function keepAll() {
    all.disabled = true;
    stop.hidden = bar.hidden = false;
    said.textContent = "The browser asks for the list of the files …";
    said.textContent = await list().then((files) => kept(Object.entries(files)))
      .catch(() => "The list of the files could not be loaded: is there a network?");
    all.disabled = false;
    stop.hidden = bar.hidden = true;
    await show();
  }

  // What is there already is not asked for again, so a second press goes on where the first one ended.
  async function kept(files) {
    const left = [...files], failed = [];
    let bytes = 0;
    bar.max = sum(files);
    const take = async () => {
      for (let file = left.shift(); file && !stop.hidden; file = left.shift()) {
        const [path, [length]] = file;
        const [isKept] = await window.tlKeep.ask([root + path]).catch(() => [false]);
        if (!isKept) failed.push(path);
        bar.value = bytes += length;
        said.textContent = `${megabytes(bytes)} of ${megabytes(bar.max)} MB are here …`;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    if (stop.hidden) return "Stopped. What came so far stays here, and the button goes on from there.";
    if (!failed.length) return "The whole book is on this device.";
    return `Of ${files.length} files, ${failed.length} did not come, such as ${failed[0]}. Either the network is gone, or the `
      + "host gives another file, or the browser has no more room. The button goes on from there.";
  }

  async function removeAll() {
    await caches.delete(KEPT);
    await show();
    said.textContent = "The browser keeps no page of this book, until you open one again.";
  }

  async function show() {
    const found = await caches.has(KEPT) ? await (await caches.open(KEPT)).keys() : [];
    const here = new Set(found.map(({ url }) => url));
    const links = [...document.querySelectorAll("#pst-primary-sidebar a.internal[href]")];
    const pages = new Map(links.map((link) => [link.href.replace(/[?#].*/, ""), link.textContent.trim()]));
    const mine = [...pages].filter(([address]) => here.has(address));
    remove.hidden = !found.length;
    const text = mine.length ? `${mine.length} of the ${pages.size} pages are here:` : "No page is here yet.";
    const items = mine.map(([href, textContent]) => made("li", {}, made("a", { href, textContent })));
    shown.replaceChildren(made("p", { textContent: text }), made("ul", {}, ...items));
  }
})();
