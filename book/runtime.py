"""What a page runs with: Pyodide, its wheels, the course, the cells of each page, a small model."""

import json
from pathlib import Path

from book import corpus, course_zip, flow_weights, page_cells, wheels
from book.paths import ROOT

SCRIPT = "runtime.js"
BEFORE = "window.tlRuntime = "


def missing(root: Path = ROOT) -> str:
    """Why the pages of the last build cannot run, or nothing, as `ensure` found and wrote it."""
    script = root / "assets" / "vendor" / SCRIPT
    text = script.read_text(encoding="utf-8") if script.exists() else ""
    reason: str = json.loads(text.removeprefix(BEFORE).rstrip(";\n") or "{}").get("reason", "")
    return reason


def ensure(root: Path = ROOT) -> str:
    """Put it all into assets/vendor; why a page of this book cannot run, or nothing."""
    vendor = root / "assets" / "vendor"
    reason = wheels.ensure(vendor / "pyodide", root)
    corpus.ensure(vendor)
    course_zip.write(vendor, root)
    page_cells.write(vendor, root)
    flow_weights.write(vendor)
    # A script, because a page that was opened from the disk may load one and nothing else.
    said = f"{BEFORE}{json.dumps({'reason': reason})};\n"
    (vendor / SCRIPT).write_text(said, encoding="utf-8")
    return reason
