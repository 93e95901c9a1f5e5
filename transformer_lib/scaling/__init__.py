"""Scaling: the cost of a model, computed from its configuration, and scaling laws of its loss."""

from transformer_lib.scaling.flops import Flops, decoding_flops, forward_flops, training_flops
from transformer_lib.scaling.memory import (
    TrainingMemory,
    activation_bytes,
    cache_bytes,
    training_bytes,
)
from transformer_lib.scaling.parameters import ParameterCount, parameter_count
from transformer_lib.scaling.power_law import (
    PowerLaw,
    bootstrap_power_law,
    compute_optimal,
    fit_power_law,
)

__all__ = [
    "Flops",
    "ParameterCount",
    "PowerLaw",
    "TrainingMemory",
    "activation_bytes",
    "bootstrap_power_law",
    "cache_bytes",
    "compute_optimal",
    "decoding_flops",
    "fit_power_law",
    "forward_flops",
    "parameter_count",
    "training_bytes",
    "training_flops",
]
