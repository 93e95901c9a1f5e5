"""Old links, and what a reader typed on a page, find the place where its section went."""

import json
import re

from playwright.sync_api import Page

from book.paths import ROOT, html_folder

TABLE = (ROOT / "assets" / "moved.js").read_text(encoding="utf-8")


def test_each_place_and_each_cell_is_where_the_table_says() -> None:
    for page, anchor in re.findall(r'"(chapters/\w+\.html)#([\w-]+)"', TABLE):
        held = (html_folder() / page).read_text(encoding="utf-8")
        assert f'id="{anchor}"' in held or f'id="optional-{anchor}"' in held, anchor
    old = ""
    for page, opened, ids in re.findall(r'"(chapters/\w+)":\s+(\{?)(?:"([\w -]+)")?', TABLE):
        if ids:
            assert set(ids.split()) <= cells(page) - cells(old), page
        old = page if opened else old


def cells(page: str) -> set[str]:
    """The ids of the cells of a notebook."""
    notebook = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"] for cell in notebook["cells"]}


KEEP = "([name, kept]) => localStorage.setItem(name, kept)"
KEPT = "(name) => localStorage.getItem(name)"


def test_an_old_link_and_what_was_typed_arrive(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/chapters/04_attention.html")
    kept = json.dumps({"c013": "weights = 1", "c061": "stays = 1"})
    fresh.evaluate(KEEP, ["tl-live:/chapters/04_attention", kept])
    fresh.goto("about:blank")
    fresh.goto(f"{site}/chapters/04_attention.html#a-score-as-an-angle")
    fresh.wait_for_url("**/attention.html#a-score-for-two-words-the-dot-product")
    assert fresh.evaluate(KEPT, "tl-live:/chapters/attention") == '{"c013":"weights = 1"}'
    assert fresh.evaluate(KEPT, "tl-live:/chapters/04_attention") == '{"c061":"stays = 1"}'
    name = "exercises/release/04_attention/04_attention_exercise.html"
    fresh.goto(f"{site}/{name}#task-5-louder-keys")
    fresh.wait_for_url("**#task-5-keys-that-are-ten-times-as-long")
    fresh.goto(f"{site}/chapters/12_training.html#how-sure-is-a-result")
    fresh.wait_for_url("**#optional-how-sure-is-a-result")


def test_what_an_earlier_version_kept_of_a_moved_cell_is_copied(
    fresh: Page, site: str, runnable: None
) -> None:
    kept = json.dumps({"c013": "weights = 1", "c061": "stays = 1"})
    fresh.goto(f"{site}/blank.html")
    fresh.evaluate(KEEP, ["tl-live:chapters/04_attention", kept])
    fresh.goto(f"{site}/chapters/attention.html")
    fresh.wait_for_function("() => window.tlLive")
    assert fresh.evaluate("() => tlLive.store.get('c013')") == "weights = 1"
    assert fresh.evaluate(KEPT, "tl-live:chapters/04_attention") == kept
    assert fresh.evaluate(KEPT, "tl-live:chapters/attention") is None
