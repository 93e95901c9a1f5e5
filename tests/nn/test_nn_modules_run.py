"""What people do to modules of torch works on ours: each of them runs, and can be replaced."""

import copy
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils import parametrize

import transformer_lib as tl
from tests.nn.models import FOUR_HEADS, IDS, Doubled
from transformer_lib import nn
from transformer_lib.nn.recurrent import RecurrentModel
from transformer_lib.training import load_model, save_model
from transformer_lib.transfer.adapter import LowRank
from transformer_lib.transfer.heads import TagHead

SOURCE = torch.tensor([[7, 1, 8], [4, 4, 10]])
KINDS = {
    "encoder-decoder": dict(kind="encoder-decoder", padding_id=0),
    "decoder": dict(kind="decoder", place="pre", position="rotary", activation="swiglu"),
    "encoder": dict(kind="encoder", position="learned", activation="gelu", tied=False),
    "alibi": dict(kind="decoder", position="alibi", norm="rms", bias=False),
    "t5": dict(kind="encoder-decoder", position="t5", place="pre"),
}
every = pytest.mark.parametrize("name", KINDS)
both = pytest.mark.parametrize("attention", ["explicit", "fused"])


def model_of(name: str, **options: Any) -> nn.Transformer:
    return nn.Transformer(nn.Configuration(**FOUR_HEADS | KINDS[name]), seed=3, **options)


HOOKED = hasattr(tl.attention, "__wrapped__")
as_it_is = pytest.mark.skipif(
    HOOKED, reason="what checks shapes cannot be compiled: these run where it is off"
)


def inputs_of(name: str) -> list[torch.Tensor]:
    return [IDS, SOURCE] if "-" in name or name == "t5" else [IDS]


@every
def test_a_hook_fires_on_every_module(name: str) -> None:
    model, fired = model_of(name), []
    for path, module in model.named_modules():
        if not isinstance(module, torch.nn.ModuleList):
            module.register_forward_hook(lambda *_, path=path: fired.append(path))
    model(*inputs_of(name))
    expected = [n for n, m in model.named_modules() if not isinstance(m, torch.nn.ModuleList)]
    assert sorted(set(fired)) == sorted(expected)


def test_a_hook_of_a_block_can_change_its_output() -> None:
    model = model_of("decoder")
    before = model(*inputs_of("decoder"))
    handle = model.decoder.layers[0].register_forward_hook(lambda _, __, output: 0 * output)
    assert (model(IDS) - before).abs().max() > 1e-3
    handle.remove()
    assert torch.equal(model(IDS), before)


def test_a_parametrized_weight_is_the_one_that_runs() -> None:
    model, other = model_of("decoder"), model_of("decoder")
    attention = model.decoder.layers[1].self_attention
    parametrize.register_parametrization(attention, "W_V", Doubled())
    with torch.no_grad():
        other.decoder.layers[1].self_attention.W_V.mul_(2)
    torch.testing.assert_close(model(IDS), other(IDS))
    model(IDS).sum().backward()
    assert attention.parametrizations.W_V.original.grad.abs().max() > 0


class Own(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.eye(8))

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        return X @ self.weight


def test_a_layer_of_ones_own_takes_the_place_of_ours() -> None:
    model = model_of("encoder-decoder")
    before = model(IDS, SOURCE)
    model.encoder.layers[0].feed_forward = Own()
    model.decoder.layers[1].self_attention_norm = torch.nn.LayerNorm(8)
    after = model(IDS, SOURCE)
    after.sum().backward()
    assert (after - before).abs().max() > 1e-3
    assert model.encoder.layers[0].feed_forward.weight.grad.abs().max() > 0
    kept = model.trace(IDS, SOURCE)
    layer = "encoder.layers.0"
    summed = kept[f"{layer}.resid_mid"] + kept[f"{layer}.mlp_out"]
    norm = model.encoder.layers[0].feed_forward_norm
    torch.testing.assert_close(kept[f"{layer}.resid_post"], norm(summed))
    assert f"{layer}.feed_forward.hidden" not in kept


@pytest.mark.slow
@as_it_is
@every
@both
def test_compiled_in_one_graph(name: str, attention: str) -> None:
    model = model_of(name, attention=attention)
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    given = inputs_of(name)
    for each in (given, [torch.cat([ids, ids], dim=1) for ids in given]):
        torch.testing.assert_close(compiled(*each), model(*each))


@pytest.mark.slow
@as_it_is
@every
@both
def test_exported_with_a_length_that_may_differ(name: str, attention: str) -> None:
    model, given = model_of(name, attention=attention).eval(), inputs_of(name)
    longest = model.config.max_length if model.config.position == "learned" else 64
    n, m = (torch.export.Dim(letter, min=2, max=longest) for letter in "nm")
    shapes = ({1: n}, {1: m}) if len(given) == 2 else ({1: n},)
    arguments = dict(zip(("ids", "source"), given, strict=False))
    program = torch.export.export(
        model, (), arguments, dynamic_shapes=dict(zip(arguments, shapes, strict=True))
    )
    longer = {key: torch.cat([ids, ids], dim=1) for key, ids in arguments.items()}
    torch.testing.assert_close(program.module()(**longer), model(**longer))


