// A swipe that begins on a slider scrolls the page; the slider keeps its value.
(function () {
  "use strict";
  let begun; // the slider below the finger, its value before the touch, and whether the page scrolls
  const restore = () => {
    const { slider, value } = begun;
    if (slider.value === value) return;
    slider.value = value;
    for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  addEventListener("pointerdown", ({ pointerType, target }) => {
    const isTouched = pointerType === "touch" && target.matches?.("input[type=range]");
    begun = isTouched ? { slider: target, value: target.value, scrolls: false } : undefined;
  }, true);
  // A browser sets the value at the touch, before it knows of a swipe, and cancels the pointer when it scrolls.
  addEventListener("pointercancel", ({ target }) => {
    if (begun?.slider !== target) return;
    begun.scrolls = true;
    restore();
  }, true);
  addEventListener("input", (event) => {
    if (!event.isTrusted || !begun?.scrolls || event.target !== begun.slider) return;
    event.stopImmediatePropagation();
    restore();
  }, true);
})();
