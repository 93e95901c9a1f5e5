"""What the chapters quote of a trained model: measured in the same way for every seed."""

import csv
import functools
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from course.languages import AgreementLanguage, Gap, GapLanguage, TranslationLanguage
from course.training import (
    agreement_accuracy,
    batch_of,
    exact_match,
    fill,
    first_word,
    held_out_sentences,
    measures,
    translate,
)
from course.training.diagnostics import alignment_shares, forced_accuracy, impossible_share
from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.sampling import sample
from transformer_lib.model.next_logits import cached_next_logits
from transformer_lib.text import NGramModel, compressed_bits, copied_share
from transformer_lib.text.corpus import END
from transformer_lib.training import RealText, mean_loss, token_losses
from transformer_lib.training.induction import induction_scores, repeated_ids

Figures = dict[str, Any]
CHEF = "the chef who ran out of blackberries and went to the stores".split()
NEXT = ["is", "was", "breathes", "are", "were", "breathe", "and"]
BEYOND = [0, 2, 4, 6, 8, 10, 12]  # phrases; training had four at most
NOUNS = {
    "singular": ["chef", "cat", "dragon", "uncle"],
    "plural": ["chefs", "cats", "dragons", "uncles"],
}
TEMPERATURES = (0.25, 0.5, 0.75, 1.0, 1.25)
SAMPLES, SAMPLED, COPIED = 4, 150, 20  # texts a temperature, tokens of each, tokens of a long copy
ORDERS = (1, 2, 3, 4, 5)
RUN = 5  # tokens that stood in training in the same order, or did not
CURVES = ("induction", "repetition_gain", "context_gain")
DECIMALS = 4  # what every processor agrees on


def figures_of(name: str, model: Any, language: Any) -> Figures:
    """Return all that the chapters quote of the model of this name, rounded to four decimals."""
    found = {**measures(model, language)}
    for pattern, more in MORE.items():
        if fnmatch(name, pattern):
            found |= more(model, language)
    return {key: _rounded(value) for key, value in found.items()}


def _rounded(value: Any) -> Any:
    array = np.asarray(value)
    if np.issubdtype(array.dtype, np.integer):
        return array.tolist()
    return np.round(array.astype(np.float64), DECIMALS).tolist()


def _agreement(model: Any, language: AgreementLanguage) -> Figures:
    rng = np.random.default_rng(12)
    tests = [[language.at_distance(rng, k) for _ in range(200)] for k in range(language.most + 1)]
    return {"accuracy_by_phrases": [agreement_accuracy(model, language, test) for test in tests]}


def _language_model(model: Any, language: AgreementLanguage) -> Figures:
    """Measure the language model that chapters 12 and 13 open with and decode from."""
    vocabulary = language.vocabulary
    rows = cached_next_logits(_arrays(model), model.config)
    logits = np.asarray(rows(vocabulary.encode(CHEF, start=True)))
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    said = {
        width: vocabulary.decode(
            beam_search(
                cached_next_logits(_arrays(model), model.config),
                [vocabulary.start_id],
                width=width,
                end=vocabulary.end_id,
                max_new_tokens=50,
            ).best.tokens,
            skip_special=True,
        )
        for width in (1, 16)
    }
    return {
        "next_word": chances[vocabulary.encode(NEXT)],
        "greedy_phrases": sum(word in ("who", "and") for word in said[1]),
        "wide_phrases": sum(word in ("who", "and") for word in said[16]),
        "wide_in_language": float(language.log_probability(said[16]) > -np.inf),
    }


def _position(model: Any, language: AgreementLanguage) -> Figures:
    longer = AgreementLanguage(most=max(BEYOND))
    rng = np.random.default_rng(13)
    tests = [[longer.at_distance(rng, k) for _ in range(20)] for k in BEYOND]
    return {"impossible_by_phrases": [impossible_share(model, longer, test) for test in tests]}


def _gaps(model: Any, language: GapLanguage) -> Figures:
    """Measure what chapter 14 opens with: a missing subject, and a phrase of several words."""
    rng, agreement = np.random.default_rng(14), language.agreement
    sentences = [agreement.at_distance(rng, 2) for _ in range(300)]
    subjects = [Gap(words, 1, 2) for words in sentences if words[0] == "the"]
    chances = first_word(model, language, subjects).double().numpy()
    nouns = {n: language.vocabulary.encode(words) for n, words in NOUNS.items()}
    fitting = [nouns[agreement.number(gap.words)] for gap in subjects]
    right = [row[ids].sum() for row, ids in zip(chances, fitting, strict=True)]
    phrases = [_phrase(words) for words in sentences]
    found = zip(phrases, fill(model, language, phrases), strict=True)
    fits = [agreement.log_probability(gap.filled(words)) > -np.inf for gap, words in found]
    return {"right_number": np.mean(right), "phrase_fits": np.mean(fits)}


def _phrase(words: tuple[str, ...]) -> Gap:
    """Take out the first phrase, whose verb and noun must fit each other."""
    start = words.index("who") + 1
    return Gap(words, start, words.index("and"))


def _step(model: Any, language: TranslationLanguage) -> Figures:
    pairs = held_out_sentences(language, 300)
    forced = forced_accuracy(model, language, pairs)
    said = translate(model, language, pairs)
    wrong = [len(s) - len(p.target) for s, p in zip(said, pairs, strict=True) if s != p.target]
    return {
        "loss_300": mean_loss(model, batch_of(language, pairs)),
        "forced_words": forced.words,
        "forced_sentences": forced.sentences,
        "free_sentences": exact_match(model, language, pairs),
        "errors": len(wrong),
        "errors_one_word_too_many": wrong.count(1),
        "aligned_50": alignment_shares(model, language, pairs[:50]),
        "aligned_rest": alignment_shares(model, language, pairs[50:]),
    }


