"""Frames over two pipes, on the judge's side: every read and write has a deadline.

A frame is four bytes of length, then that many bytes of JSON. The other end is not trusted: a frame
that is too long, too slow, cut off or not JSON ends the sandbox.
"""

import json
import os
import select
import struct
import time
from typing import Any

from exercises.grader.sandboxed import limits

HEADER = struct.Struct(">I")
NO_ANSWER = "the code wrote something that is not an answer into the channel of the answers"


class Broken(Exception):
    """The sandbox cannot be used any more; the message gives the student the reason."""


class Ended(Broken):
    """The other end of the pipes is closed."""


class TooSlow(Broken):
    """The time for this answer is over."""


class Channel:
    """The judge's ends of the two pipes."""

    def __init__(self, write_to: int, read_from: int) -> None:
        self.write_to, self.read_from, self.closed = write_to, read_from, False
        for pipe in (write_to, read_from):
            os.set_blocking(pipe, False)

    def close(self) -> None:
        """Close both ends."""
        if not self.closed:
            self.closed = True
            os.close(self.write_to)
            os.close(self.read_from)

    def send(self, message: dict[str, Any], deadline: float) -> None:
        """Write one frame; raise Broken if the sandbox does not read it in time."""
        body = json.dumps(message).encode("ascii")
        left = memoryview(HEADER.pack(len(body)) + body)
        while left:
            _wait(self.write_to, select.POLLOUT, deadline)
            try:
                left = left[os.write(self.write_to, left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Ended("the code ended its own process") from error

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the next frame as a dict with string keys; its values are still unchecked."""
        (size,) = HEADER.unpack(self._read(HEADER.size, deadline))
        if size > limits.FRAME_BYTES:
            raise Broken(f"an answer was larger than {limits.FRAME_BYTES // limits.MEBIBYTE} MB")
        try:
            message = json.loads(self._read(size, deadline).decode("ascii"))
        except (ValueError, RecursionError) as error:
            raise Broken(NO_ANSWER) from error
        if not isinstance(message, dict):
            raise Broken(NO_ANSWER)
        return message

    def _read(self, size: int, deadline: float) -> bytes:
        parts, missing = [], size
        while missing:
            _wait(self.read_from, select.POLLIN, deadline)
            try:
                part = os.read(self.read_from, min(missing, limits.MEBIBYTE))
            except BlockingIOError:
                continue
            if not part:
                raise Ended("the code ended its own process")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


def _wait(pipe: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(pipe, event)
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(left * 1000):
        raise TooSlow("the code took too long")
