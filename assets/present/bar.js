// The bar below a slide: where the lecture is, and a button for each key.
(function () {
  "use strict";
  const { made, letters } = window.tlPresent;

  /** Make the bar. `acts` says what each of its buttons does. */
  const make = (acts) => {
    // A stepper on the slide has a Back and a Next of its own.
    const press = (name, key, act, more = "") => {
      const button = made("button", { type: "button", textContent: name, title: `${name} (${key})`, ariaLabel: name + more });
      button.addEventListener("click", act);
      return button;
    };
    const count = made("output", { className: "tl-slide-count" }), done = made("i");
    const keys = press("Letter keys", "P, O, S, N, C, B and F", () => {
      letters.on = !letters.on;
      show();
    });
    const show = () => keys.setAttribute("aria-pressed", letters.on);
    show();
    const element = made("nav", { className: "tl-slide-bar" },
      made("div", { className: "tl-slide-progress" }, done),
      press("Back", "left arrow, Page Up", acts.back, " a slide"), count,
      press("Next", "right arrow, Page Down", acts.next, " slide"),
      press("First", "Home", acts.first), press("Last", "End", acts.last),
      press("Overview", "O", acts.overview), press("Speaker", "S", acts.speaker), press("Notes", "N", acts.notes),
      press("Code", "C", acts.code), press("Black", "full stop, B", acts.black), press("Full screen", "F", acts.full),
      press("Print", "Ctrl+P", () => print()), keys, press("Leave", "Escape", acts.leave));
    element.setAttribute("aria-label", "Slides");
    const tell = (now, all, part, parts) => {
      count.textContent = `${now + 1} / ${all}${parts > 1 ? ` (${part + 1} of ${parts})` : ""}`;
      done.style.width = `${(100 * (now + 1)) / all}%`;
    };
    return { element, tell };
  };
  Object.assign(window.tlPresent, { bar: make });
})();
