// Readers whose slope is known: time = reader + controls + slope · surprisal, spread over three words, and noise.
(function () {
  "use strict";
  const { decides, letters } = window.tlReading;
  const AFTER = [0.4, 0.35, 0.25]; // how much of what a word costs arrives on it, on the next one and on the one after
  const LISTS = 8; // four for the conditions, and for who reads half, which half

  /** A generator of numbers from 0 to 1 that a seed decides (mulberry32). */
  function random(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  const normal = (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  /** Skewed to the right as reading times are, with mean 0 and standard deviation 1. */
  const skewed = (next) => (Math.exp(0.6 * normal(next)) - Math.exp(0.18)) / 0.783;

  function shuffle(list, next) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  /** The sentences of a list: each item in one condition, each condition of a kind equally often. */
  function listOf(items, list, isHalf) {
    const mine = items.filter((each) => each.kind !== "practice" && !(isHalf && each.half !== Math.floor(list / 4) % 2));
    return [...new Set(mine.map((each) => each.item))].map((name) => {
      const versions = mine.filter((each) => each.item === name);
      return versions[(Number(name.slice(1)) + list) % versions.length];
    });
  }

  /** An order in which a filler stands between any two sentences of the other kinds. */
  function ordered(sentences, next) {
    const some = shuffle(sentences.filter((each) => each.kind !== "filler"), next), fillers = shuffle(sentences.filter((each) => each.kind === "filler"), next);
    const gaps = shuffle(fillers.map((_, i) => i), next).slice(0, some.length); // each is followed by a filler
    return fillers.flatMap((filler, i) => (gaps.includes(i) ? [some[gaps.indexOf(i)], filler] : [filler]));
  }

  /** What the world of the readers is like; the regression knows none but the first. */
  const FORMS = {
    "times add up": {},
    "times multiply": { multiplies: true },
    "effects come two words later": { after: [0.1, 0.3, 0.6], carried: 0.3 },
    "readers slow down": { slows: 4 },
    "deciding words cost 60 ms": { violation: 60 },
  };

  function someone(slope, next) {
    return { base: 340 * Math.exp(0.18 * normal(next)), slope: slope * Math.max(0, 1 + 0.4 * normal(next)), speed: 20 + 8 * normal(next) };
  }

  const isHard = ({ kind, condition }) => (kind === "garden" ? condition === "a" : condition[1] === "b");

  /** The expected time of a word in a form, in milliseconds. */
  function expected(reader, version, w, trial, form) {
    const after = form.after ?? AFTER, bits = after.reduce((total, share, back) => total + share * (version.bits[w - back] ?? 0), 0);
    const usual = 6 * letters(version.words[w]) + 3 * version.rare[w] - reader.speed * Math.log(trial + 1) + (form.slows ?? 0) * trial;
    const violation = form.violation && isHard(version) && decides(version, w) ? form.violation : 0;
    const more = usual + reader.slope * bits + violation;
    return form.multiplies ? reader.base * Math.exp(more / 340) : reader.base + more;
  }

  function simulated(items, { slope, list, next, name = "times add up", isHalf = false, wordEffects = new Map(), isExact = false }) {
    const form = FORMS[name], reader = someone(slope, next), drawn = () => (isExact ? 0 : 1);
    const trials = ordered(listOf(items, list, isHalf), next).map((version, t) => {
      const ofItem = 15 * normal(next) * drawn();
      let carried = 0;
      const times = version.words.map((word, w) => {
        const which = `${version.item} ${word}`;
        if (!wordEffects.has(which)) wordEffects.set(which, 20 * normal(next));
        const mean = expected(reader, version, w, t, form), noise = 110 * skewed(next);
        const extra = (ofItem + wordEffects.get(which) + noise) * drawn();
        const time = (form.multiplies ? mean * Math.max(0.2, 1 + extra / 400) : mean + extra) + carried;
        carried = (form.carried ?? 0) * (time - mean);
        return Math.round(10 * Math.max(isExact ? 0 : 120, time)) / 10;
      });
      const right = version.ask.length ? next() < 0.95 : null;
      return { item: version.item, condition: version.condition, order: t + 1, times, lines: version.words.map(() => 0), interrupted: false, right };
    });
    return { code: "simulated", language: "", list, trials };
  }

  function simulatedClass(items, readers, given) {
    const wordEffects = new Map();
    return Array.from({ length: readers }, (_, i) => ({ ...simulated(items, { ...given, list: i % LISTS, wordEffects }), code: `simulated-${i + 1}` }));
  }

  Object.assign(window.tlReading, { FORMS, LISTS, listOf, ordered, random, shuffle, simulated, simulatedClass });
})();
