"""What every public function does with arguments that are wrong, or right but unusual.

One row per function holds a valid call; the tests spoil one argument at a time. A public function
without a row fails.
"""

import inspect
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import transformer_lib as tl
from tests.formulas.test_every_formula import CASES

pytestmark = pytest.mark.usefixtures("unhooked")

RNG = np.random.default_rng(1)
Shapes = dict[str, tuple[int, ...]]


class Row(NamedTuple):
    function: Callable[..., Any]
    arguments: dict[str, Any]
    misfits: Shapes  # shapes of one argument that do not fit the others
    scalars: dict[str, Any]  # values of one argument that are refused


def row(function: Any, arguments: Any, misfits: Any = None, **scalars: Any) -> Row:
    return Row(function, arguments, misfits or {}, scalars)


def of(case: str, misfits: Any = None, function: Any = None) -> Row:
    """Return a row with the arrays of a case of tests/formulas/test_every_formula.py."""
    found = CASES[case]
    return row(function or found.function, found.floats | found.others, misfits)


def floats(**shapes: tuple[int, ...]) -> dict[str, Any]:
    return {name: RNG.normal(size=shape) for name, shape in shapes.items()}


def next_logits(ids: list[int]) -> Any:
    return np.zeros(4)


LIKE = {"like": np.zeros(2)}
IDS = np.array([[2, 0, 3], [1, 2, 2]])
ATTEND: Shapes = {"Q": (2, 3, 5), "K": (2, 5, 3), "V": (2, 4, 6), "mask": (4, 5), "bias": (3, 4)}
HEADS: Shapes = {"M": (2, 5, 4), "W_Q": (5, 4), "W_K": (4, 4), "W_V": (4, 10), "W_O": (9, 7)}
HEADS |= {"b_Q": (3,), "b_K": (3,), "b_V": (9,), "b_O": (6,), "mask": (4, 5)}
FORWARD: Shapes = {"W_1": (5, 7), "W_2": (6, 5), "b_1": (6,), "b_2": (4,)}
GATED: Shapes = {"W_gate": (5, 7), "W_1": (4, 6), "W_2": (6, 5)}
BOTH = {"f": tl.silu, "norm": tl.rms_norm}
LOGITS = floats(logits=(2, 3, 6))
CELL = floats(x=(2, 3), h=(2, 5), c=(2, 5), W_x=(3, 20), W_h=(5, 20), b=(20,))
CELL_MISFITS: Shapes = {"x": (2, 4), "h": (2, 6), "c": (2, 4), "W_x": (4, 20), "W_h": (5, 19)}
SIMPLE = floats(x=(2, 3), h=(2, 5), W_x=(3, 5), W_h=(5, 5), b=(5,))

CONFIG = tl.Configuration(
    kind="encoder-decoder", vocabulary_size=7, d_model=8, heads=2, layers=1, d_ff=10
)
RECURRENT = tl.RecurrentConfiguration(kind="lstm", vocabulary_size=4, d_model=6)
READER = {"config": RECURRENT, "ids": IDS}
READER["parameters"] = floats(**tl.recurrent_shapes(RECURRENT))
KEPT = Path(__file__).parents[1] / "chapters" / "models" / "agreement_rnn.safetensors"
ALL = floats(**tl.parameter_shapes(CONFIG))


ENCODER = tl.Configuration(
    kind="encoder", vocabulary_size=7, d_model=8, heads=2, layers=1, d_ff=10, classes=3
)
CLASSES = {"config": ENCODER, "ids": IDS, "parameters": floats(**tl.parameter_shapes(ENCODER))}


def below(prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): x for name, x in ALL.items() if name.startswith(prefix)}


def only(prefix: str) -> dict[str, Any]:
    return {name: x for name, x in ALL.items() if name.startswith(prefix)}


def model(parameters: Any, **arrays: Any) -> dict[str, Any]:
    return {"parameters": parameters, "config": CONFIG, **arrays}


def first_logits(**given: Any) -> Any:
    return tl.cached_next_logits(**given)([1])


