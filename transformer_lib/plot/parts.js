// What the parts of a page do beyond their style. Each listener once, however often this is run.
if (!window.tlParts) {
  window.tlParts = true;
  document.documentElement.classList.add("tl-scripted");

  // A product lights the row and the column behind an entry, and spells its sum.
  const number = (cell) => Number(cell.textContent.replace("\u2212", "-"));
  const light = (entry) => {
    const box = entry.closest(".tl-product");
    const { i, j } = entry.dataset;
    const cells = (side, where) => [...box.querySelectorAll(`.tl-side-${side} td${where}`)];
    const row = cells("l", `[data-i="${i}"]`), column = cells("r", `[data-j="${j}"]`);
    box.querySelectorAll(".tl-lit").forEach((cell) => cell.classList.remove("tl-lit"));
    cells("p", "[tabindex]").forEach((cell) => { cell.tabIndex = -1; });
    entry.tabIndex = 0;
    [entry, ...row, ...column].forEach((cell) => cell.classList.add("tl-lit"));
    const terms = row.map((cell, k) => `${cell.textContent} \u00b7 ${column[k].textContent}`);
    const sum = row.reduce((total, cell, k) => total + number(cell) * number(column[k]), 0);
    const sign = Math.abs(sum - number(entry)) < 1e-9 ? "=" : "\u2248";
    box.querySelector(".tl-sum").textContent = `${terms.join(" + ")} ${sign} ${entry.textContent}`;
  };
  const entryOf = (event) => event.target.closest?.(".tl-side-p td[tabindex]");
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => { if (entryOf(event)) light(entryOf(event)); });
  }
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const entry = entryOf(event), step = steps[event.key];
    if (!entry || !step) return;
    event.preventDefault();
    const [i, j] = [Number(entry.dataset.i) + step[0], Number(entry.dataset.j) + step[1]];
    entry.closest("table").querySelector(`td[data-i="${i}"][data-j="${j}"]`)?.focus();
  });

  // Back and Next move a stepper; its tabs are radio buttons and need no script.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".tl-stepper button");
    if (!button) return;
    const tabs = [...button.closest(".tl-stepper").querySelectorAll(":scope > input")];
    const next = tabs.findIndex((tab) => tab.checked) + Number(button.dataset.step);
    tabs[Math.min(Math.max(next, 0), tabs.length - 1)].click();
  });

  // Sliders and menus show one of the frames that the page holds; the last one moves fastest.
  document.addEventListener("input", (event) => {
    const box = event.target.closest?.(".tl-frames");
    if (!box) return;
    let index = 0;
    for (const control of box.querySelectorAll(":scope > label > :is(input, select)")) {
      const stops = control.options ?? JSON.parse(control.dataset.stops);
      index = index * stops.length + Number(control.value);
      if (control.options) continue;
      control.setAttribute("aria-valuetext", stops[control.value]);
      control.nextElementSibling.textContent = stops[control.value];
    }
    const frames = box.querySelectorAll(":scope > template");
    box.querySelector(".tl-frame").replaceChildren(frames[index].content.cloneNode(true));
  });

  // An arrow follows the pointer or the arrow keys, and all that depends on it follows the arrow.
  // What is drawn is what arrows.py, arrow_planes.py and arrow_labels.py draw; a test compares.
  const settled = (value) => Number(value.toPrecision(12));
  const shown = (value, decimals) => {
    const text = settled(value).toFixed(decimals);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
  };
  const px = (value) => Number(settled(value).toFixed(1)) + 0;
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  };
  const dot = (one, other) => settled(one.reduce((sum, x, i) => sum + x * other[i], 0));
  const mean = (points, weights) => [0, 1].map((i) => dot(points.map((p) => p[i]), weights));
  const degrees = (y, x) => (Math.atan2(y, x) * 180) / Math.PI;
  const at = (arrow) => [Number(arrow.dataset.x), Number(arrow.dataset.y)];
  const center = (circle) => [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
  const pair = ([x, y]) => `(${shown(x, 1)}, ${shown(y, 1)})`;

  const HALF = 130, REACH = 100, LETTER = 5, TALL = 10;
  const TURNS = [0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180];
  const between = (start, end) => Array.from({ length: 12 }, (_, k) =>
    start.map((v, i) => v + ((k + 1) / 12) * (end[i] - v)));
  const label = (texts, tips, middle, lines) => {
    const boxes = [];
    const cost = ([x, y, wide]) => {
      const outside = Math.abs(x) + wide > HALF || Math.abs(y) + TALL > HALF;
      const names = boxes.filter(([a, b, w]) => Math.abs(x - a) < wide + w && Math.abs(y - b) < 2 * TALL);
      const covered = lines.filter(([a, b]) => Math.abs(x - a) < wide + 4 && Math.abs(y - b) < TALL + 2);
      return 100 * (outside + names.length) + covered.length;
    };
    texts.forEach((text, i) => {
      const [x, y] = tips[i], wide = LETTER * [...text.textContent].length;
      const outward = degrees(y - middle[1], x - middle[0]);
      const tried = [10, 26].flatMap((gap) => TURNS.map((turn) => {
        const angle = ((outward + turn) * Math.PI) / 180, cos = Math.cos(angle), sin = Math.sin(angle);
        const far = 1 / Math.max(Math.abs(cos) / (wide + gap), Math.abs(sin) / (TALL + gap));
        return [x + far * cos, y + far * sin, wide];
      }));
      const costs = tried.map(cost), box = tried[costs.indexOf(Math.min(...costs))];
      set(text, { x: px(box[0]), y: px(box[1]) });
      boxes.push(box);
    });
  };
  const turn = (arrow, i, unit) => {
    const [x, y] = at(arrow), long = Math.hypot(x, y), angle = shown((degrees(y, x) + 360) % 360, 0);
    const text = `${pair([x, y])}, ${angle} degrees, length ${shown(long, 1)}`;
    set(arrow, { "aria-valuenow": angle, "aria-valuetext": text });
    const neck = px(long * unit - 12), half = i ? 1.5 : 2.5;
    const [path, circle] = arrow.children;
    set(path, {
      d: `M0 ${-half}H${neck}V-7L${px(long * unit)} 0L${neck} 7V${half}H0Z`,
      transform: `rotate(${px(degrees(-y, x))})`,
    });
    set(circle, { cx: px(x * unit), cy: px(-y * unit) });
    return [x * unit, -y * unit];
  };
  const spell = (query, key, { divisor, root }) => {
    const product = dot(query, key), more = [];
    const terms = query.map((x, i) => `${shown(x, 1)} \u00b7 ${shown(key[i], 1)}`);
    if (root) more.push(`${shown(product, 2)} / ${root} = ${shown(product / divisor, 2)}`);
    if ([query, key].every((vector) => vector.some(Boolean))) {
      const apart = Math.abs(degrees(...query) - degrees(...key));
      more.push(`angle ${shown(Math.min(apart, 360 - apart), 0)}\u00b0`);
    }
    return `${terms.join(" + ")} = ${shown(product, 2)}\n${more.join(", ")}`;
  };
  const mix = (svg, weights) => {
    const groups = [...svg.querySelectorAll("[data-x]")], texts = [...svg.querySelectorAll("text")];
    const points = groups.map((group) => center(group.firstChild)), output = mean(points, weights);
    svg.querySelectorAll("line").forEach((line, k) => {
      set(line, { x2: px(output[0]), y2: px(output[1]), "stroke-width": px(1 + 14 * weights[k]) });
    });
    set(svg.querySelector(".tl-mixed circle"), { cx: px(output[0]), cy: px(output[1]) });
    label(texts, [...points, output], mean(points, points.map(() => 1 / points.length)),
      points.flatMap((point) => between(point, output)));
    return mean(groups.map(at), weights);
  };
  const redraw = (box) => {
    const [plane, values] = box.querySelectorAll("svg"), unit = Number(plane.dataset.unit);
    const arrows = [...box.querySelectorAll(".tl-vector")], [query, ...keys] = arrows.map(at);
    const tips = arrows.map((arrow, i) => turn(arrow, i, unit));
    label(arrows.map((arrow) => arrow.lastChild), tips, [0, 0], tips.flatMap((tip) => between([0, 0], tip)));
    const scores = keys.map((key) => dot(query, key) / box.dataset.divisor);
    const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const weights = powers.map((power) => power / powers.reduce((one, other) => one + other));
    box.querySelectorAll("li").forEach((row, k) => {
      const [, weight, bar, sum] = row.children;
      weight.textContent = shown(weights[k], 2);
      bar.style.width = `${px(100 * weights[k])}%`;
      sum.textContent = spell(query, keys[k], box.dataset);
    });
    const name = (arrow) => arrow.lastChild.textContent, best = weights.indexOf(Math.max(...weights));
    const output = values ? ` The output is ${mix(values, weights).map((x) => shown(x, 1)).join(", ")}.` : "";
    box.querySelector("[aria-live]").textContent =
      `${name(arrows[0])} looks at ${name(arrows[best + 1])} with weight ${shown(weights[best], 2)}.${output}`;
  };
  // Drawn are tenths; what is turned is the arrow before it was rounded, so no turn is lost.
  const point = (arrow, [angle, length]) => {
    const most = REACH / arrow.ownerSVGElement.dataset.unit;
    arrow.tlPolar = [angle, Math.min(Math.max(length, 0.1), most)];
    const [x, y] = [Math.cos, Math.sin].map((of) => of((angle * Math.PI) / 180) * arrow.tlPolar[1]);
    Object.assign(arrow.dataset, { x: px(x), y: px(y) });
    redraw(arrow.closest(".tl-arrows"));
  };
  const arrowOf = (event) => event.target.closest?.(".tl-vector");
  document.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event), step = steps[event.key];
    if (!arrow || !step) return;
    event.preventDefault();
    const [x, y] = at(arrow), [angle, length] = arrow.tlPolar ?? [degrees(y, x), Math.hypot(x, y)];
    point(arrow, [angle - 5 * step[1], length - step[0] / 10]);
  });
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    held = arrowOf(event);
    if (!held) return;
    event.preventDefault();
    held.focus({ preventScroll: true });
    held.setPointerCapture(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const to = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(held.ownerSVGElement.getScreenCTM().inverse());
    const unit = held.ownerSVGElement.dataset.unit;
    point(held, [degrees(-to.y, to.x), Math.hypot(to.x, to.y) / unit]);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, () => { held = null; });
  }

  // What is folded is printed too.
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details:not([open])")) {
      fold.open = true;
      fold.dataset.tlPrinted = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const fold of document.querySelectorAll("details[data-tl-printed]")) {
      fold.open = false;
      delete fold.dataset.tlPrinted;
    }
  });
}
