"""The front page: what it says of its sentence is so, and its steps are those of the model."""

import numpy as np
import pytest

import transformer_lib as tl
from course import flow
from course.next_word import changed, model, next_words, read, vocabulary

SENTENCE = "the chefs who went to the store"
WEIGHTS = "decoder.layers.{}.self_attention.weights"


def plural(sentence, attend=None):
    """How much more probable "are" is than "is"."""
    logits = tl.forward(*model(), read(sentence)[1], attend=attend)[-1]
    one, many = vocabulary().encode(["is", "are"])
    return logits[many] - logits[one]


def test_two_of_the_eight_heads_carry_the_number_and_so_does_the_mask():
    assert plural(SENTENCE) > 3
    heads = [(layer, head) for layer in range(2) for head in range(4)]
    turned = [place for place in heads if plural(SENTENCE, changed(place)) < -3]
    kept = [place for place in heads if plural(SENTENCE, changed(place)) > 3]
    assert turned == [(0, 2), (1, 2)] and len(kept) == 6
    assert plural(SENTENCE, changed(lifted=True)) < -3


@pytest.mark.parametrize("lifted", [False, True])
def test_a_silent_head_is_one_whose_rows_of_the_output_matrix_are_zero(lifted):
    parameters, config = model()
    _, ids = read(SENTENCE)
    silenced = dict(parameters)
    name = "decoder.layers.1.self_attention.W_O"
    silenced[name] = parameters[name].copy()
    silenced[name][16:24] = 0
    expected = tl.forward(silenced, config, ids, attend=changed(lifted=lifted))
    attend = changed((1, 2), lifted)
    for _ in range(2):  # the same attention serves more than one pass
        found = tl.forward(parameters, config, ids, attend=attend)
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_a_head_that_is_not_there_is_refused():
    for head in ((2, 0), (0, 4), (-1, 0)):
        with pytest.raises(ValueError, match="silent must be a layer and a head of the model"):
            changed(head)


def test_the_steps_are_those_of_the_model():
    shown = flow.flow(SENTENCE)
    assert shown.html.count("<section>") == 8
    steps = tl.trace(*model(), read(SENTENCE)[1])
    assert line(3, steps[WEIGHTS.format(1)][2, -1]) in shown.text
    probabilities = tl.softmax(steps["logits"][-1])
    (are,) = vocabulary().encode(["are"])
    assert f"are  {probabilities[are]:.4f}" in shown.text
    assert "looks back" in shown.text and "silent" not in shown.text


def test_the_steps_of_a_changed_model_are_other_ones_and_say_so():
    shown = flow.flow(SENTENCE, silent=(0, 2), lifted=True)
    steps = tl.trace(*model(), read(SENTENCE)[1], attend=changed((0, 2), lifted=True))
    assert line(1, steps[WEIGHTS.format(1)][0, -1]) in shown.text
    assert shown.text.count("head 3 (silent)") == 1
    assert "looks both ways" in shown.text


def line(head, weights):
    """The start of a row of weights, as a terminal shows it."""
    return f"head {head}" + "".join(f"  {w:.2f}" for w in weights[:2])


def test_the_next_words_are_the_most_probable_ones():
    shown = next_words(SENTENCE)
    probabilities = tl.softmax(tl.forward(*model(), read(SENTENCE)[1])[-1])
    first = np.argsort(-probabilities)[:8]
    for token, p in zip(vocabulary().decode(first), probabilities[first], strict=True):
        assert f"{token}  {p:.4f}" in shown.text
    assert "41 of 41 tokens can be drawn" in shown.text


def test_filters_move_them_in_the_order_of_sampling():
    logits = tl.forward(*model(), read(SENTENCE)[1])[-1]
    kept = tl.keep_top_p(tl.keep_top_k(tl.apply_temperature(logits, 2.0), 5), 0.9)
    probabilities = tl.softmax(kept)
    shown = next_words(SENTENCE, temperature=2.0, top_k=5, top_p=0.9)
    first = np.argsort(-logits)[:8]
    for token, p in zip(vocabulary().decode(first), probabilities[first], strict=True):
        assert f"{token}  {p:.4f}" in shown.text
    assert f"{(probabilities > 0).sum()} of 41 tokens" in shown.text
    assert probabilities[first[-1]] == 0


def test_what_the_model_does_not_know_is_named_beside_what_it_knows():
    for asked in (flow.flow, next_words):
        with pytest.raises(ValueError, match=r"does not know zebra\. It knows: and, are, ate, "):
            asked("the zebra who went to the store")
    assert read("THE Chefs")[0] == ["<s>", "the", "chefs"]
