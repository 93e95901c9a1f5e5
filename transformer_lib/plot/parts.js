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

  // In a plane an arrow follows the pointer or the arrow keys, and the numbers follow the arrow.
  const shown = (value, decimals) => {
    const text = value.toFixed(decimals);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
  };
  const at = (arrow) => [Number(arrow.dataset.x), Number(arrow.dataset.y)];
  const angle = (one, other) => {
    if (![one, other].every((arrow) => arrow.some(Boolean))) return "";
    const turn = Math.abs(Math.atan2(...one) - Math.atan2(...other)) * (180 / Math.PI);
    return `, angle ${Math.min(turn, 360 - turn).toFixed(0)}\u00b0`;
  };
  const compute = (plane) => {
    const [query, ...keys] = [...plane.querySelectorAll(".tl-vector")].map(at);
    const products = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
    const powers = products.map((product) => Math.exp(product - Math.max(...products)));
    const sum = powers.reduce((one, other) => one + other);
    plane.querySelectorAll("tbody tr").forEach((row, k) => {
      const [spelled, share, bar] = row.querySelectorAll("td");
      const terms = query.map((x, i) => `${shown(x, 1)} \u00b7 ${shown(keys[k][i], 1)}`);
      spelled.textContent = `${terms.join(" + ")} = ${shown(products[k], 2)}${angle(query, keys[k])}`;
      share.textContent = shown(powers[k] / sum, 2);
      bar.firstChild.style.width = `${(100 * powers[k]) / sum}%`;
    });
  };
  const place = (arrow, to) => {
    const plane = arrow.closest(".tl-plane"), limit = Number(plane.dataset.limit);
    const [x, y] = to.map((v) => Math.round(10 * Math.min(Math.max(v, -limit), limit)) / 10 + 0);
    const unit = arrow.ownerSVGElement.viewBox.baseVal.width / 2 / limit;
    Object.assign(arrow.dataset, { x, y });
    arrow.setAttribute("aria-valuenow", x);
    arrow.setAttribute("aria-valuetext", `(${shown(x, 1)}, ${shown(y, 1)})`);
    const [line, tip] = arrow.children;
    line.setAttribute("x2", x * unit);
    line.setAttribute("y2", -y * unit);
    tip.setAttribute("transform", `translate(${x * unit} ${-y * unit})`);
    tip.firstElementChild.setAttribute("transform", `rotate(${(Math.atan2(-y, x) * 180) / Math.PI})`);
    compute(plane);
  };
  const arrowOf = (event) => event.target.closest?.(".tl-vector");
  document.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event), step = steps[event.key];
    if (!arrow || !step) return;
    event.preventDefault();
    const [x, y] = at(arrow);
    place(arrow, [x + step[1] / 10, y - step[0] / 10]);
  });
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    held = arrowOf(event);
    if (!held) return;
    event.preventDefault();
    held.focus();
    held.setPointerCapture(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const svg = held.ownerSVGElement, limit = Number(held.closest(".tl-plane").dataset.limit);
    const { x, y } = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
    const unit = svg.viewBox.baseVal.width / 2 / limit;
    place(held, [x / unit, -y / unit]);
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
