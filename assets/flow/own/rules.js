// The rules of a reader's language: what they must keep to, as course/languages/own.py, bounds.py and rules.py check it,
// and what the front page asks of them. tests/book/test_flow_own.py compares what is refused, and with which sentence.
// The front page has limits of its own, too: "page" in refusals.toml.
(function () {
  "use strict";
  const { written, refuse, quoted, list, split, plain, MOST } = window.tlNotation;
  const SPECIAL = ["<unk>", "<pad>", "<s>", "</s>"], ENDLESS = 1e9, LESS = 1e-12;
  const base = (name) => plain(name).split("[")[0];

  // ---- probabilities, recursion and length ----

  // The symbols of what a nonterminal becomes, in one step or more.
  function reached(next, name) {
    const found = new Set(next.get(name));
    for (const each of found) for (const symbol of next.get(each) ?? []) found.add(symbol);
    return found;
  }

  const lineOf = (rules, name) => rules.get(plain(name))[0].line;

  function checkRules(rules) {
    for (const [name, some] of rules) {
      for (const { p, symbols } of some) {
        const tokens = SPECIAL.filter((token) => symbols.includes(token)).sort();
        if (!p) refuse(null, "chance", { name, probability: "0.0" });
        if (tokens.length) refuse(lineOf(rules, name), "special", { name, tokens: list(tokens) });
      }
    }
  }

  // A reader from the left would replace a symbol that begins with itself for ever.
  function checkLeft(rules) {
    const empty = new Set(), begins = new Map();
    for (let size = -1; size < empty.size;) {
      size = empty.size;
      for (const [name, some] of rules) if (some.some(({ symbols }) => symbols.every((s) => empty.has(s)))) empty.add(name);
    }
    for (const [name, some] of rules) {
      const first = ({ symbols }) => symbols.slice(0, symbols.findIndex((s) => !empty.has(s)) + 1 || symbols.length);
      begins.set(name, some.flatMap(first));
    }
    for (const name of rules.keys()) if (reached(begins, name).has(name)) refuse(lineOf(rules, name), "recursive", { name });
  }

  // Solve A x = b in place, by rows; null where there is no single solution.
  function solve(A, b) {
    for (let c = 0; c < b.length; c++) {
      let best = c;
      for (let r = c + 1; r < b.length; r++) if (Math.abs(A[r][c]) > Math.abs(A[best][c])) best = r;
      if (!A[best][c]) return null;
      [A[c], A[best], b[c], b[best]] = [A[best], A[c], b[best], b[c]];
      for (let r = c + 1; r < b.length; r++) {
        const times = A[r][c] / A[c][c];
        if (!times) continue;
        for (let k = c; k < b.length; k++) A[r][k] -= times * A[c][k];
        b[r] -= times * b[c];
      }
    }
    for (let c = b.length - 1; c >= 0; c--) {
      for (let k = c + 1; k < b.length; k++) b[c] -= A[c][k] * b[k];
      b[c] /= A[c][c];
    }
    return b;
  }

  // The expected number of steps of each nonterminal must be finite where it can become itself. Gives that of a sentence.
  function checkLength(rules, next) {
    const names = [...rules.keys()], at = new Map(names.map((name, i) => [name, i]));
    const A = names.map((name, i) => {
      const row = new Float64Array(names.length);
      for (const { p, symbols } of rules.get(name)) for (const s of symbols) if (at.has(s)) row[at.get(s)] += p * (1 - LESS);
      return row.map((value, k) => (i === k) - value);
    });
    const steps = solve(A, new Float64Array(names.length).fill(1));
    const endless = names.filter((name, i) => !(steps?.[i] > 0 && steps[i] < ENDLESS) && reached(next, name).has(name));
    if (endless.length) refuse(lineOf(rules, endless[0]), "endless", { names: list(endless) });
    return steps[0];
  }

  function convolved(row, other) {
    const found = new Float64Array(MOST.sentence + 1);
    for (let i = 0; i <= MOST.sentence; i++) if (row[i]) for (let j = 0; i + j <= MOST.sentence; j++) found[i + j] += row[i] * other[j];
    return found;
  }

  // The probabilities of 0 to 40 words of each nonterminal, each round one step deeper, until nothing changes.
  function lengths(rules) {
    const unit = (length, p) => { const row = new Float64Array(MOST.sentence + 1); row[length] = p; return row; };
    const found = new Map([...rules.keys()].map((name) => [name, unit(0, 0)])), word = unit(1, 1);
    for (let change = 1; change > 1e-9;) {
      change = 0;
      for (const name of [...rules.keys()].reverse()) {
        const rows = rules.get(name).map(({ p, symbols }) => symbols.reduce((row, s) => convolved(row, found.get(s) ?? word), unit(0, p)));
        const total = unit(0, 0).map((_, n) => rows.reduce((sum, row) => sum + row[n], 0));
        change = Math.max(change, ...total.map((value, n) => Math.abs(value - found.get(name)[n])));
        found.set(name, total);
      }
    }
    return found;
  }

  function checkSize({ rules, start, words }, next) {
    if (!words.length || words.length > MOST.words) refuse(lineOf(rules, start), "size", { count: words.length });
    const longer = 1 - lengths(rules).get(start).reduce((sum, p) => sum + p, 0);
    if (longer <= MOST.rare) return;
    const name = [...rules.keys()].find((each) => reached(next, each).has(each)) ?? start;
    refuse(lineOf(rules, name), "longer", { share: String(+longer.toPrecision(2)) });
  }

  // ---- the parser of course/languages/parser.py: a stack is its symbols with spaces between, the next one first ----

  let left = 0; // steps that this reading or question may still take: some rules need exponentially many

  function expand(rules, branches) {
    const done = new Map(), todo = [...branches];
    while (todo.length) {
      const [stack, branch] = todo.pop(), [, first, rest] = /^(\S*)(.*)$/s.exec(stack), some = rules.get(first);
      if ((left -= 1 + stack.length / 50) < 0) refuse(null, "slow");
      if (some) {
        some.forEach(({ p, symbols }, choice) =>
          todo.push([(symbols.join(" ") + rest).trimStart(), { weight: branch.weight * p, last: [choice, branch.last] }]));
      } else {
        const before = done.get(stack) ?? { weight: 0, last: branch.last };
        done.set(stack, { weight: before.weight + branch.weight, last: before.last });
      }
    }
    return done;
  }

  // The stacks after words, whose weights sum to 1, and the log-probability of the words; none where they begin no sentence.
  function parse(rules, start, words) {
    let logP = 0, branches = expand(rules, [[start, { weight: 1, last: null }]]);
    for (const word of words) {
      const kept = [...branches].filter(([stack]) => stack === word || stack.startsWith(`${word} `));
      const total = kept.reduce((sum, [, { weight }]) => sum + weight, 0);
      if (!kept.length) return { branches: new Map(), logP: -Infinity };
      logP += Math.log(total);
      branches = expand(rules, kept.map(([stack, { weight, last }]) => [stack.slice(word.length + 1), { weight: weight / total, last }]));
    }
    return { branches, logP };
  }

  // ---- ambiguity ----

  // How many derivations each symbol has: infinitely many where it can become itself.
  function derivations(rules) {
    const found = new Map([...rules.keys()].map((name) => [name, Infinity])), names = [...rules.keys()].reverse();
    for (let changed = true; changed;) {
      changed = false;
      for (const name of names) {
        const count = rules.get(name).reduce((sum, { symbols }) => sum + symbols.reduce((n, s) => n * (found.get(s) ?? 1), 1), 0);
        changed ||= count !== found.get(name);
        found.set(name, count);
      }
    }
    return found;
  }

  // Every sentence of a symbol that has finitely many, in the order of Grammar.sentences.
  function sentences(rules, symbol, known = new Map()) {
    if (!rules.has(symbol)) return [symbol];
    if (known.has(symbol)) return known.get(symbol);
    const found = new Set();
    for (const { symbols } of rules.get(symbol)) {
      let some = [""];
      for (const part of symbols) {
        const ways = sentences(rules, part, known);
        some = [...new Set(some.flatMap((a) => ways.map((b) => (a && b ? `${a} ${b}` : a + b))))];
      }
      some.forEach((each) => found.add(each));
    }
    known.set(symbol, [...found]);
    return known.get(symbol);
  }

  // Each nonterminal of a derivation and the number of its rule.
  function stepsOf({ rules, start }, last) {
    const choices = [], found = [], stack = [start];
    for (let each = last; each; each = each[1]) choices.push(each[0]);
    for (const choice of choices.reverse()) {
      while (!rules.has(stack.at(-1))) stack.pop();
      const name = stack.pop(), { p, symbols } = rules.get(name)[choice];
      found.push({ name, choice, p });
      stack.push(...symbols.slice().reverse());
    }
    return found;
  }

  function isSpare({ rules, start }, name, choice, words) { // has this sentence a derivation without this rule?
    const fewer = new Map(rules).set(name, rules.get(name).filter((_, i) => i !== choice));
    return parse(fewer, start, words).branches.has("");
  }

  function checkAmbiguity(language) {
    const { rules, start } = language, isFew = derivations(rules).get(start) <= MOST.tried;
    for (const made of isFew ? sentences(rules, start) : samples(language)) {
      const words = split(made), { branches, logP } = parse(rules, start, words), end = branches.get("");
      const steps = stepsOf(language, end.last), one = steps.reduce((sum, { p }) => sum + Math.log(p), 0);
      if (logP + Math.log(end.weight) <= one + 1e-6) continue;
      const name = steps.find((each) => isSpare(language, each.name, each.choice, words))?.name ?? start;
      refuse(lineOf(rules, name), "ambiguous", { name, made: quoted(made) });
    }
  }

  // NumPy's default_rng(0), a PCG64: with other samples than those of the course, other rare ambiguities would be met.
  function numpys() {
    const [factor, step] = [0x2360ed051fc65da44385df649fccf645n, 87136372517582989555478159403783844777n];
    let state = 35399562948360463058890781895381311971n;
    return () => {
      state = BigInt.asUintN(128, state * factor + step);
      const mixed = BigInt.asUintN(64, (state >> 64n) ^ state), turn = state >> 122n;
      return Number(BigInt.asUintN(64, (mixed >> turn) | (mixed << (64n - turn))) >> 11n) / 2 ** 53;
    };
  }

  // A parser may need a time that grows exponentially, so the longest tenth is left out.
  function samples(language) {
    const random = numpys(), found = Array.from({ length: MOST.tried }, () => sample(language, random, Infinity).words);
    return found.sort((a, b) => a.length - b.length).slice(0, Math.floor(MOST.tried * 0.9)).map((words) => words.join(" "));
  }

  // Of each marked symbol, the first words that it has with any values.
  function formsOf({ rules, words }) {
    const forms = new Map(), names = [...rules.keys()];
    for (const marked of names.filter((name) => name.endsWith("!"))) {
      const others = names.filter((name) => base(name) === base(marked) && !name.endsWith("!"));
      if (others.length < 2) refuse(lineOf(rules, marked), "alone", { name: marked });
      const firsts = new Set(others.flatMap((name) => firstWords(rules, name)));
      forms.set(marked, words.filter((word) => firsts.has(word)));
    }
    return forms;
  }

  function firstWords(rules, name) {
    const { branches } = parse(rules, name, []);
    if (branches.has("")) refuse(lineOf(rules, name), "empty", { name });
    return [...branches.keys()].map((stack) => stack.split(" ")[0]);
  }

  // ---- what the page asks for ----

  /** Read rules. @throws {RangeError} with a sentence for the reader, which names the line */
  function read(text) {
    const { rules, start } = written(text), next = new Map();
    left = MOST.patience;
    for (const [name, some] of rules) next.set(name, new Set(some.flatMap(({ symbols }) => symbols)));
    checkRules(rules);
    checkLeft(rules);
    const steps = checkLength(rules, next);
    const words = [...new Set([...next.values()].flatMap((symbols) => [...symbols]))].filter((symbol) => !rules.has(symbol));
    const language = { rules, start, words, tokens: [...SPECIAL, ...words] };
    checkSize(language, next);
    if (steps > MOST.steps) refuse(null, "slow"); // to draw thousands of sentences
    checkAmbiguity(language);
    const forms = formsOf(language);
    if (words.length < MOST.least) refuse(null, "few", { count: words.length });
    return { ...language, forms };
  }

  /** The words that may come after these, "" for the end: none after what begins no sentence, null if that takes too long. */
  function after({ rules, start }, words) {
    left = MOST.patience / 10;
    try {
      return new Set([...parse(rules, start, words).branches.keys()].map((stack) => stack.split(" ")[0]));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  // The number of the rule that is chosen, as Grammar.choose draws it.
  function choose(some, random) {
    const drawn = random() * some.reduce((sum, { p }) => sum + p, 0);
    let k = 0;
    for (let sum = some[0].p; sum <= drawn; sum += some[k].p) k++;
    return k;
  }

  // A sentence: its words, and the place and name of its last marked symbol; undefined where it grows too long.
  function sample({ rules, start }, random, longest) {
    const words = [], stack = [start];
    let mark;
    while (stack.length) {
      const symbol = stack.pop(), some = rules.get(symbol);
      if (!some) words.push(symbol);
      else {
        if (symbol.endsWith("!")) mark = { place: words.length, name: symbol };
        stack.push(...some[choose(some, random)].symbols.slice().reverse());
      }
      if (words.length > longest) return undefined;
    }
    return { words, mark };
  }

  /** Draw sentences of at most 40 words, which nearly all are. */
  function draw(language, random, count) {
    const found = [];
    while (found.length < count) found.push(...[sample(language, random, MOST.sentence)].filter(Boolean));
    return found;
  }

  window.tlRules = { read, after, draw, MOST };
})();
