"""A small decoder whose heads share keys and values, and the sizes of others beside it."""

from typing import Any

import transformer_lib as tl

SIZES: dict[str, Any] = {"vocabulary_size": 11, "d_model": 12, "heads": 6, "layers": 2, "d_ff": 16}
GROUPED = tl.Configuration(
    kind="decoder",
    key_value_heads=2,
    position="rotary",
    norm="rms",
    activation="swiglu",
    place="pre",
    bias=False,
    tied=True,
    **SIZES,
)
