// The marks of the picture: those that transformer_lib/plot/flow.py has put into the page get new attributes.
(function () {
  "use strict";
  const tlFlow = (window.tlFlow ??= {});
  const HEIGHT = 400, SHOWN = 7, ROW = HEIGHT / (SHOWN + 1), FROM = 158, TO = 306, STREAM = 48;

  // ---- the three rules, as in transformer_lib/plot/flow_paths.py; tests/browser/test_front_page.py compares them ----

  const at = (x) => String(Math.floor(x * 10 + 0.5) / 10);
  const bend = (middle, y0, x1, y1) => `C${at(middle)} ${at(y0)} ${at(middle)} ${at(y1)} ${at(x1)} ${at(y1)}`;

  const arc = (y0, y1, x0, x1) => `M${at(x0)} ${at(y0)}${bend((x0 + x1) / 2, y0, x1, y1)}`;

  function ribbon(y, halves, xs) {
    const side = (sign) => xs.map((x, k) => [x, y + sign * halves[k]]);
    const curve = (points) => points.map(([x, end], k) => k
      ? bend((points[k - 1][0] + x) / 2, points[k - 1][1], x, end) : `${at(x)} ${at(end)}`).join("");
    return `M${curve(side(-1))}L${curve(side(1).reverse())}Z`;
  }

  const waveform = (x, y, values, step, unit) => Array.from(values, (value, column) =>
    `M${at(x + step * (column + 0.5))} ${at(y)}v${at(-value * unit)}`).join("");

  // ---- the marks ----

  const fixed = (x, decimals = 2) => (Math.abs(x) < 0.5 * 10 ** -decimals ? 0 : x).toFixed(decimals).replace("-", "−");

  // As many children as rows: the first one is the pattern of those that are missing.
  function children(parent, count) {
    parent.pattern ??= parent.firstElementChild.cloneNode(true);
    while (parent.children.length < count) parent.append(parent.pattern.cloneNode(true));
    while (parent.children.length > count) parent.lastElementChild.remove();
    return [...parent.children];
  }

  function set(mark, attributes) {
    for (const [key, value] of Object.entries(attributes)) mark.setAttribute(key, value);
  }

  function marks(within, name, rows) {
    children(within.querySelector(`.flow-${name}`), rows.length).forEach((mark, k) => {
      const { text, ...attributes } = rows[k];
      set(mark, attributes);
      if (text !== undefined) mark.textContent = text;
    });
  }

  function lines(picture, seen, width, others) {
    marks(picture, "row", [{ y: at(seen.row * seen.pitch), height: at(seen.pitch) }]);
    marks(picture, "lines", seen.heights.map((y, i) => ({ d: `M0 ${at(y)}H${i === seen.row ? width : others}` })));
  }

  function words(picture, { words, ids, row, pitch }) {
    picture.firstElementChild.style.setProperty("--flow-size", `${Math.round(pitch * 0.8)}px`);
    children(picture.firstElementChild, words.length).forEach((item, i) => {
      item.firstChild.textContent = words[i];
      item.lastChild.textContent = ids[i];
      item.className = i === row ? "flow-here" : "flow-other";
    });
  }

  function vectors(picture, { T, heights, unit, ...seen }) {
    lines(picture, { heights, ...seen }, 220, 220);
    const waves = (rows, x) => rows.map((row, i) => ({ d: waveform(x, heights[i], row, 96 / row.length, unit / 6) }));
    marks(picture, "token", waves(T.embedding, 4));
    marks(picture, "place", waves(T.places, 116));
  }

  function attention(picture, { words, heights, unit, pitch, row, lifted, head, ...seen }) {
    lines(picture, { heights, row, pitch, ...seen }, 352, TO);
    const { weights, v, mute } = head, here = heights[row], wide = Math.min(16, pitch * 0.42);
    const largest = Math.max(...v.flatMap((vector) => [...vector].map(Math.abs)));
    const arcs = (isWanted) => weights.flatMap((shares, i) => isWanted(i) ? [...shares].flatMap((share, j) => share < 0.004 ? [] : [{
      "d": arc(heights[j], heights[i], FROM, TO), "data-arc": `${i},${j}`,
      "stroke-width": mute ? 1.2 : at(Math.max(0.6, share * wide)),
    }]) : []);
    const column = (x, said) => heights.map((y, i) => ({ x, y: at(y + 4), text: said(i) }));
    picture.classList.toggle("flow-silent", mute);
    marks(picture, "far", arcs((i) => i !== row));
    marks(picture, "near", arcs((i) => i === row));
    marks(picture, "keys", column(74, (i) => words[i]));
    marks(picture, "shares", column(112, (i) => lifted || i <= row ? fixed(weights[row][i]) : "–")
      .map((share) => ({ ...share, class: ["0.00", "–"].includes(share.text) ? "flow-nil" : "flow-share" })));
    marks(picture, "key", heights.map((y) => ({ cx: 122, cy: at(y), r: 4 })));
    marks(picture, "value", v.map((vector, i) => ({ d: waveform(130, heights[i], vector, 24 / vector.length, unit / largest) })));
    marks(picture, "query", [{ cy: at(here) }]);
    marks(picture, "add", [{ cy: at(here) }]);
    marks(picture, "plus", [{ d: `M334.5 ${at(here)}h11M340 ${at(here - 5.5)}v11` }]);
  }

  function small(button, one, row) {
    const step = 46 / one.weights.length;
    marks(button, "small", one.weights.flatMap((shares, i) => [...shares].flatMap((share, j) => share < 0.1 ? [] : [{
      "d": arc((j + 0.5) * step, (i + 0.5) * step, 3, 33), "stroke-width": at(share * 2.2), "opacity": i === row ? 1 : 0.4,
    }])));
    button.classList.toggle("flow-mute", one.mute);
  }

  function stream(picture, { heights, row, early, best, tokens }) {
    const xs = early.map((_, k) => STREAM + (250 * k) / (early.length - 1)), middles = best.concat([0]).map((_, r) => (r + 0.5) * ROW);
    const shares = middles.map((_, r) => early.map((all) => r < best.length ? all[best[r].id] : 1 - best.reduce((sum, b) => sum + all[b.id], 0)));
    marks(picture, "guides", xs.map((x) => ({ d: `M${at(x)} 0V${HEIGHT}` })));
    marks(picture, "fan", middles.map((y) => ({ d: arc(heights[row], y, 0, STREAM) })));
    marks(picture, "ribbons", middles.map((y, r) => {
      const halves = shares[r].map((share) => Math.max(0.3, (share * (ROW - 4)) / 2));
      return { d: ribbon(y, [...halves, halves.at(-1)], [...xs, 318]) };
    }));
    marks(picture, "names", best.map((b, r) => ({ x: STREAM + 10, y: at(middles[r] - 9), text: tokens[b.id] })));
  }

  // Of all that is likely to come next and of the others, the name and the probability.
  function next({ best, tokens }) {
    const rows = best.map(({ id, share }) => [tokens[id], share]);
    return [...rows, [`${tokens.length - SHOWN} others`, Math.max(0, 1 - best.reduce((sum, b) => sum + b.share, 0))]];
  }

  function bars(picture, { best, end, top, ...seen }) {
    const rows = next({ best, ...seen }), largest = Math.max(...best.map((b) => b.share));
    children(picture.firstElementChild, SHOWN + 1).forEach((item, r) => {
      const [bar, name] = item.firstChild.children, isCut = r >= top;
      item.className = best[r] === end ? "flow-best" : "";
      bar.style.width = `${(100 * Math.min(1, rows[r][1] / largest)).toFixed(1)}%`;
      name.textContent = rows[r][0];
      item.lastChild.textContent = isCut ? "cut" : fixed(rows[r][1]);
    });
  }

  // The same numbers for who listens.
  function tables(root, { words, row, head, layer, ...seen }, which) {
    const weights = words.map((word, j) => [word, head.weights[row][j]]);
    const [looks, follows] = root.querySelectorAll(".flow-unseen table");
    looks.caption.textContent = `Weights of ${words[row]} in ${tlFlow.named(layer, which)}${head.mute ? ", silent" : ""}`;
    for (const [table, rows] of [[looks, weights], [follows, next(seen)]]) {
      children(table.tBodies[0], rows.length).forEach(({ cells: [name, share] }, k) => {
        [name.textContent, share.textContent] = [rows[k][0], fixed(rows[k][1], 3)];
      });
    }
  }

  function draw(root, seen) {
    const n = seen.words.length, pitch = HEIGHT / n, unit = Math.min(24, pitch / 2 - 1);
    const all = { ...seen, pitch, unit, heights: seen.words.map((_, i) => (i + 0.5) * pitch), head: seen.T.layers[seen.layer].heads[seen.head] };
    // By their number: on a phone the last stage comes first.
    [words, vectors, attention, stream, bars].forEach((picture, k) => picture(root.querySelector(`.flow-picture[data-stage="${k + 1}"]`), all));
    tables(root, all, seen.head);
    root.querySelectorAll("[data-head] > svg").forEach((svg) => {
      const button = svg.parentNode, [layer, head] = button.dataset.head.split(",").map(Number);
      if (layer < seen.T.layers.length) small(button, seen.T.layers[layer].heads[head], seen.row);
      button.setAttribute("aria-pressed", layer === seen.layer && head === seen.head);
    });
  }

  Object.assign(tlFlow, { SHOWN, fixed, set, draw });
})();
