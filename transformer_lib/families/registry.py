"""The families that there are, by the `model_type` of config.json."""

from transformer_lib.families import bert, gpt2, llama, openai_gpt

FAMILIES = {module.FAMILY.name: module.FAMILY for module in (openai_gpt, gpt2, bert, llama)}
