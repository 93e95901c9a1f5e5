"""A LLaMA in a GGUF file equals the model of `transformers` it was written from, in both forms."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

from course.published import ask, fetch, view
from course.published.model import opened, see
from transformer_lib import families
from transformer_lib.families.files import read
from transformer_lib.families.gguf import NAMES
from transformer_lib.model.gguf import read_gguf

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import

SIZES = {
    "vocab_size": 41,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 3,
    "intermediate_size": 96,
    "max_position_embeddings": 24,
    "rope_theta": 5000.0,
    "rms_norm_eps": 1e-5,
}
IDS = torch.tensor([[3, 40, 7, 7, 12], [0, 1, 39, 2, 25]])
Q8 = gguf.GGMLQuantizationType.Q8_0
Writing = Callable[[gguf.GGUFWriter], object]


def llama(**changes: Any) -> Any:
    """A LLaMA of `transformers` whose weights 8 bits and a scale hold, but for rounding."""
    import transformers

    torch.manual_seed(1)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES, **changes)).eval()
    for value in model.parameters():
        value.data += 0.1 * torch.randn_like(value)
        value.data = torch.from_numpy(gguf.dequantize(gguf.quantize(value.data.numpy(), Q8), Q8))
    return model


def in_pairs(rows: np.ndarray, heads: int) -> np.ndarray:
    """The rows of Q or K as llama.cpp has them: those it turns together are neighbors."""
    halves = rows.reshape(heads, 2, -1, rows.shape[-1])
    return np.stack([halves[:, 0], halves[:, 1]], axis=2).reshape(rows.shape)


def write(path: Path, model: Any, also: Writing = lambda writer: None, kind: Any = Q8) -> Path:
    """Write a model as llama.cpp does."""
    config, writer = model.config, gguf.GGUFWriter(path, "llama")
    writer.add_embedding_length(config.hidden_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(5000.0)
    writer.add_token_list([f"t{i}" for i in range(config.vocab_size)])
    also(writer)
    theirs = {ours: name for name, ours in NAMES.items()}
    for name, value in model.state_dict().items():
        *layer, part = name.removesuffix(".weight").rsplit(".layers.", 1)
        number, _, part = part.partition(".") if layer else ("", "", part)
        array = value.numpy()
        if part.endswith(("q_proj", "k_proj")):
            array = in_pairs(array, len(array) // (config.hidden_size // 4))
        short = f"blk.{number}.{theirs[part]}" if layer else theirs[part]
        use = kind if array.ndim > 1 else gguf.GGMLQuantizationType.F32
        writer.add_tensor(f"{short}.weight", gguf.quantize(array, use), raw_dtype=use)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize("tied", [True, False])
def test_a_llama_gives_the_numbers_of_transformers(tied: bool, tmp_path: Path) -> None:
    model = llama(tie_word_embeddings=tied)
    if tied:
        state = {k: v for k, v in model.state_dict().items() if k != "lm_head.weight"}
        model.state_dict = lambda: state
    ours = families.load(write(tmp_path / "tiny.gguf", model))
    assert ours.config.tied is tied and ours.config.key_value_heads == 2
    with torch.no_grad():
        torch.testing.assert_close(ours(IDS), model(IDS).logits, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("also", "message"),
    [
        *[
            (
                lambda writer, key=key, value=value: add(writer, f"llama.{key}", value),
                rf"gives llama.{key} = {value!r}, (only|which is not a known key)",
            )
            for key, value in {
                "rope.scaling.type": "linear",
                "rope.scaling.factor": 2.0,
                "rope.scale_linear": 2.0,
                "rope.dimension_count": 8,
                "rope.freq_base_swa": 100.0,
                "attention.scale": 0.5,
                "attention.sliding_window": 8,
                "attention.causal": False,
                "attention.key_length": 32,
                "attention.value_length": 32,
                "attention.new_wonder": 1,
                "expert_count": 8,
                "logit_scale": 0.5,
                "embedding_scale": 2.0,
                "residual_scale": 0.5,
            }.items()
        ],
        (
            lambda writer: writer.add_tensor("rope_freqs.weight", np.ones(8, np.float32)),
            "scales its rotary positions",
        ),
        (
            lambda writer: writer.add_tensor("blk.0.attn_q.bias", np.ones(64, np.float32)),
            r"unknown .*attn_q.bias \(64,\)",
        ),
    ],
)
def test_what_we_lack_is_refused(also: Writing, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        families.load(write(tmp_path / "other.gguf", llama(), also))


def test_keys_whose_value_changes_nothing_are_read(tmp_path: Path) -> None:
    values = {
        "rope.scaling.type": "none",
        "rope.scaling.factor": 1.0,
        "rope.dimension_count": 16,
        "attention.key_length": 16,
        "attention.scale": 0.25,
        "attention.causal": True,
        "attention.sliding_window": 0,
        "expert_count": 0,
        "logit_scale": 0.0,
        "residual_scale": 1.0,
        "vocab_size": 41,
        "tensor_data_layout": "Meta AI original pth",
    }

    def also(writer: gguf.GGUFWriter) -> None:
        for key, value in values.items():
            add(writer, f"llama.{key}", value)

    model = llama()
    plain, ours = (
        families.load(write(tmp_path / name, model, each))
        for name, each in (("plain.gguf", lambda writer: None), ("more.gguf", also))
    )
    assert ours.config == plain.config and torch.equal(ours(IDS), plain(IDS))


def add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    """Add a key of the type of its value."""
    kinds = {bool: "bool", int: "uint32", float: "float32", str: "string"}
    getattr(writer, f"add_{kinds[type(value)]}")(key, value)


def test_another_architecture_and_a_missing_key_are_named(tmp_path: Path) -> None:
    for architecture, message in (
        ("qwen2", "'llama', got 'qwen2'"),
        ("llama", "llama.block_count"),
    ):
        writer = gguf.GGUFWriter(path := tmp_path / f"{architecture}.gguf", architecture)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.close()
        with pytest.raises(ValueError, match=message):
            families.load(path)


@pytest.mark.parametrize(
    ("keys", "tensors", "message"),
    [
        ({"llama.block_count": "three"}, {}, "llama.block_count as one positive .* got 'three'"),
        ({"llama.attention.head_count": 0}, {}, "head_count as one positive number, got 0"),
        # heads that do not divide the rows
        (
            {},
            {"blk.0.attn_q.weight": np.ones((63, 64), np.float32)},
            r"be \(64, 64\), got \(63, 64",
        ),
    ],
)
def test_wrong_numbers_and_shapes_are_named(
    keys: Any, tensors: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "tiny.gguf", llama())
    found = tuple(
        real | wrong for real, wrong in zip(read_gguf(path), (keys, tensors), strict=True)
    )
    monkeypatch.setattr("transformer_lib.families.gguf.read_gguf", lambda _: found)
    with pytest.raises(ValueError, match=message):
        families.load(path)


@pytest.mark.published
class TestThePublishedModel:
    """It stands outside of this repository; where CI is set, a missing file is a failure."""

    def theirs(self) -> Any:
        """The same weights in `transformers`, opened by `gguf` and put in order here."""
        import transformers

        hf_config, _ = read(fetch.place())
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**hf_config)).eval()
        state = model.state_dict()
        for tensor in gguf.GGUFReader(fetch.place()).tensors:
            *layer, part = tensor.name.removesuffix(".weight").split(".")[1:] or [tensor.name]
            part = part.removesuffix(".weight")
            name = NAMES[part] if not layer else f"layers.{layer[0]}.{NAMES[part]}"
            name = name if name.startswith("model.") else f"model.{name}"
            array = gguf.dequantize(tensor.data, tensor.tensor_type).copy()
            if part in ("attn_q", "attn_k"):
                halves = array.reshape(-1, 32, 2, array.shape[-1])
                array = np.concatenate([halves[:, :, 0], halves[:, :, 1]], axis=1)
            state[f"{name}.weight"].copy_(
                torch.from_numpy(array.reshape(state[f"{name}.weight"].shape))
            )
        return model

    def test_every_tensor_is_what_gguf_opens(self) -> None:
        _, ours = read_gguf(fetch.place())
        theirs = gguf.GGUFReader(fetch.place()).tensors
        assert len(ours) == len(theirs) == 272
        for tensor in theirs:
            opened = gguf.dequantize(tensor.data, tensor.tensor_type)
            np.testing.assert_array_equal(
                ours[tensor.name], opened.reshape(ours[tensor.name].shape)
            )

    def test_its_logits_are_those_of_transformers(self) -> None:
        model, tokenizer = ask.model_and_tokenizer()
        ids = torch.tensor([ask.prompt("What is the capital of France?", tokenizer)])
        with torch.no_grad():
            # Thirty layers in float32, sums in another order: 8e-5 of logits up to 30 was measured.
            torch.testing.assert_close(model(ids), self.theirs()(ids).logits, atol=2e-4, rtol=1e-5)

    def test_it_answers_and_agrees_the_verb(self) -> None:
        assert ask.answer("What is the capital of France?") == "The capital of France is Paris."
        assert ask.answer("Who wrote Hamlet?", 10).startswith(
            "The Bard's own son, William Shakespe"
        )
        seen = see(opened(fetch.place()), view.PAIR[0])
        subject = seen.tokens.index("keys") + 1  # after the start token
        layer, head = view.FINDER
        assert seen.weights[layer - 1, head - 1, -1].argmax() == subject
        model, tokenizer = ask.model_and_tokenizer()
        ids = torch.tensor([tokenizer.encode("The keys to the cabinet")])
        with torch.no_grad():
            chances = model(ids)[0, -1].softmax(-1)
        plural, singular = (tokenizer.encode(word)[0] for word in (" are", " is"))
        assert float(chances[plural]) == pytest.approx(0.159, abs=5e-4)
        assert float(chances[singular]) == pytest.approx(0.005, abs=5e-4)
