"""Functions of a test that the student's code was given: it asks, the judge calls and answers."""

from typing import Any

from exercises.grader.channel import Broken
from exercises.grader.sandboxed import limits
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import Function, encode


def reply(question: dict[str, Any], given: list[Function]) -> dict[str, Any]:
    """Call the function that the student asks for; an error of it is part of the answer.

    Raises:
        Broken: the student was given no such function.
    """
    number = question.get("function")
    if type(number) is not int or not 0 <= number < len(given):
        raise Broken("the code called a function that it was not given")
    try:
        args = Decoder().decode({"list": question.get("args")})
        return {"value": encode(given[number](*args))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[: limits.MESSAGE_LETTERS]}
