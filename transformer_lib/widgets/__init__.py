"""What a chapter lets its reader do: frames under sliders, editors, and questions."""

from transformer_lib.widgets.frames import frames
from transformer_lib.widgets.question import choose, number, right, wrong
from transformer_lib.widgets.slip import slip

__all__ = ["choose", "frames", "number", "right", "slip", "wrong"]
