"""What `make bench` measures: each work, the bodies that do it, and how fast ours should be."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import torch

from benchmarks import attention, decoders, marian, rounds, training
from transformer_lib.nn import Transformer
from transformer_lib.text import BytePairTokenizer, docstrings, train_bpe
from transformer_lib.training.loss import batch_loss

SIZES = {"vocabulary": 512, "d": 256, "heads": 4, "layers": 4}
FUSED, EXPLICIT = "ours, fused", "ours, explicit"


class Work(NamedTuple):
    """What is done by every body, and what part of the rounds it gets."""

    name: str
    reference: str
    bodies: dict[str, Callable[[], Any]]
    share: float = 1.0
    targets: Mapping[str, float] = MappingProxyType({})  # the most that a body's ratio should be
    warm_up: int = 1


def works() -> Iterator[Work]:
    """Yield each work as it is to be measured; its models are made when it is its turn."""
    for length, batch, targets in (
        (128, 8, {FUSED: 1.05, EXPLICIT: 1.6}),
        (1024, 2, {FUSED: 1.05}),
    ):
        ids = torch.randint(SIZES["vocabulary"], (batch, length + 1))
        made = decoders.decoders(length=length + 1, **SIZES)
        yield Work(
            f"A step of training, decoder, {batch} texts of {length} tokens",
            "plain torch",
            {name: decoders.step(each, ids) for name, each in made.items()},
            0.5,
            targets,
        )
    yield from of_decoding()
    yield from of_torch()
    yield of_tokenizer()
    if has_compiler():
        yield of_compiled()


def of_decoding() -> Iterator[Work]:
    """Yield 128 tokens, greedily and with a cache: GPT-2 of two widths, LLaMA, and padding."""
    for d, reference, most in (
        (512, "plain torch", {1: 0.9, 16: 1.1}),
        (128, "transformers", {1: 1.0, 16: 1.0}),
    ):
        made = decoders.decoders(length=160, **SIZES | {"d": d})
        for each in made.values():
            each.model.eval()
        for batch in (1, 16):
            ids = torch.randint(SIZES["vocabulary"], (batch, 8))
            bodies = {name: partial(each.greedy, ids, 128) for name, each in made.items()}
            name = f"128 tokens, greedily and with a cache, width {d}, {batch} at a time"
            yield Work(name, reference, bodies, 0.25, {FUSED: most[batch]})
    llamas = decoders.llamas(length=160, **SIZES)
    for batch, padding in ((1, 0), (16, 0), (16, 4)):
        ids, mask = torch.randint(SIZES["vocabulary"], (batch, 8)), None
        if padding:
            mask = torch.ones(ids.shape, dtype=torch.bool)
            mask[::2, :padding] = False
        bodies = {
            name: partial(greedy, ids, 128, *([mask] if padding else []))
            for name, greedy in llamas.items()
            if not (padding and name == "plain torch")
        }
        case = f"{batch} at a time" + (", every other padded on the left" if padding else "")
        name = f"128 tokens of LLaMA's shape, greedily and with a cache, {case}"
        yield Work(name, "transformers", bodies, 0.25, {FUSED: 1.0})


def of_torch() -> Iterator[Work]:
    """Yield what stands beside Marian, and beside torch's own modules and functions."""
    bodies = {
        marian.NAME: (marian.model(), marian.loss),
        "torch.nn": (training.Theirs(), training.their_loss),
        EXPLICIT: (Transformer(training.CONFIG), batch_loss),
        FUSED: (Transformer(training.CONFIG, attention="fused"), batch_loss),
    }
    for case, sizes in training.CASES.items():
        batch = training.batch_of(*sizes)
        steps = {
            name: training.step(model, partial(loss, model, batch))
            for name, (model, loss) in bodies.items()
        }
        name = f"A step of training, encoder-decoder, {case}"
        yield Work(name, marian.NAME, steps, 0.5, {FUSED: 0.9})
    for case in attention.CASES:
        given = attention.inputs(case)
        called = {name: lambda b=body, g=given: b(*g) for name, body in attention.BODIES.items()}
        yield Work(f"Attention, forward, {case}", "torch, fused", called, 4)


def of_tokenizer() -> Work:
    """Return encoding by merges that are the same, on one core and with full caches."""
    texts = docstrings(["numpy"])
    own = train_bpe(texts, vocabulary_size=1024)
    theirs = their_training(texts, 1024)
    ours = BytePairTokenizer(own.vocabulary, own.merges)
    bodies = {
        "tokenizers": lambda: [theirs.encode(text).ids for text in texts],
        "ours": lambda: [ours.encode(text) for text in texts],
    }
    assert bodies["ours"]() == bodies["tokenizers"](), "the ids differ"
    return Work("Byte-pair encoding of numpy's docstrings", "tokenizers", bodies, 0.25)


def their_training(texts: list[str], size: int) -> Any:
    """Train a tokenizer of the package `tokenizers` as GPT-2's is set up."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def has_compiler() -> bool:
    """Return whether torch.compile finds a compiler of C++ for its kernels."""
    return shutil.which(os.environ.get("CXX", "g++")) is not None


def of_compiled() -> Work:
    """Return a step of training whose models go through torch.compile, here and in the reference.

    The first step of each compiles and is not measured; the second may compile once more.
    """
    length = 128
    ids = torch.randint(SIZES["vocabulary"], (8, length + 1))
    made = decoders.decoders(length=length + 1, **SIZES)
    steps = {
        name: decoders.step(each._replace(logits=torch.compile(each.logits)), ids)
        for name, each in made.items()
        if name in ("plain torch", EXPLICIT, FUSED, "transformers")
    }
    name = f"A step of training, compiled, decoder, 8 texts of {length} tokens"
    return Work(name, "plain torch", steps, 0.5, {FUSED: 1.0}, warm_up=2)


def missed(work: Work, times: rounds.Times) -> list[str]:
    """Return the bodies whose ratio is above what it should be, as it is printed."""
    return [
        name
        for name, most in work.targets.items()
        if round(rounds.ratio(times, name, work.reference), 2) > most
    ]


def told(work: Work, times: rounds.Times) -> str:
    """Return a line that says of each target whether it is met, or nothing."""
    late = missed(work, times)
    each = [
        f"{name} at most {most:g} ({'missed' if name in late else 'met'})"
        for name, most in work.targets.items()
    ]
    return f"\n\nTarget: {', '.join(each)}." if each else ""
