"""All families, by the `model_type` of config.json."""

from transformer_lib.families import (
    bart,
    bert,
    bloom,
    distilbert,
    gpt2,
    llama,
    marian,
    mistral,
    openai_gpt,
    roberta,
    t5,
)
from transformer_lib.families.family import Family

MODULES = (openai_gpt, gpt2, bert, roberta, distilbert, bloom, t5, bart, marian, llama, mistral)
FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in MODULES}
