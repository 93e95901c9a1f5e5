"""An event loop for a cell that awaits; imported where one does, because asyncio takes its time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class Loop(asyncio.SelectorEventLoop):
    """A loop without the socket by which another thread wakes it: the sandbox allows no sockets."""

    def _make_self_pipe(self) -> None:
        pass

    def _close_self_pipe(self) -> None:
        pass


def waited(running: Coroutine[Any, Any, Any]) -> None:
    """Run the loop until the awaited result is there."""
    loop = Loop(selectors.SelectSelector())
    try:
        loop.run_until_complete(running)
    finally:
        loop.close()