def last_kept(**given: Any) -> Any:
    return tl.trace(**given)["logits"]


X, MEMORY = floats(X=(2, 3, 8)), floats(X=(2, 3, 8), memory=(2, 5, 8))
LAYER: Shapes = {"X": (2, 3, 9), "memory": (2, 5, 9)}
SUBLAYERS = X | dict.fromkeys(("self_attention", "feed_forward", "norm_1", "norm_2"), tl.silu)
THIRD = {"cross_attention": tl.silu, "norm_3": tl.silu}
SEARCH = {"next_logits": next_logits, "prefix": [1], "end": 0, "max_new_tokens": 2}
NO_SEARCH = {"next_logits": np.zeros(4), "prefix": "the", "end": -1, "max_new_tokens": 0}
RIGHT = {"targets": IDS}

DECODER = tl.Configuration(
    kind="decoder", vocabulary_size=7, d_model=8, heads=2, layers=1, d_ff=10, place="pre"
)
BUILT = {"parameters": floats(**tl.parameter_shapes(DECODER)), "config": DECODER}
TRACED = BUILT | {"steps": tl.trace(BUILT["parameters"], DECODER, IDS)}
PATCHED = BUILT | {"ids": IDS[0], "other": IDS[0], "measure": lambda logits: logits[:, 0]}

