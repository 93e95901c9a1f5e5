"""The ledger: every number that the notes print in a worked example, beside our own."""

from transformer_lib.ledger.catalogue import catalogue, counts
from transformer_lib.ledger.compact import compact
from transformer_lib.ledger.entries import CHAPTERS, PATH, Ledger, Number, Slip, Statement, load
from transformer_lib.ledger.pose import pose, slips
from transformer_lib.ledger.recomputation import (
    Result,
    agreement,
    function,
    recompute,
    slip_value,
    verdict,
)
from transformer_lib.ledger.storage import differences, write
from transformer_lib.ledger.table import Table, show, table

__all__ = [
    "CHAPTERS",
    "PATH",
    "Ledger",
    "Number",
    "Result",
    "Slip",
    "Statement",
    "Table",
    "agreement",
    "catalogue",
    "compact",
    "counts",
    "differences",
    "function",
    "load",
    "pose",
    "recompute",
    "show",
    "slip_value",
    "slips",
    "table",
    "verdict",
    "write",
]
