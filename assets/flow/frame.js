// The picture in a frame of another page: a way to the book with the state that is shown, and its height for who listens.
(function () {
  "use strict";
  const LONG = 45; // letters of a sentence that is written smaller

  function start() {
    const root = document.getElementById("flow-root"), sentence = document.getElementById("flow-sentence");
    const away = Object.assign(document.createElement("a"), { className: "flow-away", target: "_blank", rel: "noopener", textContent: "The Worked Transformer ↗" });
    const aim = () => { away.href = location.pathname + location.hash; };
    // What a page leads to has no room in the frame.
    for (const link of root.querySelectorAll("a[href]")) Object.assign(link, { target: "_blank", rel: "noopener" });
    aim();
    addEventListener("hashchange", aim);
    for (const kind of ["pointerenter", "pointerdown", "focus", "click"]) away.addEventListener(kind, aim);
    root.append(away);

    let posted = 0;
    const post = () => {
      root.classList.toggle("flow-long", sentence.textContent.length > LONG);
      const height = Math.ceil(root.getBoundingClientRect().bottom + scrollY) + 8;
      if (height !== posted) parent.postMessage({ source: "the-worked-transformer", height }, "*");
      posted = height;
    };
    new ResizeObserver(post).observe(root);
    root.addEventListener("input", post);
    post();
  }

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