ROWS = {
    "additive_mask": row(tl.additive_mask, {"mask": np.ones((3, 5), bool)}),
    "alibi_bias": row(tl.alibi_bias, {"n_q": 3, "n_k": 5, "h": 4, **LIKE}, n_q=-1, n_k="5", h=0),
    "alibi_slopes": row(tl.alibi_slopes, {"h": 4, **LIKE}, h=0),
    "apply_temperature": row(tl.apply_temperature, {**LOGITS, "temperature": 2.0}, temperature=0.0),
    "attention": of("attention, bias", ATTEND),
    "attention_steps": of("attention, bias", ATTEND, tl.attention_steps),
    "beam_search": row(
        tl.beam_search, SEARCH | {"width": 2, "alpha": 0.5}, width=0, alpha=-1.0, **NO_SEARCH
    ),
    "cached_next_logits": row(first_logits, model(ALL, source=IDS[0])),
    "causal_mask": row(tl.causal_mask, {"n": 3, **LIKE}, n="3", offset=-1, window=0),
    "changing": row(tl.changing, {"config": CONFIG, "changes": {"logits": abs}}),
    "classify": row(tl.classify, CLASSES),
    "cross_entropy": row(tl.cross_entropy, LOGITS | RIGHT, {"targets": (2, 4)}, label_smoothing=2),
    "cross_entropy_steps": row(tl.cross_entropy_steps, LOGITS | RIGHT, {"targets": (2, 4)}),
    "decoder": row(tl.decoder, model(only("decoder."), **MEMORY), LAYER),
    "decoder_layer": row(tl.decoder_layer, SUBLAYERS | THIRD, place="before"),
    "decoder_stack": row(tl.decoder_stack, X | {"layers": [lambda X, mask: X]}),
    "draw": row(
        tl.draw,
        {"probabilities": np.full((2, 3, 4), 0.25), "rng": np.random.default_rng(0)},
        rng=0,
    ),
    "embed": of("embed"),
    "embedding_steps": row(tl.embedding_steps, model(only("embedding."), ids=IDS), offset=-1),
    "encoder": row(tl.encoder, model(only("encoder."), **X), {"X": (2, 3, 9)}),
    "encoder_layer": row(tl.encoder_layer, SUBLAYERS, place="before"),
    "encoder_stack": row(tl.encoder_stack, X | {"layers": [tl.silu]}),
    "exhaustive_search": row(tl.exhaustive_search, SEARCH, **NO_SEARCH),
    "feed_forward": of("feed_forward", FORWARD),
    "feed_forward_steps": of("feed_forward", FORWARD, tl.feed_forward_steps),
    "forward": row(tl.forward, model(ALL, ids=IDS, source=IDS[:, :2])),
    "frequencies": row(tl.frequencies, {"d_model": 8, **LIKE}, d_model=0, base=0.0),
    "gelu": of("gelu"),
    "gelu_tanh": of("gelu_tanh"),
    "greedy_search": row(tl.greedy_search, SEARCH, **NO_SEARCH),
    "initial_parameters": row(
        tl.initial_parameters, {"config": CONFIG, "rng": np.random.default_rng(0)}, rng=0
    ),
    "keep_top_k": row(tl.keep_top_k, {**LOGITS, "k": 2}, k=7),
    "keep_top_p": row(tl.keep_top_p, {**LOGITS, "p": 0.5}, p=1.5),
    "layer_norm": of("layer_norm", {"gain": (4,), "bias": (4,)}),
    "layer_norm_steps": of("layer_norm", {"gain": (4,), "bias": (4,)}, tl.layer_norm_steps),
    "layer": row(tl.layer, model(below("decoder.layers.0."), **MEMORY), LAYER),
    "learned_positions": of("learned_positions"),
    "length_penalty": row(
        tl.length_penalty, {"length": 3, "alpha": 0.5}, length=-1, alpha=float("nan")
    ),
    "lens": row(tl.lens, TRACED),
    "direct": row(tl.direct, TRACED | {"plus": 1, "minus": 2}, plus=7, minus=True),
    "linear": of("linear", {"W": (3, 5), "b": (4,)}),
    "log_softmax": row(tl.log_softmax, floats(x=(3, 5)), axis=2),
    "logits": row(tl.logits, floats(hidden=(2, 3, 8), W=(8, 6), b=(6,)), {"W": (7, 6), "b": (5,)}),
    "lstm_step": row(tl.lstm_step, CELL, CELL_MISFITS | {"b": (19,)}),
    "merge_heads": of("merge_heads"),
    "multi_head_attention": of("multi_head_attention", HEADS),
    "multi_head_attention_steps": of(
        "multi_head_attention", HEADS, partial(tl.multi_head_attention_steps, h=2)
    ),
    "one_hot": row(tl.one_hot, {"ids": IDS, "V": 4}, V=0),
    "padding_mask": row(tl.padding_mask, {"ids": IDS, "pad_id": 0}),
    "patched": row(tl.patched, PATCHED),
    "parameter_shapes": row(tl.parameter_shapes, {"config": CONFIG}),
    "perplexity": row(tl.perplexity, LOGITS | RIGHT, {"targets": (2, 4)}),
    "pooled": of("pooled", {"W": (5, 5), "b": (6,)}),
    "read_model": row(tl.read_model, {"path": KEPT}, path="model.pt"),
    "read_safetensors": row(tl.read_safetensors, {"path": __file__}),
    "recurrent_forward": row(tl.recurrent_forward, READER),
    "recurrent_shapes": row(tl.recurrent_shapes, {"config": RECURRENT}),
    "recurrent_steps": row(tl.recurrent_steps, READER),
    "relative_bias": of("relative_bias"),
    "relative_buckets": row(tl.relative_buckets, {"n_q": 3, "n_k": 5, **LIKE}, n_q=-1, buckets=0),
    "relu": of("relu"),
    "residual": row(tl.residual, floats(X=(2, 3, 5), change=(2, 3, 5)), {"change": (3, 5)}),
    "rms_norm": of("rms_norm", {"gain": (4,)}),
    "rnn_step": row(tl.rnn_step, SIMPLE, {"x": (2, 4), "h": (2, 6), "W_x": (3, 6), "b": (4,)}),
    "rotary": of("rotary", {"X": (2, 3, 7), "positions": (4,)}),
    "sample": row(
        tl.sample,
        SEARCH | {"rng": np.random.default_rng(0)},
        rng=0,
        temperature=0.0,
        top_k=5,
        top_p=0.0,
        **NO_SEARCH,
    ),
    "silu": of("silu"),
    "sinusoidal": row(tl.sinusoidal, {"n": 3, "d_model": 8, **LIKE}, n=-1, d_model=0, base=0.0),
    "sinusoidal_rotation": row(tl.sinusoidal_rotation, {"k": 3, "d_model": 8, **LIKE}, d_model=7),
    "skipping": row(tl.skipping, {}),
    "softmax": of("softmax"),
    "split_heads": of("split_heads", {"X": (2, 3, 9)}),
    "sublayer": row(tl.sublayer, floats(X=(2, 3, 5)) | BOTH, place="before"),
    "sublayer_steps": row(tl.sublayer_steps, floats(X=(2, 3, 5)) | BOTH, place="before"),
    "swiglu": of("swiglu", GATED),
    "swiglu_steps": of("swiglu", GATED, tl.swiglu_steps),
    "tied_logits": row(tl.tied_logits, floats(hidden=(2, 3, 8), E=(6, 8), b=(6,)), {"E": (6, 7)}),
    "trace": row(last_kept, model(ALL, ids=IDS, source=IDS[:, :2])),
    "write_safetensors": row(tl.write_safetensors, {"arrays": ALL, "path": "/dev/null"}),
}