def test_vmap_over_sequences() -> None:
    model = model_of("decoder").eval()
    apart = torch.func.vmap(model)(IDS)
    torch.testing.assert_close(apart, model(IDS))


@every
def test_copies_and_pickles_compute_the_same(name: str) -> None:
    model, given = model_of(name), inputs_of(name)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other(*given), model(*given))
        with torch.no_grad():
            other.embedding.tokens.zero_()
        assert model.embedding.tokens.abs().max() > 0


def test_device_and_dtype_are_those_asked_for() -> None:
    model = model_of("encoder-decoder", device="meta", dtype=torch.float64)
    assert {(p.device.type, p.dtype) for p in model.parameters()} == {("meta", torch.float64)}
    double, single = model_of("decoder", dtype=torch.float64), model_of("decoder")
    for one, other in zip(double.parameters(), single.parameters(), strict=True):
        assert torch.equal(one, other.double())


def test_a_kept_model_of_bfloat16_comes_back_as_one(tmp_path: Path) -> None:
    model = model_of("decoder", dtype=torch.bfloat16).eval()
    save_model(tmp_path / "half.safetensors", model)
    other = load_model(tmp_path / "half.safetensors")
    assert {p.dtype for p in other.parameters()} == {torch.bfloat16}
    assert torch.equal(other(IDS), model(IDS))


@every
def test_fused_attention_computes_the_same(name: str) -> None:
    model, given = model_of(name, dtype=torch.float64), inputs_of(name)
    other = model_of(name, attention="fused", dtype=torch.float64)
    one, two = model(*given), other(*given)
    torch.testing.assert_close(one, two, rtol=1e-10, atol=1e-10)
    for logits in (one, two):
        logits.square().sum().backward()
    for (path, p), q in zip(model.named_parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(p.grad, q.grad, rtol=1e-8, atol=1e-8, msg=path)


@pytest.mark.parametrize("name", ["decoder", "alibi"])
def test_a_decoder_runs_in_the_flash_kernel_alone(name: str) -> None:
    model = model_of(name, attention="fused").eval()
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        torch.testing.assert_close(model(IDS), model_of(name).eval()(IDS))


def test_the_fused_attention_gets_a_mask_that_its_kernels_take() -> None:
    shapes = []

    def seen(Q: Any, K: Any, V: Any, mask: Any = None, **options: Any) -> Any:
        shapes.append(tuple(mask.shape))
        return nn.fused_attention_steps(Q, K, V, mask, **options)

    model = model_of("decoder").eval()
    arrays = {n: p.detach() for n, p in model.named_parameters()}
    tl.forward(arrays, model.config, IDS, attend=seen)
    assert set(shapes) == {(5, 5)}


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_the_parts_of_a_recurrent_model_run_too(kind: str) -> None:
    model = nn.RecurrentModel(kind, vocabulary_size=11, d_model=8, dtype=torch.float64)
    assert {p.dtype for p in model.parameters()} == {torch.float64}
    before, fired = model(IDS), []
    for path, module in model.named_children():
        module.register_forward_hook(lambda *_, path=path: fired.append(path))
    parametrize.register_parametrization(model.cell, "W_h", Doubled())
    assert (model(IDS) - before).abs().max() > 1e-3
    assert fired == ["embedding", "cell", "head"]


def test_a_pass_keeps_no_steps() -> None:
    model = model_of("decoder").eval()
    alive: list[Any] = []

    def note(module: Any, _: Any, output: torch.Tensor) -> None:
        import weakref

        alive.append(weakref.ref(output))

    for block in model.decoder.layers:
        block.feed_forward.register_forward_hook(note)
    with torch.no_grad():
        logits = model(IDS)
    assert logits.shape == (2, 5, 11) and [ref() for ref in alive] == [None, None]


def _one_of_two(rank: int, folder: str) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "GLOO_SOCKET_IFNAME": "lo"}
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    model = model_of("decoder", dtype=torch.float64)
    parallel = torch.nn.parallel.DistributedDataParallel(model)
    parallel(IDS[rank : rank + 1]).square().mean().backward()
    grads = {n: p.grad for n, p in model.named_parameters()}
    torch.save(grads, f"{folder}/grads_{rank}.pt")
    dist.destroy_process_group()


def test_two_processes_share_their_gradients(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(_one_of_two, args=(str(tmp_path),), nprocs=2)
    model = model_of("decoder", dtype=torch.float64)
    model(IDS).square().mean().backward()
    for rank in (0, 1):
        grads = torch.load(tmp_path / f"grads_{rank}.pt")
        for name, parameter in model.named_parameters():
            torch.testing.assert_close(grads[name], parameter.grad, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
def test_a_device_that_a_with_names_is_that_of_every_parameter(kind: str) -> None:
    plain = model_of(kind)
    with torch.device("meta"):
        built = [model_of(kind), RecurrentModel("lstm", vocabulary_size=5, d_model=4)]
        adapted = LowRank(torch.eye(3), rank=1)
    built += [adapted, TagHead(built[0], 3)]
    for module in built:
        assert {value.device.type for value in module.parameters()} == {"meta"}
    with torch.device("cpu"):
        again = model_of(kind)
    for one, other in zip(plain.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
