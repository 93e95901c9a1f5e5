"""The published model of chapter 19: NumPy, torch and transformers continue one sentence."""

import datetime
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from benchmarks import decoders, rounds
from course.published import fetch
from course.published.model import opened
from transformer_lib import cached_next_logits, families

SENTENCE = "The chefs who ran to the store were out of food, so"
COUNT, ROUNDS = 32, 10
REFERENCE = "transformers"


def bodies() -> dict[str, Callable[[], list[int]]]:
    """Return the three continuations by name, each a function that returns `COUNT` ids.

    Raises:
        AssertionError: they continue differently.
    """
    import transformers

    transformers.logging.disable_progress_bar()
    arrays = opened(fetch.place())
    fused = families.load(fetch.place(), attention="fused")
    with tempfile.TemporaryDirectory() as folder:
        families.save(fused, folder, "llama")
        theirs: Any = transformers.LlamaForCausalLM.from_pretrained(folder)
    ids = arrays.tokenizer.encode(SENTENCE)
    rows = torch.tensor([ids])

    def numpy() -> list[int]:
        next_logits, made = cached_next_logits(arrays.parameters, arrays.config), list(ids)
        for _ in range(COUNT):
            made.append(int(np.argmax(next_logits(made))))
        return made[len(ids) :]

    found: dict[str, Callable[[], list[int]]] = {
        REFERENCE: lambda: decoders.generated(theirs, rows, COUNT)[0, len(ids) :].tolist(),
        "ours, NumPy": numpy,
        "ours, fused": lambda: list(decoders.continued(fused, rows, COUNT).tokens[0]),
    }
    first, *others = (each() for each in found.values())
    assert all(first == other for other in others), "the continuations differ"
    return found


def section() -> str:
    """Return the section of RESULTS.md, with the day of its own run."""
    if not fetch.is_there():
        return "## The published model\n\nNot measured: `make real` gets its file.\n"
    times = rounds.interleaved(bodies(), ROUNDS)
    return (
        f"## {COUNT} tokens of SmolLM2-135M-Instruct after {len(SENTENCE.split())} words, greedily "
        f"and with a cache\n\nMeasured on {datetime.date.today().isoformat()}, {ROUNDS} rounds, "
        f"float32; all three write the same tokens.\n\n{rounds.table(times, REFERENCE)}\n"
    )
