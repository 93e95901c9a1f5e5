// A map of buttons is one stop of the Tab key, and the arrows move in it, as in a grid.
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const buttonsOf = (target) => {
  const button = target.closest?.(".widget-toggle-buttons .widget-toggle-button");
  return button ? [button, [...button.parentElement.children]] : [];
};

export function listenForArrows() {
  // The button that was last used is the one that Tab comes back to.
  document.addEventListener("focusin", ({ target }) => {
    const [button, all] = buttonsOf(target);
    for (const each of all ?? []) each.tabIndex = each === button ? 0 : -1;
  });
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key], [button, all] = step ? buttonsOf(event.target) : [];
    if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = getComputedStyle(button.parentElement).gridTemplateColumns.split(" ").length;
    const next = all[all.indexOf(button) + step[0] * columns + step[1]];
    event.preventDefault();
    next?.focus();
  });
}
