// Small parts of the page on reading: elements, tables with intervals, a picture of words.
(function () {
  "use strict";
  const R = window.tlReading, { key, mean, slopeOf } = R;

  function element(name, text = "", attributes = {}) {
    const made = document.createElement(name);
    made.textContent = text;
    Object.entries(attributes).forEach(([each, value]) => made.setAttribute(each, value));
    return made;
  }

  function button(text, action) {
    const made = element("button", text, { type: "button", class: "tl-reading-button" });
    made.addEventListener("click", action);
    return made;
  }

  function row(...parts) {
    const made = element("div", "", { class: "tl-reading-row" });
    made.append(...parts);
    return made;
  }

  const fixed = (x, digits = 1) => x.toFixed(digits).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");
  function between({ value, low, high }, digits = 1) {
    const cell = element("td", `${fixed(value, digits)} `);
    cell.append(element("span", `(${fixed(low, digits)} to ${fixed(high, digits)})`, { class: "tl-reading-range" }));
    return cell;
  }

  function table(caption, heads, rows) {
    const made = element("table", "", { class: "tl-reading-table" }), head = element("tr"), box = element("div", "", { class: "tl-reading-scroll" });
    made.append(element("caption", caption), head);
    head.append(...heads.map((each) => element("th", each, { scope: "col" })));
    rows.forEach((row) => {
      const line = element("tr");
      line.append(...row.map((cell, i) => (cell instanceof Node ? cell : element(i ? "td" : "th", cell, i ? {} : { scope: "row" }))));
      made.append(line);
    });
    box.append(made);
    return box;
  }

  function bar(text, share, role) {
    const cell = element("td", text, { class: `tl-reading-bar is-${role}` });
    cell.style.setProperty("--share", Math.max(0, Math.min(1, share)));
    return cell;
  }

  function svg(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([each, value]) => made.setAttribute(each, value));
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Each word a point: its surprisal, and its time without what the reader and all other columns explain. */
  function points({ rows, found: { beta, means } }) {
    const by = new Map();
    for (const { reader, version, w, time, x } of rows) {
      const m = means.get(reader), others = x.reduce((total, each, i) => total + (i ? beta[i] * (each - m[1 + i]) : 0), 0);
      const name = `${key(version)} ${w}`, point = by.get(name) ?? by.set(name, { bits: x[0], times: [] }).get(name);
      point.times.push(time - m[m.length - 1] - others);
    }
    return [...by.values()].map((point) => ({ ...point, time: mean(point.times) }));
  }

  function scatter(result, width) {
    const all = points(result), W = Math.max(280, Math.min(600, width)), H = 300, left = 48, low = 40, top = 10;
    const sorted = all.map((p) => p.time).sort((a, b) => a - b), at = (q) => sorted[Math.round(q * (sorted.length - 1))];
    const step = [20, 50, 100, 200, 500].find((each) => (at(0.99) - at(0.01)) / each <= 6) ?? 1000;
    const y0 = Math.floor(at(0.01) / step) * step, y1 = Math.ceil(at(0.99) / step) * step, x1 = Math.ceil(Math.max(...all.map((p) => p.bits)) / 5) * 5;
    const px = (x) => left + x / x1 * (W - left - 10), py = (y) => top + (y1 - Math.min(y1, Math.max(y0, y))) / (y1 - y0) * (H - top - low);
    const own = result.found.beta[0];
    const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, width: W, class: "tl-reading-scatter", role: "img",
      "aria-label": `${all.length} words: surprisal in bits and the part of the reading time that nothing else explains. The line changes by ${fixed(own)} ms for each bit.` });
    for (let x = 0; x <= x1; x += 5) picture.append(svg("text", { x: px(x), y: H - 22, "text-anchor": "middle" }, x));
    for (let y = y0; y <= y1; y += step) {
      picture.append(svg("line", { x1: left, x2: W - 10, y1: py(y), y2: py(y), class: "is-grid" }), svg("text", { x: left - 6, y: py(y) + 4, "text-anchor": "end" }, fixed(y, 0)));
    }
    for (const { bits, time } of all) {
      picture.append(svg("circle", { cx: px(bits), cy: py(time), r: 3 }));
    }
    const middle = mean(result.rows.map((row) => row.x[0])), height = (x) => own * (x - middle);
    picture.append(svg("line", { x1: px(0), y1: py(height(0)), x2: px(x1), y2: py(height(x1)), class: "is-fit" }),
      svg("text", { x: W - 10, y: H - 4, "text-anchor": "end" }, "surprisal of the word, bits"));
    const box = element("figure", "");
    box.append(element("figcaption", `Each point is a word: the milliseconds that the reader, the two words before and the controls do not explain. The line is the part of the slope that arrives on the word itself, ${fixed(own)} of ${fixed(slopeOf(result.found.beta))} ms.`), picture);
    return box;
  }

  function save(name, text) {
    const link = element("a", "", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  Object.assign(R, { bar, between, button, element, fixed, row, save, scatter, table });
})();
