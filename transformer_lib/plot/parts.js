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
  const center = (circle) => ["cx", "cy"].map((name) => Number(circle.getAttribute(name)));
  const pair = ([x, y]) => `(${shown(x, 1)}, ${shown(y, 1)})`;

  const HALF = 130, REACH = 100, LETTER = 5, TALL = 10;
  const TURNS = [0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180];
  const between = (start, end) => Array.from({ length: 12 }, (_, k) =>
    start.map((v, i) => v + ((k + 1) / 12) * (end[i] - v)));
  const label = (texts, tips, middle, lines) => {
    const boxes = [];
    const cost = ([x, y, wide]) => {
      const outside = Math.abs(x) + wide > HALF || Math.abs(y) + TALL > HALF;
      const near = (points, high, more) => points.filter(([a, b, other = more]) =>
        Math.abs(x - a) < wide + other && Math.abs(y - b) < high).length;
      return 100 * (outside + near(boxes, 2 * TALL)) + near(lines, TALL + 2, 4);
    };
    texts.forEach((text, i) => {
      const [x, y] = tips[i], wide = LETTER * [...text.textContent].length;
      const outward = degrees(y - middle[1], x - middle[0]);
      const tried = [10, 26].flatMap((gap) => TURNS.map((turn) => {
        const [cos, sin] = [Math.cos, Math.sin].map((of) => of(((outward + turn) * Math.PI) / 180));
        const far = 1 / Math.max(Math.abs(cos) / (wide + gap), Math.abs(sin) / (TALL + gap));
        return [x + far * cos, y + far * sin, wide];
      }));
      const costs = tried.map(cost), box = tried[costs.indexOf(Math.min(...costs))];
      set(text, { x: px(box[0]), y: px(box[1]) });
      boxes.push(box);
    });
  };
  const turn = (grip, shape, unit, half) => {
    const [x, y] = at(grip), long = Math.hypot(x, y), angle = shown((degrees(y, x) + 360) % 360, 0);
    const text = `${pair([x, y])}, ${angle} degrees, length ${shown(long, 1)}`;
    set(grip, { "aria-valuenow": angle, "aria-valuetext": text });
    grip.style.left = `${px(50 + (50 * x * unit) / HALF)}%`;
    grip.style.top = `${px(50 - (50 * y * unit) / HALF)}%`;
    const neck = px(long * unit - 12);
    set(shape.firstChild, {
      d: `M0 ${-half}H${neck}V-7L${px(long * unit)} 0L${neck} 7V${half}H0Z`,
      transform: `rotate(${px(degrees(-y, x))})`,
    });
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
    const grips = [...box.querySelectorAll(".tl-grip")], [query, ...keys] = grips.map(at);
    const shapes = [...plane.querySelectorAll(".tl-arrow")];
    const names = shapes.map((shape) => shape.lastChild);
    const tips = grips.map((grip, i) => turn(grip, shapes[i], unit, i ? 1.5 : 2.5));
    label(names, tips, [0, 0], tips.flatMap((tip) => between([0, 0], tip)));
    const scores = keys.map((key) => dot(query, key) / box.dataset.divisor);
    const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const weights = powers.map((power) => power / powers.reduce((one, other) => one + other));
    box.querySelectorAll("li").forEach((row, k) => {
      const [, weight, bar, sum] = row.children;
      weight.textContent = shown(weights[k], 2);
      bar.style.width = `${px(100 * weights[k])}%`;
      sum.textContent = spell(query, keys[k], box.dataset);
    });
    const most = Math.max(...weights), best = names[1 + weights.indexOf(most)].textContent;
    const output = values ? mix(values, weights).map((x) => shown(x, 1)).join(", ") : "";
    box.querySelector("[aria-live]").textContent =
      `${names[0].textContent} looks at ${best} with weight ${shown(most, 2)}.` +
      (values ? ` The output is ${output}.` : "");
  };
  // Drawn are tenths; what is turned is the arrow before it was rounded, so no turn is lost.
  const planeOf = (grip) => grip.parentElement.firstChild;
  const point = (grip, [angle, length]) => {
    grip.tlPolar = [angle, Math.min(Math.max(length, 0.1), REACH / planeOf(grip).dataset.unit)];
    const [x, y] = [Math.cos, Math.sin].map((of) => of((angle * Math.PI) / 180) * grip.tlPolar[1]);
    Object.assign(grip.dataset, { x: px(x), y: px(y) });
    redraw(grip.closest(".tl-arrows"));
  };
  const gripOf = (event) => event.target.closest?.(".tl-grip");
  document.addEventListener("keydown", (event) => {
    const grip = gripOf(event), step = steps[event.key];
    if (!grip || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = at(grip), [angle, length] = grip.tlPolar ?? [degrees(y, x), Math.hypot(x, y)];
    point(grip, [angle - 5 * step[1], length - step[0] / 10]);
  });
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    held = event.button ? null : gripOf(event);
    if (!held) return;
    event.preventDefault();
    held.focus({ preventScroll: true });
    held.setPointerCapture(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const to = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(planeOf(held).getScreenCTM().inverse());
    point(held, [degrees(-to.y, to.x), Math.hypot(to.x, to.y) / planeOf(held).dataset.unit]);
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
