"""Our layers and stacks against those of torch.nn, with copied weights, forward and gradient."""

from typing import Any

import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn

X = torch.randn(2, 3, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
MEMORY = torch.randn(2, 5, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
PADDED = torch.tensor([[True] * 3, [True, True, False]])
MEMORY_PADDED = torch.tensor([[True] * 5, [True, True, True, False, False]])
FUTURE = torch.ones(3, 3, dtype=torch.bool).triu(1)
SIZES: dict[str, Any] = dict(d_model=8, dropout=0.0, batch_first=True, dtype=torch.float64)

both_places = pytest.mark.parametrize("place", ["pre", "post"])
both_activations = pytest.mark.parametrize("activation", ["relu", "gelu"])


def configuration(**changes: Any) -> nn.Configuration:
    fields = dict(kind="encoder-decoder", vocabulary_size=7, d_model=8, heads=4, layers=2, d_ff=12)
    return nn.Configuration(**(fields | dict(dropout=0.0, activation="relu") | changes))


def attention_of(module: torch.nn.MultiheadAttention, name: str) -> dict[str, torch.Tensor]:
    weights = zip("QKV", module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3), strict=True)
    ours = {}
    for letter, W, b in weights:
        ours |= {f"{name}.W_{letter}": W.T, f"{name}.b_{letter}": b}
    return ours | {f"{name}.W_O": module.out_proj.weight.T, f"{name}.b_O": module.out_proj.bias}


def layer_of(layer: Any) -> dict[str, torch.Tensor]:
    names = ["self_attention", "feed_forward"]
    ours = attention_of(layer.self_attn, "self_attention")
    if hasattr(layer, "multihead_attn"):
        ours |= attention_of(layer.multihead_attn, "cross_attention")
        names.insert(1, "cross_attention")
    for i, linear in ((1, layer.linear1), (2, layer.linear2)):
        ours |= {f"feed_forward.W_{i}": linear.weight.T, f"feed_forward.b_{i}": linear.bias}
    for i, name in enumerate(names, 1):
        norm = getattr(layer, f"norm{i}")
        ours |= {f"{name}_norm.gain": norm.weight, f"{name}_norm.bias": norm.bias}
    return ours


def stack_of(stack: Any) -> dict[str, torch.Tensor]:
    ours = {}
    for i, layer in enumerate(stack.layers):
        ours |= {f"layers.{i}.{name}": value for name, value in layer_of(layer).items()}
    if stack.norm is not None:
        ours |= {"norm.gain": stack.norm.weight, "norm.bias": stack.norm.bias}
    return ours


def shaken(module: torch.nn.Module) -> torch.nn.Module:
    """Move every parameter off its first value: biases are 0 and gains 1 there."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return module


def assert_same(ours: Any, theirs: Any, ours_in: Any, theirs_in: Any) -> None:
    """Compare outputs, and the gradients of inputs and of parameters that were copied."""
    torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-10)
    one = torch.autograd.grad(ours.pow(3).sum(), ours_in)
    other = torch.autograd.grad(theirs.pow(3).sum(), theirs_in)
    for a, b in zip(one, other, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-9)


def copies(*tensors: torch.Tensor) -> list[torch.Tensor]:
    return [tensor.clone().requires_grad_() for tensor in tensors]


@both_places
@both_activations
def test_decoder_block(place: str, activation: str) -> None:
    theirs: Any = shaken(
        torch.nn.TransformerDecoderLayer(
            nhead=4, dim_feedforward=12, activation=activation, norm_first=place == "pre", **SIZES
        )
    )
    ours = nn.DecoderBlock(configuration(place=place, activation=activation)).double()
    ours.load_state_dict(layer_of(theirs))
    (x, m), (y, n) = copies(X, MEMORY), copies(X, MEMORY)
    expected = theirs(y, n, tgt_mask=FUTURE, memory_key_padding_mask=~MEMORY_PADDED)
    memory_mask = MEMORY_PADDED[:, None, :]
    masks = dict(mask=tl.causal_mask(3, like=x), memory_mask=memory_mask)
    assert_same(ours(x, m, **masks), expected, [x, m], [y, n])
    formula = tl.layer(layer_of(theirs), ours.config, x, m, **masks)
    torch.testing.assert_close(formula, expected, rtol=1e-10, atol=1e-10)


@both_places
@both_activations
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch remarks on its own fast path
def test_encoder_and_decoder_equal_nn_transformer(place: str, activation: str) -> None:
    shape = dict(nhead=4, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=12)
    options = dict(activation=activation, norm_first=place == "pre")
    theirs = torch.nn.Transformer(**shape, **options, **SIZES)
    if place == "post":
        # Torch adds a norm to a stack whose layers end in one already; the paper does not.
        theirs.encoder.norm = theirs.decoder.norm = None
    shaken(theirs)
    config = configuration(place=place, activation=activation)
    encoder, decoder = nn.Encoder(config).double(), nn.Decoder(config).double()
    encoder.load_state_dict(stack_of(theirs.encoder))
    decoder.load_state_dict(stack_of(theirs.decoder))
    (x, s), (y, t) = copies(X, MEMORY), copies(X, MEMORY)
    memory_mask = MEMORY_PADDED[:, None, :]
    ours = decoder(x, encoder(s, memory_mask), PADDED[:, None, :], memory_mask=memory_mask)
    expected = theirs(
        t,
        y,
        src_key_padding_mask=~MEMORY_PADDED,
        memory_key_padding_mask=~MEMORY_PADDED,
        tgt_key_padding_mask=~PADDED,
        tgt_mask=FUTURE,
    )
    assert_same(ours, expected, [x, s], [y, t])
    ours, expected = decoder(x, encoder(s)), theirs(t, y, tgt_mask=FUTURE)
    ours.square().sum().backward()
    expected.square().sum().backward()
    for one, other in ((encoder, theirs.encoder), (decoder, theirs.decoder)):
        for mine, its in (
            (one.layers[0].feed_forward.W_1, other.layers[0].linear1.weight),
            (one.layers[1].self_attention.W_O, other.layers[1].self_attn.out_proj.weight),
        ):
            torch.testing.assert_close(mine.grad, its.grad.T, rtol=1e-9, atol=1e-9)


def test_multi_head_attention_module() -> None:
    theirs: Any = shaken(torch.nn.MultiheadAttention(8, 4, batch_first=True, dtype=torch.float64))
    ours = nn.MultiHeadAttention(configuration()).double()
    ours.load_state_dict({n.split(".")[1]: x for n, x in attention_of(theirs, "a").items()})
    (x, m), (y, n) = copies(X, MEMORY), copies(X, MEMORY)
    expected, weights = theirs(y, n, n, average_attn_weights=False)
    assert_same(ours(x, m), expected, [x, m], [y, n])
    torch.testing.assert_close(ours.steps(x, m).weights, weights, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize("divisor", [None, 3.0])
def test_the_fused_attention_equals_the_explicit_one(with_bias, with_mask, divisor) -> None:
    generator = torch.Generator().manual_seed(4)
    Q, K, V, bias = (
        torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=True)
        for shape in ((2, 4, 3, 6), (2, 4, 5, 6), (2, 4, 5, 7), (4, 3, 5))
    )
    mask = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]).bool()
    options = dict(mask=mask if with_mask else None, bias=bias if with_bias else None)
    options |= dict(divisor=divisor)
    one = nn.fused_attention_steps(Q, K, V, **options).output
    other = tl.attention(Q, K, V, **options)
    inputs = [Q, K, V, bias] if with_bias else [Q, K, V]
    assert_same(one, other, inputs, inputs)
