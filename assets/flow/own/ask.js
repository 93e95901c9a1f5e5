// What a trained model of a reader's language is asked: whether the marked words are right, and which heads they need.
(function () {
  "use strict";
  const { after, draw } = window.tlRules, tlFlow = window.tlFlow, EXAM = 100, LIKELY = 0.05, START = 2, LONG = 15;
  const SUBSETS = Array.from({ length: 15 }, (_, k) => [0, 1, 2, 3].filter((head) => (k + 1) & (1 << head)).map((head) => `0.${head}`))
    .sort((a, b) => a.length - b.length);

  // Of a sentence drawn from the language: what stands before its mark, and which forms are right and wrong there.
  function question(language, { words, mark }) {
    const before = words.slice(0, mark.place), allowed = after(language, before), forms = allowed ? language.forms.get(mark.name) : [];
    return { before, right: forms.filter((word) => allowed.has(word)), wrong: forms.filter((word) => !allowed.has(word)) };
  }

  function chances(P, language, before, silent) {
    const ids = [START, ...before.map((word) => language.tokens.indexOf(word))], T = tlFlow.forward(P, ids, new Set(silent));
    const p = tlFlow.softmax(T.logits(T.last, before.length));
    return (word) => p[language.tokens.indexOf(word)];
  }

  const sum = (words, p) => words.reduce((total, word) => total + p(word), 0);
  const first = (words, p) => words.reduce((best, word) => (p(word) > p(best) ? word : best), words[0]);
  const isRight = ({ right, wrong }, p) => p(first(right, p)) > p(first(wrong, p)) && p(first(right, p)) >= LIKELY;
  const isTurned = ({ right, wrong }, q) => q(first(wrong, q)) >= LIKELY && q(first(wrong, q)) > 1.1 * q(first(right, q));

  /** The fewest heads whose silence turns the marked word of some of these questions from right to wrong, the clearest first. */
  function turning(P, language, questions) {
    const asked = questions.filter((each) => isRight(each, chances(P, language, each.before)));
    // Short beginnings are seen at a glance, so each word above six must be outweighed.
    const clear = ({ before, right, wrong }, q) => q(first(wrong, q)) - sum(right, q) - Math.max(0, before.length - 6) / 10;
    for (const silent of SUBSETS) {
      const silenced = asked.map((each) => [each, chances(P, language, each.before, silent)]).filter(([each, q]) => isTurned(each, q));
      const found = silenced.map(([each, q]) => ({ before: each.before, silent, gain: clear(each, q) }));
      if (found.length) return found.sort((a, b) => b.gain - a.gain);
    }
    return [];
  }

  /** The share of new sentences whose marked word is right, and the different questions that the picture has room for. */
  function examine(P, language, random) {
    const asked = draw(language, random, EXAM).filter(({ mark }) => mark).map((each) => question(language, each)).filter(({ wrong }) => wrong.length);
    const passed = asked.filter((each) => { const p = chances(P, language, each.before); return sum(each.right, p) > sum(each.wrong, p); });
    const short = asked.filter(({ before }) => before.length && before.length < LONG);
    return { share: passed.length / asked.length, questions: [...new Map(short.map((each) => [each.before.join(" "), each])).values()] };
  }

  window.tlAsk = { examine, turning };
})();
