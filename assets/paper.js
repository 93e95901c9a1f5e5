// Paper is white: a page that is dark is printed in its light colors. And the ledger of the notes, pages
// long, is looked up and not read: it is printed if its reader has opened it.
(function () {
  "use strict";
  const page = document.documentElement.dataset;
  let before;
  addEventListener("beforeprint", () => {
    before = page.theme;
    page.theme = "light";
    // parts.js, which comes first, has opened all that was folded.
    for (const fold of document.querySelectorAll("details.above-output[data-tl-printed]:has(.tl-ledger)")) {
      fold.open = false;
      delete fold.dataset.tlPrinted;
    }
  });
  addEventListener("afterprint", () => {
    page.theme = before;
  });
})();
