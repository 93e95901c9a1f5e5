"""What a chapter lets its reader do: frames under sliders, editors, explorers, and questions."""

from transformer_lib.widgets.attention_editor import attention_editor
from transformer_lib.widgets.attention_explorer import attention_explorer
from transformer_lib.widgets.decoding_explorer import decoding_explorer
from transformer_lib.widgets.frames import frames
from transformer_lib.widgets.head_explorer import head_explorer
from transformer_lib.widgets.live_attention import live_attention
from transformer_lib.widgets.question import choose, number, right, wrong
from transformer_lib.widgets.slip import slip

__all__ = [
    "attention_editor",
    "attention_explorer",
    "choose",
    "decoding_explorer",
    "frames",
    "head_explorer",
    "live_attention",
    "number",
    "right",
    "slip",
    "wrong",
]
