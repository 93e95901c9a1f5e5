"""Formulas and decoding on the oldest numpy that the library claims."""

import os
import re
import subprocess
import sys

import pytest

from book.paths import ROOT

OLDEST = ROOT / "_build" / "oldest"
NUMERIC = ["tests/formulas", "tests/decoding"]


def test_the_oldest_numpy_is_the_one_that_is_claimed() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    oldest = (ROOT / "requirements/oldest.txt").read_text(encoding="utf-8")
    (claimed,) = re.findall(r'"numpy>=([\d.]+)"', project)
    assert re.findall(r"^numpy==([\d.]+)", oldest, re.MULTILINE) == [f"{claimed}.0"]


@pytest.mark.slow
def test_the_library_runs_on_the_oldest_numpy() -> None:
    if sys.version_info >= (3, 13):
        pytest.skip("numpy 2.0 knows no Python after 3.12")
    if not (OLDEST / "numpy").is_dir():
        missing = "there is no numpy 2.0 in _build/oldest, which make test installs"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    env = os.environ | {"PYTHONPATH": f"{OLDEST}{os.pathsep}{ROOT}"}
    seen = "import numpy, sys; sys.exit(not numpy.__version__.startswith('2.0.'))"
    assert subprocess.run([sys.executable, "-c", seen], env=env, check=False).returncode == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *NUMERIC]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
