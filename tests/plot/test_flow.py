"""The flow: its marks are those of the numbers, and all of it is said in text, too."""

import re

import numpy as np
import pytest

import transformer_lib as tl
from course.next_word import FINDER, SENTENCES, VERBS, model, picture, read, vocabulary
from transformer_lib import plot
from transformer_lib.plot.flow_paths import arc, waveform
from transformer_lib.plot.numbers import fixed

SENTENCE = SENTENCES[0]


def group(html, name):
    """The marks of one kind."""
    (body,) = re.findall(rf'<g class="flow-{name}">(.*?)</g>', html)
    return re.findall(r"<(?:path|text|circle|rect) .*?(?=<(?:path|text|circle|rect) |$)", body)


@pytest.fixture(scope="module")
def steps():
    return tl.trace(*model(), read(SENTENCE)[1])


@pytest.fixture(scope="module")
def html():
    return picture(SENTENCE).html


def test_the_headline_ends_with_the_likeliest_verb_and_its_probability(html, steps):
    shares = tl.softmax(steps["logits"][-1])
    best = max(VERBS, key=lambda verb: shares[vocabulary().tokens.index(verb)])
    share = fixed(float(shares[vocabulary().tokens.index(best)]), 2)
    assert f"<b>{best}</b> <small>likeliest verb {share}</small>" in html


def test_an_arc_is_as_thick_as_its_weight_and_leads_to_the_last_word(html, steps):
    layer, head = FINDER
    weights = steps[f"decoder.layers.{layer}.self_attention.weights"][head]
    (thick,) = group(html, "near")
    j = int(np.argmax(weights[-1]))
    assert f'd="{arc(25 + 50 * j, 375, 158, 306)}"' in thick
    assert float(re.search(r'stroke-width="(.*?)"', thick)[1]) == pytest.approx(
        16 * weights[-1, j], abs=0.05
    )
    assert len(group(html, "far")) == (weights[:-1] >= 0.004).sum()


def test_a_vector_is_a_waveform_on_the_line_of_its_word(html, steps):
    marks = group(html, "token")
    for row, (mark, values) in enumerate(zip(marks, steps["embedding.tokens"], strict=True)):
        assert f'd="{waveform(4, 25 + 50 * row, values.tolist(), 3, 4)}"' in mark


def test_a_ribbon_ends_as_thick_as_the_bar_of_its_word(html, steps):
    first = np.sort(tl.softmax(steps["logits"][-1]))[::-1][0]
    half = first * 46 / 2
    d = re.search(r'd="(.*?)"', group(html, "ribbons")[0])[1]
    top, bottom = re.search(r"318 (\S+)L318 ([\d.]+)", d).groups()
    assert float(bottom) - float(top) == pytest.approx(2 * half, abs=0.11)


def test_weights_and_next_words_are_tables_for_who_listens(html, steps):
    captions = re.findall(r"<caption>(.*?)</caption>", html)
    assert captions == ["Weights of store in head 3 of layer 2", "Probabilities of the next word"]
    shares = np.sort(tl.softmax(steps["logits"][-1]))[::-1][:7]
    rows = re.findall(r'<th scope="row">.*?</th><td>(.*?)</td>', html)
    assert rows[8:15] == [fixed(float(share), 3) for share in shares]


def test_every_sentence_of_the_front_page_is_drawn_with_as_many_lines_as_tokens():
    for sentence in SENTENCES:
        drawn, count = picture(sentence), len(sentence.split()) + 1
        assert drawn.text.startswith(f"{sentence} …")
        assert len(group(drawn.html, "token")) == len(group(drawn.html, "keys")) == count


def test_any_decoder_model_is_drawn():
    sizes = {"vocabulary_size": 9, "d_model": 8, "heads": 2, "layers": 1, "d_ff": 16}
    config = tl.Configuration(kind="decoder", position="rotary", **sizes)
    tokens = [f"<{i}>" for i in range(9)]
    steps = tl.trace(
        tl.initial_parameters(config, np.random.default_rng(0)), config, np.arange(2, 5)
    )
    drawn = plot.flow([2, 3, 4], tokens, steps, np.full((3, 9), 1 / 9))
    assert "&lt;2&gt;" in drawn.html and "<2>" not in drawn.html
    assert len(re.findall(r"data-head=", drawn.html)) == 3
    with pytest.raises(ValueError, match=r"early must be \(3, 9\)"):
        plot.flow([2, 3, 4], tokens, steps, np.full((2, 9), 1 / 9))
    with pytest.raises(ValueError, match="tokens must be 7 or more, got 6"):
        plot.flow([2, 3, 4], tokens[:6], steps, np.full((3, 6), 1 / 6))
