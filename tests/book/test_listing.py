"""The list by which pages prove their files, and the offline copy what it keeps."""

import json
from pathlib import Path

from book.html import listing


def test_each_file_that_a_page_may_ask_for_is_listed_by_its_hash(tmp_path: Path) -> None:
    read = ["index.html", "_static/a.js", "_static/vendor/pyodide/b.wasm"]
    unread = ["offline.js", "_static/a.js.map", "_static/vendor/published/00-abc.bin"]
    for name in [*read, *unread]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"abc")
    listing.write(tmp_path)
    listing.write(tmp_path)  # and not itself
    listed = json.loads((tmp_path / listing.NAME).read_text(encoding="utf-8"))
    # The example of FIPS 180-2, appendix B.1.
    assert listed == {name: [3, "ba7816bf8f01cfea414140de5dae2223"] for name in read}