every = pytest.mark.parametrize("name", ROWS)
WHOLE = {"split_heads", "merge_heads"}  # move entries of any kind and compute nothing
ANY_RANK = {"X", "mask", "x", "ids", "change", "one", "other", "positions"}
MODEL_ARRAYS = {"parameters", "arrays"}


def arrays(name: str) -> dict[str, Any]:
    return {key: x for key, x in ROWS[name].arguments.items() if isinstance(x, np.ndarray)}


def real_arrays(name: str) -> dict[str, Any]:
    return {key: x for key, x in arrays(name).items() if x.dtype == float and key != "like"}


def call(name: str, **changes: Any) -> Any:
    return ROWS[name].function(**(ROWS[name].arguments | changes))


def last(result: Any) -> Any:
    """Return what the steps of a function end in."""
    for field in ("output", "logits", "hidden", "loss"):
        result = getattr(result, field, result)
    return result


def refused(name: str, key: str, value: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        call(name, **{key: value})
    assert re.search(rf"\b{re.escape(key)}\b", str(caught.value)), f"{caught.value} names no {key}"


def test_every_public_function_has_a_row() -> None:
    functions = {name for name in tl.__all__ if inspect.isfunction(getattr(tl, name))}
    assert functions == set(ROWS)


@every
def test_the_call_of_the_row_is_valid(name: str, tmp_path: Any) -> None:
    if name == "read_safetensors":
        tl.write_safetensors(ALL, tmp_path / "w")
        call(name, path=tmp_path / "w")
    else:
        call(name)


@every
@pytest.mark.parametrize("wrong", [[[1.0]], "the", None, 3, {}], ids=repr)
def test_what_is_no_array_is_refused_by_name(name: str, wrong: Any) -> None:
    parameters = inspect.signature(getattr(tl, name)).parameters
    for key in arrays(name):
        default = parameters[key].default if key in parameters else ...
        if wrong is None and (default is None or key in OPTIONAL):
            continue
        says = f"must be a numpy array or a torch tensor, got {type(wrong).__name__}"
        refused(name, key, wrong, says)


OPTIONAL = {"mask", "bias", "b", "b_Q", "b_K", "b_V", "b_O", "gain"}


@every
def test_too_few_axes_are_refused(name: str) -> None:
    for key in set(arrays(name)) - ANY_RANK - OPTIONAL - {"like"}:
        refused(name, key, np.zeros((), arrays(name)[key].dtype), "shape|axes|probabilities")


@every
def test_misfits_are_refused(name: str) -> None:
    for key, shape in ROWS[name].misfits.items():
        wrong = np.ones(shape, ROWS[name].arguments[key].dtype)
        with pytest.raises(ValueError, match=r"shape \(|axes") as caught:
            call(name, **{key: wrong})
        # Two arguments do not fit each other: either may be the one that is named.
        assert set(re.findall(r"\w+", str(caught.value))) & set(arrays(name)), caught.value


@every
def test_refused_scalars(name: str) -> None:
    for key, value in ROWS[name].scalars.items():
        refused(name, key, value, key)


@every
def test_words_truth_values_and_complex_numbers_are_no_numbers(name: str) -> None:
    for key, x in real_arrays(name).items():
        if name not in WHOLE:
            refused(name, key, x.astype(str), "must contain real numbers")
            refused(name, key, x > 0, "must contain real numbers")
            refused(name, key, x.astype(complex), "must contain real numbers, got dtype complex128")


@every
def test_integers_are_promoted(name: str) -> None:
    if name in WHOLE | {"draw"} or not real_arrays(name):
        pytest.skip("computes nothing from real numbers, or wants probabilities")
    whole = {key: np.rint(3 * x) for key, x in real_arrays(name).items()}
    result = last(call(name, **{key: x.astype(np.int64) for key, x in whole.items()}))
    np.testing.assert_array_equal(result, last(call(name, **whole)))
    assert result.dtype == np.float64


@every
def test_nan_in_nan_out(name: str) -> None:
    for key, x in real_arrays(name).items():
        if name == "draw":
            refused(name, key, np.full_like(x, np.nan), "sum to 1")
        else:
            assert np.isnan(last(call(name, **{key: np.full_like(x, np.nan)}))).any(), key


# Every row's sequence has length 3, and no other size in its arrays but the last axis is 3.
NO_SEQUENCE = {"alibi_slopes", "frequencies", "length_penalty", "lstm_step", "rnn_step"}
NO_SEQUENCE |= {"parameter_shapes", "read_safetensors", "sinusoidal_rotation", "write_safetensors"}
NO_SEQUENCE |= {"cached_next_logits", "learned_positions", "read_model", "recurrent_shapes"}
NO_SEQUENCE |= {"initial_parameters", "changing", "skipping", "lens", "direct", "patched"}
AT_LEAST_ONE = {"cross_entropy", "cross_entropy_steps", "perplexity"}
FIRST_ROW = {"classify", "pooled"}
SEARCHES = {"beam_search", "exhaustive_search", "greedy_search", "sample"}


def emptied(key: str, value: Any) -> Any:
    """Return an argument of the same kind for a sequence of no tokens."""
    if isinstance(value, np.ndarray) and not re.match("W_|b$|b_|gain|E|K|V|P|table|like", key):
        axes = value.ndim - (value.dtype == float)
        return value[
            tuple(slice(0 if n == 3 and i < axes else n) for i, n in enumerate(value.shape))
        ]
    return 0 if key in ("n", "n_q") else value


@every
def test_an_empty_sequence_gives_an_empty_result(name: str) -> None:
    if name in NO_SEQUENCE:
        pytest.skip("takes no sequence")
    given = {key: emptied(key, value) for key, value in ROWS[name].arguments.items()}
    if name in SEARCHES:
        refused(name, "prefix", [], "one or more ids")
    elif name in FIRST_ROW:
        with pytest.raises(ValueError, match="hidden must have at least one row"):
            call(name, **given)
    elif name in AT_LEAST_ONE:
        with pytest.raises(ValueError, match="targets must contain at least one token"):
            call(name, **given)
    else:
        shape = last(call(name)).shape
        assert 3 in shape
        assert last(call(name, **given)).shape == tuple(0 if n == 3 else n for n in shape)


@pytest.mark.parametrize("name", [n for n, r in ROWS.items() if MODEL_ARRAYS & set(r.arguments)])
def test_a_parameter_that_is_no_array_is_refused_by_name(name: str, tmp_path: Any) -> None:
    key = next(key for key in MODEL_ARRAYS if key in ROWS[name].arguments)
    given = ROWS[name].arguments[key]
    for wrong in given:
        with pytest.raises(ValueError, match=re.escape(wrong)):
            call(name, **{key: given | {wrong: given[wrong].tolist()}})