def _translation(model: Any, language: TranslationLanguage) -> Figures:
    rng = np.random.default_rng(3)
    pairs = [language.sample(rng) for _ in range(40)]
    parameters, both = _arrays(model), model.config
    vocabulary = language.target_vocabulary

    def translated(pair: Any, width: int) -> tuple[str, ...]:
        source = np.array(language.source_vocabulary.encode(pair.source, end=True))
        found = beam_search(
            cached_next_logits(parameters, both, source),
            [vocabulary.start_id],
            width=width,
            end=vocabulary.end_id,
            max_new_tokens=20,
        )
        return tuple(vocabulary.decode(found.best.tokens, skip_special=True))

    return {
        f"right_at_width_{width}": sum(translated(pair, width) == pair.target for pair in pairs)
        for width in (1, 4)
    }


def curves_of(log: Path, every: int) -> Figures:
    """Return what the log of a run tells of each look: the losses, and its heads.

    The loss on what is trained is the mean since the look before.
    """
    if not log.exists():
        return {}
    with log.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    looks = [row for row in rows if row["validation_loss"]]
    losses = np.array([float(row["loss"]) for row in rows])[: len(looks) * every]
    found: Figures = {
        "curve_steps": [int(row["step"]) for row in looks],
        "curve_train": losses.reshape(len(looks), every).mean(axis=1),
        "curve_validation": [float(row["validation_loss"]) for row in looks],
    }
    for name in CURVES:
        if looks and looks[0].get(name):
            found[f"curve_{name}"] = [float(row[name]) for row in looks]
    return {name: _rounded(value) for name, value in found.items()}


def _real_text(model: Any, text: RealText) -> Figures:
    """Measure what chapter 18 says of its model, and what stands beside it."""
    known, new = text.ids("train"), text.ids("test")
    rng = np.random.default_rng(18)
    repeated = repeated_ids(text.vocabulary_size, length=text.length // 2, count=16, rng=rng)
    written = {t: _written(model, text, t) for t in TEMPERATURES}
    return {
        **_baselines(text),
        **_beside_counts(model, text),
        "heads": induction_scores(model, repeated),
        "copied": [
            np.mean([copied_share(ids, known.tolist(), at_least=COPIED) for ids in texts])
            for texts in written.values()
        ],
        "copied_in_test": np.mean(
            [
                copied_share(new[i : i + SAMPLED].tolist(), known.tolist(), at_least=COPIED)
                for i in range(0, len(new) - SAMPLED, len(new) // 16)
            ]
        ),
    }


@functools.cache  # of the text alone, the same for every seed
def _baselines(text: RealText) -> Figures:
    test, before = (END.join(text.documents(part)).encode() for part in ("test", "train"))
    # Divided by what the models are: an end of a document has to be packed and is no byte of it.
    ends = len(test) / sum(len(document.encode()) for document in text.documents("test"))
    return {
        "n_gram_bits": [_bits(text, _counted(text, order)) for order in ORDERS],
        "compressed_bits": [ends * bits for bits in compressed_bits(test).values()],
        "compressed_bits_after_train": [
            ends * bits for bits in compressed_bits(test, known=before).values()
        ],
    }


@functools.cache
def _counted(text: RealText, order: int) -> Any:
    """Return what an n-gram model gives to each token of the test but the first."""
    known, new = text.ids("train"), text.ids("test")
    model = NGramModel(known, order=order, vocabulary_size=text.vocabulary_size)
    return model.probabilities(new)[1:]


def _bits(text: RealText, probabilities: Any) -> float:
    return text.bits_per_byte(float(-np.log(probabilities).mean()), "test")


def _beside_counts(model: Any, text: RealText) -> Figures:
    """Compare the model with the longest n-gram, where training had the same five tokens or not."""
    counted = _counted(text, ORDERS[-1])
    ours = np.concatenate(
        [np.exp(-token_losses(model, batch).numpy()).ravel() for batch in text.windows("test")]
    )
    known, new = (
        np.lib.stride_tricks.sliding_window_view(text.ids(part), RUN) for part in ("train", "test")
    )
    runs = {tuple(run) for run in known.tolist()}
    seen = np.array([tuple(run) in runs for run in new.tolist()])
    bits = {name: -np.log2(p)[RUN - 2 :] for name, p in {"model": ours, "counts": counted}.items()}
    return {
        "mixed_bits": _bits(text, (ours + counted) / 2),
        "seen_share": seen.mean(),
        **{f"{name}_bits_seen": each[seen].mean() for name, each in bits.items()},
        **{f"{name}_bits_new": each[~seen].mean() for name, each in bits.items()},
    }


def _written(model: Any, text: RealText, temperature: float) -> list[tuple[int, ...]]:
    """Let the model write texts of its own, from the start of a document on."""
    (start,) = text.known_tokenizer.encode(END)
    rng = np.random.default_rng(7)
    return [
        sample(
            cached_next_logits(_arrays(model), model.config),
            [start],
            rng=rng,
            end=None,
            max_new_tokens=SAMPLED,
            temperature=temperature,
        ).tokens
        for _ in range(SAMPLES)
    ]


def _arrays(model: Any) -> dict[str, Any]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


MORE: dict[str, Callable[[Any, Any], Figures]] = {
    "agreement_*": _agreement,
    "masked_*": _gaps,
    "agreement_transformer": _language_model,
    "position_*": _position,
    "translation_step_*": _step,
    "translation": _translation,
    "real_text": _real_text,
}
"""What is measured beside the loss, by the name of the model."""
