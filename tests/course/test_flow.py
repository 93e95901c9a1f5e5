"""The front page: what it says of its sentence is so, and its steps are those of the model."""

import numpy as np

import transformer_lib as tl
from course import flow

SENTENCE = "the chefs who went to the store"


def plural(sentence, attend=None):
    """How much more probable "are" is than "is"."""
    _, ids = flow.read(sentence)
    logits = tl.forward(*flow.model(), ids, attend=attend)[-1]
    tokens = flow.AgreementLanguage().vocabulary.tokens
    return logits[tokens.index("are")] - logits[tokens.index("is")]


def test_two_of_the_eight_heads_carry_the_number_and_so_does_the_mask():
    assert plural(SENTENCE) > 3
    heads = [(layer, head) for layer in range(2) for head in range(4)]
    turned = [place for place in heads if plural(SENTENCE, flow.without(*place)) < -3]
    kept = [place for place in heads if plural(SENTENCE, flow.without(*place)) > 3]
    assert turned == [(0, 2), (1, 2)] and len(kept) == 6
    assert plural(SENTENCE, flow.unmasked) < -3


def test_a_silent_head_is_one_whose_rows_of_the_output_matrix_are_zero():
    parameters, config = flow.model()
    _, ids = flow.read(SENTENCE)
    silenced = dict(parameters)
    name = "decoder.layers.1.self_attention.W_O"
    silenced[name] = parameters[name].copy()
    silenced[name][16:24] = 0
    expected = tl.forward(silenced, config, ids)
    np.testing.assert_allclose(
        tl.forward(parameters, config, ids, attend=flow.without(1, 2)), expected, atol=1e-4
    )


def test_the_steps_are_those_of_the_model():
    shown = flow.flow(SENTENCE)
    assert shown.html.count("<section>") == 8
    steps = tl.trace(*flow.model(), flow.read(SENTENCE)[1])
    weights = steps["decoder.layers.1.self_attention.weights"][2, -1]
    assert "head 3  " + "  ".join(f"{w:.2f}".rjust(4) for w in weights[:2]) in shown.text
    probabilities = tl.softmax(steps["logits"][-1])
    tokens = flow.AgreementLanguage().vocabulary.tokens
    assert f"are  {probabilities[tokens.index('are')]:.4f}" in shown.text
