"""Tiny checkpoints of the published families, random and made on the spot."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers

import transformer_lib as tl
from transformer_lib import nn

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

PAD = 1  # and 0 begins, 2 ends


class Made(NamedTuple):
    architecture: Any
    fields: dict[str, Any]

    @property
    def config(self) -> Any:
        """The class of the configuration."""
        return self.architecture.config_class


GPT = dict(vocab_size=23, n_positions=16, n_embd=12, n_layer=2, n_head=3)
BERT = dict(
    vocab_size=23,
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=20,
    max_position_embeddings=18,
    pad_token_id=PAD,
)
LLAMA = BERT | dict(hidden_size=24, num_attention_heads=6, num_key_value_heads=2)
TWO_SIDES = dict(
    vocab_size=23, d_model=12, pad_token_id=PAD, eos_token_id=2, decoder_start_token_id=0
)
SIDES = TWO_SIDES | dict(
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=3,
    decoder_attention_heads=3,
    encoder_ffn_dim=20,
    decoder_ffn_dim=20,
    max_position_embeddings=16,
    forced_eos_token_id=None,
)
T5 = TWO_SIDES | dict(
    d_kv=6,
    d_ff=20,
    num_layers=2,
    num_heads=3,
    relative_attention_num_buckets=8,
    relative_attention_max_distance=7,
)
BLOOM = dict(vocab_size=23, hidden_size=12, n_layer=2, n_head=4, pad_token_id=PAD)

CASES = {
    "openai-gpt": Made(transformers.OpenAIGPTLMHeadModel, GPT),
    "gpt2": Made(transformers.GPT2LMHeadModel, GPT | {"n_inner": 20}),
    "gpt2, untied": Made(transformers.GPT2LMHeadModel, GPT | {"tie_word_embeddings": False}),
    "bert": Made(transformers.BertForMaskedLM, BERT),
    "bert, both heads": Made(transformers.BertForPreTraining, BERT | {"type_vocab_size": 3}),
    "llama": Made(transformers.LlamaForCausalLM, LLAMA),
    "llama, tied, biases": Made(
        transformers.LlamaForCausalLM,
        LLAMA | {"tie_word_embeddings": True, "attention_bias": True, "head_dim": 6},
    ),
    "roberta": Made(transformers.RobertaForMaskedLM, BERT),
    "roberta, swish": Made(
        transformers.RobertaForMaskedLM, BERT | {"hidden_act": "silu", "type_vocab_size": 1}
    ),
    "distilbert": Made(
        transformers.DistilBertForMaskedLM,
        dict(
            vocab_size=23,
            max_position_embeddings=18,
            n_layers=2,
            n_heads=3,
            dim=12,
            hidden_dim=20,
            pad_token_id=PAD,
        ),
    ),
    "bloom": Made(transformers.BloomForCausalLM, BLOOM),
    "t5": Made(transformers.T5ForConditionalGeneration, T5),
    "t5, gated": Made(
        transformers.T5ForConditionalGeneration, T5 | {"feed_forward_proj": "gated-gelu"}
    ),
    "bart": Made(transformers.BartForConditionalGeneration, SIDES),
    "marian": Made(
        transformers.MarianMTModel,
        SIDES | {"scale_embedding": True, "activation_function": "swish"},
    ),
    "mistral": Made(transformers.MistralForCausalLM, LLAMA | {"sliding_window": 4}),
    "mistral, no window": Made(
        transformers.MistralForCausalLM, LLAMA | {"sliding_window": None, "head_dim": 6}
    ),
}


def make(name: str) -> Any:
    """Return a model of transformers whose parameters are all random, biases and gains too."""
    made = CASES[name]
    torch.manual_seed(3)
    model = made.architecture(made.config(**made.fields)).eval()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if not value.requires_grad:  # the table of sines and cosines, which no file keeps
                continue
            gain = ("norm" in key.lower() or "ln_" in key) and "weight" in key
            value.normal_(float(gain), 0.1 if "bias" in key else 0.3)
        for key, value in model.named_buffers():
            if key == "final_logits_bias":
                value.normal_(0.0, 0.3)
    return model


def write(name: str, folder: Path, **options: Any) -> Path:
    make(name).save_pretrained(folder, **options)
    return folder


def read(name: str, folder: Path) -> Any:
    """Return the model of transformers that is kept in a folder; it shows its attention weights."""
    return CASES[name].architecture.from_pretrained(folder, attn_implementation="eager").eval()


IDS = torch.tensor([[3, 9, 4, 7]])


def logits(model: nn.Transformer) -> torch.Tensor:
    source = IDS.flip(1) if model.config.kind == "encoder-decoder" else None
    return model(IDS, source).detach()


def copy(folder: Path, to: Path, tensors: dict[str, Any] | None = None, **hf_config: Any) -> None:
    """Copy a checkpoint with other tensors, or with other words in config.json."""
    to.mkdir(exist_ok=True)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | hf_config
    (to / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if tensors is None:
        shutil.copy(folder / "model.safetensors", to)
    else:
        tl.write_safetensors(tensors, to / "model.safetensors")
