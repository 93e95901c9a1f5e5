"""The published model of chapter 19: NumPy, torch and transformers continue one sentence.

A pass at batch one reads every weight once, so a product of one vector with a matrix of as many
bytes stands beside them: no pass can be faster than the memory.
"""

import datetime
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from benchmarks import decoders, rounds
from benchmarks.plain_llama import PlainLlama
from course.published import fetch
from course.published.model import opened
from transformer_lib import cached_next_logits, families

SENTENCE = "The chefs who ran to the store were out of food, so"
COUNT, ROUNDS = 32, 10
REFERENCE = "transformers"
MEMORY, WIDTH = "a matrix of as many bytes", 4096


def bodies() -> dict[str, Callable[[], list[int]]]:
    """Return the continuations by name, each a function that returns `COUNT` ids, and the memory's.

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
    plain, ids = PlainLlama(theirs), arrays.tokenizer.encode(SENTENCE)
    rows = torch.tensor([ids])

    def numpy() -> list[int]:
        next_logits, made = cached_next_logits(arrays.parameters, arrays.config), list(ids)
        for _ in range(COUNT):
            made.append(int(np.argmax(next_logits(made))))
        return made[len(ids) :]

    found: dict[str, Callable[[], list[int]]] = {
        REFERENCE: lambda: decoders.generated(theirs, rows, COUNT)[0, len(ids) :].tolist(),
        "plain torch": lambda: plain.greedy(rows, COUNT)[0, len(ids) :].tolist(),
        "ours, NumPy": numpy,
        "ours, fused": lambda: list(decoders.continued(fused, rows, COUNT).tokens[0]),
    }
    first, *others = (each() for each in found.values())
    assert all(first == other for other in others), "the continuations differ"
    weights = sum(x.numel() for x in fused.parameters())
    shape = (weights // WIDTH, WIDTH)
    matrix, vector = np.ones(shape, np.float32), np.ones(WIDTH, np.float32)

    def memory() -> list[int]:
        return [int((matrix @ vector).argmax()) for _ in range(COUNT)]

    return found | {MEMORY: memory}


def section() -> str:
    """Return the section of RESULTS.md, with the day of its own run."""
    if not fetch.is_there():
        return "## The published model\n\nNot measured: `make real` gets its file.\n"
    found = bodies()
    times = rounds.interleaved(found, ROUNDS)
    shares = {name: 1 / rounds.ratio(times, name, MEMORY) for name in found if name != MEMORY}
    listed = ", ".join(f"{name}: {share:.0%}" for name, share in shares.items())
    return (
        f"## {COUNT} tokens of SmolLM2-135M-Instruct after {len(SENTENCE.split())} words, greedily "
        f"and with a cache\n\nMeasured on {datetime.date.today().isoformat()}, {ROUNDS} rounds, "
        f"float32; all write the same tokens.\n\n{rounds.table(times, REFERENCE)}\n\n"
        "The last row multiplies a vector by one matrix that has as many bytes as all weights, "
        f"once a token. The share of its speed that each of the others reaches is: {listed}.\n"
    )
