"""What config.json spells otherwise is read or refused, as `transformers` reads it."""

from typing import Any

import pytest

from tests.families.checkpoints import CASES, make
from transformer_lib import families
from transformer_lib.families.keys import refuse_unknown

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import
KINDS = list(families.FAMILIES)
ALIASES = [(name, alias) for name in KINDS for alias in CASES[name].config.attribute_map]


def config_of(name: str) -> dict[str, Any]:
    hf_config: dict[str, Any] = make(name).config.to_dict()
    return hf_config


@pytest.mark.parametrize("name", KINDS)
def test_aliases_are_those_of_transformers(name: str) -> None:
    family = families.FAMILIES[name]
    assert CASES[name].config.attribute_map.items() <= family.aliases.items()
    extra = family.aliases.keys() - CASES[name].config.attribute_map.keys()
    assert extra == ({"n_embed"} if name == "bloom" else set())


@pytest.mark.parametrize("name,alias", ALIASES)
def test_another_spelling_means_the_same(name: str, alias: str) -> None:
    family, hf_config = families.FAMILIES[name], config_of(name)
    key = family.aliases[alias]
    expected = family.configuration(hf_config, ())
    respelled = {k: v for k, v in hf_config.items() if k != key} | {alias: hf_config[key]}
    assert family.configuration(respelled, ()) == expected
    assert family.configuration(hf_config | {alias: hf_config[key]}, ()) == expected
    with pytest.raises(ValueError, match=f"gives {key} = .* and {alias} = .* must be equal"):
        family.configuration(hf_config | {alias: hf_config[key] + 1}, ())


@pytest.mark.parametrize("name", KINDS)
def test_a_missing_number_of_heads_is_named(name: str) -> None:
    family, hf_config = families.FAMILIES[name], config_of(name)
    key, _ = family.fields["heads"]
    del hf_config[key]
    with pytest.raises(ValueError, match=f"config.json must give {key}"):
        family.of_checkpoint(hf_config, ())


ROTARY = [name for name, kind in families.FAMILIES.items() if kind.fixed["position"] == "rotary"]


@pytest.mark.parametrize("name", ROTARY)
@pytest.mark.parametrize(
    "rope",
    [
        {"type": "linear", "factor": 2.0},
        {"rope_type": "yarn", "factor": 2.0},
        {"rope_type": "default", "partial_rotary_factor": 0.5},
        {"full_attention": {"rope_type": "default"}},
        {"factor": 2.0},
    ],
)
def test_stretched_positions_are_refused(name: str, rope: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"config.json asks for .*, which is not supported"):
        families.FAMILIES[name].configuration(config_of(name) | {"rope_parameters": rope}, ())


@pytest.mark.parametrize("key", ["rope_parameters", "rope_scaling"])
def test_plain_positions_are_read(key: str) -> None:
    rope = {"type": "default", "rope_theta": 500.0} if key == "rope_parameters" else None
    hf_config = config_of("llama") | {key: rope}
    base = families.FAMILIES["llama"].configuration(hf_config, ()).base
    assert base == (500.0 if rope else 10000.0)


CHANGES_NOTHING_WHATEVER = {"sinusoidal_pos_embds"}


@pytest.mark.parametrize("name", KINDS)
def test_each_key_of_transformers_is_read_refused_or_changes_nothing(name: str) -> None:
    family, hf_config = families.FAMILIES[name], config_of(name)
    plain = family.configuration(hf_config, ())
    for key, value in hf_config.items():
        other = not value if isinstance(value, bool) else "other"
        if isinstance(value, int | float) and not isinstance(value, bool):
            other = value + 1
        try:
            refuse_unknown(name, {key: "something"}, ())
        except ValueError:
            pass
        else:
            continue  # listed in CHANGE_NOTHING
        if key in CHANGES_NOTHING_WHATEVER:
            continue
        try:
            changed = family.configuration(hf_config | {key: other}, ())
        except (ValueError, AttributeError, TypeError):
            continue
        assert changed != plain, f"{key} = {other!r} changes nothing"


@pytest.mark.parametrize("name", KINDS)
def test_a_key_that_nobody_knows_is_refused_unless_it_is_off(name: str) -> None:
    family, hf_config = families.FAMILIES[name], config_of(name)
    family.configuration(hf_config | {"attention_sinks": False, "quantization_config": None}, ())
    with pytest.raises(ValueError, match=r"quantization_config = .*is not a known key of"):
        family.configuration(hf_config | {"quantization_config": {"bits": 4}}, ())


PUBLISHED: dict[str, str] = {
    "gpt2": "attn_pdrop bos_token_id embd_pdrop initializer_range n_ctx n_special output_past "
    "predict_special_tokens summary_type summary_use_proj task_specific_params _num_labels",
    "openai-gpt": "attn_pdrop n_ctx n_special predict_special_tokens summary_proj_to_labels",
    "bert": "attention_probs_dropout_prob gradient_checkpointing directionality pooler_fc_size "
    "pooler_type transformers_version use_cache",
    "roberta": "attention_probs_dropout_prob initializer_range bos_token_id hidden_dropout_prob",
    "distilbert": "sinusoidal_pos_embds tie_weights_ qa_dropout seq_classif_dropout",
    "bloom": "attention_softmax_in_fp32 bias_dropout_fusion masked_softmax_fusion offset_alibi "
    "pretraining_tp seq_length unk_token_id",
    "t5": "n_positions output_past task_specific_params decoder_start_token_id",
    "bart": "classif_dropout early_stopping forced_eos_token_id init_std no_repeat_ngram_size "
    "num_beams length_penalty max_length min_length prefix decoder_layerdrop",
    "marian": "bad_words_ids num_beams max_length static_position_embeddings",
    "llama": "pretraining_tp rope_theta is_llama_config transformers.js_config",
    "mistral": "rope_theta attention_dropout",
}


@pytest.mark.parametrize("name", families.FAMILIES)
def test_what_published_files_tell_besides_is_allowed(name: str) -> None:
    """At any value, such as 7."""
    family, hf_config = families.FAMILIES[name], config_of(name)
    family.configuration(
        hf_config | dict.fromkeys(set(PUBLISHED[name].split()) - {*hf_config}, 7), ()
    )


@pytest.mark.parametrize("key", ["dtype", "torch_dtype"])
def test_a_dtype_in_which_numbers_are_packed_is_refused(key: str) -> None:
    family, hf_config = families.FAMILIES["gpt2"], config_of("gpt2")
    for dtype in ("float8_e4m3fn", "int8"):
        with pytest.raises(ValueError, match=f"gives {key} = '{dtype}', which must be one of"):
            family.configuration(hf_config | {key: dtype}, ())
    for dtype in ("torch.float16", "bfloat16", None):
        family.configuration(hf_config | {key: dtype}, ())
