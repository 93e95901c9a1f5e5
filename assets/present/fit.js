// Makes what is on a slide as large as the screen allows.
(function () {
  "use strict";
  const page = document.documentElement;
  const SCREEN = { width: 1280, height: 720 }, LEAST = 1.5, ROOMY = 1.7, MOST = 2.6;
  // What has a box of its own scrolls in it, so each box is asked.
  const BOXES = ".tl-box, pre, .output, div.math, .tl-frame, .pst-scrollable-table-container";
  const edge = (element, side) => element.getBoundingClientRect()[side];

  // WebKit measures what is enlarged in its own, larger pixels.
  const scaleOf = (body) => ("currentCSSZoom" in body ? 1 : Number(body.style.zoom));
  // The parts of a display formula that is too wide stick out of it; its box does not.
  const fits = (room, body) => edge(body, "height") * scaleOf(body) <= edge(room, "height") + 1
    && [body, ...body.querySelectorAll(BOXES)].every((box) => box.scrollWidth <= box.clientWidth + 1)
    && [...body.querySelectorAll("math *")].every((part) => edge(part, "right") * scaleOf(body) <= edge(room, "right") + 1);

  const largest = (set) => {
    if (set(MOST)) return MOST;
    let low = 0.4, high = MOST;
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
    const cell = row?.querySelector(":scope > .cell:not(.tag_hide-input):has(> .cell_input):has(> .cell_output)");
    const within = [".output", ".output > .tl-row"].map((each) => row?.querySelector(each));
    const several = [row, within[0], cell, within[1]].find((each) => each?.children.length > 1);
    return [...several?.children ?? []].filter((each) => each.offsetParent || each.matches("[data-later]"));
  };

  // A drawing shrinks with its column, so of a drawing its width says how large it is.
  const drawnOn = (body) => [...body.querySelectorAll(".tl-slide-row svg")].find((each) => edge(each, "width"));
  const sizeOf = (body, zoom) => (drawnOn(body) ? edge(drawnOn(body), "width") * scaleOf(body) : zoom);
  /** Enlarge a slide: its sentences are above what they are about, or next to it where it is larger then. */
  const arrange = ({ box, body }) => {
    const room = body.parentElement, scale = Math.min(box.clientWidth / SCREEN.width, box.clientHeight / SCREEN.height);
    const set = (zoom) => {
      body.style.zoom = zoom * scale;
      body.style.setProperty("--tl-zoom", zoom * scale);
      return fits(room, body);
    };
    box.classList.remove("tl-slide-columns");
    const zoom = largest(set), size = sizeOf(body, zoom);
    if ((zoom >= ROOMY && !drawnOn(body)) || body.children.length < 2) return zoom;
    box.classList.add("tl-slide-columns");
    const other = largest(set);
    if (fits(room, body) && sizeOf(body, other) > size) return other;
    box.classList.remove("tl-slide-columns");
    set(zoom);
    return zoom;
  };

  /** Enlarge a slide; what would be too small together is shown one after the other. */
  const fit = (slide) => {
    const { box, body } = slide, parts = partsOf(body);
    parts.forEach((part) => part.removeAttribute("data-later"));
    const zoom = arrange(slide);
    slide.parts = zoom < LEAST && parts.length > 1 && !page.classList.contains("tl-paper") ? parts.length : 1;
    if (slide.parts > 1) {
      parts.forEach((part, at) => part.toggleAttribute("data-later", at !== slide.part));
      arrange(slide);
    }
    box.toggleAttribute("data-scrolls", !fits(body.parentElement, body));
  };
  const all = (slides) => slides.forEach((each) => {
    each.box.classList.add("tl-now"); // what is not drawn has no size
    fit(each);
    each.box.classList.remove("tl-now");
  });
  // An arrow follows the pointer by the matrix of its drawing. Firefox leaves out of it that the slide
  // is enlarged, and WebKit out of all that it measures, so a drawing on a slide gets its own.
  const matrixOf = (svg) => {
    const { left, top, width } = svg.getBoundingClientRect(), { x, y, width: all } = svg.viewBox.baseVal;
    const body = svg.closest(".tl-slide-body"), zoom = body ? scaleOf(body) : 1, unit = (zoom * width) / all;
    return new DOMMatrix([unit, 0, 0, unit, left * zoom - x * unit, top * zoom - y * unit]);
  };
  const aim = (article, isOn) => article.querySelectorAll(".tl-arrows svg").forEach((svg) => {
    if (isOn) svg.getScreenCTM = () => matrixOf(svg);
    else delete svg.getScreenCTM;
  });
  Object.assign(window.tlPresent, { fit, fitAll: all, aim });
})();
