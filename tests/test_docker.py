"""What hadolint, a hook of pre-commit, does not see in the container files."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "docker").glob("*.Dockerfile"))


def copied(path: Path) -> list[str]:
    lines = re.findall(r"^COPY (.+) \S+$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return " ".join(lines).replace("_build/html", "").split()  # which make book makes


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_copied_is_there_and_the_lock_pins_what_the_file_does_not(path: Path) -> None:
    assert copied(path) and all((ROOT / part).exists() for part in copied(path))
    words = re.findall(r"lock\.txt \\\n(.+?)\n\n", path.read_text(encoding="utf-8"), re.DOTALL)
    asked = {name for name in words[0].replace("\\", "").split() if "==" not in name}
    lock = (ROOT / "requirements/lock.txt").read_text(encoding="utf-8").replace("_", "-")
    assert asked and asked <= set(re.findall(r"^(.+)==", lock, re.MULTILINE))


def test_the_judge_starts_from_no_more_than_its_image_gets(tmp_path: Path) -> None:
    for part in copied(ROOT / "docker/judge.Dockerfile"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    words = ["-P", "-m", "exercises.grader", "none", ".", "--out", "../out"]
    path = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
    said = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=path, capture_output=True, text=True
    )
    assert f"there is no assignment none: {tmp_path}/exercises/source/none" in said.stderr
