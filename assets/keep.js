// Keeps what a reader opens on a site of https, so that it is there again without a network.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const WITHOUT = ["chapters/device.html", "_static/device/book.js", "_static/device/words.js"]; // what is shown for a page that is not here
  // The slides, which are loaded at a press: a lecture may begin where there is no network.
  const SLIDES = (window.tlPresent?.files ?? []).map((path) => `_static/present/${path}`);

  /** Ask the worker, which starts if it is not there yet, to keep files; which of them it keeps. */
  const ask = async (addresses) => {
    await navigator.serviceWorker.register(`${root}offline.js`);
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((done) => { port1.onmessage = ({ data }) => done(data); });
    active.postMessage({ keep: addresses }, [port2]);
    return answer;
  };

  /** Keep this page, and all that it has loaded. */
  const here = () => {
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    const own = [location.href, ...[...WITHOUT, ...SLIDES].map((path) => root + path), ...loaded]
      .map((each) => each.replace(/[?#].*/, "")).filter((each) => each.startsWith(root));
    return ask([...new Set(own)]);
  };

  window.tlKeep = { ask, here };
  if (location.protocol === "https:" && navigator.serviceWorker) {
    addEventListener("load", () => here().catch(() => {}));
  }

  // The worker marks a page that it shows instead of the host's: assets/top/offline.js.
  const why = {
    gone: "There is no network. This is the copy of the page that your browser has kept.",
    late: "The host did not answer for five seconds. This is the copy of the page that your browser has kept.",
  }[document.body.dataset.kept];
  if (why && !location.search.includes("lost=")) {
    const line = Object.assign(document.createElement("p"), { className: "tl-kept-copy", textContent: why });
    document.querySelector("main article")?.prepend(line);
  }
})();
