"""The kinds of messages between the judge, a nursery and a sandbox."""

from enum import StrEnum


class Order(StrEnum):
    """What the judge tells a nursery."""

    BEAR = "bear"  # a sandbox; two pipes come with the order
    SPENT = "spent"  # say how many seconds the sandbox has used
    KILL = "kill"  # the sandbox
    BURY = "bury"  # the sandbox, which seems to have ended by itself


class Said(StrEnum):
    """What a nursery answers."""

    READY = "ready"
    BORN = "born"
    FAILED = "failed"
    SPENT = "spent"
    GONE = "gone"


class Do(StrEnum):
    """What the judge asks of a sandbox."""

    CELL = "cell"
    GET = "get"
    CALL = "call"


class Kind(StrEnum):
    """What a frame from a sandbox is."""

    READY = "ready"
    ANSWER = "answer"
    ERROR = "error"
    QUESTION = "question"  # it calls a function that it was given
    BROKEN = "broken"
