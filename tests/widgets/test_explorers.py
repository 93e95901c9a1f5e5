"""The explorers: heads under sliders, and what is live with a kernel."""

import re
from html import escape

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals
from tests.widgets.test_frames import parts_of, says_what_is_wrong_and_recovers
from transformer_lib import widgets
from transformer_lib.model.vocabulary import read_words
from transformer_lib.widgets.decoding_explorer import NEEDS, decoded
from transformer_lib.widgets.live_attention import attentions

RNG = np.random.default_rng(5)
WEIGHTS = tl.softmax(RNG.normal(size=(2, 4, 3, 5)))
VOCABULARY = tl.Vocabulary(["the", "cat", "sat"])
CONFIG = tl.Configuration(
    kind="decoder", vocabulary_size=7, d_model=8, heads=4, layers=2, d_ff=10, dropout=0.0
)
PARAMETERS = {name: RNG.normal(size=shape) for name, shape in tl.parameter_shapes(CONFIG).items()}
NEXT = tl.cached_next_logits(PARAMETERS, CONFIG)


def rows_of(html):
    return re.findall(r">(\d\.\d\d)<", html)


def test_every_head_has_its_frame():
    (layer, head), _, frames = parts_of(widgets.head_explorer(WEIGHTS, list("abc"), list("vwxyz")))
    assert (layer["max"], head["max"]) == ("1", "3")
    for i in range(2):
        for j in range(4):
            frame = frames[4 * i + j]
            assert rows_of(frame) == [f"{w:.2f}" for w in WEIGHTS[i, j].flat]
            assert f"layer {i + 1}, head {j + 1}" in frame


def test_a_slider_that_could_not_move_is_left_out():
    names = (list("abc"), list("vwxyz"))
    for weights, name in ((WEIGHTS[:1], "head"), (WEIGHTS[:, :1], "layer")):
        html = widgets.head_explorer(weights, *names).html
        assert re.findall(r"<label><span>(\w+)</span>", html) == [name]


test_weights_without_heads_and_labels_that_do_not_fit_are_refused = refusals(
    (r"layers, heads, n_q and n_k, none of them empty, got \(3, 5\)", (WEIGHTS[0, 0], "vwxyz")),
    ("columns must name all 5", (WEIGHTS, "vwxy")),
    of=lambda given: widgets.head_explorer(given[0], list("abc"), list(given[1])),
)


def attention():
    box = widgets.live_attention(PARAMETERS, CONFIG, VOCABULARY, "the cat")
    typed, row, shown = box.children
    return typed, *row.children[1:], shown


def test_live_attention_answers_the_sentence_the_layer_and_the_head():
    typed, layer, head, shown = attention()
    typed.value, layer.value, head.value = "the cat sat", 2, 4
    kept = tl.trace(PARAMETERS, CONFIG, np.array([2, 4, 5, 6]))
    expected = kept["decoder.layers.1.self_attention.weights"][3]
    assert rows_of(shown.value) == [f"{w:.2f}" for w in expected.flat]
    assert "layer 2, head 4" in shown.value and "&lt;s&gt;" in shown.value


def random(config):
    return {n: RNG.normal(size=shape) for n, shape in tl.parameter_shapes(config).items()}


SIZES = {"vocabulary_size": 7, "d_model": 8, "heads": 2, "layers": 3, "d_ff": 10}


def test_an_encoder_shows_its_own_attention():
    config = tl.Configuration(kind="encoder", **SIZES)
    (found,) = attentions(random(config), config, VOCABULARY, "cat sat").values()
    assert found.rows == found.columns == ["<s>", "cat", "sat"]
    assert [w.shape for w in found.weights] == [(2, 3, 3)] * 3


