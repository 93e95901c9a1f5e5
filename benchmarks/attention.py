"""Attention beside torch's fused one and a textbook one: `python benchmarks/attention.py`.

All bodies run in turn, many times over, so that a busy moment hits them alike; what counts is the
ratio of their medians, not the milliseconds.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable

import torch
from torch.nn import functional as F

import transformer_lib as tl
from transformer_lib.nn import fused_attention_steps

ROUNDS = 20
Body = Callable[..., torch.Tensor]

# name: batch, heads, queries, keys, whether masked
CASES = {
    "one token, 1024 cached": (1, 12, 1, 1024, False),
    "batch 8 of 128 tokens": (8, 12, 128, 128, True),
}
D_K = 64


def textbook(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: torch.Tensor | None
) -> torch.Tensor:
    """Write the formula out in torch, with no checks and no care for empty rows."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1) @ V


BODIES: dict[str, Body] = {
    "tl.attention": tl.attention,
    "tl, fused body": lambda Q, K, V, mask: fused_attention_steps(Q, K, V, mask).output,
    "textbook": textbook,
    "torch, fused": lambda Q, K, V, mask: F.scaled_dot_product_attention(Q, K, V, mask),
}


def inputs(case: str, gradient: bool) -> list[torch.Tensor | None]:
    """Return Q, K, V and the mask of a case."""
    batch, heads, n_q, n_k, masked = CASES[case]
    rng = torch.Generator().manual_seed(0)
    Q, K, V = (
        torch.randn(batch, heads, n, D_K, generator=rng, requires_grad=gradient)
        for n in (n_q, n_k, n_k)
    )
    return [Q, K, V, tl.causal_mask(n_q, like=Q, offset=n_k - n_q) if masked else None]


def medians(case: str, gradient: bool) -> dict[str, float]:
    """Return the median seconds of every body, run in turn, after checking that they agree."""
    given = inputs(case, gradient)
    expected = textbook(*given)  # type: ignore[arg-type]
    times: dict[str, list[float]] = {name: [] for name in BODIES}
    for _ in range(ROUNDS):
        for name, body in BODIES.items():
            start = time.perf_counter()
            output = body(*given)
            if gradient:
                output.sum().backward()  # type: ignore[no-untyped-call]
            times[name].append(time.perf_counter() - start)
            torch.testing.assert_close(output, expected, rtol=1e-4, atol=1e-5)
    return {name: statistics.median(spent) for name, spent in times.items()}


def main() -> None:
    """Print the ratios to torch's fused attention."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, float32, d_k {D_K}")
    for case in CASES:
        for gradient in (False, True):
            times = medians(case, gradient)
            base = times["torch, fused"]
            print(f"\n{case}, {'forward and backward' if gradient else 'forward'}")
            for name, spent in times.items():
                print(f"  {name:15} {1e3 * spent:8.3f} ms  {spent / base:5.2f} x torch, fused")


if __name__ == "__main__":
    main()
