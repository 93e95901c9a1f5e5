// What the picture says: its state in one sentence, and the sum that a number came from.
(function () {
  "use strict";
  const { fixed, SHOWN } = window.tlFlow;
  const bracket = (x, decimals = 2) => (fixed(x, decimals)[0] === "−" ? `(${fixed(x, decimals)})` : fixed(x, decimals));
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  const italic = (word) => `<i>${escape(word)}</i>`;
  const large = (x) => x.toLocaleString("en", { maximumSignificantDigits: 4 });
  const products = (a, b, most) => [...a].slice(0, most).map((x, i) => `${bracket(x)}·${bracket(b[i])}`).join(" + ")
    + (a.length > most ? " + …" : "");
  const exps = (logits) => [...logits].reduce((sum, logit) => sum + Math.exp(logit), 0);
  const named = (layer, head) => `head ${head + 1} of layer ${layer + 1}`;
  // Names of heads, such as "1.2": the third head of the second layer.
  function allNamed(names) {
    const layers = [...new Set(names.map((name) => name.split(".")[0]))].sort();
    return layers.map((layer) => {
      const heads = names.filter((name) => name.startsWith(`${layer}.`)).map((name) => +name.split(".")[1] + 1).sort();
      return heads.length > 1 ? `heads ${heads.slice(0, -1).join(", ")} and ${heads.at(-1)} of layer ${+layer + 1}` : named(+layer, heads[0] - 1);
    }).join(" and ");
  }

  const part = (k) => (k ? `${k % 2 ? "attention" : "feed-forward"} of layer ${(k + 1) >> 1}` : "the start");

  function weight(seen, i, j) {
    const { q, k, scores, weights, mute } = seen.T.layers[seen.layer].heads[seen.head];
    const [from, to, where] = [italic(seen.words[i]), italic(seen.words[j]), named(seen.layer, seen.head)];
    if (mute) return `<b>${fixed(weights[i][j])}</b> is the weight of ${to} for ${from}, but ${where} is silent and adds nothing.`;
    if (scores[i][j] === -Infinity) return `<b>0.00</b>: ${to} comes after ${from}, and the mask hides it.`;
    return `<b>${fixed(weights[i][j], 3)}</b>, the weight of ${to} for ${from}, = e<sup>${fixed(scores[i][j])}</sup> ÷ ${large(exps(scores[i]))}. `
      + `The score ${fixed(scores[i][j])} is query times key over √${q[i].length}: (${products(q[i], k[j], 8)}) ÷ ${fixed(Math.sqrt(q[i].length))}.`;
  }

  function value(seen, r, c) {
    const { A, heads } = seen.T.layers[seen.layer], v = heads[seen.head].v[r];
    const W = seen.P[`decoder.layers.${seen.layer}.self_attention.W_V`].map((row) => row[seen.head * v.length + c]);
    return `<b>${fixed(v[c])}</b> is number ${c + 1} of the value of ${italic(seen.words[r])}: its normed vector times a column of W_V, ${products(A[r], W, 3)}, plus the bias.`;
  }

  function added(seen, r, c) {
    const { weights, v, output, mute } = seen.T.layers[seen.layer].heads[seen.head];
    if (mute) return "<b>0.00</b>: a silent head adds nothing.";
    const sum = [...weights[r]].flatMap((w, j) => (w < 0.005 ? [] : [`${fixed(w)}·${bracket(v[j][c])}`])).join(" + ");
    return `<b>${fixed(output[r][c])}</b> is number ${c + 1} of what the head gives ${italic(seen.words[r])}: weights times values, ${sum}.`;
  }

  function early(seen, r, k) {
    const logits = seen.T.logits(k, seen.row), best = seen.best[r];
    if (!best) return `After ${part(k)}, all other tokens together have <b>${fixed(1 - seen.best.reduce((sum, b) => sum + seen.early[k][b.id], 0), 3)}</b>.`;
    const moved = k ? ` This part moved its score by ${fixed(logits[best.id] - seen.T.logits(k - 1, seen.row)[best.id])}.` : "";
    return `After ${part(k)}, ${italic(seen.tokens[best.id])} has <b>${fixed(seen.early[k][best.id], 3)}</b> = e<sup>${fixed(logits[best.id])}</sup> ÷ ${large(exps(logits))}.${moved}`;
  }

  function bar(seen, r) {
    const best = seen.best[r];
    if (!best) return `The ${seen.tokens.length - SHOWN} other tokens share the rest.`;
    if (r >= seen.top) return `${italic(seen.tokens[best.id])} is cut: only the first ${seen.top} can be drawn.`;
    const kept = [...seen.T.logits(seen.T.last, seen.row)].sort((a, b) => b - a).slice(0, seen.top).map((logit) => logit / seen.heat);
    const over = seen.heat === 1 ? "" : ` ÷ ${seen.heat.toFixed(1)}`;
    return `<b>${fixed(best.share, 3)}</b> for ${italic(seen.tokens[best.id])} = e<sup>${fixed(best.logit)}${over}</sup> ÷ ${large(exps(kept))}. `
      + `Its score ${fixed(best.logit)} is the last vector times row ${best.id} of the embedding table. Press it to write it.`;
  }

  const token = (seen, r) => `${italic(seen.words[r])} is token <b>${seen.ids[r]}</b> of the ${seen.tokens.length} that the model knows, counted from 0, in place ${r}.`;
  const embedding = (seen, r, c) => `<b>${fixed(seen.T.embedding[r][c])}</b> is number ${c + 1} of 32 for ${italic(seen.words[r])}: √32 times ${fixed(seen.T.embedding[r][c] / Math.sqrt(32), 3)}, from row ${seen.ids[r]} of the embedding table.`;
  const place = (seen, r, c) => `<b>${fixed(seen.T.places[r][c])}</b> = ${c % 2 ? "cos" : "sin"}(${r} ÷ 10000<sup>${c - (c % 2)}/32</sup>), for place ${r}. With the word it makes ${fixed(seen.T.embedding[r][c])} + ${bracket(seen.T.places[r][c])} = ${fixed(seen.T.stream[0][r][c])}.`;

  // ---- the state ----

  function state(seen, spoken) {
    if (seen.silent.size || seen.lifted) return changed(seen, spoken);
    const weights = seen.T.layers[seen.layer].heads[seen.head].weights[seen.row], most = weights.indexOf(Math.max(...weights));
    const verb = italic(spoken.verb), word = italic(seen.words[seen.row]), best = seen.verbs.includes(spoken.verb) ? `the ${seen.kind}s` : "all tokens";
    const arc = `In ${named(seen.layer, seen.head)}, ${word} puts ${fixed(weights[most])} of its attention on ${italic(seen.words[most])}, so the arc adds what ${italic(seen.words[most])} holds to the numbers of ${word}.`;
    return [
      `${arc} The next word comes from the last line: of ${best}, ${verb} is the likeliest.`,
      `${seen.words.length} tokens come in. Each has a number, and from here on each has a line, along which its numbers run.`,
      `The line of ${word} carries 32 numbers: what the word is, plus where it is. Every bar is one number.`,
      `Only here do lines meet. ${arc}`,
      `${seen.T.last === 4 ? "Four" : "Two"} parts add to the line of ${word}, one after the other. Watch where ${verb} appears.`,
      `The last vector scores all ${seen.tokens.length} tokens. Of ${best}, ${verb} is the likeliest. Press a word to write it.`,
    ][seen.stage];
  }

  function changed(seen, spoken) {
    const silent = [...seen.silent];
    const why = [
      silent.length && `${allNamed(silent)} ${silent.length > 1 ? "are" : "is"} silent`,
      seen.lifted && "every word sees the words after it",
    ].filter(Boolean).join(", and ");
    const turned = spoken.usual !== spoken.verb;
    const end = turned ? `the ${seen.verbs.includes(spoken.verb) ? seen.kind : "word"} turns from ${italic(spoken.usual)} into ${italic(spoken.verb)}` : `the word is still ${italic(spoken.verb)}`;
    const alone = silent.length === 1 && !seen.lifted;
    const stay = alone ? " Its weights stay, because they come from queries and keys; but what it reads is added to no word." : "";
    const fits = (word) => word[0] === "<" || seen.knows([...seen.words.slice(1), word]), isFree = turned && fits(spoken.usual) && fits(spoken.verb);
    const limits = seen.lifted ? "" : isFree ? " Both words are possible here, so this turn shows nothing about a rule."
      : turned ? needs(silent.length) : spares(silent.length, seen.T.layers.length * 4);
    return `${why[0].toUpperCase()}${why.slice(1)}, and ${end}.${stay}${limits}`;
  }

  // What a silence shows, and what it does not: that words stay or turn is one observation.
  const needs = (count) => count > 1
    ? " So the model needs at least one of these heads here. Silence each by itself to see whether it needs that one."
    : " So the model needs this head here. Which other heads it needs, and what else this head does, this does not prove.";
  const spares = (count, every) => count === every ? " So this word needs no attention here."
    : count > 1 ? " That does not prove that these heads do nothing, because the others may do the same."
      : " That does not prove that this head does nothing, because another head may do the same.";

  // ---- the stages: columns of numbers, one a line ----

  const columns = (count, x, width, says) => Array.from({ length: count }, (_, c) => ({ x: x + c * width, width, says: (seen, r) => says(seen, r, c) }));
  // Of each stage: how wide its picture is, and where its columns are in it; the stream is read at `points`.
  const stages = (points, step = 250 / (points - 1)) => ({
    1: { width: 124, columns: columns(1, 0, 124, token) },
    2: { width: 220, columns: [...columns(32, 4, 3, embedding), ...columns(32, 116, 3, place)] },
    3: { width: 352, columns: [...columns(1, 80, 34, (seen, r) => weight(seen, seen.row, r)), ...columns(8, 130, 3, value), ...columns(8, 316, 4.5, added)] },
    4: { width: 318, columns: columns(points, 48 - step / 2, step, early) },
    5: { width: 186, columns: columns(1, 0, 186, bar) },
  });

  Object.assign(window.tlFlow, { allNamed, stages, escape, italic, named, state, weight });
})();
