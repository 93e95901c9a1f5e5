"""Transfer: heads, adapters and distillation for new tasks of a pre-trained model; needs torch."""

import transformer_lib.nn  # noqa: F401  (which says what to install where torch is missing)
from transformer_lib.transfer.adapter import (
    LowRank,
    add_adapters,
    merge_adapters,
    trained_parameters,
)
from transformer_lib.transfer.batches import (
    label_batch,
    masked_batch,
    source_batch,
    tag_batch,
    text_ids,
    two_task_loss,
    two_tasks,
)
from transformer_lib.transfer.distillation import (
    distillation_loss,
    distilled_from,
    every_other_layer,
)
from transformer_lib.transfer.heads import TagHead, TextHead, with_head

__all__ = [
    "LowRank",
    "TagHead",
    "TextHead",
    "add_adapters",
    "distillation_loss",
    "distilled_from",
    "every_other_layer",
    "label_batch",
    "masked_batch",
    "merge_adapters",
    "source_batch",
    "tag_batch",
    "text_ids",
    "trained_parameters",
    "two_task_loss",
    "two_tasks",
    "with_head",
]
