"""A checkpoint of GPT-2 that several files of tests read."""

from pathlib import Path

import pytest

from tests.families.checkpoints import write


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write("gpt2", tmp_path_factory.mktemp("gpt2"))
