"""A model of the form of the published one that fits a test; a token is a byte."""

import functools
from pathlib import Path

import gguf
import numpy as np

from transformer_lib.families.gguf import NAMES
from transformer_lib.text.byte_alphabet import printable

LAYERS, HEADS, SHARED, WIDTH, D_FF = 10, 9, 3, 4, 64
D_MODEL = HEADS * WIDTH
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
PAIRS = [(" ", "a"), (" ", "i")]  # which make a word of two bytes one token
BYTES = [printable(bytes([byte])) for byte in range(256)]
WORDS = [*SPECIAL, *BYTES, *(printable("".join(pair).encode()) for pair in PAIRS)]
SHAPES = {
    "attn_q": (D_MODEL, D_MODEL),
    "attn_k": (SHARED * WIDTH, D_MODEL),
    "attn_v": (SHARED * WIDTH, D_MODEL),
    "attn_output": (D_MODEL, D_MODEL),
    "ffn_gate": (D_FF, D_MODEL),
    "ffn_up": (D_FF, D_MODEL),
    "ffn_down": (D_MODEL, D_FF),
    "attn_norm": (D_MODEL,),
    "ffn_norm": (D_MODEL,),
}


@functools.cache
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def drawn(*shape: int) -> np.ndarray:
    scale = shape[-1] ** -0.5 if len(shape) > 1 else 0.1
    return (scale * rng().normal(size=shape) + (len(shape) == 1)).astype(np.float32)


def write(path: Path) -> Path:
    """Write it as llama.cpp does."""
    assert {*SHAPES, "token_embd", "output_norm", "output"} == set(NAMES)
    rng.cache_clear()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_embedding_length(D_MODEL)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(SHARED)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(D_FF)
    writer.add_context_length(256)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(WORDS)
    writer.add_token_types([3] * len(SPECIAL) + [1] * (len(WORDS) - len(SPECIAL)))
    writer.add_token_merges([f"{printable(b' ')} {letter}" for _, letter in PAIRS])
    writer.add_tensor("token_embd.weight", drawn(len(WORDS), D_MODEL))
    writer.add_tensor("output_norm.weight", drawn(D_MODEL))
    for layer in range(LAYERS):
        for part, shape in SHAPES.items():
            writer.add_tensor(f"blk.{layer}.{part}.weight", drawn(*shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
