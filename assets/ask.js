// A question to ask a friend: once it is judged, its link may be copied. The link carries no answer, and whoever opens
// it comes to the question, which nobody has answered there.
(function () {
  "use strict";
  const QUESTION = ".tl-question";

  function offer(question) {
    const row = question.querySelector(".tl-answer");
    if (!row || row.querySelector(".tl-ask")) return;
    const said = Object.assign(document.createElement("span"), { className: "tl-asked" });
    said.setAttribute("role", "status");
    const ask = Object.assign(document.createElement("button"), { type: "button", className: "tl-ask", textContent: "Ask a friend" });
    ask.addEventListener("click", () => {
      const { copy, link } = window.tlAddress;
      copy(link(`#${question.id}`), "link", said);
    });
    row.append(ask, said);
  }

  /** Lead to the question of the address, which may be in a fold, or in a step that waits for the steps above it. */
  function arrive() {
    const question = document.getElementById(location.hash.slice(1));
    if (!question?.matches(QUESTION)) return;
    for (let each = question; each; each = each.parentElement) {
      if (each.matches("details")) each.open = true;
      if (each.matches(".tl-slip li")) {
        for (let step = each; step; step = step.previousElementSibling) step.style.display = "list-item";
      }
    }
    question.tabIndex = -1;
    question.scrollIntoView({ block: "start" });
    question.focus({ preventScroll: true });
  }

  // A file on a disk has no address that a friend could open. The script is there before the press: some browsers
  // copy nothing that is not copied at once.
  if (location.protocol !== "file:") {
    new MutationObserver((changes) => {
      const questions = new Set(changes.map(({ target }) => target).filter((each) => each.matches("[data-answered]")));
      import("./address.js").then(() => questions.forEach(offer), () => {}); // without a network there is no button
    }).observe(document.body, { subtree: true, attributeFilter: ["data-answered"] });
  }
  arrive();
  addEventListener("hashchange", arrive);
  // What came late has moved the question, which the reader has not left yet.
  addEventListener("load", () => { if (document.activeElement?.matches(QUESTION)) arrive(); });
})();
