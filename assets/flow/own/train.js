// The training of course/small_decoder.py for the front page, which has no Python; tests/book/test_flow_own.py compares
// losses and gradients to 1e-9. Matrices are flat; the rows of all sentences of a batch follow each other.
(function () {
  "use strict";
  const D = 32, HEADS = 4, WIDE = D / HEADS, HIDDEN = 4 * D, EPS = 1e-5;
  const SHAPES = { W_Q: [D, D], W_K: [D, D], W_V: [D, D], W_O: [D, D], W_1: [D, HIDDEN], W_2: [HIDDEN, D] };

  /** A generator of numbers from 0 to 1, the same in each browser: mulberry32. */
  function generator(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  /** Small random numbers to begin with, for a vocabulary of this size. */
  function start(random, size) {
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const T = {};
    for (const [name, [n, m]] of Object.entries({ ...SHAPES, E: [size, D] })) {
      T[name] = Float64Array.from({ length: n * m }, () => normal() / Math.sqrt(D));
    }
    return T;
  }

  // ---- products of flat matrices: A (n, k), B (k, m) ----

  // Add to row `row` of C, of m columns, the rows of B times the `count` numbers of A that are `step` apart: four at once,
  // which takes half the time of one after the other.
  function addRows(C, row, m, A, a, step, count, B) {
    let c = 0;
    for (; c + 3 < count; c += 4) {
      const a0 = A[a + c * step], a1 = A[a + (c + 1) * step], a2 = A[a + (c + 2) * step], a3 = A[a + (c + 3) * step];
      for (let j = row * m, b = c * m; j < (row + 1) * m; j++, b++) C[j] += a0 * B[b] + a1 * B[b + m] + a2 * B[b + 2 * m] + a3 * B[b + 3 * m];
    }
    for (; c < count; c++) for (let j = row * m, b = c * m; j < (row + 1) * m; j++, b++) C[j] += A[a + c * step] * B[b];
  }

  function product(A, B, k, m) {
    const n = A.length / k, C = new Float64Array(n * m);
    for (let i = 0; i < n; i++) addRows(C, i, m, A, i * k, 1, k, B);
    return C;
  }

  function outer(A, B, k, m) { // Aᵀ B
    const n = A.length / k, C = new Float64Array(k * m);
    for (let c = 0; c < k; c++) addRows(C, c, m, A, c, k, n, B);
    return C;
  }

  function transposed(B, k) {
    const m = B.length / k, C = new Float64Array(B.length);
    for (let j = 0; j < m; j++) for (let c = 0; c < k; c++) C[c * m + j] = B[j * k + c];
    return C;
  }

  const productT = (A, B, k) => product(A, transposed(B, k), k, B.length / k); // A Bᵀ, both with k columns

  const plus = (A, B) => A.map((a, i) => a + B[i]);

  function unit(X) {
    const Y = new Float64Array(X.length), scale = new Float64Array(X.length / D);
    for (let i = 0; i < scale.length; i++) {
      let mean = 0, square = 0;
      for (let c = 0; c < D; c++) mean += X[i * D + c] / D;
      for (let c = 0; c < D; c++) square += (X[i * D + c] - mean) ** 2 / D;
      scale[i] = Math.sqrt(square + EPS);
      for (let c = 0; c < D; c++) Y[i * D + c] = (X[i * D + c] - mean) / scale[i];
    }
    return [Y, scale];
  }

  function unitBack(dY, Y, scale) {
    const dX = new Float64Array(dY.length);
    for (let i = 0; i < scale.length; i++) {
      let mean = 0, along = 0;
      for (let c = i * D; c < (i + 1) * D; c++) {
        mean += dY[c] / D;
        along += (dY[c] * Y[c]) / D;
      }
      for (let c = i * D; c < (i + 1) * D; c++) dX[c] = (dY[c] - mean - Y[c] * along) / scale[i];
    }
    return dX;
  }

  function softmaxRow(S, from, to) {
    let most = -Infinity, sum = 0;
    for (let j = from; j < to; j++) most = Math.max(most, S[j]);
    for (let j = from; j < to; j++) sum += S[j] = Math.exp(S[j] - most);
    for (let j = from; j < to; j++) S[j] /= sum;
  }

  // For each sentence and head, its weights; the result H has the heads side by side.
  function attend(Q, K, V, spans) {
    const H = new Float64Array(Q.length), weights = [];
    for (const [from, n] of spans) {
      for (let h = 0; h < HEADS; h++) {
        const W = new Float64Array(n * n), at = (i) => (from + i) * D + h * WIDE;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j <= i; j++) for (let c = 0; c < WIDE; c++) W[i * n + j] += (Q[at(i) + c] * K[at(j) + c]) / Math.sqrt(WIDE);
          softmaxRow(W, i * n, i * n + i + 1);
          for (let j = 0; j <= i; j++) for (let c = 0; c < WIDE; c++) H[at(i) + c] += W[i * n + j] * V[at(j) + c];
        }
        weights.push(W);
      }
    }
    return [H, weights];
  }

  // The gradients of queries, keys and values.
  function attendBack(dH, weights, Q, K, V, spans) {
    const dQ = new Float64Array(Q.length), dK = dQ.slice(), dV = dQ.slice();
    let next = 0;
    for (const [from, n] of spans) {
      for (let h = 0; h < HEADS; h++) {
        const W = weights[next++], at = (i) => (from + i) * D + h * WIDE, dW = new Float64Array(n);
        for (let i = 0; i < n; i++) {
          let mean = 0;
          for (let j = 0; j <= i; j++) {
            dW[j] = 0;
            for (let c = 0; c < WIDE; c++) {
              dW[j] += dH[at(i) + c] * V[at(j) + c];
              dV[at(j) + c] += W[i * n + j] * dH[at(i) + c];
            }
            mean += W[i * n + j] * dW[j];
          }
          for (let j = 0; j <= i; j++) {
            const dS = (W[i * n + j] * (dW[j] - mean)) / Math.sqrt(WIDE);
            for (let c = 0; c < WIDE; c++) {
              dQ[at(i) + c] += dS * K[at(j) + c];
              dK[at(j) + c] += dS * Q[at(i) + c];
            }
          }
        }
      }
    }
    return { W_Q: dQ, W_K: dK, W_V: dV };
  }

  // ---- the model, its loss and its gradients ----

  const angles = Array.from({ length: D }, (_, c) => 10000 ** -((c - (c % 2)) / D));

  // The rows of all sentences, each with its place added.
  function embedded(E, ids, spans) {
    const X = new Float64Array(ids.length * D);
    for (const [from, n] of spans) {
      for (let i = 0; i < n; i++) {
        for (let c = 0, at = (from + i) * D; c < D; c++) {
          X[at + c] = E[ids[from + i] * D + c] * Math.sqrt(D) + (c % 2 ? Math.cos(i * angles[c]) : Math.sin(i * angles[c]));
        }
      }
    }
    return X;
  }

  function forward(T, ids, spans) {
    const X = embedded(T.E, ids, spans), [A, a] = unit(X), [Q, K, V] = [..."QKV"].map((which) => product(A, T[`W_${which}`], D, D));
    const [H, weights] = attend(Q, K, V, spans), X1 = plus(X, product(H, T.W_O, D, D)), [F, f] = unit(X1);
    const R = product(F, T.W_1, D, HIDDEN).map((value) => Math.max(value, 0)), [Y, y] = unit(plus(X1, product(R, T.W_2, HIDDEN, D)));
    return { A, a, Q, K, V, H, weights, F, f, R, Y, y };
  }

  // The mean loss, and its gradient by the logits, in whose place it is written.
  function lossOf(logits, targets) {
    const size = logits.length / targets.length;
    let loss = 0;
    targets.forEach((target, i) => {
      softmaxRow(logits, i * size, (i + 1) * size);
      loss -= Math.log(logits[i * size + target]) / targets.length;
      logits[i * size + target] -= 1;
    });
    return [loss, logits.map((value) => value / targets.length)];
  }

  function backward(T, ids, spans, dL, { A, a, Q, K, V, H, weights, F, f, R, Y, y }) {
    const size = T.E.length / D, G = { E: outer(dL, Y, size, D) };
    let dX = unitBack(product(dL, T.E, size, D), Y, y), dA = new Float64Array(A.length);
    G.W_2 = outer(R, dX, HIDDEN, D);
    const dR = productT(dX, T.W_2, D).map((value, i) => (R[i] > 0 ? value : 0));
    G.W_1 = outer(F, dR, D, HIDDEN);
    dX = plus(dX, unitBack(productT(dR, T.W_1, HIDDEN), F, f));
    G.W_O = outer(H, dX, D, D);
    for (const [name, d] of Object.entries(attendBack(productT(dX, T.W_O, D), weights, Q, K, V, spans))) {
      G[name] = outer(A, d, D, D);
      dA = plus(dA, productT(d, T[name], D));
    }
    dX = plus(dX, unitBack(dA, A, a));
    ids.forEach((id, i) => { for (let c = 0; c < D; c++) G.E[id * D + c] += dX[i * D + c] * Math.sqrt(D); });
    return G;
  }

  /** The mean loss of sentences of ids, each with its start and its end, and the gradient of each array. */
  function lossAndGradients(T, sentences) {
    const spans = [], ids = [], targets = [];
    for (const each of sentences) {
      spans.push([ids.length, each.length - 1]);
      ids.push(...each.slice(0, -1));
      targets.push(...each.slice(1));
    }
    const passed = forward(T, ids, spans), [loss, dL] = lossOf(productT(passed.Y, T.E, D), targets);
    return [loss, backward(T, ids, spans, dL, passed)];
  }

  /** Change T by Adam, one step each time that the next loss is asked for. */
  function* train(T, drawBatch, steps, rate = 0.01) {
    const zeros = () => Object.fromEntries(Object.entries(T).map(([name, array]) => [name, new Float64Array(array.length)]));
    const mean = zeros(), square = zeros();
    for (let t = 1; t <= steps; t++) {
      const [loss, G] = lossAndGradients(T, drawBatch());
      const now = (rate * Math.min(1, t / 50, 2 * (1 - t / steps))) / (1 - 0.9 ** t), grown = 1 - 0.99 ** t;
      for (const [name, W] of Object.entries(T)) {
        const m = mean[name], s = square[name], g = G[name];
        for (let i = 0; i < W.length; i++) {
          m[i] += 0.1 * (g[i] - m[i]);
          s[i] += 0.01 * (g[i] ** 2 - s[i]);
          W[i] -= (now * m[i]) / (Math.sqrt(s[i] / grown) + 1e-8);
        }
      }
      yield loss;
    }
  }

  /** The same arrays as assets/flow/transformer.js reads them: norms without gain, maps without bias. */
  function asPicture(T) {
    const rows = (W, m) => Array.from({ length: W.length / m }, (_, i) => W.subarray(i * m, (i + 1) * m));
    const layer = "decoder.layers.0", P = { "embedding.tokens": rows(T.E, D) };
    for (const which of "QKVO") {
      P[`${layer}.self_attention.W_${which}`] = rows(T[`W_${which}`], D);
      P[`${layer}.self_attention.b_${which}`] = new Float64Array(D);
    }
    for (const which of [1, 2]) {
      const [, m] = SHAPES[`W_${which}`];
      P[`${layer}.feed_forward.W_${which}`] = rows(T[`W_${which}`], m);
      P[`${layer}.feed_forward.b_${which}`] = new Float64Array(m);
    }
    for (const norm of [`${layer}.self_attention_norm`, `${layer}.feed_forward_norm`, "decoder.norm"]) {
      P[`${norm}.gain`] = new Float64Array(D).fill(1);
      P[`${norm}.bias`] = new Float64Array(D);
    }
    return P;
  }

  window.tlTrain = { generator, start, lossAndGradients, train, asPicture };
})();
