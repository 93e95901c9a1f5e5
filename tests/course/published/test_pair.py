"""Two sentences of the reader's own: grids, what is refused, and the view that fills them."""

import asyncio
from typing import Any

import numpy as np
import pytest

from course.published import fetch, model, pair, pair_view, pair_words
from course.published.pair import Pair
from tests.course.published import tiny
from tests.course.published.turns import until
from transformer_lib import changing, forward, lens, patched, skipping, trace

SENTENCES = ("a key", "a cot", "a cat")
VERBS = ("a", "i")
SWAP, NULL, LENS = pair_words.KINDS


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> model.Published:
    return model.opened(tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf"))


def grid(of: Pair, source: int) -> Any:
    return np.array([pair.swapped(of, i + 1, source) for i in range(of.model.config.layers)])


def by_the_library(of: Pair, source: int) -> Any:
    minus, plus = of.verbs
    parameters, config = of.model.parameters, of.model.config
    ids, other = of.ids[[0, source]]
    found = patched(parameters, config, ids, other, lambda x: x[:, plus] - x[:, minus])
    return ((found - of.margin[0]) / of.gap)[:, 1:]


@pytest.mark.parametrize("source", [1, 2])
def test_the_grid_is_that_of_the_library(small: model.Published, source: int) -> None:
    of = pair.read(small, SENTENCES, VERBS)
    np.testing.assert_allclose(grid(of, source), by_the_library(of, source), atol=1e-3)
    assert not grid(of, source)[:, : of.begins(source) - 1].any()
    assert grid(of, 1)[-1, -1] == pytest.approx(1, abs=1e-4)


def test_all_heads_of_a_layer_and_one_alone(small: model.Published) -> None:
    """A head put in alone is the model with this head's numbers of the other sentence."""
    of = pair.read(small, SENTENCES, VERBS)
    name = "decoder.layers.2.self_attention.heads"
    theirs = trace(*small[:2], of.ids[1])[name][4, -1]

    def put(x: Any) -> Any:
        x = x.copy()
        x[..., 4, -1, :] = theirs
        return x

    logits = forward(*small[:2], of.ids[0], record=changing(small.config, {name: put}))[-1]
    minus, plus = of.verbs
    share = (logits[plus] - logits[minus] - of.margin[0]) / of.gap
    found = pair.heads(of, 3)
    assert found.shape == (tiny.HEADS,)
    assert found[4] == pytest.approx(share, abs=1e-3)


def test_the_lens_reads_what_the_library_reads(small: model.Published) -> None:
    of = pair.read(small, SENTENCES, VERBS)
    for place in (1, 4):
        logits = lens(*small[:2], trace(*small[:2], of.ids[0]), row=place)
        for layer in (0, 3, tiny.LAYERS):
            found = pair.read_early(of, layer)
            best = np.argsort(-logits[layer])[:3]
            texts = [of.model.tokenizer.decode([int(i)]).strip() or "␣" for i in best]
            assert found.tokens[place - 1] == texts
            p = np.exp(logits[layer] - logits[layer].max())
            np.testing.assert_allclose(
                found.probabilities[place - 1], (p / p.sum())[best], atol=1e-4
            )
            minus, plus = of.verbs
            margin = logits[layer, plus] - logits[layer, minus]
            assert found.margin[place - 1] == pytest.approx(margin, abs=1e-3)


def test_a_silenced_layer_is_one_that_is_skipped(small: model.Published) -> None:
    text = "a key"
    ids = np.array([*small.tokenizer.encode(model.START), *small.tokenizer.encode(text)])
    without = changing(small.config, skipping("decoder.layers.3"))
    logits = forward(*small[:2], ids, record=without)[-1]
    p = np.exp(logits - logits.max())
    np.testing.assert_allclose(model.see(small, text, (4, None)).following, p / p.sum(), atol=1e-5)
    with pytest.raises(ValueError, match="There is no layer 11"):
        model.see(small, text, (11, None))


def refusal(of: model.Published, sentences: tuple[str, ...], verbs: tuple[str, str]) -> str:
    with pytest.raises(ValueError) as refused:
        pair.read(of, sentences, verbs)
    return str(refused.value)


def test_what_cannot_be_compared_is_said_with_the_word_to_change(small: model.Published) -> None:
    def said(*sentences: str, verbs: tuple[str, str] = VERBS) -> str:
        return refusal(small, sentences, verbs)

    assert "key is 4 tokens (␣|k|e|y), but keys is 5 tokens" in said("a key", "a keys")
    assert "2 words and the third 3" in said("a key", "a kez", "a k yy")
    assert "The second sentence is the same" in said("a key", "a  key")
    assert "2 to 20 tokens: 'x' has 1" in said("x", "y")
    assert "must differ, but both are 'i'" in said("a key", "a kez", verbs=("i", "i"))
    assert "A next word must be one token, but 'is' is 2" in said(
        "a key", "a kez", verbs=("is", "a")
    )
    with pytest.raises(ValueError, match="too little for a share"):
        _ = pair.read(small, SENTENCES, VERBS)._replace(margin=np.zeros(3)).gap


class Fields:
    """The fields of the view by their names."""

    def __init__(self) -> None:
        _, *rest = pair_view.pair_view().children
        *self.texts, verbs, press, self.asked, self.bar, self.told, grid = rest
        self.verbs, (self.kind, self.fill, self.stop) = verbs.children, press.children
        box, self.cell = grid.children
        self.words, self.cells = box.children

    def filled(self) -> int:
        """How many buttons show something."""
        return int(self.words.value.count("::after{content:"))


def test_the_view_fills_a_grid_stops_and_says_a_cell(
    small: model.Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, every = Fields(), tiny.LAYERS * 5

    async def use() -> None:
        model.opened.cache_clear()
        monkeypatch.setattr(fetch, "is_there", lambda: False)
        view.fill.click()
        await until(lambda: "press Load a real model" in view.told.value)
        monkeypatch.setattr(pair_view, "loaded", lambda: small)
        for field, text in zip([*view.texts, *view.verbs], (*SENTENCES, *VERBS), strict=True):
            field.value = text

        # Stop leaves the rows that are there, and a further press goes on with them.
        view.fill.click()
        await until(lambda: "progress" in view.bar.value)
        view.stop.click()
        await until(lambda: "Stopped" in view.told.value)
        assert 0 < view.filled() < every and view.bar.value == ""
        view.cells.value = (tiny.LAYERS, 5)
        assert "not filled yet" in view.cell.value
        view.fill.click()
        await until(lambda: "A number is the share" in view.told.value)
        assert view.filled() == every
        assert "After layer 10, at <i>y</i>" in view.cell.value
        assert "<i>i</i> by 0.1 logits, 100% of the way" in view.cell.value
        assert view.cell.value.count('scope="row"') == tiny.HEADS

        # Another grid of the same sentences, and back to the first without computing it again.
        view.kind.value = NULL
        assert view.filled() == 0
        view.fill.click()
        await until(lambda: "The largest change of the null" in view.told.value)
        view.kind.value = LENS
        view.fill.click()
        await until(lambda: "Each cell is the most probable" in view.told.value)
        view.cells.value = (3, 2)
        assert "if the model ended here" in view.cell.value
        view.kind.value = SWAP
        assert view.filled() == every

        # Other sentences: what is shown is said to be old, and the grids begin anew.
        view.texts[2].value = ""
        assert "answer below is old" in view.asked.value
        view.kind.value = NULL
        view.fill.click()
        await until(lambda: "needs a third sentence" in view.told.value)

    asyncio.run(use())


@pytest.mark.published
def test_a_pair_of_the_published_model_is_that_of_the_library() -> None:
    published = model.loaded()
    sentences = ("The bird near the farmer", "The birds near the farmer", "The fox near the farmer")
    of = pair.read(published, sentences, ("sings", "sing"))
    for source in (1, 2):
        np.testing.assert_allclose(grid(of, source), by_the_library(of, source), atol=1e-3)
    with pytest.raises(ValueError, match="fish is 1 token, but goldfishes is 3 tokens"):
        pair.read(published, ("The fish near it", "The goldfishes near it"), ("is", "are"))
