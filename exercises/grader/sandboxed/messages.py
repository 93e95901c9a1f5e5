"""The kinds of messages between the judge, a fork server and a sandbox."""

from enum import StrEnum


class Order(StrEnum):
    """This is an order of the judge to a fork server."""

    FORK = "fork"  # a sandbox; two pipes come with the order
    SPENT = "spent"  # say how many seconds the sandbox has used
    KILL = "kill"  # the sandbox
    REAP = "reap"  # the sandbox, which seems to have ended by itself


class Said(StrEnum):
    """This is an answer of a fork server."""

    READY = "ready"
    FORKED = "forked"
    FAILED = "failed"
    SPENT = "spent"
    GONE = "gone"


class Do(StrEnum):
    """This is a request of the judge to a sandbox."""

    CELL = "cell"
    GET = "get"
    CALL = "call"


class Kind(StrEnum):
    """This is the kind of a frame from a sandbox."""

    READY = "ready"
    ANSWER = "answer"
    ERROR = "error"
    QUESTION = "question"  # it calls a function that it was given
    BROKEN = "broken"
