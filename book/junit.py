"""Read the reports that pytest writes."""

from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Case:
    """One test and how it ended: "passed", "failed" or "skipped"."""

    name: str
    seconds: float
    outcome: str
    reason: str = ""
    tries: int = 1


def read(report: Path) -> list[Case]:
    """The cases of one report; an error counts as a failure.

    A test that was tried again stands there twice, and how it ended the last time counts.
    """
    found: dict[str, Case] = {}
    for element in ElementTree.parse(report).iter("testcase"):
        one = case(element)
        before = found.get(one.name)
        # An error while it is cleared away has an entry of its own.
        if before and before.outcome == "failed":
            continue
        found[one.name] = replace(one, tries=before.tries + 1) if before else one
    return list(found.values())


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
