"""How long `import transformer_lib` takes: `python benchmarks/import_time.py`."""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ["numpy", "array_api_compat", "jaxtyping", "transformer_lib", "torch"]
RUNS = 7
CODE = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def seconds(module: str) -> float:
    """Return the median time of an import, each in a process of its own, files warm."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", CODE.format(module)]

    def once() -> float:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return float(done.stdout)

    once()
    return statistics.median(once() for _ in range(RUNS))


def main() -> None:
    """Print every time beside the library's own."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    times = {module: seconds(module) for module in MODULES}
    own = times["transformer_lib"]
    for module, time in times.items():
        print(f"{module:17} {time:6.3f} s   transformer_lib takes {own / time:5.2f} times as long")


if __name__ == "__main__":
    main()
