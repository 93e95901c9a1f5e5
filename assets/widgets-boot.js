/* Runs before require.js and the widget manager, on pages whose widgets come alive. */
(function () {
  "use strict";
  const vendor = document.currentScript.src.replace(/[^/]*$/, "") + "vendor/";

  // The widget manager loads its fonts, and require.js its modules, from here and no other host.
  window.__jupyter_widgets_assets_path__ = vendor + "@jupyter-widgets/html-manager/dist/";
  // Each part of the manager looks for fonts beside itself, as if it were a file of its own.
  const paths = {};
  for (const part of ["base", "controls", "html-manager", "html-manager/dist/libembed-amd"]) {
    const file = part.replace(/.*\//, "");
    paths["@jupyter-widgets/" + part] = "@jupyter-widgets/html-manager/dist/" + file;
  }
  window.require = { baseUrl: vendor, paths };

  // The manager makes checks for widgets that are stored in a page out of text, which the page's policy
  // refuses. Our pages store none, so a check that is never asked takes their place.
  window.Function = new Proxy(Function, { construct: () => () => () => true });

  // ipywidgets 8 still calls the queue of MathJax 2; the book serves MathJax 3, where a page has formulas.
  function typeset(command) {
    const element = Array.isArray(command) ? command[2] : null;
    const mathjax = window.MathJax;
    if (element && mathjax.typesetPromise) {
      mathjax.startup.promise.then(() => mathjax.typesetPromise([element]));
    }
  }
  if (window.MathJax) window.MathJax.Hub = { Queue: typeset };
})();
