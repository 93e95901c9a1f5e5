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
}
