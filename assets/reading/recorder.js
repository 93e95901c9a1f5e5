// A moving window: each sentence is dashes, and each press shows the next word. The times stay on this device.
(function () {
  "use strict";
  const R = window.tlReading, root = document.getElementById("reading-root"), stage = root?.querySelector(".tl-reading-stage");
  if (!stage || !R) return;
  const { LISTS, element, button, key, listOf, ordered, row, versions } = R, items = window.tlItems;
  const STORE = window.tlBook.key("chapters/you_and_the_model/times"); // "On this device" forgets it with the rest
  const LETTERS = "abcdefghjkmnpqrstuvwxyz"; // without those that look like another one
  let record = null, isReading = false, isKept = true;

  function keep() {
    try {
      localStorage.setItem(STORE, JSON.stringify({ record }));
    } catch {
      isKept = false; // a private window: the times last as long as the page
    }
  }

  function kept() {
    try {
      return isKept ? JSON.parse(localStorage.getItem(STORE) ?? "null")?.record ?? null : record;
    } catch {
      return record;
    }
  }

  function forget() {
    if (!confirm("Delete your times from this device?")) return;
    record = null;
    try {
      localStorage.removeItem(STORE);
    } catch { /* nothing was kept */ }
    R.show(null);
    opening();
    stage.querySelector("button").focus();
  }

  const code = () => [...crypto.getRandomValues(new Uint32Array(8))].map((n) => LETTERS[n % LETTERS.length]).join("");

  /** Show parts in the stage. What is asked gets the keyboard, or one press too many would answer it. */
  function show(...parts) {
    stage.onkeydown = null;
    stage.replaceChildren(...parts);
    stage.querySelector(".tl-reading-question, button")?.focus({ preventScroll: true });
  }

  // ---- one sentence ----

  /** Let the reader read one sentence, and call `done` with its times. */
  function sentence(version, label, begun, done) {
    const area = element("div", "", { class: "tl-reading-window", role: "button", tabindex: "0", "aria-label": "Next word" });
    const words = version.words.map((word) => {
      const span = element("span", "", { "data-dashes": "–".repeat(word.length), class: "tl-reading-word" });
      span.append(element("span", word, { "aria-hidden": "true" }));
      area.append(span, " ");
      return span;
    });
    const spoken = element("p", "", { class: "tl-reading-spoken", "aria-live": "assertive" });
    const hint = element("p", "Press the space bar, or tap the sentence, to see the first word.", { class: "tl-reading-hint" });
    const trial = { item: version.item, condition: version.condition, times: [], lines: [], interrupted: begun(), right: null };
    let at = -1, last = 0;

    /** The time is that of the press, not that of the script, which may start late. */
    function press(event) {
      event.preventDefault();
      if (event.repeat) return;
      if (at >= 0) trial.times.push(Math.round(10 * (event.timeStamp - last)) / 10);
      else {
        begun(true);
        trial.lines = words.map((span, w) => Number(w > 0 && span.offsetTop > words[w - 1].offsetTop));
      }
      last = event.timeStamp;
      words[at]?.classList.remove("is-seen");
      at++;
      hint.textContent = "";
      if (at === words.length) {
        stop();
        done(trial);
        return;
      }
      words[at].classList.add("is-seen");
      spoken.textContent = version.words[at];
    }

    const left = () => { trial.interrupted ||= at >= 0; };
    function stop() {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("visibilitychange", left);
      removeEventListener("blur", left);
    }

    function onKey(event) { // also where a tap beside the sentence took the focus: the space bar would scroll the page
      const isHere = event.target === document.body || area.contains(event.target);
      if (isHere && (event.key === " " || event.key === "Enter") && !event.ctrlKey && !event.metaKey && !event.altKey) press(event);
    }

    document.addEventListener("keydown", onKey);
    area.addEventListener("pointerdown", (event) => { if (event.isPrimary && event.button === 0) press(event); });
    area.addEventListener("click", (event) => { if (event.detail === 0) press(event); }); // as a screen reader presses
    document.addEventListener("visibilitychange", left);
    addEventListener("blur", left);
    show(element("p", label, { class: "tl-reading-progress" }), area, hint, spoken);
    area.focus({ preventScroll: true });
  }

  /** Ask yes or no; a press too many answers nothing. */
  function question([text, expected], done) {
    const answer = (given) => done(given === expected);
    show(element("p", text, { class: "tl-reading-question", tabindex: "-1" }), row(button("Yes", () => answer("yes")), button("No", () => answer("no"))),
      element("p", "Press Y or N, or a button.", { class: "tl-reading-hint" }));
    stage.onkeydown = (event) => {
      if (event.target.matches("button")) return;
      if (event.key === " ") event.preventDefault(); // it would scroll the page
      const given = { y: "yes", n: "no" }[event.key.toLowerCase()];
      if (given && !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey) answer(given);
    };
  }

  // ---- the session ----

  function start(isHalf, language) {
    if (kept() && !confirm("This replaces the times that you have read. Begin?")) return;
    const list = Math.floor(LISTS * Math.random()), practice = items.filter((each) => each.kind === "practice");
    const plan = [...practice, ...ordered(listOf(items, list, isHalf), Math.random)].map(key);
    record = { code: code(), language, list, plan, trials: [] };
    R.show(null);
    read();
  }

  /** Go on with the first sentence of the plan that has not been read. */
  function read() {
    isReading = true;
    const { plan, trials } = record, practice = plan.filter((each) => each.startsWith("p")).length, n = trials.length;
    if (n === plan.length) {
      finish();
      return;
    }
    const version = versions.get(plan[n]);
    if (n === practice && !record.isWarned) {
      record.isWarned = true;
      show(element("p", `That was practice. Now come ${plan.length - practice} sentences. Read as you would read a message: fast, but so that you can answer a question.`), button("Begin", read));
      return;
    }
    const label = n < practice ? `Practice ${n + 1} of ${practice}` : `Sentence ${n + 1 - practice} of ${plan.length - practice}`;
    // A sentence that was begun before a reload has been seen: it is read, and does not count.
    const begun = (isNow) => {
      const was = record.begun === n;
      if (isNow) {
        record.begun = n;
        keep();
      }
      return was;
    };
    sentence(version, label, begun, (trial) => {
      trials.push({ ...trial, order: n + 1 });
      keep();
      if (!version.ask.length) return read();
      return question(version.ask, (right) => {
        trials[n].right = right;
        keep();
        if (n >= practice) return read();
        return show(element("p", right ? "Right." : "The sentence said otherwise."), button("Next sentence", read));
      });
    });
  }

  function finish() {
    record.isDone = true;
    keep();
    opening();
    stage.querySelector("button").focus();
  }

  function opening() {
    isReading = false;
    record = kept();
    if (!record) return fresh();
    const parts = record.isDone ? [button("Save my times", () => R.saveTimes([record])), button("Show my results", () => R.show(record)), button("Read again", fresh)]
      : [button("Go on", read), button("Begin again", fresh)];
    const said = record.isDone ? `You have read all sentences. If you give your times to a class, save them before you see your result. Their code is ${record.code}: with it you can have your file deleted.`
      : "You have not read all sentences.";
    return stage.replaceChildren(element("p", said), row(...parts, button("Delete my times", forget)));
  }

  function fresh() {
    const [half, all] = ["half", "all"].map((value) => element("input", "", { type: "radio", name: "reading-length", value }));
    half.checked = true;
    const labels = [[half, "20 sentences, about three minutes"], [all, "40 sentences, about six minutes"]].map(([input, text]) => {
      const label = element("label");
      label.append(input, ` ${text}`);
      return label;
    });
    const menu = element("select"), asked = element("label", "Is English your first language? ");
    menu.append(...[["", "rather not say"], ["English", "yes"], ["another", "no, another one"]].map(([value, text]) => element("option", text, { value })));
    asked.append(menu);
    stage.onkeydown = null;
    stage.replaceChildren(row(...labels), row(asked), row(button("Start reading", () => start(half.checked, menu.value))));
  }

  // Two tabs would write over each other's times: the one that read first stops.
  addEventListener("storage", ({ key: changed }) => {
    if (changed !== STORE && changed !== null) return;
    if (!isReading && record) opening();
    else if (isReading && kept()?.code !== record.code) {
      isReading = false;
      record = null;
      show(element("p", "Another tab of this page has begun to read, or has deleted your times."), button("Go back", opening));
    }
  });

  opening();
})();
