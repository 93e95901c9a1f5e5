"""Pre-training: what a model reads and what it should predict from it; no torch is needed."""

from transformer_lib.pretraining.floors import (
    follows_probability,
    masked_floor,
    masked_log_probabilities,
    target_log_probabilities,
)
from transformer_lib.pretraining.masking import IGNORED, Masked, mask_tokens
from transformer_lib.pretraining.next_sentence import SentencePair, sentence_pairs
from transformer_lib.pretraining.noise import (
    document_rotation,
    noises,
    sentence_permutation,
    text_infilling,
    token_deletion,
    token_masking,
)
from transformer_lib.pretraining.outcomes import Outcome, noise_outcomes, span_outcomes
from transformer_lib.pretraining.spans import (
    Corrupted,
    all_spans,
    corrupt_spans,
    draw_spans,
    span_count,
)

__all__ = [
    "IGNORED",
    "Corrupted",
    "Masked",
    "Outcome",
    "SentencePair",
    "all_spans",
    "corrupt_spans",
    "document_rotation",
    "draw_spans",
    "follows_probability",
    "mask_tokens",
    "masked_floor",
    "masked_log_probabilities",
    "noise_outcomes",
    "noises",
    "sentence_pairs",
    "sentence_permutation",
    "span_count",
    "span_outcomes",
    "target_log_probabilities",
    "text_infilling",
    "token_deletion",
    "token_masking",
]
