// One training of a reader's language, from the rules to the heads that the marked word needs. It runs in worker.js, or
// in a page that was opened from the disk, where no worker may start.
(function () {
  "use strict";
  const { read, draw } = window.tlRules, { generator, start, train, asPicture } = window.tlTrain, { examine, turning } = window.tlAsk;
  const BATCH = 16, TOLD = 5, SHOWN = 20, ASKED = 40, LISTED = 4, START = 2, END = 3;
  const pause = () => new Promise((go) => setTimeout(go));
  const copied = (T) => Object.fromEntries(Object.entries(T).map(([name, array]) => [name, array.slice()]));

  function batches(language, random) {
    const ids = new Map(language.tokens.map((token, i) => [token, i]));
    return () => draw(language, random, BATCH).map(({ words }) => [START, ...words.map((word) => ids.get(word)), END]);
  }

  // What the picture can show: beginnings of sentences, those that turn before the others.
  function beginnings(language, seed, turns, questions) {
    const drawn = draw(language, generator(seed + 10000), ASKED).map(({ words, mark }) => words.slice(0, mark?.place ?? words.length - 1));
    const all = [...turns, ...questions].map(({ before }) => before).concat(drawn).filter((words) => words.length);
    return [...new Map(all.map((words) => [words.join(" "), words])).values()].slice(0, LISTED);
  }

  // By chance, heads turn a word of an untrained model, too: nothing is said of one that is often wrong.
  function asked(T, language, seed) {
    const P = asPicture(T), { share, questions } = examine(P, language, generator(seed + 20000));
    const turns = share > 0.9 ? turning(P, language, questions.slice(0, ASKED)) : [];
    return { share, turns: turns.map(({ before, silent }) => ({ before, silent })), sentences: beginnings(language, seed, turns, questions) };
  }

  function readOrRefuse(rules, post) {
    try {
      return read(rules);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      post({ kind: "refused", why: error.message });
      return null;
    }
  }

  /**
   * Train a model of rules and post what becomes of it.
   * @param {{rules: string, seed: number, steps: number}} given
   * @param {(told: object) => void} post
   * @param {() => boolean} [isStopped] asked every five steps, between which the page answers; a worker is terminated instead
   */
  async function run({ rules, seed, steps }, post, isStopped) {
    const language = readOrRefuse(rules, post);
    if (!language) return;
    const random = generator(seed), T = start(random, language.tokens.length);
    let step = 0, loss = NaN;
    for (loss of train(T, batches(language, random), steps)) {
      step++;
      if (step % SHOWN === 1) post({ kind: "step", step, loss, T: copied(T) });
      if (step % TOLD) continue;
      post({ kind: "loss", step, loss });
      if (isStopped) await pause();
      if (isStopped?.()) return;
    }
    post({ kind: "done", steps, loss, T: copied(T), ...asked(T, language, seed) });
  }

  window.tlRun = run;
})();
