"""Toy languages to train on: their batches, and how good a model of one is; needs torch."""

from course.training.data import batch_of, draws_from, held_out_sentences
from course.training.evaluation import (
    agreement_accuracy,
    exact_match,
    fill,
    first_word,
    loss_floor,
    translate,
)
from course.training.runs import measures, read_data as read_data

__all__ = [
    "agreement_accuracy",
    "batch_of",
    "draws_from",
    "exact_match",
    "fill",
    "first_word",
    "held_out_sentences",
    "loss_floor",
    "measures",
    "translate",
]
