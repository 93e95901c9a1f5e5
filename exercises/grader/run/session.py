"""Run the cells of one submission and call its functions, in a new sandbox if one breaks.

When the sandbox breaks, the next question starts a new one and runs the cells again, without those
that broke a sandbox before.
"""

import time
from enum import Enum
from typing import Any, NoReturn

from exercises.grader.mark.results import Status
from exercises.grader.run.arguments import restore
from exercises.grader.run.channel import NO_ANSWER, Broken, Ended, TooSlow
from exercises.grader.run.clock import undisturbed
from exercises.grader.run.errors import CellError, Postponed, Stopped, Trouble, message
from exercises.grader.run.sandbox import ForkServer
from exercises.grader.run.scopes import own_cells
from exercises.grader.run.selection import Code, Role
from exercises.grader.run.talk import Talk
from exercises.grader.sandboxed import limits
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import Function, ProtocolError, encode
from exercises.grader.sandboxed.limits import Limits
from exercises.grader.sandboxed.messages import Do

STARVED = 1 / 6  # a share of all the time without the processor after which it is put off
BUSY = 0.8  # a time-out is the code's own if it used the processor for this share of the time


class Use(Enum):
    """This is the task whose test has called a function in the running sandbox."""

    NONE = "nobody's"
    OWN = "that of this task"
    OTHER = "that of another task"


