"""Pools of processes whose work is done at once, by the student's own process: it can make none."""

import concurrent.futures.process
import functools
import multiprocessing.context
import multiprocessing.pool
from collections.abc import Callable, Iterable
from typing import Any

Work = Callable[..., Any]


class Answer(concurrent.futures.Future[Any]):
    """A result by the names of either kind of pool."""

    get, ready = concurrent.futures.Future.result, concurrent.futures.Future.done


class Executor(concurrent.futures.Executor):
    """This replaces `concurrent.futures.ProcessPoolExecutor`."""

    def __init__(self, *sizes: Any, initializer: Work | None = None, **others: Any) -> None:
        if initializer is not None:
            initializer(*others.get("initargs", ()))

    def submit(self, work: Work, /, *args: Any, **named: Any) -> Answer:
        """Do the work, and return an object with the result or the error."""
        answer = Answer()
        try:
            answer.set_result(work(*args, **named))
        except Exception as error:
            answer.set_exception(error)
        return answer


class Pool(Executor):
    """This replaces `multiprocessing.Pool`; processes and chunks change nothing."""

    def apply(self, work: Work, args: Iterable[Any] = (), kwds: Any = None) -> Any:
        """Return the result of one call."""
        return work(*args, **(kwds or {}))

    def starmap(self, work: Work, items: Iterable[Any], chunksize: Any = 1) -> list[Any]:
        """Return the results of calls with several arguments."""
        return [work(*item) for item in items]

    def map(self, work: Work, items: Iterable[Any], chunksize: Any = 1) -> Any:  # type: ignore[override]
        """Return the results of calls with one argument."""
        return [work(item) for item in items]

    def imap(self, work: Work, items: Iterable[Any], chunksize: Any = 1) -> Any:
        """Return the results one after the other."""
        return map(work, items)

    def _later(self, how: str, *args: Any, callback: Work | None = None, **named: Any) -> Answer:
        answer = self.submit(getattr(self, how), *args, **named)
        if callback and not answer.exception():
            callback(answer.result())
        return answer

    imap_unordered = imap
    apply_async = functools.partialmethod(_later, "apply")
    map_async = functools.partialmethod(_later, "map")
    starmap_async = functools.partialmethod(_later, "starmap")
    close = terminate = join = concurrent.futures.Executor.shutdown


def install() -> None:
    """Make these pools available to all later imports."""
    setattr(concurrent.futures.process, "ProcessPoolExecutor", Executor)  # noqa: B010
    for place in (multiprocessing, multiprocessing.pool, multiprocessing.context.BaseContext):
        setattr(place, "Pool", Pool)  # noqa: B010
    setattr(multiprocessing.pool, "ThreadPool", Pool)  # noqa: B010
