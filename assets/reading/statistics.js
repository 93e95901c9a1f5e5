// How reading times go with surprisal: time = reader + slopes · (surprisal of this word and of the two before it, controls).
// The slope is the sum of the three; its interval leaves out each reader and each sentence in turn.
(function () {
  "use strict";
  const SHORTEST = 100, LONGEST = 3000; // milliseconds; a time outside is left out, and counted
  const AGAIN = 2; // the words after a word that may still be slower because of it
  const RIGHT = 0.75; // the share of right answers below which a reader counts as guessing
  const COLUMNS = 12; // as `columns` gives them
  const BITS = AGAIN + 1; // the first columns; all others are controls

  window.tlItems.forEach((each) => { each.words = each.words.split(" "); });
  const key = ({ item, condition }) => `${item}.${condition}`;
  const letters = (word) => word.replace(/[^A-Za-z]/g, "").length;
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const mean = (numbers) => sum(numbers) / numbers.length;
  const endsSentence = (word) => /[.?!]$/.test(word);
  /** Whether this is the deciding word of an item or one of the two after it. */
  const decides = ({ critical }, w) => critical !== null && w >= critical && w <= critical + AGAIN;

  /** What may explain the time of word w: its surprisal and controls. */
  function columns(version, trial, w) {
    const back = [0, 1, 2].map((step) => w - step);
    return [...back.map((v) => version.bits[v]), ...back.map((v) => letters(version.words[v])), ...back.map((v) => version.rare[v]),
      w, Math.log(trial.order), trial.lines[w]];
  }

  function observations(records, items) {
    const versions = new Map(items.map((each) => [key(each), each])), rows = [];
    let outside = 0, interrupted = 0;
    records.forEach((record, reader) => record.trials.forEach((trial) => {
      const version = versions.get(key(trial));
      if (version.kind === "practice") return;
      if (trial.interrupted) {
        interrupted++;
        return;
      }
      for (let w = AGAIN; w < version.words.length; w++) {
        if (endsSentence(version.words[w])) continue;
        const time = trial.times[w];
        if (time < SHORTEST || time > LONGEST) outside++;
        else rows.push({ reader, version, w, time, x: columns(version, trial, w), decides: decides(version, w) });
      }
    }));
    return { rows, outside, interrupted };
  }

  function rightShare({ trials }) {
    const asked = trials.filter((trial) => trial.right !== null && trial.item[0] !== "p");
    return asked.length ? mean(asked.map((trial) => Number(trial.right))) : null;
  }

  const guesses = (record) => rightShare(record) !== null && rightShare(record) < RIGHT;

  // ---- least squares ----

  /** Solve A x = b for a symmetric positive definite A (Cholesky); null where A is singular. */
  function solve(A, b) {
    const n = b.length, L = A.map((row) => row.slice()), x = b.slice();
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < j; k++) for (let i = j; i < n; i++) L[i][j] -= L[i][k] * L[j][k];
      if (!(L[j][j] > 1e-9 * A[j][j])) return null;
      const root = Math.sqrt(L[j][j]);
      for (let i = j; i < n; i++) L[i][j] /= root;
    }
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
      x[i] /= L[i][i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
      x[i] /= L[i][i];
    }
    return x;
  }

  /** The sums of the products of (1, x, y), from which means and products around them follow. */
  function moments(size) {
    return Array.from({ length: size }, () => new Float64Array(size));
  }

  function add(into, from, sign = 1) {
    from.forEach((row, i) => { for (let j = 0; j < row.length; j++) into[i][j] += sign * row[j]; });
  }

  /** The sums of each reader and sentence apart: any part is left out by subtracting its sums. */
  function cells(rows, size) {
    const made = new Map();
    for (const { reader, version, x, time } of rows) {
      const name = `${reader} ${version.item}`, values = [1, ...x, time];
      const cell = made.get(name) ?? made.set(name, { reader, item: version.item, sums: moments(size) }).get(name);
      values.forEach((a, i) => { for (let j = 0; j < size; j++) cell.sums[i][j] += a * values[j]; });
    }
    return [...made.values()];
  }

  /** What varies within readers: each reader's own mean is taken away. */
  function within(M) {
    const n = M[0][0];
    return n ? M.map((row, i) => row.map((each, j) => each - M[i][0] * M[0][j] / n)) : M;
  }

  /** Slopes of the columns, from the sums within readers; null where the words are too few. */
  function slopes(all) {
    const k = all.length - 2, used = [...Array(COLUMNS).keys()].filter((i) => all[i + 1][i + 1] > 1e-9);
    if (used[BITS - 1] !== BITS - 1) return null;
    const found = solve(used.map((i) => used.map((j) => all[i + 1][j + 1])), used.map((i) => all[i + 1][k + 1]));
    if (!found) return null;
    const beta = new Float64Array(k);
    used.forEach((i, place) => { beta[i] = found[place]; });
    return beta;
  }

  const slopeOf = (beta) => sum([...beta.slice(0, BITS)]);

  // ---- what the deciding words cost ----

  /** For each trial the deciding word and the two after it, added up. */
  function deciding(rows) {
    const made = new Map();
    for (const row of rows.filter((each) => each.decides)) {
      const name = `${row.reader} ${row.version.item}`;
      const trial = made.get(name) ?? made.set(name, { ...row, n: 0, time: 0, x: row.x.map(() => 0) }).get(name);
      trial.n++;
      trial.time += row.time;
      trial.x = trial.x.map((each, i) => each + row.x[i]);
    }
    return [...made.values()].filter((trial) => trial.n === AGAIN + 1);
  }

  /** Milliseconds of a trial that its reader and the controls do not explain, and what the slopes say of them. */
  function explained(trial, { beta, means }) {
    const m = means.get(trial.reader), about = [0, 0]; // what the surprisals and what the controls add
    for (let i = 0; i < beta.length; i++) about[Number(i >= BITS)] += beta[i] * (trial.x[i] - trial.n * m[1 + i]);
    return [trial.time - trial.n * m[m.length - 1] - about[1], about[0]];
  }

  /** Weights of conditions: the first kind of sentence minus the second, or a difference of two such differences. */
  const CONTRASTS = [
    { name: "garden path: without minus with a comma or that", kind: "garden", weights: { a: 1, b: -1 } },
    { name: "were minus was, after a singular noun", kind: "agreement", weights: { ab: 1, aa: -1 } },
    { name: "were minus was, after a plural noun", kind: "agreement", weights: { bb: 1, ba: -1 } },
    { name: "attraction: the second row minus the third", kind: "agreement", weights: { ab: 1, aa: -1, bb: -1, ba: 1 } },
  ];

  function contrast({ kind, weights }, trials, found) {
    const counts = {}, sums = {};
    for (const trial of trials) {
      const { condition } = trial.version;
      if (trial.version.kind !== kind || !(condition in weights)) continue;
      const [observed, predicted] = explained(trial, found), here = sums[condition] ??= [0, 0];
      counts[condition] = (counts[condition] ?? 0) + 1;
      here[0] += observed;
      here[1] += predicted;
    }
    const [observed, predicted] = [0, 1].map((i) => sum(Object.entries(weights).map(([each, weight]) => weight * (sums[each]?.[i] ?? NaN) / counts[each])));
    return [observed, predicted, observed - predicted];
  }

  // ---- intervals ----

  /** The 97.5% quantile of Student's t to 0.01, rounded up below 5. */
  function quantile(freedom) {
    const z = 1.959964, first = [12.706, 12.706, 4.303, 3.182, 2.776, 2.571], below = Math.floor(freedom);
    if (below < 5) return first[below] + (freedom - below) * (first[below + 1] - first[below]);
    return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
      + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
  }

  /** Half the width of a 95% interval from the variances over readers, over sentences and over their crossing. */
  function halfWidth([ofReaders, ofItems, ofBoth], readers, items, pairs) {
    if (readers === 1) return quantile(items - 1) * Math.sqrt(ofItems);
    // Both variances contain that of single trials, which is subtracted once.
    const variance = Math.max(0, ofReaders + ofItems - ofBoth, ofReaders, ofItems);
    const parts = [[ofReaders - ofBoth, readers - 1], [ofItems - ofBoth, items - 1], [ofBoth, pairs - 1]];
    const freedom = variance ** 2 / sum(parts.map(([part, n]) => Math.max(0, part) ** 2 / n)); // Satterthwaite
    return variance === 0 ? 0 : quantile(freedom) * Math.sqrt(variance);
  }

  /** The variance of each figure when each part in turn is left out (the jackknife); NaN where a figure then lacks its words. */
  function jackknife(parts, figures) {
    const found = parts.map(figures), n = found.length;
    return found[0].map((_, f) => {
      const center = mean(found.map((each) => each[f]));
      return (n - 1) / n * sum(found.map((each) => (each[f] - center) ** 2));
    });
  }

  /** All sums of some words, and their slopes, without any of their cells. */
  class Sums {
    constructor(rows) {
      const size = COLUMNS + 2;
      this.cells = cells(rows, size);
      this.of = new Map();
      for (const { reader, sums } of this.cells) add(this.of.get(reader) ?? this.of.set(reader, moments(size)).get(reader), sums);
      this.within = new Map([...this.of].map(([reader, M]) => [reader, within(M)]));
      this.all = moments(size);
      this.within.forEach((M) => add(this.all, M));
    }

    without(out) {
      const of = new Map(this.of), all = this.all.map((row) => row.slice()), changed = new Set(out.map((cell) => cell.reader));
      changed.forEach((reader) => of.set(reader, this.of.get(reader).map((row) => row.slice())));
      out.forEach((cell) => add(of.get(cell.reader), cell.sums, -1));
      for (const reader of changed) {
        add(all, this.within.get(reader), -1);
        if (of.get(reader)[0][0] < 0.5) of.delete(reader);
        else add(all, within(of.get(reader)));
      }
      return { beta: slopes(all), means: new Map([...of].map(([reader, M]) => [reader, Array.from(M[0], (each) => each / M[0][0])])) };
    }
  }

  /** The slopes without an interval, as of many readers. */
  const slopesOf = (rows) => new Sums(rows.filter((row) => !row.decides)).without([]).beta;

  /** The slope, in milliseconds per bit, and what the deciding words cost, each with its interval; null where words are too few. */
  function fit(rows) {
    const primary = rows.filter((row) => !row.decides), sums = new Sums(primary), trials = deciding(rows);
    const items = [...new Set(primary.map((row) => row.version.item))], readers = [...sums.of.keys()], whole = sums.without([]);
    if (items.length < 5 || !whole.beta) return null;

    /** The slope and the contrasts without some of the cells. */
    function figures(out) {
      const gone = new Set(out.map((cell) => `${cell.reader} ${cell.item}`)), found = sums.without(out);
      const left = trials.filter((t) => !gone.has(`${t.reader} ${t.version.item}`) && found.means.has(t.reader));
      const beta = found.beta ?? Array(COLUMNS).fill(NaN);
      return [slopeOf(beta), ...CONTRASTS.flatMap((each) => contrast(each, left, { ...found, beta }))];
    }

    const over = (of, names) => jackknife(names, (name) => figures(sums.cells.filter((cell) => of(cell) === name)));
    const value = figures([]), byItem = over((cell) => cell.item, items), one = readers.length === 1;
    const byReader = one ? [] : over((cell) => cell.reader, readers), byBoth = one ? [] : jackknife(sums.cells, (cell) => figures([cell]));
    const interval = (f, n, pairs) => {
      const half = halfWidth([byReader[f], byItem[f], byBoth[f]], readers.length, n, pairs);
      return { value: value[f], low: value[f] - half, high: value[f] + half };
    };
    const slope = interval(0, items.length, sums.cells.length);
    if (!Number.isFinite(slope.low)) return null;
    const contrasts = CONTRASTS.map((each, c) => {
      const some = trials.filter(({ version }) => version.condition in each.weights), n = new Set(some.map((t) => t.version.item)).size;
      const [observed, predicted, rest] = [0, 1, 2].map((f) => interval(1 + 3 * c + f, n, some.length));
      return { ...each, observed, predicted, rest };
    }).filter(({ rest }) => Number.isFinite(rest.low));
    return { ...slope, readers: readers.length, items: items.length, words: primary.length, found: whole, rows: primary, contrasts };
  }

  window.tlReading = { RIGHT, SHORTEST, LONGEST, decides, fit, guesses, key, letters, mean, observations, quantile, rightShare, slopeOf, slopesOf };
})();