def test_an_encoder_decoder_shows_three_kinds_and_names_rows_by_what_they_say():
    config = tl.Configuration(kind="encoder-decoder", source_vocabulary_size=6, **SIZES)
    parameters, english = random(config), tl.Vocabulary(["I", "love"])
    found = attentions(parameters, config, VOCABULARY, "I love", english)
    source = np.array([4, 5, 3])
    said = tl.greedy_search(
        tl.cached_next_logits(parameters, config, source), [2], end=3, max_new_tokens=40
    ).tokens
    n = len(said)
    assert found["cross"].rows == VOCABULARY.decode(said)
    assert found["decoder"].columns == VOCABULARY.decode([2, *said[:-1]])
    assert found["cross"].columns == found["encoder"].rows == ["I", "love", "</s>"]
    for name, shape in {"cross": (n, 3), "decoder": (n, n), "encoder": (3, 3)}.items():
        assert [w.shape for w in found[name].weights] == [(2, *shape)] * 3
    box = widgets.live_attention(
        parameters, config, VOCABULARY, "I love", source_vocabulary=english
    )
    typed, kind = box.children[0], box.children[1].children[0]
    assert "cross, layer 1, head 1" in box.children[-1].value
    kind.value, typed.value = "encoder", "love"
    expected = attentions(parameters, config, VOCABULARY, "love", english)["encoder"].weights[0][0]
    assert rows_of(box.children[-1].value) == [f"{w:.2f}" for w in expected.flat]


@pytest.mark.parametrize(
    "text, message",
    [
        ("the dog", "does not know dog. It knows: cat, sat, the"),
        ("<b>", "&lt;b&gt;"),
        ("cat " * 41, "at most 40 words"),
    ],
)
def test_live_attention_says_what_is_wrong_and_recovers(text, message):
    typed, _, _, shown = attention()
    says_what_is_wrong_and_recovers(typed, shown, text, message)


def test_the_case_of_a_letter_is_mended_where_that_makes_a_word_known():
    vocabulary = tl.Vocabulary(["the", "I", "Polish", "polish"])
    words = "The i polish Polish POLISH"
    assert read_words(words, vocabulary) == ["the", "I", "polish", "Polish", "Polish"]
    with pytest.raises(ValueError, match=r"does not know dog, ox$"):
        read_words("ox dog", tl.Vocabulary(f"word{i}" for i in range(61)))


def test_live_attention_refuses_a_model_without_attention():
    config = tl.Configuration(kind="decoder", **SIZES | {"layers": 0})
    with pytest.raises(ValueError, match="model with layers, got 0"):
        widgets.live_attention({}, config, VOCABULARY, "the")


def explorer(**options):
    box = widgets.decoding_explorer(NEXT, VOCABULARY, "the", max_new_tokens=6, **options)
    row, page = box.children
    return {field.description: field for field in row.children}, page


def test_decoding_explorer_shows_what_the_searches_return():
    fields, page = explorer()
    limits = {"end": VOCABULARY.end_id, "max_new_tokens": 6}
    greedy = tl.greedy_search(NEXT, [2, 4], **limits)
    assert f"{-greedy.log_probability:.4f}" in page.value
    fields["method"].value, fields["width"].value, fields["alpha"].value = "beam", 3, 0.0
    for hypothesis in tl.beam_search(NEXT, [2, 4], width=3, **limits).hypotheses:
        assert f"{-hypothesis.log_probability:.4f}" in page.value
    fields["method"].value, fields["seed"].value, fields["top-k"].value = "sampling", 7, 3
    drawn = tl.sample(NEXT, [2, 4], rng=np.random.default_rng(7), top_k=3, **limits)
    assert f"{-drawn.log_probability:.4f}" in page.value
    assert escape(VOCABULARY.decode(drawn.tokens)[0]) in page.value


def test_only_the_settings_of_the_method_are_shown():
    fields, _ = explorer(method="sampling")
    for method, needed in NEEDS.items():
        fields["method"].value = method
        shown = {n.replace("-", "_") for n, f in fields.items() if f.layout.display != "none"}
        assert shown == {"prompt", "method", *needed}


def test_decoding_explorer_says_what_is_wrong_and_recovers():
    fields, page = explorer()
    says_what_is_wrong_and_recovers(fields["prompt"], page, "the dog", "does not know dog")
    with pytest.raises(ValueError, match="method must be one of"):
        widgets.decoding_explorer(NEXT, VOCABULARY, method="best")


def test_decoding_needs_no_prompt():
    settings = {"prompt": "", "method": "greedy"}
    assert "log-probability" in decoded(NEXT, VOCABULARY, settings, 3).text


def test_explorers_have_a_stable_text_form():
    for made in (
        widgets.live_attention(PARAMETERS, CONFIG, VOCABULARY, "the"),
        widgets.decoding_explorer(NEXT, VOCABULARY, "the"),
    ):
        assert re.search("0x|IPY_MODEL", repr(made)) is None
