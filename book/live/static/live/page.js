// A page that runs: its cells, its kernel, its bar.
import { Cell } from "./cell.js";
import { Ended, Fatal, Kernel } from "./kernel.js";
import { foreign, missing, unreached } from "./lost.js";
import * as files from "./notebook.js";
import { Store } from "./store.js";
import { Widgets } from "./widgets.js";

const RUNNING = "Running …";
const COPIED = " Your browser had kept text for this page under an older name, and it is here now.";
const PATIENCE = 5000; // milliseconds that an interrupt may take before the worker is ended

/** Make the page runnable. */
export async function open({ root, page, elements, bar }) {
  const { cells, notebook } = await fetched(`${root}_static/vendor/pages/${page}.json`);
  // The notebook of an exercise is here before it is asked for: a train may be in a tunnel then.
  const release = notebook ? await fetched(root + notebook) : null;
  return inPlace(elements, () => new Page(root, page, { cells, release }, elements, bar));
}

// The bars of the cells grow. Safari lets what a reader looks at move down with them.
function inPlace(elements, act) {
  const seen = elements.find((each) => each.getBoundingClientRect().top > 0);
  const top = () => seen?.getBoundingClientRect().top ?? 0;
  const before = top(), made = act();
  if (!CSS.supports("overflow-anchor", "auto")) scrollBy({ top: top() - before, behavior: "instant" });
  return made;
}

