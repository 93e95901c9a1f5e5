// Enters the slides of a page, goes from one to the next and leaves them, by keys, buttons and the pointer.
(function () {
  "use strict";
  const { article, title, start, letters, textOf, fit, fitAll, question, speaker, ...own } = window.tlPresent;
  const page = document.documentElement;
  const is = (name) => page.classList.contains(`tl-${name}`);
  let slides = [], now = 0, answers = [], hash = "";

  const show = (index) => {
    now = Math.min(Math.max(index, 0), slides.length - 1);
    slides.forEach(({ box }, at) => box.classList.toggle("tl-now", at === now));
    page.classList.toggle("tl-noted", !speaker.below.hidden);
    const { box, heading } = slides[now];
    if (!is("overview")) fit(slides[now]);
    box.setAttribute("aria-label", `Slide ${now + 1} of ${slides.length}, ${textOf(heading)}`);
    bar.tell(now, slides.length, slides[now].part, slides[now].parts);
    if (is("overview")) box.scrollIntoView({ block: "nearest" });
    else box.focus({ preventScroll: true });
    history.replaceState(null, "", `#present-${now + 1}`);
    speaker.tell(slides, now);
  };
  const step = (by) => {
    const slide = slides[now], next = slides[now + by], to = slide.part + by;
    if (is("overview")) return show(now + by);
    if (to >= 0 && to < slide.parts) {
      slide.part = to;
      return show(now);
    }
    if (by > 0 && slide.question && !("revealed" in slide.question.dataset)) {
      question.reveal(slide.question);
      return show(now);
    }
    if (next) next.part = by > 0 ? 0 : next.parts - 1;
    return show(now + by);
  };
  const overview = () => {
    if (!is("overview")) fitAll(slides);
    page.classList.toggle("tl-overview");
    slides.forEach(({ box }) => { box.inert = is("overview"); });
    show(now);
  };

  const enter = (index) => {
    if (slides.length) return;
    answers = [...article.querySelectorAll(".tl-question")].map(question.hide);
    hash = /^#present/.test(location.hash) ? "" : location.hash;
    slides = own.slides.make(title);
    own.aim(article, true);
    page.classList.add("tl-presenting");
    document.body.append(bar.element, speaker.below);
    show(index);
  };
  const unmark = (name) => article.querySelectorAll(`.${name}`).forEach((each) => {
    each.classList.remove(name);
    if (!each.className) each.removeAttribute("class");
  });
  const leave = () => {
    const at = slides[now].items.find((item) => !item.hidden) ?? slides[now].heading;
    if (document.fullscreenElement) document.exitFullscreen();
    own.slides.undo();
    own.aim(article);
    answers.forEach((bring) => bring());
    slides = [];
    page.classList.remove("tl-presenting", "tl-overview", "tl-black", "tl-noted");
    if (!page.className) page.removeAttribute("class");
    unmark("tl-pointed");
    article.querySelectorAll("[data-later]").forEach((each) => each.removeAttribute("data-later"));
    bar.element.remove();
    speaker.below.remove();
    history.replaceState(null, "", location.pathname + location.search + hash);
    at.scrollIntoView({ block: "center" });
    start.focus({ preventScroll: true });
  };

  const acts = {
    back: () => step(-1),
    next: () => step(1),
    first: () => show(0),
    last: () => show(slides.length - 1),
    overview,
    leave,
    black: () => {
      page.classList.toggle("tl-black");
      show(now);
    },
    notes: () => {
      speaker.below.hidden = !speaker.below.hidden;
      show(now);
    },
    speaker: () => {
      if (speaker.open(onKey)) speaker.tell(slides, now);
      else acts.notes();
    },
    code: () => {
      slides[now].box.classList.toggle("tl-coded");
      show(now);
    },
    full: () => (document.fullscreenElement ? document.exitFullscreen() : page.requestFullscreen()),
  };
  const bar = own.bar(acts);

  // A remote sends Page Up, Page Down and a full stop. What has the focus keeps its own keys, but not the
  // two of a remote, and a full stop only where one can be typed.
  const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, [contenteditable=true]";
  const TAKES = "input, select, textarea, [contenteditable=true], .tl-grip, td[tabindex], [role=slider]";
  const PRESSED = "button, a, summary, label";
  const ALWAYS = { PageDown: "next", PageUp: "back" };
  const KEYS = {
    ArrowRight: "next", ArrowDown: "next", " ": "next", Enter: "next", ArrowLeft: "back", ArrowUp: "back",
    Home: "first", End: "last",
  };
  const LETTERS = { o: "overview", s: "speaker", n: "notes", c: "code", b: "black", f: "full" };
  const actOf = (key, target) => {
    const isTaken = target.closest(TAKES);
    if (ALWAYS[key]) return ALWAYS[key];
    if (key === ".") return target.closest(TYPED) ? "" : "black";
    if (isTaken || (/^( |Enter)$/.test(key) && target.closest(PRESSED))) return "";
    return KEYS[key] ?? (letters.on ? LETTERS[key] : "");
  };
  const escape = (target) => {
    if (is("black")) acts.black();
    else if (is("overview")) overview();
    else if (target.closest(TAKES)) slides[now].box.focus();
    else leave();
  };
  function onKey(event) {
    if (!slides.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target.closest ? event.target : document.body;
    const isOut = event.key === "Escape" || (is("overview") && event.key === "Enter" && !target.closest(PRESSED));
    const act = isOut ? "" : actOf(event.key, target);
    if (!isOut && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (isOut) escape(target);
    else acts[act]();
  }
  document.addEventListener("keydown", onKey, true);

  // In place of a laser: what is clicked is framed, and so it is seen from the last row.
  article.addEventListener("click", ({ target }) => {
    if (!slides.length || !target.closest(".tl-slide") || target.closest(`${TAKES}, ${PRESSED}`)) return;
    target.closest("td, th, li, .tl-say, mtd, mrow, .line, pre, dd")?.classList.toggle("tl-pointed");
    if (!slides[now].box.contains(document.activeElement)) slides[now].box.focus({ preventScroll: true });
  });
  // In the overview the slides are inert, so the place of the pointer says which of them is meant.
  document.addEventListener("click", ({ target, clientX, clientY }) => {
    if (!is("overview") || bar.element.contains(target)) return;
    const index = slides.findIndex(({ box }) => {
      const { left, right, top, bottom } = box.getBoundingClientRect();
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    });
    if (index < 0) return;
    now = index;
    overview();
  });

  addEventListener("resize", () => {
    if (slides.length && !is("paper")) show(now);
  });
  addEventListener("beforeprint", () => {
    if (!slides.length) return;
    page.classList.add("tl-paper");
    fitAll(slides);
  });
  addEventListener("afterprint", () => {
    if (!slides.length) return;
    page.classList.remove("tl-paper");
    show(now);
  });
  Object.assign(window.tlPresent, { talk: { enter, leave, show, get slides() { return slides; } } });
})();
