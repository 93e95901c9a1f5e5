"""The ledger: every number of a worked example in the notes, with the number that we compute."""

from course.ledger.catalogue import catalogue, counts
from course.ledger.compact import compact
from course.ledger.entries import CHAPTERS, PATH, Ledger, Number, Slip, Statement, load
from course.ledger.recomputation import (
    Result,
    agreement,
    explained,
    function,
    recompute,
    slip_value,
    verdict,
)
from course.ledger.storage import differences, write
from course.ledger.table import show, table

__all__ = [
    "CHAPTERS",
    "PATH",
    "Ledger",
    "Number",
    "Result",
    "Slip",
    "Statement",
    "agreement",
    "catalogue",
    "compact",
    "counts",
    "differences",
    "explained",
    "function",
    "load",
    "recompute",
    "show",
    "slip_value",
    "table",
    "verdict",
    "write",
]
