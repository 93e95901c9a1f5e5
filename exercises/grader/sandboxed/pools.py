"""Pools of processes whose work is done at once, by the student's own process: it can make none."""

import concurrent.futures.process
import functools
import multiprocessing.context
import multiprocessing.pool
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Work = Callable[..., Any]


class Executor(concurrent.futures.Executor):
    """What takes the place of `concurrent.futures.ProcessPoolExecutor`."""

    def __init__(
        self,
        max_workers: int | None = None,
        mp_context: Any = None,
        initializer: Work | None = None,
        initargs: Iterable[Any] = (),
        **others: Any,
    ) -> None:
        if initializer is not None:
            initializer(*initargs)

    def submit(self, work: Work, /, *args: Any, **named: Any) -> "Answer":
        """Work, and return what holds the result or the error."""
        answer = Answer()
        try:
            answer.set_result(work(*args, **named))
        except Exception as error:
            answer.set_exception(error)
        return answer


class Answer(concurrent.futures.Future[Any]):
    """A result by the names of either kind of pool."""

    get, ready = concurrent.futures.Future.result, concurrent.futures.Future.done


class Pool(Executor):
    """What takes the place of `multiprocessing.Pool`."""

    def __init__(self, processes: int | None = None, *start: Any, **others: Any) -> None:
        super().__init__(processes, None, *start[:2], **others)

    def apply(self, work: Work, args: Iterable[Any] = (), kwds: Any = None) -> Any:
        """Return the result of one call."""
        return work(*args, **(kwds or {}))

    def starmap(self, work: Work, items: Iterable[Any], chunksize: Any = None) -> list[Any]:
        """Return the results of calls with several arguments."""
        return [work(*item) for item in items]

    def map(self, work: Work, *items: Any, **others: Any) -> Any:  # type: ignore[override]
        """Return the results of calls with one argument."""
        return self.starmap(work, zip(items[0], strict=True))

    def imap(self, work: Work, *items: Any, **others: Any) -> Iterator[Any]:
        """Return them one after the other."""
        return iter(self.map(work, *items))

    def _later(self, how: str, *args: Any, callback: Work | None = None, **named: Any) -> Answer:
        answer = self.submit(getattr(self, how), *args, **named)
        if callback is not None and answer.exception() is None:
            callback(answer.result())
        return answer

    imap_unordered = imap
    apply_async = functools.partialmethod(_later, "apply")
    map_async = functools.partialmethod(_later, "map")
    starmap_async = functools.partialmethod(_later, "starmap")
    close = terminate = join = concurrent.futures.Executor.shutdown


def install() -> None:
    """Let all that is imported from now on find these pools."""
    places = (multiprocessing, multiprocessing.pool, multiprocessing.context.BaseContext)
    for place, name in ((multiprocessing.pool, "ThreadPool"), *((each, "Pool") for each in places)):
        setattr(place, name, Pool)
    concurrent.futures.process.ProcessPoolExecutor = Executor  # type: ignore[misc, assignment]
