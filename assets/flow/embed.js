// The code with which a teacher puts the picture, or a cut of it, into a page of their own.
(function () {
  "use strict";
  // High enough for each state at each width from this one on; tests/browser/test_frame.py measures it.
  const HEIGHTS = { whole: 1740, cut: 620, own: 900 }; // a cut with the rules of a link above it
  const quoted = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

  // With the origin that it has anyway: without one, WebKit lets a page of a book without an address load nothing.
  function code(address, isCut) {
    const url = new URL(address, location.href);
    url.search = isCut ? "?frame=sentence" : "?frame";
    const height = !isCut ? HEIGHTS.whole : /[#&]own=/.test(url.hash) ? HEIGHTS.own : HEIGHTS.cut;
    return `<iframe src="${quoted(url.href)}" title="A sentence on its way through a Transformer" width="100%" `
      + `height="${height}" style="border:0" loading="lazy" allow="clipboard-write" `
      + 'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>';
  }

  (window.tlFrame ??= {}).code = code;
})();