async function fetched(address) {
  const name = address.replace(/.*\//, "");
  const answer = await fetch(address).catch(() => { throw unreached(name); });
  if (!answer.ok) throw missing(name, answer.status);
  return answer.json().catch(() => { throw foreign(name); });
}

class Page {
  constructor(root, name, { cells: described, release }, elements, bar) {
    Object.assign(this, { bar, name, release, isExercise: Boolean(release), source: `${root}_sources/${name}.ipynb` });
    const { key, copied, older } = window.tlBook;
    this.store = new Store(key(name), (ids) => this.hear(ids));
    this.store.copy(older(name), copied(name), described.map(({ id }) => id));
    this.widgets = new Widgets(root, () => (this.running?.cell ? `${this.running.cell.name} is running` : ""));
    this.queue = []; // what was pressed and is not done yet, the one that is carried out first
    this.busy = Promise.resolve();
    const shown = described.filter((each) => each.shown).length;
    if (shown !== elements.length) throw new Error(`${shown} cells, but ${elements.length} on the page`);
    let at = 0, number = 1;
    this.cells = described.map((each) => {
      const element = each.shown ? elements[at++] : null;
      const cell = new Cell(each, element, number, this);
      if (cell.input) number++;
      return cell;
    });
    this.#dress();
    // Safari keeps a page that was left, with its Python and its model: another page would find no room.
    addEventListener("pagehide", () => this.kernel?.end("the page was left"));
    addEventListener("pageshow", ({ persisted }) => { if (persisted && this.kernel) location.reload(); });
    // For tests, and for whoever looks in from the console.
    window.tlLive = this;
  }

  /** Say what the browser has kept of this page; `content` is for a page of which it has kept nothing. */
  greet(...content) {
    const edited = this.cells.filter((cell) => cell.isChanged).map((cell) => cell.name);
    if (!this.store.keeps) return this.say();
    const copied = this.store.hasCopied ? COPIED : "";
    if (this.isExercise || !edited.length) return this.say(...content, copied);
    this.say(`You have edited ${edited.join(", ")}, and your browser has kept the text.`, copied);
  }

  /** Start a Python, or start it afresh. */
  start() {
    this.kernel?.end("it was started afresh");
    this.cells.forEach((cell) => { cell.isFresh = false; });
    this.makers = new Map(); // the cell that gave each name its present value
    this.isReady = false;
    const kernel = this.kernel = new Kernel({
      onProgress: (message) => this.#progress(message),
      onComm: (message) => this.widgets.receive(message),
      onNews: (outputs) => this.running?.cell?.outputs.hear(outputs),
    });
    this.widgets.connect(kernel);
    this.ready = kernel.ready.then(() => {
      this.isReady = true;
      this.say("Ready.");
      this.#tellQueue();
    }, ({ message }) => {
      if (this.kernel === kernel) this.#notStarted(message);
      throw new Ended(message);
    });
    return this.ready;
  }

  #notStarted(why) {
    this.kernel.end(why);
    this.ready = undefined; // the next press starts another
    this.say(`${why} Press Run to try again.`);
  }

  /** What a cell gives may depend on: cells above it, and itself, which is the last. */
  upTo(cell) {
    const found = [cell];
    for (const each of this.cells.slice(0, this.cells.indexOf(cell)).reverse()) {
      if (found.some((below) => each.affects(below))) found.unshift(each);
    }
    return found;
  }

  /** Run all cells that can run here and wait for no press of their own, from the top. */
  runAll() { return this.#inTurn(() => this.cells.filter((cell) => !cell.waits.length)); }

  /** Run a cell when its turn comes, with what belongs to it. */
  run(cell) { return this.#inTurn(() => this.#with(cell), cell); }

  // Before a cell those above that have not run as they stand, or whose names another cell has used
  // for something else since; below it, its drawings or the tally, and what is alive, because its
  // buttons would go on with the names of before.
  #with(cell) {
    const drawings = this.cells.filter((each) => cell.drawings.includes(each.id));
    const lost = [cell, ...drawings].reduce((found, each) => this.#lostTo(each, found), new Set());
    const above = this.cells.slice(0, this.cells.indexOf(cell))
      .filter((each) => each.isNeededBy(cell) || lost.has(each));
    const alive = this.#upToViews(cell);
    const below = this.cells.filter((each) => drawings.includes(each)
      || (cell.role === "check" && each.id === "tally") || alive.includes(each));
    return [...above, cell, ...below];
  }

  // The cells above that gave a name its value for this cell, where the name has another one now.
  #lostTo(cell, found) {
    const above = this.cells.slice(0, this.cells.indexOf(cell)).reverse();
    const names = new Set(cell.mentioned);
    for (const name of names) {
      const maker = above.find((each) => !each.torch && each.defined.includes(name));
      maker?.looked.get(name)?.forEach((each) => names.add(each)); // a call looks them up now
      const now = this.makers.get(name);
      if (!maker?.mayRunBefore(cell) || !now || now === maker || found.has(maker)) continue;
      found.add(maker);
      this.#lostTo(maker, found);
    }
    return found;
  }

  // The cells by which a cell reaches a widget that is alive, and the cell of the widget.
  #upToViews(cell) {
    const found = [cell];
    for (const each of this.cells.slice(this.cells.indexOf(cell) + 1)) {
      if (found.some((above) => above.isNamedIn(each))) found.push(each);
    }
    const needed = found.slice(1).filter((each) => each.outputs.isAlive);
    for (const each of found.slice(1).reverse()) {
      if (!needed.includes(each) && needed.some((view) => each.isNamedIn(view))) needed.push(each);
    }
    return needed;
  }

  runAbove(cell) { return this.#inTurn(() => this.cells.slice(0, this.cells.indexOf(cell)), cell); }

  runElement(element) { return this.run(this.cells.find((cell) => cell.element === element)); }

  /** Stop the cell that runs: by an interrupt where that is possible, else by ending its worker. */
  stop() {
    const { kernel, running } = this;
    this.#forget(this.isReady ? this.queue.slice(1) : this.queue);
    if (!running) return;
    running.isStopped = true; // while Python loads: nothing runs when it is there
    if (!this.isReady) return this.say("Stopped. Python goes on loading, and no cell runs when it is there.");
    const replay = () => this.#restart();
    if (!kernel.interrupt()) return replay();
    setTimeout(() => { if (this.kernel === kernel && running && this.running === running) replay(); }, PATIENCE);
  }

  /** Forget what the reader changed on this page, until that is undone. */
  resetAll() {
    const before = this.work();
    this.store.together(() => this.cells.filter((cell) => cell.isChanged).forEach((cell) => cell.reset()));
    this.#sayUndo("This page is as in the book again.", "reset", before);
  }

  /** The code of each cell, as it stands. */
  work() { return new Map(this.cells.map((cell) => [cell.id, cell.code])); }

  /** Put code in its place, by the ids of the cells; what is fixed stays. */
  take(work) {
    const cells = this.cells.filter((cell) => work.has(cell.id));
    this.store.together(() => cells.forEach((cell) => cell.take(work.get(cell.id))));
  }

  /** Give the reader the notebook, with the work in it. */
  async download() {
    const name = `${this.name.split("/").pop()}.ipynb`;
    try {
      files.download(name, files.written(this.release ?? await fetched(this.source), this.cells));
    } catch (error) {
      return this.say(error.message);
    }
    this.say(`${name} holds your work. Hand it in${this.isExercise ? ", " : " or "}open it in JupyterLab${
      this.isExercise ? ", or upload it here again" : ""}.`);
  }

  /** Take the work of a notebook; one that is not of this page changes nothing. */
  upload(text) {
    const before = this.work();
    try {
      const { work, over } = files.read(text, this.cells, files.titleOf(this.release.cells));
      this.take(work);
      this.#sayUndo("Your work is in its cells."
        + (over ? ` This page has no place for what you added: ${over} cell${over > 1 ? "s" : ""} left out.` : ""), "upload", before);
    } catch (error) {
      this.say(error.message);
    }
  }

  /**
   * Show what another tab has changed. A cell that was written in this tab keeps its text, unless the
   * other tab put it back to the book's: that text would be kept nowhere. Undo brings it back.
   */
  hear(ids) {
    const cells = this.cells.filter((cell) => ids.includes(cell.id) && !cell.isFixed);
    const before = this.work();
    const isOwn = (cell) => this.store.own.has(cell.id) && this.store.get(cell.id) !== undefined;
    const taken = cells.filter((cell) => !isOwn(cell) && cell.code !== cell.kept);
    taken.forEach((cell) => cell.take(cell.kept));
    const given = taken.filter((cell) => cell.kept === cell.book).map((cell) => cell.name);
    if (given.length) this.#sayUndo(`Another tab has put ${given.join(", ")} back to the book's text.`, "reset", before);
    const other = cells.filter((cell) => cell.code !== cell.kept).map((cell) => cell.name);
    if (other.length) {
      this.say(`Another tab has changed ${other.join(", ")}, too. This tab still shows its own text, and your `
        + "browser keeps the text that you change last.");
    }
  }

  /** Keep what a reader wrote in a cell, or say that this browser does not. */
  keep(id, code) {
    this.store.set(id, code);
    if (!this.store.keeps) this.say();
  }

  /** Say something, and with it what has become of the texts that the browser should keep. */
  say(...content) {
    const damaged = "A part of what your browser had kept of this page cannot be read, so that part is as in the book.";
    const forgets = `Your browser does not keep what you write on this page${this.isExercise
      ? ", so download the notebook before you leave." : ", so you lose it when you leave."}`;
    this.bar.said.replaceChildren(...content, this.store.isDamaged ? ` ${damaged}` : "",
      this.store.keeps ? "" : ` ${forgets}`);
  }

  /** Show how each cell stands, and which buttons there is a use for. */
  tell() {
    this.cells.forEach((cell) => cell.tell());
    this.resetButton.hidden = !this.cells.some((cell) => cell.isChanged);
    this.fileButton.hidden = !this.isExercise && this.resetButton.hidden;
    this.undoButton.hidden = !this.undo;
  }

  // The way back stays in the bar, because a run says other things.
  #sayUndo(text, what, before) {
    this.undo = () => {
      this.take(before);
      this.undo = undefined;
      this.say("Undone.");
      this.tell();
    };
    this.undoButton.textContent = `Undo ${what}`;
    this.say(text);
    this.tell();
  }

  // A press while Python loads or another cell runs is kept: presses are carried out in their order.
  #inTurn(choose, pressed) {
    const asked = { choose, pressed };
    this.queue.push(asked);
    this.busy = this.busy.then(() => this.#carryOut(asked));
    this.#tellQueue();
    return this.busy;
  }

  /** Do not run a cell that waits for its turn. */
  cancel(cell) { this.#forget(this.queue.filter(({ pressed }) => pressed === cell)); }

  #forget(some) {
    this.queue = this.queue.filter((asked) => !some.includes(asked));
    some.forEach(({ pressed }) => pressed?.tell());
    this.#tellQueue();
  }

  #tellQueue() { this.queue.forEach(({ pressed }) => pressed?.tell()); }

  async #carryOut(asked) {
    if (!this.queue.includes(asked)) return; // it was taken back
    const running = this.running = {};
    const ran = [];
    const work = this.work();
    try {
      await (this.ready ?? this.start());
      if (!this.queue.includes(asked)) return; // or while Python was loading
      const cells = asked.choose();
      cells.forEach((cell) => cell.pale(true));
      for (const cell of cells) {
        if (running.isStopped || !this.queue.includes(asked)) return this.say("Stopped.");
        this.say(RUNNING);
        const outcome = await cell.run(this.kernel, work);
        if (outcome !== "skipped") ran.push(cell);
        const isOver = !cell.mayFail || cell.last?.error === "KeyboardInterrupt";
        if (outcome === "error" && isOver) {
          if (!ran.includes(asked.pressed)) asked.pressed?.missed(`did not run: ${cell.name} failed`);
          return this.say(`${cell.name}: ${cell.last.error}.`);
        }
      }
      this.say(...this.#summary(cells, ran, asked.pressed));
    } catch (error) {
      if (error instanceof Fatal) {
        await this.#restart(`${error.cell.name} ${error.message}, and that ended Python. It was started afresh. `);
      } else if (!(error instanceof Ended)) this.say(`That did not work: ${error.message}`);
    } finally {
      if (this.running === running) this.running = undefined;
      this.cells.forEach((cell) => cell.pale(false));
      this.#forget([asked]);
    }
  }

  #summary(cells, ran, pressed) {
    const tally = ran.find((cell) => this.isExercise && cell.id === "tally");
    const skipped = cells.filter((cell) => cell.torch).length;
    const waiting = this.cells.filter((cell) => cell.waits.includes(cell.id) && cell.input && !cell.isFresh).map((cell) => cell.name);
    if (!this.cells.some((cell) => cell.input)) return ["It answers now."];
    // Who listens is told what became of the press, and not how many cells it took alone.
    const { outcome } = (ran.includes(pressed) && pressed.ran) || {};
    return [
      outcome && outcome !== "done" ? `${pressed.name}: ${outcome}. ` : "",
      pressed?.why && outcome ? unseen(`${pressed.why} `) : "", // it shows below the cell
      ran.length === 1 ? `${ran[0].name} has run.` : `${ran.length} cells have run.`,
      skipped ? ` ${skipped} ${skipped === 1 ? "needs PyTorch and was" : "need PyTorch and were"} left out.` : "",
      pressed || !waiting.length ? "" : ` What takes long waits for a press of its own: ${waiting.join(", ")}.`,
      tally ? ` ${tally.last.outputs[0]?.text?.split("\n")[0] ?? ""}` : "",
    ];
  }

  async #restart(why = "Python was ended to stop the cell, and started afresh. ") {
    this.#forget(this.queue.slice(1)); // what ended Python may stand above them
    const had = this.cells.filter((cell) => cell.isFresh);
    await this.start().catch(() => {});
    const again = button(`Run the ${had.length} cells again that had run`, () => this.#inTurn(() => had));
    this.say(why, ...(had.length ? [again] : []));
  }

  #dress() {
    this.resetButton = button("Reset all", () => this.resetAll());
    this.undoButton = button("Undo", () => this.undo());
    const all = button("Run this page", () => this.runAll());
    this.fileButton = button("Download notebook", () => this.download());
    const upload = button("Upload notebook", async () => this.upload(await files.chosen()));
    const isHere = this.bar.buttons.contains(document.activeElement);
    this.bar.buttons.replaceChildren(all, button("Stop", () => this.stop()),
      button("Restart", () => this.#restart()), this.fileButton, ...(this.isExercise ? [upload] : []),
      this.resetButton, this.undoButton);
    if (isHere) all.focus();
    this.tell();
  }

  #progress({ what, bytes }) {
    if (!what && !this.running) return; // a widget loads something, and says so itself
    if (this.running?.isStopped) return; // it is said already that Python goes on loading
    this.loaded = what ? `${(bytes / 1e6).toFixed(1)} MB` : "";
    this.#tellQueue();
    if (!what) return this.say(RUNNING);
    // The name is heard once; the count that follows is for the eye, or each tenth of a megabyte is heard.
    if (this.counter?.isConnected && this.counter.dataset.of === what) {
      this.counter.textContent = this.loaded;
      return;
    }
    this.counter = Object.assign(document.createElement("span"), { textContent: this.loaded, ariaHidden: "true" });
    this.counter.dataset.of = what;
    this.say(`Loading ${what}: `, this.counter);
  }
}

function button(text, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  made.addEventListener("click", act);
  return made;
}

function unseen(text) {
  return Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: text });
}
