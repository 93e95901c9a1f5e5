// Makes the slides of a page, one heading, figure, formula or question a screen. Nothing but sentences is
// copied: a figure is moved into its slide, so that it stays live, and back to its place.
(function () {
  "use strict";
  const { prose } = window.tlPresent;
  const made = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const textOf = (heading) => heading.textContent.replace(/#$/, "").trim();
  const COMMENT = /^\s*slide:\s*(?:([\d.]+) min\.?)?\s*([^]*?)\s*$/;
  const isSkipped = (section) => /^(optional-)?(exercises|sources|the-notes-example)(-|$)/.test(section.id)
    || [...section.childNodes].some((node) => node.nodeType === 8 && /^\s*slide:\s*skip/.test(node.data));
  const isText = (node) => node.matches("p, ul, ol, dl") || node.matches("div.cell:has(.cell_output > p:only-child)");
  const isItem = (node) => node.matches(".tag_slide-code")
    || (node.matches("div.cell:not(.tag_slide-skip, .tag_hide-output, :has(.tl-place))")
      && node.querySelector(".cell_output") && !isText(node))
    || node.matches("div.math, figure, .pst-scrollable-table-container")
    || (node.matches("ol, ul") && node.previousElementSibling?.querySelector(":scope > strong:only-child"));
  const isQuestion = (node) => Boolean(node.querySelector(".tl-question, .tl-slip"));

  let slides, places;
  // A comment keeps the place of what is moved: its neighbors may be moved as well.
  const hold = (item) => {
    const place = document.createComment("");
    item.before(place);
    places.push([place, item]);
  };
  const minutesOf = (item, question, isHeading) => {
    const [, given] = item.className?.match?.(/tag_slide-(\d+)min/) ?? [];
    return Number(given ?? (question ? 2 : isHeading ? 0.5 : 1));
  };
  const add = (heading, before, says, items) => {
    const isHeading = items[0] === heading;
    const head = isHeading ? heading : made("p", { className: "tl-slide-title", textContent: textOf(heading) });
    const body = made("div", { className: "tl-slide-body" });
    const box = made("div", { className: "tl-slide", tabIndex: -1 });
    box.setAttribute("role", "group");
    items.forEach(hold);
    items[0].before(box);
    const lines = says.map(prose.line).filter((line) => line.textContent.trim());
    if (lines.length) body.append(made("div", { className: "tl-slide-says" }, ...lines));
    const row = made("div", { className: "tl-slide-row" }, ...items.filter((item) => item !== heading && !item.hidden));
    if (row.firstChild) body.append(row);
    box.append(head, made("div", { className: "tl-slide-room" }, body));
    box.classList.toggle("tl-slide-heading", isHeading);
    box.classList.toggle("tl-first", !slides.length);
    const question = body.querySelector(".tl-question");
    slides.push({
      box, body, heading, before, after: null, items, notes: [], question, part: 0, parts: 1,
      minutes: minutesOf(items[0], question, isHeading),
    });
  };
  // A sentence with a slide of its own has no element there, so a hidden one keeps its place.
  const alone = (heading, block, says, before) => {
    const stand = made("span", { hidden: true });
    block.before(stand);
    add(heading, before, says, [stand]);
  };
  const join = (node) => {
    hold(node);
    slides.at(-1).body.lastChild.append(node);
    slides.at(-1).items.push(node);
  };

  /** Go through a section once; below `heading` until it has one of its own. */
  const walk = (section, inherited) => {
    if (isSkipped(section)) return;
    let heading = inherited, blocks = [], opener = null, says = [], isFirst = true, isOpen = false;
    const head = () => {
      if (!isFirst) return;
      [isFirst, opener] = [false, blocks[0]];
      const own = prose.marked(blocks.slice(0, 1));
      const whole = /^summary/.test(section.id) ? blocks.flatMap(prose.sentences) : prose.opening(blocks);
      const chosen = own.length ? own : whole;
      says = chosen.map((say) => say.textContent.trim());
      add(heading, [], chosen, [heading]);
    };
    const shown = () => {
      // What is marked in the opener is below the heading, and what is there already is not said again.
      const own = [...prose.marked(blocks, "next"), ...prose.marked(blocks.filter((block) => block !== opener))];
      if (own.length) return own;
      const open = blocks.filter((block) => block !== opener || !prose.marked([block]).length);
      const is = (say) => says.includes(say.textContent.trim());
      return [...prose.bold(open), ...prose.leading(open)].filter((say) => !is(say));
    };
    const comment = ([, minutes, note]) => {
      head();
      if (minutes) slides.at(-1).minutes = Number(minutes);
      if (note) slides.at(-1).notes.push(note);
    };
    const item = (node) => {
      head();
      const list = node.matches("ol, ul") && node.previousElementSibling;
      // Two figures without a sentence between them share a slide.
      if (isOpen && !blocks.length && !isQuestion(node) && !slides.at(-1).question) join(node);
      else add(heading, blocks, list ? prose.sentences(list) : shown(), [node]);
      [blocks, isOpen] = [[], true];
    };
    const text = (node) => {
      blocks.push(node.querySelector(".cell_output > p") ?? node);
      const own = [...node.querySelectorAll("[data-slide=own]")];
      if (!own.length) return;
      head();
      alone(heading, node, own.map((each) => each.cloneNode(true)), blocks);
      [blocks, isOpen] = [[], false];
    };
    for (const node of [...section.childNodes]) {
      const said = node.nodeType === 8 && node.data.match(COMMENT);
      if (said) comment(said);
      if (node.nodeType !== 1) continue;
      if (/^H[1-3]$/.test(node.tagName)) heading = node;
      else if (node.tagName === "SECTION") {
        head();
        walk(node, heading);
        isOpen = false;
      } else if (isItem(node)) item(node);
      else if (isText(node)) text(node);
    }
    head();
    const fresh = blocks.filter((block) => block !== opener);
    const own = prose.marked(fresh), rest = own.length ? own : prose.bold(fresh);
    if (rest.length) alone(heading, fresh[0], rest, blocks);
    else slides.at(-1).after = blocks;
  };

  /** Make the slides of the page, in their order. */
  const make = (title) => {
    [slides, places] = [[], []];
    walk(title.closest("section"), title);
    return slides;
  };
  /** Put each element back to its place. */
  const undo = () => {
    for (const [place, item] of places) {
      if (item.hidden && item.tagName === "SPAN") item.remove();
      else place.before(item);
      place.remove();
    }
    slides.forEach(({ box }) => box.remove());
  };
  Object.assign(window.tlPresent, { made, textOf, slides: { make, undo } });
})();
