"""The inputs of a layer other than its rows, passed as one value through all layers."""

from typing import Any, NamedTuple

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.rotary import Turns


class Context(NamedTuple):
    """The inputs other than the rows, already checked at the entry that created this value."""

    mask: Array | None = None  # True = may be attended, (..., n, n_past + n); None allows all
    bias: Array | None = None  # added to the scores of each head, (..., h, n, n_past + n)
    positions: Array | None = None  # of the rows, (..., n), where queries and keys are turned
    memory: Array | None = None  # what an encoder put out, (..., n_memory, d_model)
    memory_mask: Array | None = None  # of the memory, (..., n, n_memory)
    cache: Any = None  # of a stack; a layer gets its own, and each attention in it its own
    turns: Turns | None = None  # of all layers, by the positions
    causal: bool = False  # the mask is the causal one alone, whose half a kernel may leave out

    @property
    def own(self) -> "Context":
        """The context of self-attention."""
        return self._replace(memory=None, cache=self.cache and self.cache.own)

    @property
    def across(self) -> "Context":
        """The context of cross-attention."""
        return Context(self.memory_mask, memory=self.memory, cache=self.cache and self.cache.cross)
