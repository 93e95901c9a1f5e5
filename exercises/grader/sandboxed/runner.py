"""Execute the student's cells and call their functions, inside the sandbox.

From the first cell on, this process belongs to the student: the code may change anything here. So
nothing in this file is a defense; the isolation was set up before, and the judge trusts only data.
"""

import ast
import inspect
import json
import os
import struct
import sys
import time
import traceback
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from exercises.grader.sandboxed import limits, pools
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import Function, ProtocolError, encode
from exercises.grader.sandboxed.ipython import names, python_of
from exercises.grader.sandboxed.messages import Do, Kind
from exercises.grader.sandboxed.missing import Absent

HEADER = struct.Struct(">I")
CELL = "<cell "
Message = dict[str, Any]


class Pipes:
    """The student's ends of the two pipes, away from stdin and stdout, which lead nowhere."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self.read_from, self.write_to = read_from, write_to
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)

    def send(self, message: Message) -> None:
        """Write one frame."""
        body = json.dumps(message).encode("ascii")
        if len(body) > limits.FRAME_BYTES:
            raise ProtocolError(f"the result is larger than {limits.FRAME_BYTES} bytes")
        left = HEADER.pack(len(body)) + body
        while left:
            left = left[os.write(self.write_to, left) :]

    def receive(self) -> Message:
        """Read one frame, or exit at the end of the pipe."""
        (size,) = HEADER.unpack(self._read(HEADER.size))
        message: Message = json.loads(self._read(size))
        return message

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(self.read_from, size - len(data))
            if not part:
                os._exit(0)
            data += part
        return data


class Runner:
    """The student's namespace and the three things the judge may ask of it."""

    def __init__(self, pipes: Pipes) -> None:
        self.pipes = pipes
        self.space: dict[str, Any] = {"__name__": "__main__", **names()}
        self.absent = Absent(CELL)
        sys.meta_path.append(self.absent)

    def cell(self, request: Message) -> Message:
        """Run one cell, which may await as in a notebook."""
        text, name = python_of(request["source"]), f"{CELL}{request['place']}>"
        self.absent.read(text)
        made = compile(text, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, optimize=0)
        value = eval(with_known_words(made), self.space)
        if made.co_flags & inspect.CO_COROUTINE:
            from exercises.grader.sandboxed.waiting import waited

            waited(value)
        return {}

    def get(self, request: Message) -> Message:
        """Return the value of a variable."""
        return {"value": encode(self.named(request["name"]))}

    def named(self, name: str) -> Any:
        """Return the student's value of this name."""
        if name not in self.space:
            raise NameError(f"{name} is not defined")
        return self.space[name]

    def call(self, request: Message) -> Message:
        """Call a function and return its result and the arguments that it changed."""
        function = self.named(request["function"])
        args, named = self.arguments(request)
        try:
            value = encode(function(*args, **named))
        except FloatingPointError:
            # Their own np.seterr asks for this error, which is no answer yet: as a check in the
            # notebook does, call them as if numpy had been left as it was.
            args, named = self.arguments(request)
            with np.errstate(all="ignore"):
                value = encode(function(*args, **named))
        given: dict[Any, Any] = {**dict(enumerate(request["args"])), **request["named"]}
        functions: list[Function] = []  # counted through all arguments, as the judge did
        now = {place: encode(item, functions) for place, item in [*enumerate(args), *named.items()]}
        changed = {str(p): now[p] for p in now if json.dumps(now[p]) != json.dumps(given[p])}
        return {"value": value, "changed": changed}

    def arguments(self, request: Message) -> tuple[list[Any], dict[str, Any]]:
        """Return new copies of the arguments of a call."""
        decode = Decoder(self.ask).decode
        named = {name: decode(item) for name, item in request["named"].items()}
        return [decode(item) for item in request["args"]], named

    def ask(self, number: int) -> Function:
        """Return a function that calls function `number` of the judge."""

        def ask(*args: Any) -> Any:
            parts = [encode(item) for item in args]
            self.pipes.send({"kind": Kind.QUESTION, "function": number, "args": parts})
            answer = self.pipes.receive()
            if "error" in answer:
                raise ValueError(answer["error"])
            return Decoder().decode(answer["value"])

        return ask

    def answer(self, request: Message) -> Message:
        """Answer a request; an error becomes part of the answer."""
        todo: dict[str, Callable[[Message], Message]]
        todo = {Do.CELL: self.cell, Do.GET: self.get, Do.CALL: self.call}
        try:
            return {"kind": Kind.ANSWER, **todo[request["do"]](request)}
        except BaseException as error:
            return {"kind": Kind.ERROR, "error": describe(error)}


def with_known_words(constant: Any) -> Any:
    """Return code or a constant of it with the words that `Decoder` gives for the same letters.

    Python itself does so for words that could be names, and `is` tells the others apart: a word of
    theirs that a test hands back to them would not be theirs any more.
    """
    if isinstance(constant, str):
        return sys.intern(constant)
    if isinstance(constant, tuple | frozenset):
        return type(constant)(map(with_known_words, constant))
    if isinstance(constant, CodeType):
        return constant.replace(co_consts=with_known_words(constant.co_consts))
    return constant


def describe(error: BaseException) -> Message:
    """Return the kind of an error, its message, and the student's line that it came from."""
    places = [
        (frame.filename, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__, limit=-limits.DEPTH)
        if frame.filename.startswith(CELL)
    ]
    if isinstance(error, SyntaxError) and str(error.filename).startswith(CELL):
        places.append((str(error.filename), error.lineno))
    name, line = places[-1] if places else (f"{CELL}-1>", 0)
    kinds = [kind.__name__ for kind in type(error).__mro__]
    text = str(error.msg if isinstance(error, SyntaxError) else error)
    place = int(name.removeprefix(CELL).removesuffix(">"))
    return {"kinds": kinds, "text": text[: limits.MESSAGE_LETTERS], "place": place, "line": line}


def serve(pipes: Pipes) -> None:
    """Report that all is ready, and answer until the pipe ends."""
    pools.install()
    runner = Runner(pipes)
    pipes.send({"kind": Kind.READY})
    while True:
        request = pipes.receive()
        # The judge subtracts this from what the whole process has used, if an answer is late.
        common = {"id": request["id"]}
        try:
            answer = runner.answer(request)
            pipes.send({**answer, **common, "spent": time.process_time()})
        except ProtocolError as error:
            refusal = {"kinds": ["ValueError"], "text": str(error), "place": -1, "line": 0}
            pipes.send({"kind": Kind.ERROR, "error": refusal, **common})
        except BaseException:  # also an error whose own text fails
            pipes.send({"kind": Kind.BROKEN})
