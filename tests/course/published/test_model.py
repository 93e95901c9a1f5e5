"""What a reader sees of a published model: words, heads, answers, and a view that is typed into."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from course.published import einsum, fetch, model, view
from course.published.einsum import EinsumMatrix
from tests.course.published import tiny
from tests.course.published.turns import until
from transformer_lib import families, forward
from transformer_lib.model.gguf import read_entries

TEXT = "a bad cab"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture
def small(path: Path) -> model.Published:
    return model.opened(path)


def test_the_arrays_compute_what_torch_computes(path: Path, small: model.Published) -> None:
    ids = np.array([0, 100, 3, 258])
    with torch.no_grad():
        theirs = families.load(path)(torch.tensor(ids[None]))[0].numpy()
    # Ten layers in float32, sums in another order.
    np.testing.assert_allclose(forward(*small[:2], ids), theirs, atol=1e-4)


def test_texts_that_begin_alike_give_what_each_gives_alone(small: model.Published) -> None:
    alike = np.array([[0, 100, 3, 8], [0, 100, 9, 7], [0, 100, 3, 7]])
    for texts in (alike, alike[:, ::-1], alike[[0, 0]], alike[:1]):
        alone = [forward(*small[:2], ids) for ids in texts]
        np.testing.assert_allclose(small(texts), alone, atol=1e-4)
    np.testing.assert_array_equal(small(alike[0].tolist()), forward(*small[:2], alike[0]))
    assert small.trace([0, 100])["decoder.layers.9.self_attention.weights"].shape == (9, 2, 2)


def test_what_nobody_has_loaded_is_refused_and_what_is_read_stays_when_its_file_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny.write(tmp_path / "tiny.gguf")
    monkeypatch.setattr(fetch, "place", lambda: path)
    monkeypatch.setattr(fetch, "is_there", lambda: False)
    model.opened.cache_clear()
    with pytest.raises(FileNotFoundError, match="press Load a real model on this page"):
        model.loaded()
    monkeypatch.setattr(fetch, "is_there", lambda: True)
    read, entries = model.loaded(), read_entries(path)
    monkeypatch.setattr(fetch, "is_there", lambda: False)
    model.shorten(path)
    assert model.loaded() is read
    assert read_entries(path) == entries
    assert entries["blk.0.ffn_down.weight"].start < path.stat().st_size
    assert path.stat().st_size == entries["blk.1.attn_q.weight"].start


def test_the_bits_of_the_words_are_those_of_the_sentence(small: model.Published) -> None:
    seen = model.see(small, TEXT)
    assert seen.words == ["a", "bad", "cab"] and "".join(seen.tokens) == "a␣bad␣cab"
    ids = small.tokenizer.encode(f"<|endoftext|>{TEXT}")
    logits = forward(*small[:2], np.array(ids)).astype(np.float64)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    whole = -sum(logs[i, k] for i, k in enumerate(ids[1:])) / np.log(2)
    whole -= np.log2(np.exp(logs[-1, small.ends]).sum())  # the last word ends
    assert sum(seen.bits) == pytest.approx(whole, rel=1e-5)
    assert seen.weights.shape == (tiny.LAYERS, tiny.HEADS, len(ids), len(ids))
    np.testing.assert_allclose(seen.weights.sum(-1), 1, atol=1e-5)


def test_a_stop_is_a_word_and_leaves_the_bits_of_the_words_before_it(
    small: model.Published,
) -> None:
    without, with_stop = (model.see(small, TEXT + stop) for stop in ("", "."))
    assert with_stop.words == [*without.words, "."]
    assert model.see(small, "a  bad\u00a0cab").bits == without.bits
    assert with_stop.bits[:-1] == pytest.approx(without.bits, rel=1e-5)  # float32, longer rows


def test_a_silenced_head_adds_nothing_and_the_model_stays(small: model.Published) -> None:
    before = model.see(small, TEXT)
    without = model.see(small, TEXT, (1, 2))
    assert np.array_equal(before.weights[0], without.weights[0])
    assert not np.allclose(before.weights[1], without.weights[1], atol=1e-7)
    for head in range(1, tiny.HEADS + 1):
        small = small._replace(parameters=model.silenced(*small[:2], 1, head))
    name = "decoder.layers.0.self_attention.W_O"
    assert not small.parameters[name].any()
    assert model.see(small, TEXT).bits != before.bits


def test_what_cannot_be_computed_is_refused_in_a_sentence(small: model.Published) -> None:
    for text in ("", " ", "x" * (model.LONGEST + 1)):
        with pytest.raises(ValueError, match="must have 1 to 60 tokens"):
            model.see(small, text)
    with pytest.raises(ValueError, match="no head 10 in layer 1"):
        model.see(small, TEXT, (1, 10))
    # What stands for the start of a text is read as letters.
    assert len(model.see(small, "<|endoftext|>").tokens) == len("<|endoftext|>")


def test_an_answer_is_the_most_probable_tokens(small: model.Published) -> None:
    ids = model.prompt("who?", small.tokenizer)
    assert small.tokenizer.decode(ids).endswith("user\nwho?<|im_end|>\n<|im_start|>assistant\n")
    *_, text = model.answers(small, "who?", 5)
    for _ in range(5):
        ids.append(int(np.argmax(forward(*small[:2], np.array(ids))[-1])))
    assert text == small.tokenizer.decode(ids[-5:]) + " … (cut after 5 tokens)"
    for without in ((1, 3), (2, None)):
        *_, other = model.answers(small, "who?", 5, without=without)
        assert other != text


@pytest.mark.parametrize("most", [1, 50, einsum.MOST])
def test_a_product_in_pieces_is_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a page one einsum over 2**31 steps is refused."""
    monkeypatch.setattr(einsum, "MOST", most)
    rng = np.random.default_rng(0)
    x, W = rng.normal(size=(2, 3, 4)), rng.normal(size=(4, 5))
    np.testing.assert_allclose(x @ W.view(EinsumMatrix), x @ W, atol=1e-12)
    np.testing.assert_allclose(x @ W.T.copy().view(EinsumMatrix).mT, x @ W, atol=1e-12)


