"""What the experiments on pre-training share: the language, the shape of a model, the loop."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import torch

from book.paths import ROOT
from course.languages import ReviewLanguage
from course.languages.review import MASK
from transformer_lib import Configuration
from transformer_lib.nn import Transformer
from transformer_lib.training import Batch, Settings, load_model, save_model, train
from transformer_lib.training.loss import Loss
from transformer_lib.transfer import text_ids

Figures = dict[str, Any]
Words = tuple[str, ...]
Draw = Callable[[np.random.Generator], Batch]
LANGUAGE = ReviewLanguage()
VOCABULARY = LANGUAGE.vocabulary
TEXTS = LANGUAGE.grammar.sentences()
LISTED, CHANCES = list(TEXTS), np.array(list(TEXTS.values())) / sum(TEXTS.values())
MASKING: dict[str, Any] = {
    "mask_id": VOCABULARY.encode([MASK])[0],
    "word_ids": LANGUAGE.word_ids,
}
WORK = ROOT / "_build" / "experiments"
HELD_OUT = 15  # no run draws its training texts from this seed
LENGTH = 15  # tokens of the longest text, with <s> and </s>


def texts_of(rng: np.random.Generator, count: int) -> list[Words]:
    """Draw so many texts, each as often as it is probable."""
    return [LISTED[i] for i in rng.choice(len(LISTED), count, p=CHANCES)]


def held_out(count: int) -> list[Words]:
    """Return the texts that all models are measured on."""
    return texts_of(np.random.default_rng(HELD_OUT), count)


def ids_of(texts: Sequence[Words]) -> Any:
    """Return texts as ids, all rows as long as the longest text of the language needs."""
    return text_ids(texts, VOCABULARY, LENGTH)


def model_of(kind: str, seed: int, **fields: Any) -> Transformer:
    """Return an untrained model of the size that all experiments begin with."""
    small: dict[str, Any] = {"d_model": 32, "heads": 4, "layers": 2, "d_ff": 64}
    shape: dict[str, Any] = {"place": "pre", "position": "learned", "dropout": 0.0}
    shape["vocabulary_size"] = len(VOCABULARY)
    config = Configuration(
        kind=kind,
        max_length=48,
        padding_id=VOCABULARY.padding_id,
        **small | shape | fields,
    )
    return Transformer(config, seed=seed, attention="fused")


def trained(
    model: Transformer,
    draw: Draw,
    steps: int,
    seed: int,
    *,
    rate: float = 3e-3,
    loss: Loss | None = None,
) -> Transformer:
    """Train a model and return it, ready to use."""
    settings = Settings(
        steps=steps, warm_up=min(100, steps // 5), rate=rate, schedule="linear", seed=seed
    )
    train(model, draw, settings, progress=False, loss=loss)
    return model.eval()


def remembered(
    name: str,
    kind: str,
    draw: Draw,
    steps: int,
    seed: int,
    *,
    rate: float = 5e-3,
    loss: Loss | None = None,
    **fields: Any,
) -> Transformer:
    """Return a model that several experiments share: trained once, and then read from _build."""
    path = WORK / f"{name}_{steps}_{seed}.safetensors"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        new = model_of(kind, seed, **fields)
        save_model(path, trained(new, draw, steps, seed, rate=rate, loss=loss))
    return cast(Transformer, load_model(path, attention="fused"))


def logits_of(model: Transformer, *inputs: Any) -> torch.Tensor:
    """Return what a model says, without gradient."""
    with torch.no_grad():
        said: torch.Tensor = model(*(torch.as_tensor(x) for x in inputs))
        return said
