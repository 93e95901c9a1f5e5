"""A name of a model: fetched once, kept, and refused where it is none."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.families.checkpoints import logits, write
from transformer_lib import families

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Serve a folder as the hub would, and keep what is fetched in another."""
    kind = functools.partial(Quiet, directory=str(tmp_path / "hub"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("TRANSFORMER_LIB_CACHE", str(tmp_path / "kept"))
    yield tmp_path
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize("size", ["1MB", "3KB"])
def test_a_name_is_fetched_once_and_kept(hub: Path, gpt2: Path, size: str) -> None:
    write("gpt2", hub / "hub" / "some" / "model" / "resolve" / "main", max_shard_size=size)
    expected = logits(families.load(gpt2))
    assert torch.equal(logits(families.load("some/model")), expected)
    shutil.rmtree(hub / "hub")
    assert torch.equal(logits(families.load("some/model")), expected)
    assert not list((hub / "kept").rglob("*.part"))


@pytest.mark.parametrize("name", ["some/other", "nobody"])
def test_a_name_that_is_not_there(hub: Path, name: str) -> None:
    with pytest.raises(
        ValueError, match=f"there is no folder '{name}', and http.*cannot be fetched"
    ):
        families.load(name)


@pytest.mark.parametrize("name", ["../up/here", "a/b/c", "..", ""])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(
        ValueError, match=r"path_or_name must be a folder|does not contain config.json"
    ):
        families.load(name)
