"""The interactive parts of a notebook: frames with sliders, editors and explorers."""

from transformer_lib.widgets.attention_editor import attention_editor
from transformer_lib.widgets.attention_explorer import attention_explorer
from transformer_lib.widgets.decoding_explorer import decoding_explorer
from transformer_lib.widgets.frames import frames
from transformer_lib.widgets.head_explorer import head_explorer
from transformer_lib.widgets.live_attention import live_attention
from transformer_lib.widgets.tokenizer_explorer import tokenizer_explorer

__all__ = [
    "attention_editor",
    "attention_explorer",
    "decoding_explorer",
    "frames",
    "head_explorer",
    "live_attention",
    "tokenizer_explorer",
]
