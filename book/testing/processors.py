"""The machines that this one can play: other instruction sets, and two threads."""

import platform
from typing import NamedTuple

import numpy as np


class Setting(NamedTuple):
    """One machine to play: its name, the threads it uses and what tells the libraries so."""

    name: str
    threads: int
    instructions: dict[str, str]


NATIVE = Setting("native", 1, {})
TWO_THREADS = Setting("two threads", 2, {})
INTEL = {"x86_64", "amd64"}
"""What `platform.machine()` calls x86-64, in lower case."""

AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "HASWELL",
}
SSE = {
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "OPENBLAS_CORETYPE": "NEHALEM",
}
# numpy has renamed its targets, so both its old names and its new ones stand here.
NUMPY_AVX2 = {"X86_V3", "AVX", "F16C", "FMA3", "AVX2"}
NUMPY_AVX512 = ("X86_V4", "AVX512")
"""How the names of all that is newer than AVX2 begin."""


def numpy_targets() -> tuple[set[str], set[str]]:
    """The names of the targets that numpy knows, and of those that this processor has."""
    known = np.show_config(mode="dicts")["SIMD Extensions"]
    found = set(known.get("found", []))
    return found | set(known.get("not found", [])), found


def settings(machine: str, known: set[str], found: set[str]) -> tuple[list[Setting], list[str]]:
    """The settings that a machine can play, and a line for each that it cannot.

    Args:
        machine: the architecture, as `platform.machine()` names it.
        known: the targets that numpy knows; it raises on any other name.
        found: those of them that the processor has.
    """
    newer = {name for name in known if name.startswith(NUMPY_AVX512)}
    if machine.lower() not in INTEL:
        line = f"Not played: AVX2 and SSE. They need an x86-64 processor; this one is {machine}."
        return [NATIVE, TWO_THREADS], [line]
    sse = Setting("SSE", 1, SSE | without(newer | NUMPY_AVX2 & known))
    if not {"X86_V3", "AVX2"} & found:
        return [NATIVE, sse, TWO_THREADS], ["Not played: AVX2. This processor does not have it."]
    return [NATIVE, Setting("AVX2", 1, AVX2 | without(newer)), sse, TWO_THREADS], []


def without(targets: set[str]) -> dict[str, str]:
    """What tells numpy to do without these targets."""
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(sorted(targets))} if targets else {}


def playable() -> tuple[list[Setting], list[str]]:
    """The settings that this machine can play, and a line for each that it cannot."""
    return settings(platform.machine(), *numpy_targets())


def fingerprint() -> str:
    """What the numbers of this machine depend on: architecture, model and vector instructions."""
    return f"{platform.machine()} {model()} {' '.join(sorted(numpy_targets()[1]))}"


def model() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = (line.partition(":")[2] for line in file if line.startswith("model name"))
            return next(names, "").strip()
    except OSError:
        return platform.processor()
