"""The published model in a page: fetched in pieces, and kept by the browser where it allows.

It stands in for `course.published.fetch`, which asks the package index.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import js  # type: ignore[import-not-found]  # of Pyodide
from pyodide.ffi import JsException, create_proxy, to_js  # type: ignore[import-not-found]

NAME = "the-worked-transformer-model"
"""Of the store and of the lock in the browser."""
LOST = "The model could not be loaded. Is there a network, and room for 100 MB?"
_release: list[Any] = []
_kept = True


def place() -> Path:
    """The file, whether it is there or not."""
    return Path("/tmp/published.gguf")


def where() -> str:
    """Say whether the browser keeps the file."""
    if _kept:
        return "Your browser keeps it for the next time."
    return "Your browser refuses to keep it, so the next visit loads it again."


async def arrive(tell: Callable[[int], object]) -> Path:
    """Put the file in its place, piece by piece; `tell` hears how many bytes are there.

    Raises:
        OSError: a piece could not be loaded, or another tab has the model open.
    """
    global _kept
    if not await _alone():
        raise OSError("Another tab of this book has the model open. Close it, and load again.")
    cache = await _cache()
    _kept = cache is not None
    try:
        await _write(js.URL.new("../vendor/", js.location.href).href, cache, tell)
    except BaseException as error:  # a press of Stop, too, leaves neither a part nor the lock
        _forget()
        if isinstance(error, JsException):
            raise OSError(LOST) from error
        raise
    return place()


async def remove() -> None:
    """Forget the pieces, and let another tab have the model."""
    _forget()
    if await _cache() is not None:
        await js.caches.delete(NAME)


def _forget() -> None:
    place().unlink(missing_ok=True)
    while _release:
        _release.pop()()


async def _write(base: str, cache: Any, tell: Callable[[int], object]) -> None:
    # The host is asked for the list first, because a new build may have other pieces.
    names = json.loads(await (await _answer(f"{base}published.json", cache, True)).text())
    with place().open("wb") as file:
        for name in names:
            answer = await _answer(f"{base}published/{name}", cache)
            (await answer.arrayBuffer()).to_file(file)
            tell(file.tell())


async def _answer(address: str, cache: Any, is_host_first: bool = False) -> Any:
    """Take a file from what the browser keeps, or else from the book's host."""
    global _kept
    kept = await cache.match(address) if cache is not None else None
    if kept and not is_host_first:
        return kept
    try:
        answer = await js.fetch(address)
    except JsException:
        if kept:
            return kept
        raise
    if not answer.ok:
        raise OSError(
            "This copy of the book was built without the model: make real and make book add it."
        )
    if cache is not None:
        try:
            await cache.put(address, answer.clone())
        except JsException:  # no room
            _kept = False
    return answer


async def _cache() -> Any:
    """The browser's own store, or None where it has none or refuses."""
    try:
        store = js.caches.open if hasattr(js, "caches") else None
        return await store(NAME) if store else None
    except JsException:
        return None


async def _alone() -> bool:
    """Whether no other tab has the model open; none may, until this one ends or removes it."""
    if _release or not hasattr(js.navigator, "locks"):
        return True
    answered = asyncio.get_running_loop().create_future()

    def granted(lock: Any) -> Any:
        answered.set_result(lock is not None)
        return js.Promise.new(create_proxy(hold)) if lock is not None else None

    def hold(resolve: Any, _: Any) -> None:
        _release.append(resolve)

    options = to_js({"ifAvailable": True}, dict_converter=js.Object.fromEntries)
    js.navigator.locks.request(NAME, options, create_proxy(granted))
    found: bool = await answered
    return found
