// A language of the reader's own on the front page: its rules are read and shown, a press trains a model on them in a
// worker, and the picture is that of the model from its first step on.
(function () {
  "use strict";
  const { tlFlow, tlAddress, tlRules, tlTrain } = window, { root } = tlFlow;
  const here = document.currentScript.src.replace(/own\.js.*$/, "");
  const FOREIGN = "This link brings rules of somebody else, who is not the author of this book. Read them: nothing has run. Then press Train.";
  const OWN = "A few rules make a language. Change them, then press Train: the picture below becomes that of your language. The mark ! says which word must fit.";
  const OTHERS = 9; // texts that are kept beside the one that stands there
  const FIRST = window.tlRefusals.first.trim();
  const AT_FIRST = { silent: new Set(), stage: 0, lifted: false, heat: 1, top: Infinity };

  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const button = (textContent, act, className = "flow-pill") => {
    const element = made("button", { type: "button", textContent, className });
    element.addEventListener("click", act);
    return element;
  };
  const bounded = (field, low) => Math.min(+field.max, Math.max(low, Math.floor(+field.value) || low));

  /** The panel above the picture; `onClose` hears that the picture is that of the book again. */
  class Panel {
    constructor(onClose) {
      this.onClose = onClose;
      const number = (max) => made("input", { type: "number", min: 0, max });
      this.text = made("textarea", { rows: 9, maxLength: tlAddress.MOST.rules, spellcheck: false, ariaLabel: "Rules of the language" });
      [this.seed, this.steps] = [number(9999), number(2000)];
      this.note = made("p", {});
      this.fold = made("details", { open: true }, made("summary", { textContent: "The rules" }), this.text);
      this.train = button("Train", () => this.press(), "flow-pill flow-main");
      this.back = button("", () => this.swap());
      this.progress = made("span", {});
      this.status = made("span", {});
      this.status.setAttribute("role", "status");
      this.asks = made("div", {});
      const about = made("a", { href: "chapters/own_language.html", textContent: "How rules are written" });
      this.row = made("div", { className: "flow-own-row" }, this.train, made("label", {}, "seed ", this.seed), made("label", {}, "steps ", this.steps),
        about, this.back, button("Back to the model of the book", () => this.close()), this.progress, this.status);
      this.box = made("section", { className: "flow-own", ariaLabel: "A language of your own", tabIndex: -1 }, this.asks, this.note, this.fold, this.row);
      this.text.addEventListener("input", () => this.typed());
      root.prepend(this.box);
    }

    /** Show rules, those of a link or the reader's own. Nothing runs. */
    open(state = {}) {
      const isFromLink = state.packed !== undefined, kept = tlAddress.mine();
      const isForeign = isFromLink && ![kept.typed, kept.sent].includes(state.rules);
      if (this.isMine && isForeign && state.rules !== this.text.value) return this.ask(state);
      if (!isForeign && isFromLink) this.put(state.rules); // the chapter has sent them here
      this.stop();
      this.asks.replaceChildren();
      this.state = { seed: 0, steps: 400, text: "", ...AT_FIRST, ...state, rules: state.rules ?? kept.typed ?? FIRST };
      this.isMine = !isForeign && this.state.rules !== FIRST;
      this.isForeign = isForeign;
      this.whose = isForeign ? "The language of a reader, not of the author of this book" : "Your language";
      this.asked = undefined; // until they are trained
      [this.text.value, this.seed.value, this.steps.value] = [this.state.rules, this.state.seed, this.state.steps];
      this.note.textContent = isForeign ? FOREIGN : OWN;
      this.offer();
      this.say("");
      this.fold.open = true;
      wait(true);
      this.box.scrollIntoView({ block: "nearest" });
      if (!isFromLink) this.box.focus({ preventScroll: true }); // the rules are heard before the button
    }

    // The reader's own rules are open: a link does not put others in their place by itself.
    ask(state) {
      const answer = (act) => () => { this.asks.replaceChildren(); act(); };
      const show = button("Show them", answer(() => { this.put(this.text.value); this.isMine = false; this.open(state); }));
      const keep = button("Keep mine", answer(() => tlFlow.onChange()));
      this.asks.replaceChildren(made("p", {}, "A link brings rules of somebody else. Yours stay in this browser: “Back to my rules” brings them back. ", show, keep));
      show.focus();
    }

    // The browser keeps the text that was typed last, and some that stood there before it, the last one first.
    put(rules) {
      const { typed, others = [] } = tlAddress.mine(), all = typed === undefined ? others : [typed, ...others];
      tlAddress.keep("others", [...new Set(all)].filter((each) => each !== rules).slice(0, OTHERS));
      tlAddress.keep("typed", rules);
    }

    typed() {
      if (this.isForeign) this.put(this.text.value); // from the first change on, they are the reader's, too
      else tlAddress.keep("typed", this.text.value);
      if (this.isForeign) this.whose = "The rules of a link, changed";
      if (this.isForeign) this.note.textContent = OWN;
      [this.isMine, this.isForeign] = [true, false];
      this.offer();
    }

    offer() {
      const { typed, others = [] } = tlAddress.mine();
      this.back.textContent = this.isForeign ? "Back to my rules" : `My other rules (${others.length})`;
      this.back.hidden = this.isForeign ? typed === undefined : !others.length;
    }

    swap() {
      const { typed, others = [] } = tlAddress.mine(), rules = this.isForeign ? typed : others.at(-1); // press by press, all of them
      this.put(rules);
      this.open({ rules });
      tlFlow.onChange();
    }

    /** What a link to this panel brings: the rules that are trained, or those that stand there. */
    get given() {
      return this.asked ?? { rules: this.text.value, seed: bounded(this.seed, 0), steps: bounded(this.steps, 1) };
    }

    close() {
      this.stop();
      this.box.remove();
      wait(false);
      this.onClose();
      tlFlow.take(tlFlow.book);
      tlFlow.restore({ ...AT_FIRST, words: tlFlow.book.sentences[0].split(" ") });
    }

    say(text) {
      this.progress.textContent = "";
      this.status.textContent = text;
    }

    // ---- training ----

    stop() {
      this.end?.();
      this.end = undefined;
      this.train.textContent = "Train";
    }

    press() {
      if (this.end) {
        this.stop();
        return this.say("Stopped. The picture is that of the model so far.");
      }
      const asked = { rules: this.text.value, seed: bounded(this.seed, 0), steps: bounded(this.steps, 1) };
      [this.seed.value, this.steps.value] = [asked.seed, asked.steps];
      try {
        this.begin(asked, tlRules.read(asked.rules));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.refuse(error.message);
      }
    }

    refuse(why) {
      this.stop();
      this.note.textContent = this.isForeign ? FOREIGN : OWN;
      this.fold.open = true;
      wait(true); // the picture is not that of these rules
      this.say(`${why[0].toUpperCase()}${why.slice(1)}.`);
    }

    begin(asked, language) {
      const { state } = this, isSame = ["rules", "seed", "steps"].every((key) => state[key] === asked[key]);
      this.asked = asked;
      this.linked = isSame ? state : AT_FIRST; // what a link silences, it silences in its own model
      this.learner = learner(language, asked.seed);
      this.words = known(language, asked.rules === state.rules ? state.text : "") ?? beginning(language, asked.seed);
      this.note.textContent = this.named();
      this.fold.open = false;
      this.train.textContent = "Stop";
      this.say("");
      wait(false);
      // A phone keeps one arc and the button.
      if (!matchMedia("(max-width: 639px)").matches) tlFlow.open(["2", "3", "4", "5"]);
      tlFlow.take(this.learner.model);
      tlFlow.restore({ ...AT_FIRST, words: this.words });
      this.end = started(asked, (message) => this.hear(message));
    }

    hear({ kind, why, step, loss, T, ...found }) {
      if (kind === "refused") return this.refuse(why);
      if (T) this.learner.set(T);
      if (step) this.progress.textContent = `Training: step ${step} of ${this.asked.steps}, loss ${loss.toFixed(2)}`;
      if (kind === "step") tlFlow.typed(); // once more, with the weights of this step
      if (kind === "done") this.done(found);
    }

    done({ share, turns, sentences }) {
      this.stop();
      const now = tlFlow.seen.words.slice(1).join(" "), isChosen = this.state.text || now !== this.words.join(" ");
      const turn = turns.find(({ before }) => before.join(" ") === now) ?? shortest(turns);
      const group = this.linked.silent.size ? [...this.linked.silent] : turn?.silent;
      const first = isChosen || !turn ? now : turn.before.join(" ");
      const picks = [first, ...turns.map(({ before }) => before.join(" ")), ...sentences.map((words) => words.join(" "))];
      tlFlow.take({ ...this.learner.model, sentences: [...new Set(picks)].slice(0, 4), group, head: group ? +group[0].split(".")[1] : 0 });
      tlFlow.restore({ ...this.linked, words: first.split(" ") });
      this.note.textContent = this.named(Number.isNaN(share) ? "" : `, right at ! in ${Math.round(100 * share)} of 100 sentences drawn anew`);
      this.say(shows(share, turns.length));
    }

    named(learned = "") {
      return `${this.whose}: ${this.learner.model.tokens.length - 4} words, ${this.asked.steps} steps${learned}.`;
    }
  }

  // ---- the model that learns ----

  /** A model before its first step, in the form of the picture, and how it takes the weights of a later one. */
  function learner({ tokens, forms, ...language }, seed) {
    const T = tlTrain.start(tlTrain.generator(seed), tokens.length), verbs = [...new Set([...forms.values()].flat())];
    const knows = (words) => tlRules.after({ tokens, forms, ...language }, words)?.size !== 0;
    return {
      model: { P: tlTrain.asPicture(T), tokens, verbs, kind: "marked word", layer: 0, head: 0, sentences: [], knows },
      set: (now) => Object.entries(now).forEach(([name, array]) => T[name].set(array)), // P has views into T
    };
  }

  function known({ words }, text) {
    const found = text.normalize("NFC").split(/\s+/u).filter((word) => words.includes(word)).slice(0, tlFlow.limit);
    return found.length ? found : undefined;
  }

  function beginning(language, seed) {
    const [{ words, mark }] = tlRules.draw(language, tlTrain.generator(seed), 1);
    return words.slice(0, Math.min(tlFlow.limit, mark?.place ?? words.length - 1));
  }

  // It is seen at a glance, and moves little of the page.
  const shortest = (turns) => turns.reduce((best, each) => (best && best.before.length <= each.before.length ? best : each), undefined);

  // A search that is free to choose finds turns in an untrained model, too, so the share comes first.
  function shows(share, count) {
    if (Number.isNaN(share)) return "No symbol has the mark !, so nothing is asked of the model: write V[n]! for V[n], for example.";
    if (share <= 0.9) return "Silence turns words of a model that has learned nothing, too: no head is offered before more than 90 of 100 are right.";
    return count ? "" : "Whichever heads are silent, the marked word stays right in the sentences that were tried.";
  }

  /** Train in a worker, or in the page where none may start; call what is returned to end it. */
  function started(asked, hear) {
    let isOver = false;
    const end = () => { isOver = true; };
    const inPage = () => window.tlRun(asked, (message) => { if (!isOver) hear(message); }, () => isOver);
    try {
      const worker = new Worker(`${here}worker.js`);
      worker.onmessage = ({ data }) => { if (!isOver) hear(data); };
      worker.onerror = (event) => { event.preventDefault(); worker.terminate(); if (!isOver) inPage(); };
      worker.postMessage(asked);
      return () => { end(); worker.terminate(); };
    } catch { // a page that was opened from the disk, or a frame that is shut off
      inPage();
      return end;
    }
  }

  // Until a press the picture rests: no verb follows a language that nothing has learned.
  function wait(isWaiting) {
    for (const part of root.querySelectorAll(".flow-headline, .flow-told, .flow-stages, #flow-sum, .flow-picks, .flow-send")) part.inert = isWaiting;
    root.classList.toggle("flow-waits", isWaiting);
  }

  tlFlow.own = (onClose) => new Panel(onClose);
})();
