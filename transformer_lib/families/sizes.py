"""The model sizes that papers published, each as a configuration."""

from typing import Any

from transformer_lib.families import registry
from transformer_lib.model.configuration import Configuration


def published(family: str, *names: str, **hf_config: Any) -> Configuration:
    """Return the configuration of a model, from the keys of its config.json that are not defaults.

    Args:
        family: a key of `FAMILIES`.
        names: tensors that show a part which not every model of the family has.
        hf_config: keys of config.json.
    """
    return registry.FAMILIES[family].configuration(hf_config, names)


def _original(**fields: Any) -> Configuration:
    return Configuration(kind="encoder-decoder", vocabulary_size=37000, **fields)


def _gpt2(n_layer: int, n_embd: int, n_head: int, **hf_config: int) -> Configuration:
    return published("gpt2", n_layer=n_layer, n_embd=n_embd, n_head=n_head, **hf_config)


def _t5(num_layers: int, d_model: int, d_ff: int, num_heads: int, d_kv: int = 64) -> Configuration:
    sizes = {"num_layers": num_layers, "d_model": d_model, "d_ff": d_ff, "num_heads": num_heads}
    return published("t5", d_kv=d_kv, **sizes)


def _sides(
    family: str, *names: str, layers: int, d_model: int, heads: int, **hf_config: Any
) -> Configuration:
    """Both sides are alike."""
    sizes = {"layers": layers, "ffn_dim": 4 * d_model, "attention_heads": heads}
    sides = {f"{side}_{key}": n for side in ("encoder", "decoder") for key, n in sizes.items()}
    return published(family, *names, d_model=d_model, **sides, **hf_config)


NEXT_SENTENCE = "cls.seq_relationship.weight"
LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}
OWN_BIAS = "final_logits_bias"
OPUS = {"activation_function": "swish", "scale_embedding": True, "max_position_embeddings": 512}
ROBERTA = {"max_position_embeddings": 514, "type_vocab_size": 1}

SIZES: dict[str, Configuration] = {
    "Transformer, base": _original(),
    "Transformer, big": _original(d_model=1024, heads=16, d_ff=4096),
    "GPT": published("openai-gpt"),
    "GPT-2, small": _gpt2(12, 768, 12),
    "GPT-2, medium": _gpt2(24, 1024, 16),
    "GPT-2, large": _gpt2(36, 1280, 20),
    "GPT-2, XL": _gpt2(48, 1600, 25),
    "GPT-3": _gpt2(96, 12288, 96, n_positions=2048),
    "BLOOM": published("bloom", n_layer=70, hidden_size=14336, n_head=112),
    "LLaMA, 7B": published("llama"),
    "Mistral, 7B": published("mistral"),
    "BERT, base": published("bert", NEXT_SENTENCE),
    "BERT, large": published("bert", NEXT_SENTENCE, **LARGE),
    "RoBERTa, base": published("roberta", **ROBERTA),
    "RoBERTa, large": published("roberta", **ROBERTA, **LARGE),
    "DistilBERT": published("distilbert"),
    "T5, small": _t5(6, 512, 2048, 8),
    "T5, base": _t5(12, 768, 3072, 12),
    "T5, large": _t5(24, 1024, 4096, 16),
    "T5, 3B": _t5(24, 1024, 16384, 32, d_kv=128),
    "T5, 11B": _t5(24, 1024, 65536, 128, d_kv=128),
    "BART, base": _sides("bart", layers=6, d_model=768, heads=12),
    "BART, large": _sides("bart", layers=12, d_model=1024, heads=16),
    "Marian, OPUS-MT": _sides("marian", OWN_BIAS, layers=6, d_model=512, heads=8, **OPUS),
}
"""By name.

Source: Vaswani et al. (2017), table 3; Radford et al. (2018), section 4.1, and (2019), table 2;
Brown et al. (2020), table 2.1; Le Scao et al. (2022), table 3; Touvron et al. (2023a), table 2;
Jiang et al. (2023), table 1; Devlin et al. (2019), section 3; Liu et al. (2019), sections 2 and 5;
Sanh et al. (2019), section 3; Raffel et al. (2020), section 3.7; Lewis et al. (2020), section 2.1;
Tiedemann and Thottingal (2020), section 3. What no paper says is in the files config.json of
FacebookAI/roberta-base, Helsinki-NLP/opus-mt-en-de and the other models on the hub.
"""
