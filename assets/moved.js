// Where the sections and cells of a page went: old links, and what a reader typed, follow them.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const { page } = document.body.dataset;
  const SECTIONS = {
    "chapters/14_families": {
      "one-model-many-switches": "chapters/14_families.html#one-model-with-many-settings",
      "what-each-is-for": "chapters/14_families.html#what-each-family-is-used-for",
      "positions-on-the-scores": "chapters/14_families.html#relative-positions",
      "near-and-far": "chapters/14_families.html#local-attention",
      "the-sizes": "chapters/14_families.html#counting-the-parameters-of-published-models",
      "proved-with-weights": "chapters/14_families.html#parity-with-published-implementations",
      "a-real-one": "chapters/14_families.html#a-published-model-of-your-own",
    },
    "chapters/15_pretraining": {
      "hide-and-ask": "chapters/15_pretraining.html#masked-language-modeling",
      "both-sides-or-from-left-to-right": "chapters/15_pretraining.html#unidirectional-and-bidirectional-pre-training",
      "does-the-second-sentence-follow": "chapters/15_pretraining.html#next-sentence-prediction",
      "spans-and-noises": "chapters/15_pretraining.html#span-corruption-and-denoising",
      "then-a-few-labels": "chapters/15_pretraining.html#fine-tuning-with-few-labels",
      "fewer-parameters": "chapters/15_pretraining.html#low-rank-adapters",
      "a-smaller-model": "chapters/15_pretraining.html#distillation",
      "one-machine-for-many-tasks": "chapters/15_pretraining.html#prompts",
      "examples-in-the-prompt": "chapters/15_pretraining.html#in-context-learning",
    },
    "chapters/18_real_text": {
      "the-run": "chapters/18_real_text.html#the-training-run",
      "two-curves": "chapters/18_real_text.html#training-and-validation-curves",
      "beside-what": "chapters/18_real_text.html#baselines",
      "too-little-text": "chapters/18_real_text.html#overfitting-on-a-small-corpus",
      "what-it-writes": "chapters/18_real_text.html#generated-text-and-memorization",
      "what-the-heads-learned": "chapters/18_real_text.html#induction-heads",
      "what-it-does-not-know": "chapters/18_real_text.html#knowledge-and-hallucination",
    },
    "chapters/16_scale": {
      "what-a-model-weighs": "chapters/16_scale.html#counting-parameters",
      "what-it-does": "chapters/16_scale.html#counting-operations",
      "what-training-holds": "chapters/16_scale.html#memory-in-training",
      "what-decoding-keeps": "chapters/16_scale.html#memory-at-inference",
      "fewer-heads-to-keep": "chapters/16_scale.html#grouped-query-attention",
      "fewer-tokens-to-keep": "chapters/16_scale.html#sliding-windows",
      "what-you-get-for-it": "chapters/16_scale.html#the-loss-of-models-of-many-sizes",
      "a-law-to-fit": "chapters/16_scale.html#fitting-a-scaling-law",
      "what-to-buy": "chapters/16_scale.html#compute-optimal-models",
      "deep-or-wide": "chapters/16_scale.html#depth-and-width",
    },
    "chapters/own_language_project": {
      "how-it-is-graded": "chapters/own_language_project.html#how-a-study-is-graded",
    },
    "chapters/13_decoding": {
      "first-sitting-search": "chapters/13_decoding.html#search",
      "second-sitting-sampling": "chapters/13_decoding.html#sampling",
      "the-most-probable-token-every-time": "chapters/13_decoding.html#greedy-search",
      "where-greedy-search-loses": "chapters/13_decoding.html#exhaustive-search",
      "short-sentences-win": "chapters/13_decoding.html#length-penalty",
      "what-it-costs": "chapters/13_decoding.html#the-cost-of-decoding",
      "a-perfect-model-and-a-trained-one": "chapters/13_decoding.html#a-perfect-model-and-a-trained-model",
      "draw-instead-of-choose": "chapters/13_decoding.html#sampling",
      "cut-the-tail-top-k-and-top-p": "chapters/13_decoding.html#top-k-and-top-p",
      "going-in-circles": "chapters/13_decoding.html#repetition",
      "two-models-once-more": "chapters/13_decoding.html#sampling-from-two-models",
      "the-notes-example": "chapters/13_decoding.html#the-notes-example-number-by-number",
    },
    "chapters/11_language_model_head": {
      "bias-and-last-norm": "chapters/11_language_model_head.html#the-bias-and-the-last-norm",
      "how-wrong-cross-entropy": "chapters/11_language_model_head.html#cross-entropy",
      "perplexity-a-number-of-choices": "chapters/11_language_model_head.html#perplexity",
      "label-smoothing-certainty-is-punished": "chapters/11_language_model_head.html#label-smoothing",
      "push-the-logit": "chapters/11_language_model_head.html#label-smoothing",
    },
    "chapters/10_encoder_decoder": {
      "the-drawing": "chapters/10_encoder_decoder.html#the-architecture",
      "what-the-encoder-puts-out": "chapters/10_encoder_decoder.html#the-output-of-the-encoder",
      "who-may-look-at-whom": "chapters/10_encoder_decoder.html#which-token-can-influence-which",
      "change-a-word-see-who-notices": "chapters/10_encoder_decoder.html#which-token-can-influence-which",
      "counting-the-original": "chapters/10_encoder_decoder.html#counting-the-parameters",
      "the-same-in-torch": "chapters/10_encoder_decoder.html#the-same-model-in-pytorch",
      "and-the-published-figure": "chapters/10_encoder_decoder.html#the-published-number-of-parameters",
      "the-notes-example": "chapters/10_encoder_decoder.html#the-notes-example-number-by-number",
    },
    "chapters/09_add_and_norm": {
      "add-keep-what-came-in": "chapters/09_add_and_norm.html#residual-connections",
      "norm-keep-the-sizes-in-hand": "chapters/09_add_and_norm.html#layer-norm",
      "two-worked-solutions": "chapters/09_add_and_norm.html#right-or-wrong",
      "turn-one-number": "chapters/09_add_and_norm.html#layer-norm",
      "whose-mean": "chapters/09_add_and_norm.html#layer-norm-and-batch-norm",
      "before-or-after": "chapters/09_add_and_norm.html#pre-norm-and-post-norm",
      "the-gradients-of-a-fresh-stack": "chapters/09_add_and_norm.html#gradients-before-training",
      "the-notes-example": "chapters/09_add_and_norm.html#the-notes-example-number-by-number",
    },
    "chapters/08_feed_forward": {
      "two-products-with-a-bend-between": "chapters/08_feed_forward.html#two-linear-transformations-and-a-nonlinearity",
      "turn-one-bias": "chapters/08_feed_forward.html#two-linear-transformations-and-a-nonlinearity",
      "two-worked-solutions": "chapters/08_feed_forward.html#right-or-wrong",
      "each-position-alone": "chapters/08_feed_forward.html#position-wise-computation",
      "without-it-two-layers-are-one": "chapters/08_feed_forward.html#two-layers-without-a-nonlinearity",
      "other-bends": "chapters/08_feed_forward.html#other-activation-functions",
      "four-parts-make-an-architecture": "chapters/08_feed_forward.html#four-parts-of-a-minimal-architecture",
      "the-notes-example": "chapters/08_feed_forward.html#the-notes-example-number-by-number",
    },
    "chapters/07_cross_attention": {
      "two-sources": "chapters/07_cross_attention.html#queries-from-one-sequence-keys-and-values-from-another",
      "cut-the-source-short": "chapters/07_cross_attention.html#the-length-of-the-source",
      "back-into-the-decoder": "chapters/07_cross_attention.html#the-way-back-into-the-decoder",
    },
    "chapters/01_why_attention": {
      "one-task-the-next-word": "chapters/01_why_attention.html#one-sentence",
      "carry-it-along-a-recurrent-network": "chapters/recurrent.html#two-steps-by-hand",
      "count-the-steps": "chapters/recurrent.html#count-the-steps",
      "go-back-for-it-attention": "chapters/01_why_attention.html#steps-that-cannot-be-done-at-once",
      "pull-the-verb-away-from-its-subject": "chapters/01_why_attention.html#what-looking-back-costs",
      "what-holds-and-when": "chapters/01_why_attention.html#steps-that-cannot-be-done-at-once",
      "does-the-gradient-vanish": "chapters/recurrent_measured.html#does-the-gradient-vanish",
      "a-cell-that-keeps-the-lstm": "chapters/recurrent.html#a-cell-that-keeps-the-lstm",
      "does-it-remember": "chapters/recurrent.html#does-it-remember",
      "three-networks-on-one-curve": "chapters/recurrent_measured.html#three-networks-on-one-curve",
      "a-short-history": "chapters/recurrent.html#a-short-history",
      "the-notes-example": "chapters/recurrent.html#the-notes-example",
      "why-first-state": "chapters/recurrent.html#why-first-state",
      "why-cell": "chapters/recurrent.html#why-cell",
      "why-tea": "chapters/recurrent.html#why-tea",
      "why-independent": "chapters/recurrent.html#why-independent",
    },
    "chapters/05_multi_head_attention": {
      "one-head-averages-two-heads-point": "chapters/05_multi_head_attention.html#why-one-head-is-not-enough",
      "turn-the-number-of-heads": "chapters/05_multi_head_attention.html#the-number-of-heads",
      "what-heads-cost": "chapters/05_multi_head_attention.html#the-cost-of-several-heads",
    },
    "chapters/06_masked_attention": {
      "padding": "chapters/06_masked_attention.html#padding-masks",
      "why-hide-anything": "chapters/06_masked_attention.html#causal-masks",
      "before-the-softmax": "chapters/06_masked_attention.html#masks-before-the-softmax",
      "in-training-and-when-writing": "chapters/06_masked_attention.html#masks-at-inference",
      "what-else-can-be-done-to-scores": "chapters/06_masked_attention.html#positions-in-the-scores-alibi-and-rotary",
      "tokens-as-columns": "chapters/columns.html#the-mask",
      "minus-infinity-in-few-bits": "chapters/number_formats.html#how-far-float16-reaches",
    },
    "chapters/02_embeddings": {
      "the-notes-example": "chapters/02_embeddings.html#the-notes-example-number-by-number",
    },
    "chapters/03_positional_encoding": {
      "near-places-look-alike": "chapters/03_positional_encoding.html#near-positions-look-alike",
      "the-notes-example":
        "chapters/03_positional_encoding.html#the-notes-example-number-by-number",
    },
    "chapters/04_attention": {
      "three-roles-for-one-word": "chapters/attention.html#query-key-and-value",
      "from-one-vector-three": "chapters/attention.html#query-key-and-value",
      "one-query-by-hand": "chapters/attention.html#one-query-by-hand",
      "a-score-as-an-angle": "chapters/attention.html#a-score-for-two-words-the-dot-product",
      "check-yourself": "chapters/attention.html#check-yourself",
      "attention-weight": "chapters/attention.html#attention-weight",
    },
    "chapters/12_training": {
      "first-sitting-how-it-learns":
        "chapters/12_training.html#a-language-whose-probabilities-are-known",
      "a-language-with-known-probabilities":
        "chapters/12_training.html#a-language-whose-probabilities-are-known",
      "teacher-forcing": "chapters/12_training.html#what-the-model-reads-and-what-it-should-say",
      "the-floor-of-the-loss": "chapters/12_training.html#the-objective",
      "one-step": "chapters/12_training.html#the-loop",
      "the-library-s-loop": "chapters/12_training.html#the-same-loop-in-torch",
      "the-rate-warms-up": "chapters/12_training.html#the-schedule",
      "running-free": "chapters/12_training.html#what-teacher-forcing-hides",
      "one-matrix-for-two-jobs": "chapters/training_measured.html#one-matrix-for-two-jobs",
      "second-sitting-what-it-has-learned":
        "chapters/training_measured.html#beyond-the-length-of-training",
      "beyond-the-length-it-was-trained-on":
        "chapters/training_measured.html#beyond-the-length-of-training",
      "attention-finds-the-alignment":
        "chapters/training_measured.html#attention-finds-the-alignment",
      "errors-one-by-one": "chapters/training_measured.html#errors-one-by-one",
      "who-remembers-the-chef": "chapters/recurrent_measured.html#three-networks-on-one-curve",
      "the-gradient-k-words-back": "chapters/recurrent_measured.html#the-gradient-k-words-back",
      "time-against-length": "chapters/recurrent_measured.html#time-against-length",
    },
    "chapters/17_tokens": {
      "merges-by-hand": "chapters/17_tokens.html#byte-pair-encoding",
      "a-new-word": "chapters/17_tokens.html#encoding-a-new-word",
      "pieces": "chapters/17_tokens.html#pre-tokenization",
      "two-other-ways": "chapters/17_tokens.html#wordpiece-and-unigram",
      "a-text-to-learn-from": "chapters/tokens_measured.html#a-text-to-learn-from",
      "how-many-tokens": "chapters/tokens_measured.html#how-many-tokens",
      "special-tokens": "chapters/tokens_measured.html#special-tokens",
      "what-goes-wrong": "chapters/tokens_measured.html#what-goes-wrong",
      "your-own-text": "chapters/tokens_measured.html#your-own-text",
      "tokens-leak": "chapters/tokens_measured.html#tokens-leak",
      "tokens-per-token": "chapters/tokens_measured.html#tokens-per-token",
      "tokens-bits": "chapters/tokens_measured.html#tokens-bits",
      "tokens-glitch": "chapters/tokens_measured.html#tokens-glitch",
    },
  };
  const CELLS = {
    "chapters/01_why_attention": {
      "chapters/recurrent":
        "c011 c014 c017 c019 c022 c024 c026 c043 c044 c046 c056 c058 c061 c063 c072 c077",
      "chapters/recurrent_measured":
        "c050 c052 c053 c054 c066 c068 c068-ask c069 c070 c070-claims c074 c074-shares c074-chart c074-said",
    },
    "chapters/04_attention": {
      "chapters/attention":
        "from-x-rows from-x-learned from-x-products c005 c009 c011 c013 c015 two-arrows-plane",
      "chapters/columns": "c076 c077",
    },
    "chapters/06_masked_attention": {
      "chapters/columns": "c027 c028",
      "chapters/number_formats": "c032 c034 c036",
    },
    "chapters/12_training": {
      "chapters/training_measured":
        "c026 c047 c048 positions-by-seed c051 c051-figure c052 c052-figure c053 c055 moments moments-by-seed moments-table c057 c057-figure errors-by-seed c059",
      "chapters/recurrent_measured": "c039 c040 c040-figure c041 c043 times times-figure",
    },
    "chapters/17_tokens": {
      "chapters/tokens_measured":
        "c019 c019-figure c021 c023 c023-figure c027 c029 c030 c030-figure c033 c035 c035-figure c042 c042-figure c046 c063 c065 c048 c048-figure c061 c061-figure c050 c050-figure c051 c053 c053-figure c055 c055-figure",
    },
  };

  const id = location.hash.slice(1);
  // A task whose title has changed keeps its number.
  const number = /^task-\d+-/.exec(id)?.[0];
  const task = number && document.querySelector(`section[id^="${number}"]`);
  // A section that may be left out says so in its heading.
  const optional = id && document.getElementById(`optional-${id}`) && `${page}.html#optional-${id}`;
  const target =
    SECTIONS[page]?.[id] ??
    optional ??
    (id === "where-this-stands" ? `${page}.html#sources` : task ? `${page}.html#${task.id}` : "");
  if (target && !document.getElementById(id)) location.replace(root + target);

  // Two books on one host share what the browser keeps, so a key names the folder of its book: "/2027/".
  const base = new URL(root).pathname;
  const key = (name) => `tl-live:${base}${name}`;
  const copied = (name) => `tl-copied:${base}${name}`;
  const moves = Object.entries(CELLS).flatMap(([from, places]) =>
    Object.entries(places).map(([to, ids]) => ({ from, to, ids: ids.split(" ") })));
  const read = (at) => Object(JSON.parse(localStorage.getItem(at) ?? "{}"));
  const part = (kept, ids) =>
    Object.fromEntries(ids.filter((id) => typeof kept[id] === "string").map((id) => [id, kept[id]]));

  // Earlier versions named no folder. What they kept of a page stays as it is, because each book may copy
  // it, once. null where this book has done so.
  const older = (name) => {
    try {
      if (localStorage.getItem(copied(name)) !== null) return null;
      const own = read(`tl-live:${name}`);
      moves.filter(({ from }) => from === name).forEach(({ ids }) => ids.forEach((id) => delete own[id]));
      const come = moves.filter(({ to }) => to === name);
      return Object.assign({}, ...come.map(({ from, ids }) => part(read(`tl-live:${from}`), ids)), own);
    } catch {
      return null; // a browser may forbid it, and what is kept may be damaged
    }
  };
  window.tlBook = { base, key, copied, older };

  const write = (name, kept) => localStorage.setItem(key(name), JSON.stringify(kept));
  try {
    for (const { from, to, ids } of moves) {
      const old = read(key(from));
      const moved = part(old, ids);
      if (!Object.keys(moved).length) continue;
      write(to, { ...moved, ...read(key(to)) });
      Object.keys(moved).forEach((id) => delete old[id]);
      write(from, old);
    }
  } catch {
    // A browser may forbid it, and what is kept may be damaged: then it stays where it is.
  }
})();
