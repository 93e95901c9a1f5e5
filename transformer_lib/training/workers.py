"""Several processes that train one model: the rank of this process, and what they share."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel


def rank() -> int:
    """Return the rank of this process among the workers, 0 if it is the only one."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def count() -> int:
    """Return the number of workers."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


@contextmanager
def together() -> Iterator[None]:
    """Join the other workers until the context ends, if `torchrun` has started this process."""
    if "WORLD_SIZE" not in os.environ or not distributed.is_available():
        yield
        return
    threading.Thread(target=_end_with, args=[os.getppid()], daemon=True).start()
    backend = "gloo"
    if torch.cuda.is_available():
        backend = "cpu:gloo,cuda:nccl"  # a machine with a GPU may be asked to train without it
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
    distributed.init_process_group(backend)
    try:
        yield
    finally:
        distributed.destroy_process_group()


def _end_with(parent: int) -> None:
    """End this process where `torchrun`, its parent, was killed and could not end it.

    Otherwise it would train on, unseen, and write into the files of a run that goes on from them.
    """
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def shared(model: torch.nn.Module) -> Any:
    """Return the model or, if there are several workers, a wrapper that averages gradients."""
    return DistributedDataParallel(model) if count() > 1 else model


def total(value: float, device: torch.device) -> float:
    """Return the sum of a number over all workers."""
    if count() == 1:
        return value
    summed = torch.tensor(value, dtype=torch.float64, device=device)
    distributed.all_reduce(summed)
    return float(summed)


def seed_dropout(seed: int, step: int) -> None:
    """Seed dropout by the seed, the step and the rank, so that workers drop different entries."""
    if count() > 1:
        mixed = np.random.SeedSequence([seed, step, rank()]).generate_state(1)[0]
        torch.manual_seed(int(mixed))
