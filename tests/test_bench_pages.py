"""What `python -m benchmarks.page` says of its figures, and that it forgets none of them."""

import gzip
import urllib.request
from pathlib import Path

import pytest

from benchmarks import page, page_site
from book.serve import served


def test_a_figure_stands_beside_its_target_and_a_miss_is_said() -> None:
    assert page.judged("it", [19.6, 50.0], [20, 50], "ms") == (
        "it",
        "20 / 50 ms",
        "20 / 50 ms",
        "yes",
    )
    assert page.judged("it", [2.01], [2.0], "s") == ("it", "2.01 s", "2 s", "**no**")
    assert page.judged("it", [1, 101], [30, 100], "ms")[-1] == "**no**"


def test_two_numbers_are_the_median_and_the_95th_percentile() -> None:
    median, high = page.middle([float(x) for x in range(1, 101)])
    assert median == 50.5 and 95 <= high <= 96


def test_a_host_that_compresses_sends_what_a_page_is_said_to_weigh(tmp_path: Path) -> None:
    text, packed = tmp_path / "a.js", tmp_path / "b.woff2"
    text.write_bytes(b"x" * 5000)
    packed.write_bytes(b"y" * 400)
    with served(page_site.Compressing, tmp_path) as url:
        sent = {}
        for name in ("a.js", "b.woff2"):
            with urllib.request.urlopen(f"{url}/{name}") as answer:
                sent[name] = answer.read()
    assert gzip.decompress(sent["a.js"]) == text.read_bytes()
    assert sent["b.woff2"] == packed.read_bytes()
    loaded = page_site.Loaded.__new__(page_site.Loaded)
    loaded.files = {text, packed}
    assert loaded.megabytes() == pytest.approx((len(sent["a.js"]) + 400) / 1e6)


def test_the_results_have_every_part_of_the_list() -> None:
    text = page.FILE.read_text(encoding="utf-8")
    parts = [line for line in text.splitlines() if line.startswith("## ")]
    assert [part.split()[1] for part in parts] == ["A", "On", "Python", "It", "What", "A", "Memory"]
    with_targets = [part for part in text.split("\n## ") if "| target |" in part]
    assert len(with_targets) == 6
    assert all("| yes |" in part or "| **no** |" in part for part in with_targets)
    for widget in dict.fromkeys(live.widget for live in page.page_speed.LIVE):
        assert f"| {widget}, " in text
    assert f"| tokens in a second, {page.page_peer.NAME} | " in text
    assert "load of the machine" in text
