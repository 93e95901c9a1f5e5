"""The keys of config.json: their other spellings, and those that change no output of a model."""

import re
from collections.abc import Collection, Mapping
from typing import Any

CHANGE_NOTHING = (
    # what a model is called, and what its numbers are kept in
    r"_\w+|architectures|model_type|transformers_version|(torch_)?dtype|transformers\.js_config",
    r"id2label|label2id|num_labels|problem_type|finetuning_task|task_specific_params",
    r"tokenizer_class|prefix|\w*token_ids?|is_llama_config|directionality",
    # training
    r"\w*(dropout|pdrop|layerdrop)\w*|initializer_\w+|init_std|gradient_checkpointing|student_\w+",
    # other ways to the same numbers, and what is returned beside them
    r"use_cache|output_\w+|return_dict\w*|chunk_size_feed_forward|torchscript|use_bfloat16",
    r"pretraining_tp|slow_but_exact|reorder_and_upcast_attn|attention_softmax_in_fp32",
    r"masked_softmax_fusion|offset_alibi|\w*attn_implementation\w*|tf_legacy_loss|is_decoder",
    # generation
    r"(max|min)_length|do_sample|early_stopping|num_beams|num_beam_groups|diversity_penalty",
    r"temperature|top_k|top_p|typical_p|(repetition|length)_penalty|(encoder_)?no_repeat_ngram_size",
    r"bad_words_ids|num_return_sequences|(begin_)?suppress_tokens",
    # heads that we do not read, and lengths that no table has
    r"summary_\w+|pooler_\w+|n_special|predict_special_tokens|n_ctx|seq_length|tie_weights_",
)

DTYPES = ("float32", "float16", "bfloat16", "float64")


def spelled(hf_config: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """Return the contents of config.json under the first spelling of each key.

    Raises:
        ValueError: two spellings of one key have different values.
    """
    found = {key: value for key, value in hf_config.items() if key not in aliases}
    for alias, key in aliases.items():
        if alias in hf_config and found.setdefault(key, hf_config[alias]) != hf_config[alias]:
            raise ValueError(
                f"config.json gives {key} = {found[key]!r} and {alias} = {hf_config[alias]!r}, "
                "which are two spellings of one key and must be equal"
            )
    return found


def refuse_unknown(name: str, hf_config: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise ValueError for a key that is not known and is not switched off, or for a strange dtype.

    A key is switched off if its value is None, False or empty. The dtype of the files counts, and
    that of config.json must be one in which numbers may be stored as they are.
    """
    for key in ("dtype", "torch_dtype"):
        found = str(hf_config.get(key) or DTYPES[0]).removeprefix("torch.")
        if found not in DTYPES:
            raise ValueError(
                f"config.json gives {key} = {found!r}, which must be one of {', '.join(DTYPES)}"
            )
    for key, value in hf_config.items():
        off = value is None or value is False or value in ({}, [], "")
        if key not in known and not off and not re.fullmatch("|".join(CHANGE_NOTHING), key):
            raise ValueError(
                f"config.json gives {key} = {value!r}, which is not a known key of {name}, so the "
                "outputs might differ: remove the key if it changes nothing"
            )
