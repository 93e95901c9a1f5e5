// What of the prose a slide shows: the sentences that the author has marked, or else those with a bold
// phrase, or else one by its place.
(function () {
  "use strict";

  /** The part of a block from one character to another, with its formulas and colors. */
  const cut = (block, from, to) => {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let at = 0; walker.nextNode(); at += walker.currentNode.length) {
      const node = walker.currentNode, end = at + node.length;
      if (from >= at && from < end) range.setStart(node, from - at);
      if (to > at && to <= end) {
        range.setEnd(node, to - at);
        break;
      }
    }
    return range.cloneContents();
  };
  const segmenter = Intl.Segmenter && new Intl.Segmenter("en", { granularity: "sentence" });
  const segments = (text) => (segmenter ? [...segmenter.segment(text)] : [{ index: 0, segment: text }]);
  const sentences = (block) => segments(block.textContent)
    .filter(({ segment }) => segment.trim())
    .map(({ index, segment }) => {
      const from = index + segment.length - segment.trimStart().length;
      return cut(block, from, index + segment.trimEnd().length);
    });

  const words = (say) => say.textContent.trim().split(/\s+/).length;
  const short = (say, most) => (say && words(say) <= most ? [say] : []);
  const marked = (blocks, kind = "") => blocks.flatMap((block) => [...block.querySelectorAll(`[data-slide='${kind}']`)])
    .map((mark) => mark.cloneNode(true));
  const bold = (blocks) => blocks.flatMap((block) => sentences(block)
    .filter((say) => [...say.querySelectorAll("strong")].some((strong) => words(strong) > 5)));
  const opening = (blocks) => {
    const [first, second] = blocks.slice(0, 2).flatMap(sentences);
    return [...short(first, 40), ...(first && second && words(first) < 8 ? short(second, 30) : [])];
  };
  const leading = (blocks) => short(blocks.length && sentences(blocks.at(-1)).at(-1), 30);

  const lastText = (node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode());
    return walker.currentNode;
  };
  /** A paragraph of a slide, which does not end with what leads on to a text that is not there. */
  const line = (say) => {
    const made = Object.assign(document.createElement("p"), { className: "tl-say" });
    made.append(say);
    made.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
    if (/[,:;]$/.test(made.textContent.trim())) lastText(made).data = lastText(made).data.replace(/[,:;]\s*$/, "");
    return made;
  };

  Object.assign(window.tlPresent, { prose: { sentences, marked, bold, opening, leading, line } });
})();