def test_a_matrix_by_einsum_multiplies_as_any_other() -> None:
    rng = np.random.default_rng(0)
    W, x, y = rng.normal(size=(6, 4)), rng.normal(size=(2, 3, 6)), rng.normal(size=(4, 5))
    ours = W.view(EinsumMatrix)
    for found, right in ((x @ ours, x @ W), (np.matmul(x, ours), x @ W), (ours @ y, W @ y)):
        np.testing.assert_allclose(found, right, atol=1e-12)
        assert type(found) is np.ndarray
    assert type(ours + 1) is type(ours[1:]) is np.ndarray


def parts(shown: Any) -> dict[str, Any]:
    """The fields by their names, and the four places where something is said."""
    _, load, state, one, two, score, compared, scored, heads, question, *rest = shown.children
    chat, asked, said = rest
    inside, (shades, picker, silence) = heads.children[0], heads.children[1].children
    rows = (row.children for row in (load, score, chat, silence))
    names = ["load", "stop", "remove", "score", "ask", "quiet", "silence"]
    found = {"one": one, "two": two, "question": question}
    found |= {"state": state, "scored": scored, "inside": inside, "said": said}
    found |= {"compared": compared, "asked": asked}
    fields = dict(zip(names, sum(rows, ()), strict=True))
    return fields | found | {"shades": shades, "picker": picker}


def test_the_view_loads_scores_asks_and_forgets(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def arrive(tell: Any) -> Path:
        tell(50_000_000)
        assert "50 of 98 MB" in view_.state.value
        return path

    monkeypatch.setattr(fetch, "arrive", arrive)
    monkeypatch.setattr(fetch, "place", lambda: path.with_name("other"))
    found = parts(view.published_view())
    view_ = type("View", (), found)
    view_.score.click()
    assert "not loaded yet" in view_.scored.value

    async def use() -> None:
        view_.ask.click()
        await until(lambda: "not loaded yet" in view_.said.value)
        view_.load.click()
        await until(lambda: "needs" in view_.scored.value)
        assert "tl-heads" in view_.inside.value and "may be wrong" in view_.state.value
        before = view_.scored.value
        arcs = view_.inside.value
        view_.picker.value = (2, 3)
        assert "layer 2, head 3" in view_.inside.value != arcs
        assert view_.shades.value.count("{--s:") == tiny.LAYERS * tiny.HEADS
        view_.silence.value = "this head"
        assert view_.scored.value != before
        heard: list[str] = []
        view_.compared.observe(lambda change: heard.append(change["new"]), "value")
        view_.one.value = ""
        assert "answer below is old" in view_.compared.value
        view_.two.value = "x" * 100
        view_.score.click()
        assert "must have 1 to 60 tokens" in view_.scored.value
        assert "Computing" in heard[-2] and view_.compared.value == ""
        view_.ask.click()
        await until(lambda: "may be wrong" in view_.said.value)
        view_.question.value += "?"
        assert "Press Ask again" in view_.asked.value
        view_.quiet.click()
        await until(lambda: "Stopped" in view_.said.value)
        view_.remove.click()
        await until(lambda: "removed" in view_.state.value)
        view_.score.click()
        assert "not loaded yet" in view_.scored.value

    asyncio.run(use())
