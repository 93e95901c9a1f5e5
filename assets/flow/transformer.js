// The model of the front page, which must answer each key at once, before any Python is loaded. It is the
// one exception to "a formula is written once": tests/book/test_flow_model.py holds each number that it
// gives against the library's, to 1e-9.
(function () {
  "use strict";
  const D_MODEL = 32, HEADS = 4, D_HEAD = D_MODEL / HEADS, EPS = 1e-5;
  const { arrays, packed } = window.tlFlow;

  // Base 64 of what zlib compressed: of each float32 the first byte, of each the second, and so on.
  async function unpack() {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer()), count = planes.length / 4;
    const float32 = new Float32Array(planes.map((_, i) => planes[(i % 4) * count + (i >> 2)]).buffer);
    const flat = Float64Array.from(float32), P = {};
    let start = 0;
    const row = (length) => flat.subarray(start, start += length);
    for (const [name, n, m] of arrays) P[name] = m ? Array.from({ length: n }, () => row(m)) : row(n);
    return P;
  }

  const add = (a, b) => a.map((value, i) => value + b[i]);
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

  // x W + b
  function linear(x, W, b) {
    const y = Float64Array.from(b);
    x.forEach((value, i) => W[i].forEach((weight, j) => { y[j] += value * weight; }));
    return y;
  }

  function softmax(scores) {
    const most = Math.max(...scores), powers = scores.map((score) => Math.exp(score - most));
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
  }

  function layerNorm(x, P, name) {
    const gain = P[`${name}.gain`], bias = P[`${name}.bias`];
    const mean = x.reduce((a, b) => a + b) / D_MODEL, centered = x.map((value) => value - mean);
    const deviation = Math.sqrt(dot(centered, centered) / D_MODEL + EPS);
    return centered.map((value, i) => (value / deviation) * gain[i] + bias[i]);
  }

  // The sinusoidal encoding of a position.
  function position(place) {
    return Float64Array.from({ length: D_MODEL }, (_, column) => {
      const angle = place / 10000 ** ((column - (column % 2)) / D_MODEL);
      return column % 2 ? Math.cos(angle) : Math.sin(angle);
    });
  }

  // One head, from its columns of the queries, keys and values. A silent one adds nothing to the stream.
  function head([q, k, v], mute, lifted) {
    const score = (a, b) => dot(a, b) / Math.sqrt(D_HEAD), nothing = new Float64Array(D_HEAD);
    const scores = q.map((a, i) => k.map((b, j) => (lifted || j <= i ? score(a, b) : -Infinity)));
    const weights = scores.map(softmax);
    const output = weights.map((row) => (mute ? nothing : linear(row, v, nothing)));
    return { q, k, v, scores, weights, output, mute };
  }

  // Self-attention of the rows X after their norm: its input A, its heads, and what it adds to X.
  function attention(P, X, layer, silent, lifted) {
    const name = `decoder.layers.${layer}.self_attention`;
    const A = X.map((x) => layerNorm(x, P, `${name}_norm`));
    const QKV = [..."QKV"].map((which) => A.map((a) => linear(a, P[`${name}.W_${which}`], P[`${name}.b_${which}`])));
    const heads = Array.from({ length: HEADS }, (_, h) => {
      const own = QKV.map((rows) => rows.map((row) => row.subarray(h * D_HEAD, (h + 1) * D_HEAD)));
      return head(own, silent.has(`${layer}.${h}`), lifted);
    });
    const joined = X.map((_, i) => heads.flatMap(({ output }) => [...output[i]]));
    return { A, heads, added: joined.map((row) => linear(row, P[`${name}.W_O`], P[`${name}.b_O`])) };
  }

  function feedForward(P, X, layer) {
    const name = `decoder.layers.${layer}.feed_forward`;
    const hidden = X.map((x) =>
      linear(layerNorm(x, P, `${name}_norm`), P[`${name}.W_1`], P[`${name}.b_1`]).map((value) => Math.max(value, 0)));
    return hidden.map((row) => linear(row, P[`${name}.W_2`], P[`${name}.b_2`]));
  }

  // Of tokens `ids`, all that the page shows. `silent` has the heads without output, as "layer.head" from 0;
  // `lifted` is attention without the mask. `stream` is the residual stream before the first part and after
  // each; `logits(point, i)` are those of token i if the stream ended at that point.
  function forward(P, ids, silent = new Set(), lifted = false) {
    const E = P["embedding.tokens"];
    const embedding = ids.map((id) => E[id].map((value) => value * Math.sqrt(D_MODEL)));
    const places = ids.map((_, i) => position(i));
    const stream = [embedding.map((row, i) => add(row, places[i]))], layers = [];
    const grow = (added) => stream.push(stream.at(-1).map((row, i) => add(row, added[i])));
    for (let layer = 0; P[`decoder.layers.${layer}.self_attention.W_Q`]; layer++) {
      const { A, heads, added } = attention(P, stream.at(-1), layer, silent, lifted);
      grow(added);
      grow(feedForward(P, stream.at(-1), layer));
      layers.push({ A, heads });
    }
    const logits = (point, i) => {
      const x = layerNorm(stream[point][i], P, "decoder.norm");
      return E.map((row) => dot(row, x));
    };
    return { embedding, places, stream, layers, logits, last: stream.length - 1 };
  }

  Object.assign(window.tlFlow, { unpack, forward, softmax });
})();
