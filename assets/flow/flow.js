// What a reader does with the picture of the front page: each key and each press computes the model again.
(function () {
  "use strict";
  const root = document.getElementById("flow-root"), tlFlow = window.tlFlow;
  if (!root) return;
  const ALL = "2 3 4 5", REST = "Point at a number, a bar or an arc to see here the sum that it came from.";
  if (!tlFlow?.forward || !tlFlow.stages) {
    root.dataset.open = ALL; // the model did not load: the picture stays as the build drew it
    document.documentElement.classList.remove("tl-own-comes");
    return;
  }
  const { limit, SHOWN, fixed, set, softmax, named, allNamed, italic, escape, state } = tlFlow, START = "<s>";
  const $ = (name) => document.getElementById(`flow-${name}`);
  const pictures = [...root.querySelectorAll(".flow-picture")], heads = [...$("heads").querySelectorAll("button")];
  const [layer, head] = root.dataset.head.split(",").map(Number);
  // What the reader has chosen, and what the model gave for it.
  const seen = { words: [], ids: [], row: 0, layer, head, silent: new Set(), lifted: false, heat: 1, top: Infinity, stage: 0 };
  const cursor = { stage: 0, r: 0, c: 0 };
  const spoken = { refused: "", strange: "", verb: "", usual: "" };
  let stages; // where the columns of each picture are

  // ---- the model ----

  /** Show a model: its arrays P, its tokens, the words that end a headline and what one is called, and where to begin. */
  function take({ sentences, ...model }) {
    Object.assign(seen, { silent: new Set(), lifted: false, group: undefined, ...model });
    fit(tlFlow.forward(seen.P, [2]).layers.length);
    for (const each of $("picks").querySelectorAll("button:not(#flow-all)")) each.remove();
    const button = (textContent) => Object.assign(document.createElement("button"), { type: "button", textContent });
    $("picks").append(...sentences.map(button));
  }

  // The drawings have room for two layers.
  function fit(layers) {
    const points = 2 * layers + 1, note = $("heads").parentNode.querySelector("p");
    stages = tlFlow.stages(points);
    [...$("heads").children].forEach((each, k) => { each.hidden = k >= layers; });
    [...root.querySelectorAll(".flow-parts span")].forEach((span, k) => {
      span.hidden = k >= points;
      span.style.left = `${(4800 + (25000 * k) / (points - 1)) / 318}%`;
    });
    note.textContent = note.textContent.replace(/has .* of 4/, `has ${layers} layer${layers > 1 ? "s" : ""} of 4`);
  }

  // The heads that one press silences: those that a model of one's own was found to need, or the one that is large.
  const group = () => seen.group ?? [`${seen.layer}.${seen.head}`];
  const areMute = () => group().every((name) => seen.silent.has(name));

  const order = (logits) => [...logits.keys()].sort((a, b) => logits[b] - logits[a]);

  function rank(T, row) { // the likeliest next tokens, after temperature and top-k
    const logits = T.logits(T.last, row), first = order(logits), kept = first.slice(0, seen.top);
    const shares = softmax(kept.map((id) => logits[id] / seen.heat));
    return first.slice(0, SHOWN).map((id, r) => ({ id, logit: logits[id], share: shares[r] ?? 0 }));
  }

  function likeliest(best) { // a verb where one is likely, as in transformer_lib/plot/flow.py
    return best.find((b) => seen.verbs.includes(seen.tokens[b.id]) && b.share >= 0.05) ?? best[0];
  }

  function compute() {
    const last = seen.ids.length - 1, isChanged = seen.silent.size || seen.lifted;
    seen.T = tlFlow.forward(seen.P, seen.ids, seen.silent, seen.lifted);
    seen.row = Math.min(seen.row, last);
    const trained = isChanged ? tlFlow.forward(seen.P, seen.ids) : seen.T;
    spoken.usual = seen.tokens[likeliest(rank(trained, last)).id];
    show();
  }

  // ---- what is shown ----

  function show() {
    const { T, row } = seen, last = seen.ids.length - 1, end = likeliest(rank(T, last));
    seen.best = rank(T, row);
    seen.early = T.stream.map((_, point) => softmax(T.logits(point, row)));
    tlFlow.draw(root, { ...seen, end: likeliest(seen.best) });
    spoken.verb = seen.tokens[end.id];
    head_line(spoken.verb, end.share);
    $("silence").textContent = `${areMute() ? "Restore" : "Silence"} ${allNamed(group())}`;
    $("lift").setAttribute("aria-pressed", seen.lifted);
    const shown = seen.verbs.includes(spoken.verb) ? `likeliest ${seen.kind}` : "likeliest of them";
    $("after").innerHTML = `The probability of each word after ${italic(seen.words[row])}. The headline has the ${shown}.`;
    heads.forEach((button) => {
      const [l, h] = button.dataset.head.split(",").map(Number);
      button.tabIndex = l === seen.layer && h === seen.head ? 0 : -1;
      button.setAttribute("aria-label", named(l, h) + (seen.silent.has(`${l}.${h}`) ? ", silent" : ""));
    });
    say();
    leave();
    tlFlow.onChange?.();
  }

  function head_line(word, share) {
    const kind = seen.verbs.includes(word) ? `likeliest ${seen.kind}` : "likeliest", [large, small] = $("verb").children;
    [large.textContent, small.textContent] = [word, `${kind} ${fixed(share)}`];
  }

  function say() {
    const html = spoken.refused || [spoken.strange, state(seen, spoken)].filter(Boolean).join(" ");
    if ($("say").innerHTML !== html) $("say").innerHTML = html;
  }

  // ---- where a number came from ----

  const rows = (stage) => (stage > 3 ? SHOWN + 1 : seen.words.length);
  const tell = (html) => { if ($("sum").innerHTML !== html) $("sum").innerHTML = html; };

  function point(stage, r, c) {
    const { width, columns } = stages[stage], count = rows(stage), picture = pictures[stage - 1];
    r = Math.max(0, Math.min(count - 1, r));
    c = Math.max(0, Math.min(columns.length - 1, c));
    Object.assign(cursor, { stage, r, c });
    const mark = root.querySelector(".flow-cursor") ?? Object.assign(document.createElement("div"), { className: "flow-cursor" });
    const percent = { left: columns[c].x / width, top: r / count, width: columns[c].width / width, height: 1 / count };
    for (const [side, share] of Object.entries(percent)) mark.style[side] = `${100 * share}%`;
    picture.append(mark);
    tell(columns[c].says(seen, r));
  }

  function leave() {
    root.querySelector(".flow-cursor")?.remove();
    tell(REST);
  }

  function under(event, picture) { // the number under the pointer: stage, row, column; no column between two
    const stage = +picture.dataset.stage, { width, columns } = stages[stage], box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width, r = Math.floor(((event.clientY - box.top) / box.height) * rows(stage));
    return [stage, r, columns.findIndex((column) => x >= column.x && x < column.x + column.width)];
  }

  function over(event) {
    const picture = event.target.closest(".flow-picture"), arc = event.target.dataset.arc;
    if (arc) return tell(tlFlow.weight(seen, ...arc.split(",").map(Number)));
    if (!picture) return;
    const [stage, r, c] = under(event, picture);
    if (c >= 0) point(stage, r, c);
  }

  // ---- the sentence ----

  function refusal(text, words, ids) {
    const unknown = words.filter((_, i) => ids[i] < 0), isLast = unknown.length === 1 && ids.at(-1) < 0 && !/\s$/.test(text);
    const known = seen.tokens.slice(4), begun = isLast ? known.filter((word) => word.toLowerCase().startsWith(unknown[0].toLowerCase())) : [];
    if (begun.length) return `You may be typing ${begun.map(italic).join(", ")}.`;
    if (unknown.length) return `The model does not know ${italic(unknown[0])}. ${offers(words, ids)} <details><summary>It knows ${known.length} words</summary>${known.map(escape).join(", ")}</details>`;
    return words.length > limit ? `The picture has room for ${limit} words.` : "";
  }

  // Three known words that may stand where the first unknown one does, those with its ending first.
  function offers(words, ids) {
    const at = ids.findIndex((id) => id < 0), before = ids.slice(0, at).map((id) => seen.tokens[id]);
    const isLike = (word) => word.endsWith("s") === words[at].toLowerCase().endsWith("s");
    const fit = seen.tokens.slice(4).filter((word) => seen.knows([...before, word]));
    const some = [...fit.filter(isLike), ...fit.filter((word) => !isLike(word))].slice(0, 3);
    const buttons = some.map((word) => `<button type="button" data-offer="${escape(word)}">${escape(word)}</button>`);
    return some.length ? `Press a word that it knows: ${buttons.join(" ")}` : "";
  }

  function takeOffer(word) {
    const words = $("sentence").textContent.trim().split(/\s+/), at = idsOf(words).indexOf(-1);
    write(words.map((each, i) => (i === at ? word : each)));
    const next = $("say").querySelector("[data-offer]");
    (next ?? $("sentence")).focus();
  }

  // As they are written, and else in small letters or large ones: a language may tell "sie" and "Sie" apart.
  function idsOf(words, tokens = seen.tokens) {
    const find = (isIt) => tokens.findIndex((token, i) => i > 3 && isIt(token));
    return words.map((word) => {
      const exact = find((token) => token === word);
      return exact < 0 ? find((token) => token.toLowerCase() === word.toLowerCase()) : exact;
    });
  }

  function typed() {
    const text = $("sentence").textContent, words = text.trim().split(/\s+/).filter(Boolean), ids = idsOf(words);
    spoken.refused = refusal(text, words, ids);
    for (const part of root.querySelectorAll(".flow-stages, .flow-unseen")) part.inert = spoken.refused !== "";
    if (spoken.refused) { // no verb follows a sentence that the model has not read
      [$("verb").firstChild.textContent, $("verb").lastChild.textContent] = ["?", ""];
      tlFlow.onChange?.();
      return say();
    }
    const known = ids.map((id) => seen.tokens[id]);
    spoken.strange = seen.knows(known) ? "" : "The model was never trained on sentences like this.";
    Object.assign(seen, { words: [START, ...known], ids: [seen.tokens.indexOf(START), ...ids], row: ids.length });
    compute();
  }

  function write(words) {
    $("sentence").textContent = words.join(" ");
    typed();
  }

  const append = (word) => { if (!spoken.refused && !word.startsWith("<")) write([...seen.words.slice(1), word]); };

  // ---- what is pressed ----

  function open(stages) {
    const all = new Set([...(root.dataset.open ?? "").split(" "), ...stages]);
    root.dataset.open = [...all].filter(Boolean).sort().join(" ");
  }

  function go(stage) {
    seen.stage = Math.max(1, Math.min(5, stage));
    open(ALL.split(" ").filter((each) => +each <= seen.stage));
    for (const each of root.querySelectorAll(".flow-stage")) each.classList.toggle("flow-lit", +each.dataset.stage === seen.stage);
    $(`stage-${seen.stage}`).scrollIntoView({ block: "nearest" });
    say();
    tlFlow.onChange?.();
  }

  function choose(stage, r) { // a word of the sentence, or a next word
    if (stage === 5) {
      if (seen.best[r]) write([...seen.words.slice(1, seen.row + 1), seen.tokens[seen.best[r].id]].filter((word) => !word.startsWith("<")));
    } else if (stage < 4) {
      seen.row = r;
      show();
    }
  }

  function enlarge(button) {
    [seen.layer, seen.head] = button.dataset.head.split(",").map(Number);
    seen.group = undefined;
    show();
    button.focus();
  }

  function silence() {
    const act = areMute() ? "delete" : "add";
    for (const name of group()) seen.silent[act](name);
    compute();
  }

  const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

  function pressed(event) {
    const move = MOVES[event.key], stage = +event.currentTarget.dataset.stage;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && cursor.stage === stage) choose(stage, cursor.r);
    if (!move) return;
    event.preventDefault();
    point(stage, cursor.r + move[0], cursor.c + move[1]);
    if (stage !== 1) return;
    choose(1, cursor.r);
    point(1, cursor.r, 0);
  }

  function moved(event) {
    const move = MOVES[event.key], shown = heads.filter((each) => !each.closest("[hidden]")), here = shown.indexOf(document.activeElement);
    if (!move || here < 0) return;
    event.preventDefault();
    enlarge(shown[(here + move[0] + move[1] + shown.length) % shown.length]);
  }

  function listen() {
    const sentence = $("sentence"), NAMES = ["words", "vectors", "attention", "stream", "next words"];
    set(sentence, { contenteditable: "true", role: "textbox", "aria-label": "sentence", autocapitalize: "off", autocorrect: "off", enterkeyhint: "done" });
    sentence.addEventListener("input", typed);
    sentence.addEventListener("paste", (event) => {
      event.preventDefault();
      document.execCommand("insertText", false, event.clipboardData.getData("text").replace(/\s+/g, " "));
    });
    sentence.addEventListener("keydown", (event) => {
      // The Enter that confirms a composition belongs to the keyboard; Safari says 229 of it.
      if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      append(spoken.verb);
    });
    $("verb").addEventListener("click", () => append(spoken.verb));
    $("say").addEventListener("click", ({ target }) => { if (target.dataset.offer) takeOffer(target.dataset.offer); });
    pictures.forEach((picture, k) => {
      set(picture, { tabindex: 0, role: "application", "aria-label": `${NAMES[k]}: arrow keys move from number to number` });
      picture.addEventListener("focus", () => {
        if (picture.matches(":focus-visible")) point(k + 1, k < 3 ? seen.row : 0, 0);
      });
      picture.addEventListener("blur", leave);
      picture.addEventListener("keydown", pressed);
      picture.addEventListener("click", (event) => choose(...under(event, picture)));
    });
    for (const kind of ["pointermove", "pointerdown"]) root.addEventListener(kind, over);
    root.addEventListener("pointerleave", leave);
    $("heads").addEventListener("click", (event) => { const button = event.target.closest("button"); if (button) enlarge(button); });
    $("heads").addEventListener("keydown", moved);
    $("silence").addEventListener("click", silence);
    $("lift").addEventListener("click", () => { seen.lifted = !seen.lifted; compute(); });
    $("back").addEventListener("click", () => go(seen.stage - 1));
    $("forth").addEventListener("click", () => go(seen.stage + 1));
    $("stage-5").addEventListener("input", () => {
      const heat = +$("heat").value, top = +$("top").value;
      Object.assign(seen, { heat, top: top > SHOWN ? Infinity : top });
      [$("heat-out").textContent, $("top-out").textContent] = [heat.toFixed(1), top > SHOWN ? "all" : top];
      $("top").setAttribute("aria-valuetext", $("top-out").textContent);
      show();
    });
    // A slider says its value itself, and for all tokens it would say 8.
    for (const name of ["heat-out", "top-out"]) $(name).setAttribute("aria-live", "off");
    $("top").setAttribute("aria-valuetext", $("top-out").textContent);
    $("picks").addEventListener("click", (event) => {
      if (event.target.id === "flow-all") {
        open(ALL.split(" "));
        heads.find((each) => each.ariaPressed === "true").focus(); // the button has gone
      }
      else if (event.target.matches("button")) write(event.target.textContent.split(" "));
    });
  }

  // On a phone flow.css shows the bars first, and what is told below the stages; who listens, or goes on by
  // Tab, has them in that order, too.
  function inOrder() {
    const bars = $("stage-5"), stages = bars.parentElement, told = $("say").parentElement, isFirst = getComputedStyle(bars).order === "-1";
    if (isFirst === (stages.firstElementChild === bars)) return;
    if (isFirst) stages.prepend(bars);
    else stages.append(bars);
    (isFirst ? stages : root.querySelector(".flow-headline")).after(told);
  }

  /** Set what a link may set; each value has been checked. */
  function restore({ words, silent, layer, head, stage, lifted, heat, top }) {
    Object.assign(seen, { silent: new Set(silent), lifted, heat, top, layer: layer ?? seen.layer, head: head ?? seen.head, stage });
    if (layer !== undefined) seen.group = undefined;
    [$("heat").value, $("heat-out").textContent] = [heat, heat.toFixed(1)];
    [$("top").value, $("top-out").textContent] = [Math.min(top, SHOWN + 1), top > SHOWN ? "all" : top];
    if (stage) open(ALL.split(" "));
    for (const each of root.querySelectorAll(".flow-stage")) each.classList.toggle("flow-lit", +each.dataset.stage === stage);
    write(words);
  }

  async function start() {
    const { tokens, verbs, sentences, pattern } = tlFlow, grammar = new RegExp(pattern);
    const P = await tlFlow.unpack(), knows = (words) => grammar.test(words.join(" "));
    const book = { P, tokens, verbs, kind: "verb", layer, head, sentences, knows };
    take(book);
    root.classList.add("flow-live");
    new ResizeObserver(inOrder).observe(root);
    listen();
    tell(REST);
    typed();
    Object.assign(tlFlow, { root, seen, book, idsOf, open, take, typed, restore });
    if (tlFlow.onLive) tlFlow.onLive();
    else document.documentElement.classList.remove("tl-own-comes");
  }
  start();
})();
