"""While nbval runs a chapter, the numbers of its text are held against it."""

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbval.kernel
import pytest
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import local_provisioner
from nbval.plugin import IPyNbCell

from book import ties
from book.live.torch_cells import TAG
from book.testing import forked_kernels, parts
from book.text import prose
from course.published import fetch

FOLDER = tempfile.TemporaryDirectory(prefix="nbval-")
NUMBERS = itertools.count()


def pytest_ignore_collect(
    collection_path: Path, config: pytest.Config
) -> bool | None:
    """Leave out the chapters of the published model without its file.

    Where one is named, get the file.
    """
    name = collection_path.name
    if name not in parts.PUBLISHED:
        return None
    if any(argument.endswith(name) for argument in config.args):
        fetch.fetched()
    return None if fetch.is_there() else True


def kernel_manager(**named: Any) -> KernelManager:
    """Speak with a kernel through files, which are nobody else's.

    A port that is free when a kernel is given it may be taken when the kernel
    is there, which then dies.
    """
    place = f"{FOLDER.name}/{next(NUMBERS)}"
    return KernelManager(transport="ipc", ip=place, **named)


nbval.kernel.KernelManager = kernel_manager


FORKS: dict[tuple[str, ...], forked_kernels.Forks] = {}
"""By the modules that they import: the programs which fork kernels."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Let the kernel that is started here be a fork, where that can be."""
    with pytest.MonkeyPatch.context() as patched:
        if forked_kernels.AVAILABLE:
            launch = forks(item.path).launch
            patched.setattr(local_provisioner, "launch_kernel", launch)
        return (yield)


def forks(notebook: Path) -> forked_kernels.Forks:
    """Those with torch if cells need it, which their tags say.

    That the tags are right, tests/book/test_needs_torch.py proves.
    """
    needs = f'"{TAG}"' in notebook.read_text(encoding="utf-8")
    modules = ("torch",) if needs else ()
    if modules not in FORKS:
        FORKS[modules] = forked_kernels.Forks(*modules)
    return FORKS[modules]


def pytest_sessionfinish() -> None:
    """End what forks kernels."""
    for each in FORKS.values():
        each.close()


class UntiedNumber(Exception):
    """A sentence says another number than the notebook."""


class TiedNumber(pytest.Item):
    """One row of `book/ties.toml`, computed by the kernel of the cell."""

    def __init__(self, *, tie: ties.Tie, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.tie = tie

    def runtest(self) -> None:
        """Ask the kernel for the numbers of the row."""
        wrong = ties.ask(self.parent.kernel.kc, self.tie)
        if wrong:
            where = f"{self.parent.path.stem}, cell {self.tie.passage.cell}"
            raise UntiedNumber(f"{where}: {wrong}")

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> str:
        """Show what is wrong and no traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the row in the summary."""
        return self.path, None, self.name


def with_ties(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Each cell, and after it the numbers that are due there."""
    due: dict[Path, dict[str, list[ties.Tie]]] = {}
    for item in items:
        yield item
        if isinstance(item, IPyNbCell):
            if item.path not in due:
                table = ties.rows(item.path.stem)
                due[item.path] = ties.expressions(
                    prose.read(item.path), table
                )
            for tie in due[item.path].get(item.cell["id"], []):
                name = tie.name
                yield TiedNumber.from_parent(item.parent, name=name, tie=tie)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the rows between the cells."""
    items[:] = with_ties(items)
