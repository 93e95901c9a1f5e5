// Keeps what a reader opens on a site of https, so that it is there again without a network.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");

  /** Start the worker, and tell it what this page has loaded. */
  window.tlKeep = async () => {
    await navigator.serviceWorker.register(`${root}offline.js`);
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    active.postMessage([location.href.replace(/#.*/, ""),
      ...new Set(loaded.filter((url) => url.startsWith(root)))]);
  };
  if (location.protocol === "https:" && navigator.serviceWorker) {
    addEventListener("load", () => window.tlKeep().catch(() => {}));
  }
})();
