"""Lets a view work until it shows what a test awaits."""

import asyncio
from typing import Any


async def until(holds: Any) -> None:
    """Let the view work until something holds; what never does fails after thousands of turns."""
    for _ in range(6000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("what was awaited did not come")
