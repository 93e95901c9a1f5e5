"""Multi-head attention with its parameters."""

import torch

from transformer_lib.formulas.multi_head import MultiHeadSteps
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import attention_from, attention_shapes
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class MultiHeadAttention(Parametrized):
    """Self-attention of one sequence, or cross-attention from one to another.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, attention_shapes(config), seed)

    def forward(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return what the rows of X read, from each other or from the rows of memory."""
        output: torch.Tensor = self._run(X, memory, mask, bias, fused=True).output
        return output

    def steps(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
    ) -> MultiHeadSteps:
        """Return every step of `forward`, each head apart."""
        return self._run(X, memory, mask, bias, fused=False)

    def _run(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None,
        mask: torch.Tensor | None,
        bias: torch.Tensor | None,
        *,
        fused: bool,
    ) -> MultiHeadSteps:
        turned = memory is None and self.config.position == "rotary"
        options = {"attend": fused_attention_steps} if fused else {}
        return attention_from(
            self.by_name(),
            self.config,
            "",
            X,
            X if memory is None else memory,
            mask=mask,
            bias=bias,
            rotary_base=self.config.base if turned else None,
            **options,
        )
