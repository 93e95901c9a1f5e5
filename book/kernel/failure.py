"""A traceback that names the cells of the page."""

import re
import traceback

KERNEL = "/book/kernel/"
ROOT = "/course/"
"""Where the page's files lie: a path is shown from there."""


def described(error: BaseException) -> str:
    """Return the traceback of an error in a cell, without the frames of the kernel."""
    summary = traceback.TracebackException.from_exception(error)
    for each in chain(summary):
        own = [frame for frame in each.stack if KERNEL not in frame.filename]
        each.stack = traceback.StackSummary.from_list(own)
    return named("".join(summary.format()))


def said(error: BaseException) -> str:
    """Return what an error says, which is the end of its traceback."""
    return named("".join(traceback.format_exception_only(error)))


def named(text: str) -> str:
    """Call the cells by their names and the files by their places in the course."""
    text = re.sub(r'File "(Cell \d+)", line', r"\1, line", text)
    return text.replace(f'"{ROOT}', '"').rstrip("\n")


def chain(summary: traceback.TracebackException) -> list[traceback.TracebackException]:
    """An error with those that led to it."""
    before = [each for each in (summary.__cause__, summary.__context__) if each is not None]
    return [summary, *(deeper for each in before for deeper in chain(each))]
