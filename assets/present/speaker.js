// What only the speaker reads: in a window of its own, which this window fills, or below the slide.
(function () {
  "use strict";
  const { made, textOf, question, votes } = window.tlPresent;
  const below = made("div", { className: "tl-slide-notes", hidden: true, tabIndex: 0 });
  below.setAttribute("role", "region");
  below.setAttribute("aria-label", "Notes");
  const planned = (slides, upTo) => slides.slice(0, upTo).reduce((sum, each) => sum + each.minutes, 0);
  const copies = (blocks) => blocks.map((block) => {
    const copy = block.cloneNode(true);
    [copy, ...copy.querySelectorAll("[id]")].forEach((each) => each.removeAttribute("id"));
    return copy;
  });
  const titled = (name, parts) => (parts.length ? [made("h3", { textContent: name }), ...parts] : []);
  let view = null, begun = 0;

  const notesOf = (slides, now) => {
    const slide = slides[now], next = slides[now + 1];
    const after = slide.after ?? (next?.heading === slide.heading ? next.before : []);
    const wrong = question.wrong(slide.question).slice(0, 6)
      .map(([value, why]) => made("li", {}, `${value}: `, made("span", { innerHTML: why })));
    const passed = Math.floor((Date.now() - begun) / 60_000);
    const time = `Minute ${passed}. Planned: ${planned(slides, now)} to ${planned(slides, now + 1)}. `
      + `Next: ${next ? textOf(next.heading) : "the end"}.`;
    return [
      made("h2", { textContent: `${now + 1} of ${slides.length}: ${textOf(slide.heading)}` }),
      made("p", { className: "tl-slide-time", textContent: time }),
      ...slide.notes.map((note) => made("p", { className: "tl-slide-cue", textContent: note })),
      ...titled("Hands", votes(slide.question)),
      ...titled("Foreseen wrong answers", wrong.length ? [made("ul", { className: "tl-wrong-answers" }, ...wrong)] : []),
      ...titled("The text before it", copies(slide.before)),
      ...titled("The text after it", copies(after)),
    ];
  };
  const tell = (slides, now) => {
    begun ||= Date.now();
    if (!below.hidden) below.replaceChildren(...notesOf(slides, now));
    if (!view || view.closed) return;
    view.document.body.replaceChildren(...notesOf(slides, now));
  };
  /** Open the speaker's window, in which the keys of the slides act too; false where a browser refuses it. */
  const open = (onKey) => {
    view = window.open("", "tl-speaker", "width=720,height=800");
    if (!view) return false;
    const paper = view.document;
    paper.head.replaceChildren(...[...document.querySelectorAll("link[rel=stylesheet]")].map((link) =>
      Object.assign(paper.createElement("link"), { rel: "stylesheet", href: link.href })));
    paper.documentElement.dataset.theme = document.documentElement.dataset.theme;
    paper.documentElement.lang = "en";
    paper.title = "Speaker";
    paper.body.className = "tl-speaker";
    paper.onkeydown = onKey;
    return true;
  };
  Object.assign(window.tlPresent, { speaker: { below, tell, open } });
})();
