"""One sentence goes through all chapters, and what is said of it there is so."""

import json
import re

import numpy as np
import pytest

import course
import transformer_lib as tl
from book.paths import ROOT
from course import running_example
from course.languages import TranslationLanguage
from course.next_word import SENTENCES, changed, model, read, vocabulary
from transformer_lib.plot.markup import plain

PASSES = {
    **{"01_why_attention": "why", "02_embeddings": "embedding"},
    **{"03_positional_encoding": "positions", "04_attention": "attention"},
    **{"05_multi_head_attention": "heads", "06_masked_attention": "mask"},
    **{"07_cross_attention": "cross-attention", "08_feed_forward": "feed-forward"},
    **{"09_add_and_norm": "norm", "10_encoder_decoder": "whole"},
    **{"11_language_model_head": "head", "12_training": "training", "13_decoding": "decoding"},
}


def said(stop):
    return plain(running_example.shown(stop))


def test_it_passes_through_every_chapter_from_01_to_13():
    assert list(PASSES.values()) == list(running_example.STOPS)
    for chapter, stop in PASSES.items():
        page = json.loads((ROOT / f"chapters/{chapter}.ipynb").read_text(encoding="utf-8"))
        shown = [
            "".join(output["data"]["text/plain"])
            for cell in page["cells"]
            if f'"{stop}"' in "".join(cell["source"]) and "course." in "".join(cell["source"])
            for output in cell["outputs"]
        ]
        assert any(text.endswith(f"our sentence: {said(stop)}") for text in shown), chapter


def test_the_front_page_begins_with_the_same_sentence():
    assert SENTENCES[0] == running_example.SENTENCE


def test_one_head_looks_at_the_subject_and_one_at_the_verb():
    words, _ = read(running_example.SENTENCE)
    weights = running_example.looks(1, running_example.HEAD)
    assert words[weights.argmax()] == "chefs" and weights.max() > 0.95
    assert "love 1.00" in said("cross-attention")
    assert "chefs 1.00" in said("attention") and "chefs (1.00)" in said("heads")


def test_what_is_written_is_the_translation():
    probabilities, steps = running_example.translation()
    language = TranslationLanguage()
    most = [language.target_vocabulary.tokens[i] for i in steps["logits"].argmax(axis=-1)]
    assert most == [*running_example.WRITTEN.split(), "</s>"]
    assert len(probabilities) == 9 and probabilities.min() > 0.99


def test_the_mask_decides_between_are_and_is():
    with_mask, without = said("mask").split("Without the mask")
    are, is_ = (float(x) for x in re.findall(r"0\.\d\d", with_mask))
    assert are > 0.2 and is_ < 0.05
    are, is_ = (float(x) for x in re.findall(r"0\.\d\d", without))
    assert is_ > 0.2 and are < 0.05


def test_the_wave_is_what_is_added():
    numbers = [float(x.replace("−", "-")) for x in re.findall(r"−?\d+\.\d\d", said("positions"))]
    before, wave, after = np.array(numbers).reshape(3, 3)
    np.testing.assert_allclose(before + wave, after, atol=0.011)  # three times rounded to 0.01
    assert "token 34" in said("embedding")


def test_the_norm_is_needed_as_the_row_grows():
    lengths = [int(x) for x in re.findall(r"(\d+) (?:before|after) ", said("norm"))]
    assert len(lengths) == 3 and lengths[0] < lengths[1] < lengths[2] > 10 * lengths[0]


def test_the_scores_become_the_shares():
    scores, shares = said("head").split("the probabilities")
    assert "and 8.1, are 7.8, were 6.9" in scores
    np.testing.assert_allclose(
        [float(x) for x in re.findall(r"0\.\d\d", shares)],
        np.sort(tl.softmax(running_example.steps()["logits"][-1]))[::-1][:3],
        atol=0.0051,  # printed to two digits
    )


def test_another_stop_is_refused_by_name():
    with pytest.raises(ValueError, match=r"stop must be one of why, .*, got 'heads of state'"):
        course.our_sentence("heads of state")


def test_for_one_chef_the_head_looks_elsewhere_and_is_not_missed():
    words, ids = read("the chef who went to the stores")
    weights = tl.trace(*model(), ids)["decoder.layers.1.self_attention.weights"]
    assert weights[running_example.HEAD, -1].argmax() == 6 and words[6] == "the"
    tokens = vocabulary().tokens
    for attend in (None, changed((1, running_example.HEAD))):
        logits = tl.forward(*model(), ids, attend=attend)[-1]
        assert logits[tokens.index("is")] > logits[tokens.index("are")] + 2
