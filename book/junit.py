"""Read the reports that pytest writes."""

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Case:
    """One test and how it ended: "passed", "failed" or "skipped"."""

    name: str
    seconds: float
    outcome: str
    reason: str = ""


def read(report: Path) -> list[Case]:
    """The cases of one report; an error counts as a failure."""
    return [case(element) for element in ElementTree.parse(report).iter("testcase")]


def case(element: ElementTree.Element) -> Case:
    """One case of a report."""
    name = f"{element.get('classname')}::{element.get('name')}"
    seconds = float(element.get("time", "0"))
    if element.find("failure") is not None or element.find("error") is not None:
        return Case(name, seconds, "failed")
    skipped = element.find("skipped")
    if skipped is not None:
        return Case(name, seconds, "skipped", skipped.get("message", ""))
    return Case(name, seconds, "passed")
