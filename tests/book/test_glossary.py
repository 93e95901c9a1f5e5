"""The glossary holds the terms of the chapters and says where each is taught."""

import re

import pytest

from book import toc
from book.text import glossary
from book.text.glossary import ROW, pattern, taught

ROWS = glossary.rows()


def test_each_row_is_read_and_they_stand_in_order() -> None:
    words, text = [row[0].lower() for row in ROWS], glossary.PAGE.read_text(encoding="utf-8")
    assert len(words) == text.count("\n| **") > 80
    assert words == sorted(words), "make chapter puts them in order"
    assert len(taught()) == len({term.lower() for term in taught()})


def test_a_row_of_another_form_is_named(tmp_path, monkeypatch) -> None:
    page = tmp_path / "glossary.md"
    page.write_text("| **key** | What a query meets. |\n", encoding="utf-8")
    monkeypatch.setattr(glossary, "PAGE", page)
    (said,) = glossary.misshapen()
    assert said.endswith("but not: | **key** | What a query meets. |")


@pytest.mark.parametrize("path", toc.chapters(), ids=lambda path: path.stem)
def test_a_term_is_taught_where_the_glossary_says(path) -> None:
    text = glossary.text(path)
    missing = [
        term
        for term, file in taught().items()
        if file == path.name and not re.search(pattern(term), text, re.IGNORECASE)
    ]
    assert missing == []
    assert all(text.startswith(f"# {title}\n") for *_, title, file in ROWS if file == path.name)


def test_an_early_term_is_found_and_its_link_too() -> None:
    early = glossary.early_uses("02_embeddings.ipynb", "It needs cross-attention, and padding.")
    assert early == [
        "07_cross_attention.ipynb teaches “cross-attention” later: write "
        "[cross-attention](glossary.md)",
        "06_masked_attention.ipynb teaches “padding” later: write [padding](glossary.md)",
    ]
    linked = "It needs [Cross-attention](glossary.md)."
    assert glossary.early_uses("02_embeddings.ipynb", linked) == []
    assert glossary.bold_terms("A **Jacobian** and **this**. **No term.**") == ["Jacobian"]
    assert glossary.undefined("A **flux** of **attention**.")[0].startswith("define “flux”")


def test_each_term_has_an_example_with_numbers_of_its_chapter() -> None:
    assert glossary.without_number() == ["hidden Markov model"], "its chapter has no number for it"
    assert glossary.numbers("0.09 of eight, 1,024 or 35%") == {"0.09", "8", "1024", "35"}


def test_rows_are_put_in_order(tmp_path, monkeypatch) -> None:
    page = tmp_path / "glossary.md"
    rows = [f"| **{word}** | A word. ([T](t.ipynb)) |\n" for word in ("b", "A", "c")]
    page.write_text("".join(["# Glossary\n", *rows, "The end.\n"]), encoding="utf-8")
    monkeypatch.setattr(glossary, "PAGE", page)
    glossary.put_in_order()
    assert ROW.findall(page.read_text(encoding="utf-8"))[0][0] == "A"
    assert page.read_text(encoding="utf-8") == f"# Glossary\n{rows[1]}{rows[0]}{rows[2]}The end.\n"
