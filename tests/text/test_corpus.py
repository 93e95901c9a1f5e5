"""The corpus: in a fixed order, split without a leak, the same text wherever the pins are."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.refusals import refusals
from transformer_lib.text import (
    Corpus,
    __main__ as command,
    corpus,
    docstrings,
    leak,
    load_corpus,
    load_tokenizer,
    near_duplicates,
    read_blocks,
    split,
)
from transformer_lib.text.package_docstrings import _of_file

RNG = np.random.default_rng(0)
WORDS = [f"w{i}" for i in range(500)]
DISTINCT = [" ".join(RNG.choice(WORDS, 60)) for _ in range(200)]
# Each text once more with one word of sixty changed.
NEARLY = [text.rsplit(" ", 1)[0] + " another" for text in DISTINCT]


def test_docstrings_come_clean_and_in_the_order_of_the_file(tmp_path: Path) -> None:
    code = '''"""Of the module."""
add_newdoc("numpy", "x", ("y", """
    Of what is
      added.
    """))
class A:
    """Of a class.

        Indented.
    """
    def f(self):
        """Of a method."""
def g():
    x = "no docstring"
'''
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    assert list(_of_file(tmp_path / "a.py")) == [
        "Of the module.",
        "Of what is\n  added.",
        "Of a class.\n\nIndented.",
        "Of a method.",
    ]


@pytest.fixture(scope="module")
def of_numpy() -> list[str]:
    """Read once: it takes seconds."""
    return docstrings(["numpy", "a_package_that_is_not_there"])


def test_the_docstrings_of_numpy_are_there_once_each(of_numpy: list[str]) -> None:
    found = of_numpy
    assert len(found) == len(set(found)) > 1000
    assert any(text.startswith("Sum of array elements over a given axis.") for text in found)
    assert min(map(len, found)) >= 100
    with pytest.raises(ValueError, match="packages must be installed, at least one, but none of"):
        docstrings(["a_package_that_is_not_there"])


@pytest.mark.slow
@pytest.mark.no_cover
def test_with_the_pinned_packages_it_is_the_corpus_that_the_chapters_quote() -> None:
    about = load_corpus().about()  # pytest makes the warning of another digest an error
    assert about["digest"] == corpus.KNOWN
    assert about["leak"] < 0.17


def test_another_text_is_told_with_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "docstrings", lambda: DISTINCT)
    with pytest.warns(UserWarning, match=rf"of numpy {np.__version__}, torch 2\.\S+: figures will"):
        assert load_corpus().documents == DISTINCT


def test_without_torch_it_is_numpys(monkeypatch: pytest.MonkeyPatch, of_numpy: list[str]) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match="torch"):
        docstrings(["torch"])
    assert docstrings() == of_numpy


def test_near_duplicates_are_together_and_the_others_are_not() -> None:
    groups = near_duplicates([*DISTINCT, *NEARLY])
    assert groups == [[i, i + 200] for i in range(200)]


def test_near_duplicates_on_both_sides_leak() -> None:
    documents = [*DISTINCT, *NEARLY]
    apart, together = split(documents, together=False), split(documents)
    for parts in (apart, together):
        assert sorted([*parts.train, *parts.validation, *parts.test]) == sorted(documents)
        assert 5 <= len(parts.validation) <= 45 and 5 <= len(parts.test) <= 45
    assert leak(together.train, together.test) == leak(together.train, together.validation) == 0
    assert leak(apart.train, apart.test) > 0.7


def test_a_new_document_moves_no_other() -> None:
    before = split(DISTINCT)
    for added in (["one more text of five words"], NEARLY):  # like none, and like the first of each
        for old, new in zip(before, split([*DISTINCT, *added]), strict=True):
            assert set(old) <= set(new)


def test_a_file_is_cut_at_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    text = "\n\n".join(["漢字 " * 200, "short", "é " * 600, "end"])
    path.write_bytes((text + corpus.END + "another\r\n").encode())
    documents = load_corpus(path).documents
    assert "".join(read_blocks(path)) == text + corpus.END + "another\r\n"
    assert len(documents) == 3 and documents[-1] == "another\r\n"
    assert documents[0].endswith("é ") and documents[1] == "end"


def test_a_folder_is_a_document_a_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name, text in (("b.txt", "two\n\nparts"), ("deep/a.txt", "three"), (".hidden", "\0")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert load_corpus(tmp_path).documents == ["two\n\nparts", "three"]


def test_the_command_trains_on_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"{name}xyz xyz xyz", encoding="utf-8")
    out = tmp_path / "out.json"
    asked = ["train", "--vocabulary", "259", "--text", str(tmp_path), "--out", str(out)]
    assert command.main(asked) == 0
    assert "259 tokens" in capsys.readouterr().out
    tokenizer = load_tokenizer(out)
    assert tokenizer.special_tokens == (corpus.END,)
    assert tokenizer.merges == ((b"x", b"y"), (b"xy", b"z"))


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1"))
    (tmp_path / "zero.txt").write_bytes(b"PK\0\0")
    (tmp_path / "good.txt").write_text("some text", encoding="utf-8")
    for name, size, message in (
        (
            "empty.txt",
            "300",
            "empty.txt must contain some text, but it is empty: give another file",
        ),
        ("latin.txt", "300", "latin.txt is not text in UTF-8, see its byte 0: convert it"),
        ("zero.txt", "300", "zero.txt is not text: it contains zero bytes"),
        ("none.txt", "300", "there is no file or folder"),
        ("good.txt", "100", "vocabulary_size must be at least 257"),
    ):
        out = tmp_path / "out.json"
        asked = ["train", "--vocabulary", size, "--text", str(tmp_path / name), "--out", str(out)]
        assert command.main(asked) == 2
        assert message in capsys.readouterr().err
        assert not out.exists()


def test_a_blank_text_is_refused(tmp_path: Path) -> None:
    blank = tmp_path / "blank.txt"
    blank.write_text(" \n\n\t", encoding="utf-8")
    for path in (blank, tmp_path):
        with pytest.raises(
            ValueError, match=f"{path.name} must contain some text, but it is blank"
        ):
            load_corpus(path)


STRINGS = "documents must be an iterable of strings"
test_bad_input = refusals(
    (f"{STRINGS}, got str", lambda: split("a text" * 99, together=True)),
    (f"{STRINGS}, got str", lambda: split("a text" * 99, together=False)),
    (STRINGS, lambda: near_duplicates("text")),
    (
        "documents must be enough for three parts, but 1 give",
        lambda: Corpus("short", ["one text"]).about(),
    ),
    ("held_out must be", lambda: split(DISTINCT, held_out=0)),
    ("held_out must be", lambda: split(DISTINCT, held_out=0.5)),
    ("held_out must be", lambda: split(DISTINCT, held_out=float("nan"))),
    ("held_out must have a document of 13 words or more", lambda: leak(DISTINCT, ["short"])),
    ("words must be an integer of 1 or more", lambda: leak(DISTINCT, DISTINCT, words=0)),
)
