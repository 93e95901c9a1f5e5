"""One decoder for completion, questions, dialogue and text to text: the next token of each."""

from functools import cache

import numpy as np
import torch

from book.experiments.setting import (
    CHANCES,
    LANGUAGE,
    LISTED,
    TEXTS,
    VOCABULARY,
    Figures,
    Words,
    logits_of,
    remembered,
)
from transformer_lib.model.vocabulary import SPECIAL_TOKENS, Vocabulary
from transformer_lib.nn import Transformer
from transformer_lib.training import Batch, language_model_batch

TALK = Vocabulary([*VOCABULARY.tokens[len(SPECIAL_TOKENS) :], "A", "B", "how", "it"])
FORMS = {
    "who": "{} ? who :",
    "where": "{} ? where :",
    "dialogue": "A : {} B : how was it ? A :",
    "rate": "rate : {}",
}
"""How a story is asked, in training texts beside the stories themselves."""

UNSEEN = "A : {} B : who ? A :"  # both parts of it are in FORMS, and never together
BATCH = 64
TESTED = 300


def answer(form: str, story: Words) -> str:
    """Return what is to be said of a story."""
    if form == "who":
        return story[0]
    if form == "where":
        return story[story.index("in") + 1] if "in" in story else "nowhere"
    return LANGUAGE.label(story)


def asked(form: str, story: Words) -> Words:
    """Return a story and a question as one text, up to the answer."""
    return tuple(form.format(" ".join(story)).split())


@cache
def stories() -> tuple[list[Words], np.ndarray, list[Words]]:
    """Return the stories for training, with their chances, and those that are kept for the test."""
    kept = np.random.default_rng(0).random(len(LISTED)) < 0.1
    chances = np.where(kept, 0.0, CHANCES)
    tested = np.random.default_rng(1).choice(np.flatnonzero(kept), TESTED, replace=False)
    return LISTED, chances / chances.sum(), [LISTED[i] for i in tested]


@cache
def decoder(steps: int, seed: int, forms: tuple[str, ...] = tuple(FORMS)) -> Transformer:
    """Return a decoder that was trained on stories, and on stories asked in these forms."""

    def draw(rng: np.random.Generator) -> Batch:
        listed, chances, _ = stories()
        found = [listed[i] for i in rng.choice(len(listed), BATCH, p=chances)]
        return language_model_batch([_text(story, forms, rng) for story in found], TALK)

    name = f"prompts_{len(forms)}"
    return remembered(name, "decoder", draw, steps, seed, vocabulary_size=len(TALK))


def prompts(steps: int, seed: int) -> Figures:
    """Ask a decoder that has read all forms, and one that has read stories alone."""
    found: Figures = {}
    for name, forms in (("all", tuple(FORMS)), ("stories", ())):
        model = decoder(steps, seed, forms)
        for form, words in FORMS.items():
            found[f"{form}_{name}"] = _right(model, form, words)
        found[f"unseen_{name}"] = _right(model, "who", UNSEEN)
        found[f"completion_{name}"] = _completed(model)
    return found


def _text(story: Words, forms: tuple[str, ...], rng: np.random.Generator) -> Words:
    which = rng.integers(len(forms) + 1)
    if which == len(forms):
        return story
    form = forms[which]
    return (*asked(FORMS[form], story), answer(form, story))


def _right(model: Transformer, form: str, words: str) -> float:
    tested = stories()[2]
    said = _next(model, [asked(words, story) for story in tested])
    return float(np.mean([a == answer(form, story) for a, story in zip(said, tested, strict=True)]))


def _completed(model: Transformer) -> float:
    """Return how often the ending that is most probable makes a text of the language."""
    tested = stories()[2]
    said = _next(model, [story[:-2] for story in tested])
    made = [(*story[:-2], word, story[-1]) for story, word in zip(tested, said, strict=True)]
    return float(np.mean([text in TEXTS for text in made]))


def _next(model: Transformer, texts: list[Words]) -> list[str]:
    """Return the most probable next word of each text."""
    rows = [TALK.encode(text, start=True) for text in texts]
    logits = logits_of(model, np.array(TALK.pad(rows)))
    last = torch.tensor([len(row) - 1 for row in rows])
    return TALK.decode(logits[torch.arange(len(rows)), last].argmax(-1).tolist())
