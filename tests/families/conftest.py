"""Checkpoints that several files of tests read and none changes."""

from pathlib import Path

import pytest

from tests.families.checkpoints import CASES, write


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write("gpt2", tmp_path_factory.mktemp("gpt2"))


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: write(name, tmp_path_factory.mktemp("model")) for name in CASES}
