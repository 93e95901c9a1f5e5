"""The sub-layers with their parameters: attention, feed-forward, norm."""

from typing import Any

import torch

from transformer_lib.formulas import checks
from transformer_lib.formulas.multi_head import MultiHeadSteps
from transformer_lib.formulas.record import all_of
from transformer_lib.model.cache import KeyValues
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import attention_shapes, feed_forward_shapes, norm_shapes
from transformer_lib.model.sublayers import attention_of, check_rows, feed_forward_of, norm_of
from transformer_lib.nn.attention_dropout import dropping_out
from transformer_lib.nn.fused import FUSED_ACTIVATIONS, fused_attention_steps, fused_norm
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized

ATTENTIONS = {"explicit": None, "fused": fused_attention_steps}


class MultiHeadAttention(Parametrized):
    """Self-attention of one sequence, or cross-attention from one to another.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        attention: "explicit" computes the formula step by step, "fused" in one call of torch.
        options: `device` and `dtype` of the parameters.

    Raises:
        ValueError: attention is neither.
    """

    def __init__(
        self,
        config: Configuration,
        *,
        seed: Seed = 0,
        attention: str = "explicit",
        **options: Any,
    ) -> None:
        super().__init__(config, attention_shapes(config), seed, **options)
        if attention not in ATTENTIONS:
            raise ValueError(f"attention must be one of {tuple(ATTENTIONS)}, got {attention!r}")
        self.attention = attention
        self.attention_dropout = 0.0  # the share of weights set to 0; `training` sets it

    def extra_repr(self) -> str:
        """Return what `print` shows: heads, how they attend, and the sizes."""
        shared = self.config.h_kv
        grouped = "" if shared == self.config.heads else f"{shared} of keys and values, "
        return f"{self.config.heads} heads, {grouped}{self.attention}, {super().extra_repr()}"

    def forward(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        cache: KeyValues | None = None,
    ) -> torch.Tensor:
        """Return what the rows of X read, from each other or from the rows of memory.

        Args:
            X: rows, (..., n, d_model).
            memory: rows of another sequence, (..., n_memory, d_model), or None for X itself.
            mask: boolean, broadcasts to (..., n, n_memory), or None to attend to all.
            bias: on the scores, broadcasts to (..., h, n, n_memory), or None.
            positions: for rotary positions that do not count from 0, (..., n), or None.
            cache: the keys and values of earlier rows, which the call adds to, or None.

        Raises:
            ValueError: rows are not d_model wide, or as `attention_of`.
        """
        _fits(self.config, X=X, **checks.given(memory=memory))
        if mask is not None:  # floats would be added to the scores
            checks.boolean(torch, mask=mask)
        options = {"bias": bias, "positions": positions, "cache": cache}
        attend = ATTENTIONS[self.attention]
        if self.training and self.attention_dropout:
            attend = dropping_out(self.attention_dropout, fused=self.attention == "fused")
        steps = attention_of(
            self.arrays(),
            self.config,
            X,
            memory,
            mask,
            attend=attend,
            **options,  # type: ignore[arg-type]
        )
        output: torch.Tensor = all_of(self.record, steps)
        return output

    def steps(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        **options: Any,
    ) -> MultiHeadSteps:
        """Return every step of `forward`, each head apart, whatever `attention` is."""
        return attention_of(self.arrays(), self.config, X, memory, mask, **options)


class FeedForward(Parametrized):
    """Two linear maps with an activation between them, or the gated layer.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        fused: whether the activation is one call of torch.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self, config: Configuration, *, seed: Seed = 0, fused: bool = False, **options: Any
    ) -> None:
        super().__init__(config, feed_forward_shapes(config), seed, **options)
        self.activation = FUSED_ACTIVATIONS[config.activation] if fused else None

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        """Return rows like X, each on its own; a ValueError if they are not d_model wide."""
        _fits(self.config, X=X)
        steps = feed_forward_of(self.arrays(), self.config, X, self.activation)
        output: torch.Tensor = all_of(self.record, steps)
        return output


class Norm(Parametrized):
    """Layer norm or RMS norm, as the configuration says; all gains start at 1 and biases at 0.

    Args:
        config: the shape of the model.
        fused: whether it is one call of torch.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, fused: bool = False, **options: Any) -> None:
        super().__init__(config, norm_shapes(config), 0, **options)
        self.norm_of = fused_norm if fused else norm_of

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        """Return the normalized rows of X; a ValueError if they are not d_model wide."""
        _fits(self.config, X=X)
        output: torch.Tensor = self.norm_of(self.arrays(), self.config, X)
        return output


def _fits(config: Configuration, **rows: torch.Tensor) -> None:
    """Refuse rows by name, which torch would not, where a module is called alone."""
    for name, array in rows.items():
        if array.shape[-1] != config.d_model:
            check_rows(config, **{name: array})
