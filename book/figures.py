"""What the chapters quote of a trained model: measured in the same way for every seed."""

from collections.abc import Callable
from fnmatch import fnmatch
from typing import Any

import numpy as np

from transformer_lib.decoding.beam import beam_search
from transformer_lib.languages import AgreementLanguage, TranslationLanguage
from transformer_lib.model.next_logits import cached_next_logits
from transformer_lib.training import (
    agreement_accuracy,
    batch_of,
    exact_match,
    held_out_sentences,
    mean_loss,
    measures,
    translate,
)
from transformer_lib.training.diagnostics import (
    alignment_shares,
    forced_accuracy,
    impossible_share,
)

Figures = dict[str, Any]
CHEF = "the chef who ran out of blackberries and went to the stores".split()
NEXT = ["is", "was", "breathes", "are", "were", "breathe", "and"]
BEYOND = [0, 2, 4, 6, 8, 10, 12]  # phrases; training had four at most
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


def _arrays(model: Any) -> dict[str, Any]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


MORE: dict[str, Callable[[Any, Any], Figures]] = {
    "agreement_*": _agreement,
    "agreement_transformer": _language_model,
    "position_*": _position,
    "translation_step_*": _step,
    "translation": _translation,
}
"""What is measured beside the loss, by the name of the model."""
