"""A conversation with one submission: it runs the cells, calls functions, and starts over.

When the sandbox breaks, the next question starts a new one and runs the cells again, without those
that broke a sandbox before.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from exercises.grader import callbacks, limits
from exercises.grader.arguments import restore
from exercises.grader.channel import Broken, TooSlow
from exercises.grader.decoding import Decoder
from exercises.grader.encoding import Function, ProtocolError, encode
from exercises.grader.errors import CellError, Stopped, exception_of, told
from exercises.grader.limits import Limits
from exercises.grader.sandbox import Nursery, Sandbox


class Session:
    """The cells of one submission and the sandbox in which they ran last."""

    def __init__(
        self,
        nursery: Nursery,
        caps: Limits,
        cells: tuple[tuple[str, str], ...],
        tasks: tuple[str, ...] = (),
    ) -> None:
        self.nursery, self.limits, self.cells, self.tasks = nursery, caps, cells, tasks
        self.end = time.monotonic() + caps.total
        self.sandbox: Sandbox | None = None
        self.number = 0
        self.skipped: set[int] = set()
        self.fatal: set[int] = set()
        self.errors: dict[int, CellError] = {}
        self.broken: str | None = None  # why the sandbox broke since someone last looked
        self.changed: set[str] = set()  # functions that changed an argument
        self.keep_arguments = False
        self.late = False  # whether it broke because it was too slow
        self.inside = False
        self.used = False  # whether a test has called a function in this sandbox
        self.stale = False  # whether it was the test of another task
        self.seconds = 0.0  # how long the cells took

    def close(self) -> None:
        """End the sandbox, if one runs."""
        if self.sandbox is not None:
            self.sandbox.kill()
            self.sandbox = None
            self.used = self.stale = False

    def refresh(self, tasks: int) -> None:
        """See that the next task gets a new sandbox, if that leaves time for all the tasks."""
        if self.used and self.seconds * tasks < self.limits.total / 2:
            self.close()
        self.stale = self.used

    def alone(self, task: str, others: Iterable[str]) -> None:
        """Start anew, from now on without the cells of the other tasks."""
        self.close()
        marks = tuple(f"({name})" for name in others if name != task)
        self.skipped = {n for n, (name, _) in enumerate(self.cells) if name.endswith(marks)}

    def _named(self, cell: str) -> bool:
        marks = tuple(f"({name})" for name in self.tasks)
        return not cell.startswith("code cell") or cell.endswith(marks)

    def ready(self) -> None:
        """See that a sandbox runs in which the cells have run."""
        if self.sandbox is None:
            self._start()

    def get(self, name: str) -> Any:
        """Return a variable of the student as plain data; KeyError and others as in `call`."""
        return self._read(self._ask({"do": "get", "name": name}).get("value"), name)

    def call(self, function: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a function of the student with copies of the arguments.

        Raises:
            Exception: an exception of the student, by name, or RuntimeError.
            Stopped: the sandbox broke.
        """
        if self.inside:
            raise RuntimeError("a function given to the student cannot call the student's code")
        given: list[Function] = []
        request = {
            "do": "call",
            "function": function,
            "args": [encode(item, given) for item in args],
            "named": {name: encode(item, given) for name, item in named.items()},
        }
        self.used = True
        answer = self._ask(request, given)
        places = {str(place): item for place, item in enumerate(args)} | named
        value = self._read(answer.get("value"), function)
        changed = answer.get("changed")
        if not isinstance(changed, dict):
            self._stop("something wrote garbage where answers go")
        fresh = {
            place: self._read(changed[place], function) for place in changed if place in places
        }
        for place, item in fresh.items():
            self.changed.add(function)
            if not self.keep_arguments:
                restore(places[place], item)
        return value

    def _read(self, data: Any, name: str) -> Any:
        try:
            return Decoder().decode(data)
        except ProtocolError as error:
            self._stop(f"the value of {name} cannot be read: {error}")

    def _ask(self, request: dict[str, Any], given: list[Function] | None = None) -> dict[str, Any]:
        self.ready()
        try:
            return self._exchange(request, given or [])
        except TooSlow:
            what = request.get("function", "the code")
            self.late = True
            self._stop(f"{what} ran longer than {self.limits.call:g} s")
        except Broken as error:
            self._stop(str(error))

    def _exchange(self, request: dict[str, Any], given: list[Function]) -> dict[str, Any]:
        assert self.sandbox is not None
        channel = self.sandbox.channel
        deadline = min(self.end, time.monotonic() + self.limits.call)
        self.number += 1
        channel.send({"id": self.number, **request}, deadline)
        for _ in range(limits.CALLBACKS):
            answer = channel.receive(deadline)
            if "ask" in answer:
                self.inside = True
                try:
                    channel.send(callbacks.reply(answer, given), deadline)
                finally:
                    self.inside = False
                continue
            if "broken" in answer:
                raise Broken("the code left nothing that can answer")
            if answer.get("id") != self.number:
                raise Broken("an answer came that nobody asked for")
            if "error" in answer:
                raise exception_of(answer["error"])
            return answer
        raise Broken("the code called a function too often")

    def _stop(self, reason: str) -> NoReturn:
        self.close()
        self.broken = reason
        raise Stopped(reason)

    def _start(self) -> None:
        """Run the cells in a new sandbox; after a cell that breaks it, start without that cell."""
        while True:
            if time.monotonic() >= self.end:
                self._stop(f"the time for all tasks, {self.limits.total:g} s, is over")
            begun = time.monotonic()
            self.sandbox = Sandbox(self.nursery)
            if all(self._run(place) for place in range(len(self.cells))):
                self.seconds = time.monotonic() - begun
                return
            self.close()

    def _run(self, place: int) -> bool:
        """Run one cell and note its error; False if the sandbox did not survive it."""
        name, text = self.cells[place]
        if place in self.fatal | self.skipped:
            return True
        try:
            self._exchange({"do": "cell", "name": name, "source": text}, [])
        except Broken as error:
            late = isinstance(error, TooSlow)
            reason = f"ran longer than {self.limits.call:g} s" if late else str(error)
            self.errors[place] = CellError(name, reason)
            self.fatal.add(place)
            if len(self.fatal) > limits.BREAKING_CELLS:
                # Enough: from now on only what may hold a solution.
                self.fatal |= {n for n, cell in enumerate(self.cells) if not self._named(cell[0])}
            return False
        except Exception as error:
            self.errors[place] = CellError(
                name, told(error), isinstance(error, NotImplementedError)
            )
        return True


def proxy(session: Session, name: str) -> Callable[..., Any]:
    """Return a function that calls the student's function of that name."""

    def call(*args: Any, **named: Any) -> Any:
        return session.call(name, args, named)

    call.__name__ = call.__qualname__ = name
    return call
