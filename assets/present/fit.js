// Makes what is on a slide as large as the screen allows.
(function () {
  "use strict";
  const page = document.documentElement;
  const SCREEN = { width: 1280, height: 720 }, LEAST = 1.5, MOST = 2.6;
  // What has a box of its own scrolls in it, so each box is asked.
  const BOXES = ".tl-box, pre, .output, div.math, .tl-frame, .pst-scrollable-table-container";
  const edge = (element, side) => element.getBoundingClientRect()[side];

  // The parts of a display formula that is too wide stick out of it; its box does not.
  const fits = (room, body) => edge(body, "height") <= edge(room, "height") + 1
    && [body, ...body.querySelectorAll(BOXES)].every((box) => box.scrollWidth <= box.clientWidth + 1)
    && [...body.querySelectorAll("math *")].every((part) => edge(part, "right") <= edge(room, "right") + 1);

  const largest = (set) => {
    if (set(MOST)) return MOST;
    let low = 0.9, high = MOST;
    for (let turn = 0; turn < 7; turn++) {
      const middle = (low + high) / 2;
      if (set(middle)) low = middle;
      else high = middle;
    }
    set(low);
    return low;
  };
  const partsOf = (body) => {
    const row = body.querySelector(".tl-slide-row");
    const several = row?.children.length > 1 ? row : row?.querySelector(".output");
    return [...several?.children ?? []].filter((each) => each.offsetParent || each.matches(".tl-later"));
  };

  /** Enlarge a slide; what would be too small together is shown one after the other. */
  const fit = (slide) => {
    const { box, body } = slide, room = body.parentElement, parts = partsOf(body);
    const scale = Math.min(box.clientWidth / SCREEN.width, box.clientHeight / SCREEN.height);
    const set = (zoom) => {
      body.style.zoom = zoom * scale;
      return fits(room, body);
    };
    parts.forEach((part) => part.classList.remove("tl-later"));
    let zoom = largest(set);
    slide.parts = zoom < LEAST && parts.length > 1 && !page.classList.contains("tl-paper") ? parts.length : 1;
    if (slide.parts > 1) {
      parts.forEach((part, at) => part.classList.toggle("tl-later", at !== slide.part));
      zoom = largest(set);
    }
    box.toggleAttribute("data-small", zoom < LEAST);
    box.toggleAttribute("data-scrolls", !fits(room, body));
  };
  const all = (slides) => slides.forEach((each) => {
    each.box.classList.add("tl-now"); // what is not drawn has no size
    fit(each);
    each.box.classList.remove("tl-now");
  });
  Object.assign(window.tlPresent, { fit, fitAll: all });
})();
