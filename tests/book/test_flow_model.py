"""The model of the front page in JavaScript gives the numbers of the library.

Node runs assets/flow/transformer.js with the weights that the build writes.
"""

import gzip
import itertools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import transformer_lib as tl
from book import npm, toc
from book.html import flow_weights
from book.paths import ROOT
from course.languages import AgreementLanguage
from course.next_word import Head, changed, model, vocabulary

AGREEMENT = AgreementLanguage()
SAMPLED = [AGREEMENT.sample(np.random.default_rng(seed)) for seed in range(60)]
P, CONFIG = model()
HEADS = list(itertools.product(range(CONFIG.layers), range(CONFIG.heads)))
CHANGES: list[tuple[Head | None, bool]] = [
    (None, False),
    (None, True),
    *((h, False) for h in HEADS),
]
EXACT = {name: array.astype(np.float64) for name, array in P.items()}


class Case(NamedTuple):
    """Ids of tokens, and what is changed in the model that reads them."""

    ids: list[int]
    silent: Head | None = None
    lifted: bool = False


def cases() -> Iterator[Case]:
    """The sampled sentences, then tokens of each length with each change."""
    for words in SAMPLED:
        yield Case(vocabulary().encode(words, start=True))
    rng = np.random.default_rng(0)
    for length, change in itertools.product(range(1, 21), CHANGES):
        yield Case(rng.integers(len(vocabulary()), size=length).tolist(), *change)


def expected(case: Case) -> dict[str, Any]:
    """What the library computes with the weights in float64."""
    ids, change = np.array(case.ids), (case.silent, case.lifted)
    kept = tl.trace(EXACT, CONFIG, ids, attend=changed(*change))
    layers = [f"decoder.layers.{layer}" for layer in range(CONFIG.layers)]
    points = [f"{layer}.{point}" for layer in layers for point in ("resid_mid", "resid_post")]
    return {
        "stream": [kept[name] for name in ("embedding.output", *points)],
        "weights": [kept[f"{layer}.self_attention.weights"] for layer in layers],
        "logits": tl.forward(EXACT, CONFIG, ids, attend=changed(*change)),
    }


def beginnings() -> list[tuple[str, ...]]:
    """All that the sampled sentences begin with, one word more, disorder, and a space less."""
    begun = {words[:n] for words in SAMPLED for n in range(len(words) + 1)}
    more = {(*words, word) for words in begun for word in AGREEMENT.vocabulary.tokens[4:]}
    rng = np.random.default_rng(0)
    shuffled = {tuple(rng.permutation(words).tolist()) for words in SAMPLED}
    joined = {(words[0] + words[1], *words[2:]) for words in SAMPLED}
    return sorted(begun | more | shuffled | joined)


def may_begin(words: tuple[str, ...]) -> bool:
    """Whether a sentence of the language begins with these words, as the parser finds."""
    try:
        AGREEMENT.next_probabilities(words)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vendor = tmp_path_factory.mktemp("vendor")
    flow_weights.write(vendor)
    return vendor / flow_weights.NAME


@pytest.fixture(scope="module")
def node(script: Path) -> dict[str, Any]:
    """What Node.js answers, for all tests at once."""
    asked = [
        {**case._asdict(), "silent": ["{}.{}".format(*case.silent)] if case.silent else []}
        for case in cases()
    ]
    given = json.dumps({"cases": asked, "texts": [" ".join(words) for words in beginnings()]})
    command = [npm.node(), "tests/javascript/flow_values.mjs", str(script)]
    done = subprocess.run(
        command, cwd=ROOT, input=given, capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_page_has_each_weight_to_the_last_bit(node: dict[str, Any]) -> None:
    assert node["P"].keys() == P.keys()
    for name, array in P.items():
        assert array.dtype == np.float32
        np.testing.assert_array_equal(array, node["P"][name])


def test_each_number_is_that_of_the_library(node: dict[str, Any]) -> None:
    for case, found in zip(cases(), node["found"], strict=True):
        for name, value in expected(case).items():
            np.testing.assert_allclose(found[name], value, 0, 1e-9, err_msg=f"{name} of {case}")


def test_a_silent_head_and_a_lifted_mask_change_the_logits() -> None:
    ids = vocabulary().encode(SAMPLED[0], start=True)
    plain, *others = (expected(Case(ids, *change))["logits"] for change in CHANGES)
    assert all(np.abs(other - plain).max() > 1e-6 for other in others)


def test_the_pattern_knows_what_a_sentence_may_begin_with(node: dict[str, Any]) -> None:
    texts = beginnings()
    wrong = [w for w, begun in zip(texts, node["begun"], strict=True) if begun != may_begin(w)]
    assert not wrong
    assert 200 < sum(node["begun"]) < len(texts) / 2


def test_the_script_is_small(script: Path) -> None:
    assert len(gzip.compress(script.read_bytes())) < 100_000


def test_the_front_page_counts_the_assignments() -> None:
    text = (ROOT / "intro.md").read_text(encoding="utf-8")
    assert "the twenty assignments" in text and len(toc.exercises()) == 20
