"""Send questions to one sandbox and receive its answers, none of which is trusted."""

from typing import Any

from exercises.grader.run import starved
from exercises.grader.run.channel import Broken
from exercises.grader.run.errors import exception_of
from exercises.grader.run.sandbox import ForkServer, Sandbox
from exercises.grader.sandboxed import limits
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import Function, encode
from exercises.grader.sandboxed.messages import Kind


class Talk:
    """One sandbox, from its birth to its end."""

    def __init__(self, fork_server: ForkServer) -> None:
        self.sandbox = Sandbox(fork_server)
        self.number = 0
        self.reported = 0.0  # processor seconds of the sandbox when it last answered
        self.waits = 0.0  # seconds that the sandbox had lacked a processor when it was last asked
        self.inside = False  # whether the code waits for a function of the test

    def exchange(
        self, request: dict[str, Any], given: list[Function], deadline: float
    ) -> dict[str, Any]:
        """Send a request, call the functions that the code needs meanwhile, and return the answer.

        Raises:
            Exception: an exception of the student, by name, or RuntimeError.
            Broken: the sandbox cannot be used any more.
        """
        channel = self.sandbox.channel
        self.waits = starved.waited(self.sandbox.fork_server.process.pid)
        self.number += 1
        channel.send({"id": self.number, **request}, deadline)
        for _ in range(limits.CALLBACKS):
            answer = channel.receive(deadline)
            kind = answer.get("kind")
            if kind == Kind.QUESTION:
                self._reply(answer, given, deadline)
                continue
            if kind == Kind.BROKEN:
                raise Broken("the code ended everything that could answer")
            if answer.get("id") != self.number:
                raise Broken("the code sent an answer that was not requested")
            # A lie about this only decides whether a time-out is looked at twice.
            spent = answer.get("spent")
            self.reported = spent if isinstance(spent, float) else 0.0
            if kind == Kind.ERROR:
                raise exception_of(answer.get("error"))
            return answer
        raise Broken("the code called a function of the check too often")

    def _reply(self, question: dict[str, Any], given: list[Function], deadline: float) -> None:
        self.inside = True
        try:
            self.sandbox.channel.send(_reply(question, given), deadline)
        finally:
            self.inside = False

    def since_last_answer(self) -> float:
        """Return how many processor seconds the sandbox has used since its last answer."""
        return self.sandbox.spent() - self.reported

    def waited(self) -> float:
        """Return for how many seconds the sandbox has lacked a processor since its last request."""
        return starved.waited(self.sandbox.fork_server.process.pid) - self.waits


def _reply(question: dict[str, Any], given: list[Function]) -> dict[str, Any]:
    """Call the function of a test that the student asks for; an error is part of the answer.

    Raises:
        Broken: the student was given no such function.
    """
    number = question.get("function")
    if type(number) is not int or not 0 <= number < len(given):
        raise Broken("the code called a function that the check did not provide")
    try:
        args = Decoder().decode({"list": question.get("args")})
        return {"value": encode(given[number](*args))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[: limits.MESSAGE_LETTERS]}
