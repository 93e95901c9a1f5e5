"""The published model in a page: fetched in pieces, and kept by the browser where it allows.

It stands in for `course.published.fetch`, which asks the package index. All books at one address
share the pieces, which the browser keeps by their names. A name ends with the first digits of the
hash of its piece, so a piece that is another file is known, whoever sent it.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import js  # type: ignore[import-not-found]  # of Pyodide
from pyodide.ffi import JsException, create_proxy, to_js  # type: ignore[import-not-found]

NAME = "the-worked-transformer-model"
"""Of the store and of the lock in the browser."""
LOST = "The model could not be loaded. Is there a network, and room for 100 MB?"
WITHOUT = "This copy of the book was built without the model: make real and make book add it."
OLDER = "/vendor/published/"
"""In the addresses by which an earlier version of the book kept its pieces."""
_release: list[Any] = []
_kept = True


def place() -> Path:
    """The file, whether it is there or not."""
    return Path("/tmp/published.gguf")


def is_there() -> bool:
    """Whether the whole file is there: never, because only its beginning stays once it is read."""
    return False


def where() -> str:
    """Say whether the browser keeps the file."""
    if _kept:
        return "Your browser keeps it for the next time."
    return "Your browser refuses to keep it, so the next visit loads it again."


async def arrive(tell: Callable[[int], object]) -> Path:
    """Put the file in its place, piece by piece; `tell` hears how many bytes are there.

    Raises:
        OSError: a piece could not be loaded, another file came in its place, or another tab has
            the model open.
    """
    global _kept
    if not await _alone():
        raise OSError("Another tab has the model open. Close it, and load again.")
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


async def remove() -> str:
    """Forget the pieces, let another tab have the model, and say what is removed."""
    _forget()
    if await _cache() is not None:
        await js.caches.delete(NAME)
    return "The model is removed for every book at this address, because they share one copy."


def _forget() -> None:
    place().unlink(missing_ok=True)
    while _release:
        _release.pop()()


async def _write(base: str, cache: Any, tell: Callable[[int], object]) -> None:
    names = await _names(f"{base}published.json", cache)
    with place().open("wb") as file:
        for name in names:
            piece = await _kept_piece(name, cache)
            if piece is None:
                piece = await _sent_piece(f"{base}published/{name}", cache)
            file.write(piece)
            tell(file.tell())


async def _names(address: str, cache: Any) -> list[str]:
    """Ask the host for the list of the pieces first, because a new build may have other ones."""
    try:
        answer = await _sent(address)
        text = await answer.text()
    except JsException:
        kept = await cache.match(address) if cache is not None else None
        names = _listed(await kept.text()) if kept else []
        if not names:
            raise
        return names
    if not (names := _listed(text)):
        raise OSError(_instead(answer))
    await _keep(address, text, cache)
    return names


def _listed(text: str) -> list[str]:
    """The names of the pieces; none where the text is not their list."""
    try:
        names = json.loads(text)
    except ValueError:
        return []
    is_list = isinstance(names, list) and all(_digits(str(name)) for name in names)
    return names if is_list else []


async def _kept_piece(name: str, cache: Any) -> bytes | None:
    """A piece that the browser keeps; what an earlier version kept by address gets its name."""
    if cache is None:
        return None
    found = await _checked(await cache.match(_key(name)), name)
    for request in await cache.keys():
        if not request.url.endswith(OLDER + name):
            continue
        if found is None:
            found = await _checked(await cache.match(request), name)
            if found is not None and not await _keep(_key(name), to_js(found), cache):
                break  # it stays where it is
        await cache.delete(request)
    return found


async def _sent_piece(address: str, cache: Any) -> bytes:
    """A piece from the host of the book; what is not this piece is not kept."""
    name = address.rpartition("/")[2]
    answer = await _sent(address)
    piece = await _checked(answer, name)
    if piece is None:
        raise OSError(_instead(answer))
    await _keep(_key(name), to_js(piece), cache)
    return piece


async def _sent(address: str) -> Any:
    answer = await js.fetch(address)
    if not answer.ok:
        raise OSError(WITHOUT)
    return answer


async def _checked(answer: Any, name: str) -> bytes | None:
    """The bytes of an answer if they have the hash in the name."""
    piece: bytes = (await answer.arrayBuffer()).to_bytes() if answer else b""
    return piece if hashlib.sha256(piece).hexdigest()[:12] == _digits(name) else None


def _digits(name: str) -> str:
    """The digits of the hash in the name of a piece, 00-0123456789ab.bin; "" in any other text."""
    found = re.fullmatch(r"\d+-([0-9a-f]{12})\.bin", name)
    return found[1] if found else ""


def _key(name: str) -> str:
    """By what the browser keeps a piece: no file of the host is there."""
    return str(js.URL.new(f"/{NAME}/{name}", js.location.origin).href)


async def _keep(key: str, content: Any, cache: Any) -> bool:
    """Let the browser keep something; whether it does."""
    global _kept
    try:
        if cache is not None:
            await cache.put(key, js.Response.new(content))
    except JsException:  # no room
        _kept = False
    return _kept


def _instead(answer: Any) -> str:
    """Say what came in the place of a file of the model, and what to do."""
    what = "a web page" if "html" in (answer.headers.get("Content-Type") or "") else "another file"
    return (
        f"The host sent {what} in place of a part of the model: load this page anew, log in if "
        "the host asks for it, and then load the model again."
    )


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