class Session:
    """The cells of one submission and the sandbox in which they ran last."""

    def __init__(
        self, fork_server: ForkServer, caps: Limits, cells: tuple[Code, ...], patient: bool = True
    ) -> None:
        self.fork_server, self.limits, self.cells = fork_server, caps, cells
        self.patient = patient  # whether a time-out is a verdict even if the machine was busy
        self.start = time.monotonic()
        self.end = self.start + caps.total
        self.begun = time.process_time()
        self.spent = 0.0  # processor seconds of the sandboxes that ended
        self.talk: Talk | None = None
        self.places = own_cells(cells)  # which cells are to run
        self.ran: list[int] = []  # which have run in this sandbox
        self.fatal: dict[int, str] = {}  # which broke a sandbox, and how
        self.called = False  # whether a test has called a function in any sandbox
        self.errors: dict[int, CellError] = {}
        self.broken: str | None = None  # why the sandbox broke since someone last looked
        self.fault: Trouble | Postponed | None = None
        self.changed: set[str] = set()  # functions that changed an argument
        self.keep_arguments = False
        self.asked: dict[str, Any] = {}  # the last call, as it was sent
        self.ended_as = Status.BROKEN  # what a test gets that the end of the sandbox stopped
        self.use = Use.NONE
        self.hung: set[int] = set()  # which cells were too slow
        self.unlike: set[str] = set()  # which answers the text and the run give differently
        self.seconds = self.slowest = 0.0  # how long the cells took here, and at most

    def close(self, by_itself: bool = False) -> None:
        """End the sandbox, if one runs.

        Raises:
            Trouble: the submission did not end it.
        """
        with undisturbed():
            talk, self.talk = self.talk, None
            self.use = Use.NONE
            self.seconds, self.ran = 0.0, []
            if talk is not None:
                try:
                    self.spent += talk.sandbox.end(by_itself)
                except Trouble as trouble:
                    self.fault = trouble
                    raise

    def processor(self) -> float:
        """Return the processor seconds that the judge and all sandboxes have used so far."""
        now = 0.0 if self.talk is None else self.talk.sandbox.spent()
        return time.process_time() - self.begun + self.spent + now

    def is_slow(self, tasks: int) -> bool:
        """Return whether the cells take too long to run again for each task."""
        return self.slowest * tasks >= self.limits.total / 2

    def refresh(self, tasks: int) -> None:
        """Give the next task a new sandbox, if this leaves time for all tasks."""
        if self.use is not Use.NONE:
            self.use = Use.OTHER
            if not self.is_slow(tasks):
                self.close()
        self.broken, self.ended_as, self.keep_arguments = None, Status.BROKEN, False
        self.changed.clear()
        self.asked = {}

    def blamed(self, task: str) -> str | None:
        """Return how a cell of this task ended a sandbox, if one did and was not just slow."""
        ended = (n for n in self.fatal if n not in self.hung and self.cells[n].task == task)
        return next((self.fatal[n] for n in ended), None)

    def ready(self) -> None:
        """Provide a sandbox in which the wanted cells have run, in their order."""
        done = False
        self._put_off_if_starved()
        while not done:
            wanted = [place for place in self.places if place not in self.fatal]
            if self.ran != wanted[: len(self.ran)]:
                self.close()
            done = self._advance(wanted)

    def _put_off_if_starved(self) -> None:
        """Put it off if it got little of the processor; the time is missing in its next turn."""
        seconds, most = time.monotonic() - self.start, STARVED * self.limits.total
        if not self.patient and seconds > most and seconds - self.processor() > most:
            self.overdue(0.0, seconds)

    def get(self, name: str) -> Any:
        """Return a variable of the student as plain data; KeyError and others as in `call`."""
        return self._read(self._ask({"do": Do.GET, "name": name}).get("value"), name)

    def call(self, function: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a function of the student with copies of the arguments.

        Raises:
            Exception: an exception of the student, by name, or RuntimeError.
            Stopped: the sandbox broke.
            Trouble: the judge's own machinery broke.
            Postponed: the machine was too busy.
        """
        if self.talk is not None and self.talk.inside:
            raise RuntimeError("a function given to the student cannot call the student's code")
        given: list[Function] = []
        request = {
            "do": Do.CALL,
            "function": function,
            "args": [encode(item, given) for item in args],
            "named": {name: encode(item, given) for name, item in named.items()},
        }
        self.called = True
        self.use = Use.OWN if self.use is Use.NONE else self.use
        self.asked = request
        answer = self._ask(request, given)
        places = {str(place): item for place, item in enumerate(args)} | named
        value = self._read(answer.get("value"), function)
        changed = answer.get("changed")
        if not isinstance(changed, dict):
            self._stop(NO_ANSWER)
        given_back = [place for place in changed if place in places]
        fresh = {place: self._read(changed[place], function) for place in given_back}
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
            self.overdue(self._in_this_call(), self.limits.call)
            self._stop(f"{what} ran longer than {self.limits.call:g} s")
        except Broken as error:
            self._stop(str(error), isinstance(error, Ended))

    def _exchange(self, request: dict[str, Any], given: list[Function]) -> dict[str, Any]:
        assert self.talk is not None
        deadline = min(self.end, time.monotonic() + self.limits.call)
        return self.talk.exchange(request, given, deadline)

    def _in_this_call(self) -> float:
        return 0.0 if self.talk is None else self.talk.since_last_answer()

    def overdue(self, used: float, allowed: float) -> None:
        """Record that the time is over, or postpone the submission if the machine was busy.

        A first turn is postponed whenever the code used little of the processor. A last one has
        more time on the clock and is postponed only if the code waited for the processor.

        Args:
            used: processor seconds.
            allowed: seconds on the clock.

        Raises:
            Postponed: the code used too little of the processor to be to blame.
        """
        missing = allowed - used
        if used < BUSY * allowed and (not self.patient or self._waited() > missing / 2):
            self.fault = Postponed("the time was over while the processor was busy elsewhere")
            raise self.fault
        self.ended_as = Status.TIMED_OUT

    def _waited(self) -> float:
        return 0.0 if self.talk is None else self.talk.waited()

    def _stop(self, reason: str, by_itself: bool = False) -> NoReturn:
        self.close(by_itself)
        self.broken = reason
        raise Stopped(reason)

    def _advance(self, wanted: list[int]) -> bool:
        """Run the cells that have not run yet; False if one of them ended the sandbox."""
        if self.talk is not None and len(self.ran) == len(wanted):
            return True
        if time.monotonic() >= self.end:
            self.overdue(self.processor(), self.limits.total)
            self._stop(f"the time for all tasks, {self.limits.total:g} s, is over")
        begun = time.monotonic()
        if self.talk is None:
            with undisturbed():
                self.talk = Talk(self.fork_server)
        for place in wanted[len(self.ran) :]:
            self._put_off_if_starved()
            if not self._run(place):
                return False
            self.ran.append(place)
        self.seconds += time.monotonic() - begun
        self.slowest = max(self.slowest, self.seconds)
        return True

    def _run(self, place: int) -> bool:
        """Run one cell and note its error; False if the sandbox did not survive it."""
        request = {"do": Do.CELL, "place": place, "source": self.cells[place].text}
        try:
            self._exchange(request, [])
        except TooSlow:
            self.overdue(self._in_this_call(), self.limits.call)
            self.hung.add(place)
            return self._blame(place, f"ran longer than {self.limits.call:g} s")
        except Broken as error:
            return self._blame(place, str(error), isinstance(error, Ended))
        except Exception as error:
            self._note(place, message(error), isinstance(error, NotImplementedError))
        return True

    def _note(self, place: int, text: str, unwritten: bool = False) -> None:
        # Code that has seen hidden numbers could say them in a later sandbox, if it can get them
        # there. An example or a check that fails is no cell of the student's.
        cell = self.cells[place]
        if not self.called and cell.role in (Role.OWN, Role.HELPER):
            self.errors[place] = CellError(cell, text, unwritten)

    def _blame(self, place: int, reason: str, by_itself: bool = False) -> bool:
        self.close(by_itself)  # first, because it may be trouble and nobody's fault
        self._note(place, reason)
        self.fatal[place] = reason
        if len(self.fatal) > limits.BREAKING_CELLS:
            # Enough: from now on only what may hold a solution.
            for other, cell in enumerate(self.cells):
                if not cell.task and cell.role is not Role.HELPER:
                    self.fatal.setdefault(other, "too many cells ended their sandbox")
        return False
