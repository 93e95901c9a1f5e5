"""A forked kernel is the kernel that a chapter would start, and nothing of ours is in it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import local_provisioner

from book.paths import ROOT
from book.testing import forked_kernels as kernels

pytestmark = pytest.mark.skipif(not kernels.AVAILABLE, reason="kernels are forked on Linux alone")

TOLD = """import os, sys
print([sys.path, os.getcwd(), os.environ["MINE"], sorted(globals()), sys.argv[1:] != []])
print(*{name.split(".")[0] for name in sys.modules})"""


@pytest.fixture(scope="module")
def forks() -> Iterator[kernels.Forks]:
    made = kernels.Forks()
    yield made
    made.close()


def told(folder: Path) -> tuple[str, set[str], KernelManager]:
    """What a new kernel says of itself, the packages in it, and the kernel, which has ended."""
    manager = KernelManager(transport="ipc", ip=str(folder / "socket"))
    manager.start_kernel(cwd=str(folder), env={**os.environ, "MINE": "1"})
    client, texts = manager.client(), list[str]()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    client.execute_interactive(TOLD, output_hook=lambda said: texts.append(text_of(said)))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    first, packages = "".join(texts).splitlines()
    return first, set(packages.split()), manager


def text_of(message: dict[str, Any]) -> str:
    return str(message["content"].get("text", ""))


def test_it_is_as_one_that_is_started(
    forks: kernels.Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, packages, _ = told(tmp_path)
    monkeypatch.setattr(local_provisioner, "launch_kernel", forks.launch)
    forked, more, manager = told(tmp_path)
    assert forked == started
    assert more - packages == {"numpy", "book"} | (more & {"__mp_main__"})
    assert not manager.is_alive()


def test_it_ends_when_it_is_told_to(forks: kernels.Forks, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", str(tmp_path / "none.json")]
    ended = []
    for end in (kernels.Forked.kill, kernels.Forked.terminate):
        kernel = forks.launch(command, dict(os.environ), str(ROOT))
        assert kernel.poll() is None and os.getpgid(kernel.pid) == kernel.pid != os.getpgrp()
        end(kernel)
        ended.append(kernel.wait())
        end(kernel)
    assert ended == [-9, -15]
