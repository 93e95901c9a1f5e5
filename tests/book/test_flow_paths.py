"""The path rules of the flow in JavaScript give the paths of Python, for four sentences."""

import json
import subprocess
import tomllib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl
from book import assets, npm
from book.paths import ROOT
from course.next_word import SENTENCES, model, read
from transformer_lib.plot import flow_paths

Call = tuple[Any, ...]


def calls(sentence: str) -> Iterator[Call]:
    """The rules with numbers of a sentence: its embeddings, and arcs and ribbons of all heads."""
    steps = tl.trace(*model(), read(sentence)[1])
    pitch = 400 / len(steps["logits"])
    for row, values in enumerate(np.asarray(steps["embedding.tokens"], dtype=float).tolist()):
        yield "waveform", 4, (row + 0.5) * pitch, values, 3, 4
        for other in range(row + 1):
            yield "arc", (other + 0.5) * pitch, (row + 0.5) * pitch, 158, 306
    for layer in range(2):
        weights = np.asarray(steps[f"decoder.layers.{layer}.self_attention.weights"], dtype=float)
        for halves in (23 * weights.reshape(-1, weights.shape[-1])).tolist():
            yield "ribbon", pitch / 2, halves, np.linspace(20, 298, len(halves)).tolist()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_both_languages_draw_the_same_paths(sentence: str) -> None:
    asked = list(calls(sentence))
    node = npm.node(tomllib.loads((ROOT / assets.PINS).read_text(encoding="utf-8"))["npm"]["pip"])
    done = subprocess.run(
        [node, "tests/javascript/flow_paths.mjs"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert json.loads(done.stdout) == [getattr(flow_paths, rule)(*rest) for rule, *rest in asked]
