import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals


def test_the_defaults_are_the_base_model_of_the_paper() -> None:
    config = tl.Configuration(kind="encoder-decoder", vocabulary_size=37000)
    assert (config.d_model, config.heads, config.layers, config.d_ff) == (512, 8, 6, 2048)
    assert (config.place, config.norm, config.activation) == ("post", "layer", "relu")
    total = sum(int(np.prod(shape)) for shape in tl.parameter_shapes(config).values())
    assert round(total / 1e6) == 63  # the paper prints 65


def test_a_stack_has_a_last_norm_only_if_norms_come_first() -> None:
    for place, has in (("pre", True), ("post", False)):
        config = tl.Configuration(kind="decoder", vocabulary_size=5, place=place)
        assert ("decoder.norm.gain" in tl.parameter_shapes(config)) is has


test_bad_fields = refusals(
    ("kind must be one of .* got 'gpt'", dict(kind="gpt")),
    ("activation must be one of .* got 'tanh'", dict(activation="tanh")),
    ("norm must be one of .* got 'batch'", dict(norm="batch")),
    ("place must be one of .* got None", dict(place=None)),
    ("position must be one of .* got 'absolute'", dict(position="absolute")),
    ("vocabulary_size must be an integer of 1 or more, got 0", dict(vocabulary_size=0)),
    ("d_model must be an integer of 1 or more, got 8.0", dict(d_model=8.0)),
    ("heads must be an integer of 1 or more, got True", dict(heads=True)),
    ("layers must be an integer of 0 or more, got -1", dict(layers=-1)),
    ("d_model must be a multiple of heads, got 10 and 4", dict(d_model=10, heads=4)),
    ("rotary positions need an even d_k", dict(d_model=12, heads=4, position="rotary")),
    ("dropout must be from 0 to below 1, got 1.0", dict(dropout=1.0)),
    ("dropout must be from 0 to below 1, got '0.1'", dict(dropout="0.1")),
    ("eps must be positive and finite, got 0", dict(eps=0.0)),
    ("eps must be positive and finite, got '1e-5'", dict(eps="1e-5")),
    ("base must be positive and finite, got -1", dict(base=-1.0)),
    ("tied must be one of .* got 1", dict(tied=1)),
    ("padding_id must be below vocabulary_size, got 7 and 7", dict(padding_id=7)),
    ("padding_id must be an integer of 0 or more", dict(padding_id=-1)),
    ("heads must be a multiple of key_value_heads, got 8 and 3", dict(key_value_heads=3)),
    ("key_value_heads must be an integer of 1 or more", dict(key_value_heads=0)),
    ("head_width must be an integer of 1 or more", dict(head_width=0)),
    ("rotary positions need an even d_k, got 5", dict(head_width=5, position="rotary")),
    ("window must be an integer of 1 or more", dict(window=0)),
    ("window is for a model of kind 'decoder', got 'encoder'", dict(window=2, kind="encoder")),
    ("classes is for a model of kind 'encoder', got 'decoder'", dict(classes=2)),
    ("skip_padding needs a padding_id", dict(skip_padding=True)),
    ("side_positions is for an encoder-decoder of one", dict(side_positions=True)),
    (
        "side_positions is for an encoder-decoder of one",
        dict(side_positions=True, kind="encoder-decoder", source_vocabulary_size=5),
    ),
    ("head_bias must be one of .* got 1", dict(head_bias=1)),
    ("head_activation must be one of .* got 'tanh'", dict(head_activation="tanh")),
    ("headless is only for a tied model", dict(headless=True, tied=False)),
    ("halves must be one of .* got None", dict(halves=None)),
    ("token_types must be an integer of 0 or more", dict(token_types=-1)),
    ("buckets must be an integer of 2 or more, got 1", dict(position="t5", buckets=1)),
    (
        "buckets must be an integer of 4 or more, got 3",
        dict(position="t5", buckets=3, kind="encoder-decoder"),
    ),
    ("max_distance must be an integer of 17 or more, got 16", dict(position="t5", max_distance=16)),
    ("source_vocabulary_size is for an encoder-decoder", dict(source_vocabulary_size=9)),
    of=lambda bad: tl.Configuration(**(dict(kind="decoder", vocabulary_size=7) | bad)),
)


@pytest.mark.parametrize(
    ("field", "meant"),
    [("vocab_size", "vocabulary_size"), ("n_layer", "layers"), ("d_fff", "d_ff"), ("xyz", "")],
)
def test_a_field_that_there_is_not_is_refused_with_the_name_that_was_meant(
    field: str, meant: str
) -> None:
    says = f"no field {field}; did you mean {meant}\\?" if meant else f"no field {field}$"
    with pytest.raises(TypeError, match=says):
        tl.Configuration(kind="decoder", **{field: 3})
