"""The open project: a run file is trained behind walls, measured outside, and placed."""

import json
import shutil
from pathlib import Path

import pytest

from book import leaderboard
from book.leaderboard import Place, baselines, checked, table, verified
from book.paths import ROOT
from exercises.grader import walls
from transformer_lib.text import save_tokenizer, train_bpe
from transformer_lib.text.corpus import END
from transformer_lib.training import RealText

needs_walls = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing")
TOML = """
[text]
vocabulary = 280
length = 32

[model]
kind = "decoder"
d_model = 8
heads = 2
layers = 1
d_ff = 8

[training]
steps = 2
batch_size = 2
rate = 0.01
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "submitted.toml"
    path.write_text(TOML, encoding="utf-8")
    own = train_bpe(["some text"], vocabulary_size=258, special_tokens=[END])
    save_tokenizer(tmp_path / "t.json", own)
    return path


def changed(path: Path, old: str, new: str) -> Path:
    path.write_text(TOML.replace(old, new), encoding="utf-8")
    return path


REFUSED = {
    "a text of their own": ("length = 32", 'length = 32\npath = "/etc"', "path and tokenizer must"),
    "a tokenizer": ("vocabulary = 280", 'tokenizer = "t.json"', "path and tokenizer must not"),
    "a toy language": (
        "[text]\nvocabulary = 280\nlength = 32",
        '[language]\nkind = "agreement"',
        "must have the section",
    ),
    "no run": ("[model]", "[models]", "must have the sections"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_run_on_the_books_text_is_refused(case: str, run: Path) -> None:
    old, new, says = REFUSED[case]
    with pytest.raises(ValueError, match=says):
        checked(changed(run, old, new))


@pytest.mark.slow
def test_the_test_is_that_of_the_pinned_versions(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboard, "KNOWN", "another")
    with pytest.raises(
        ValueError, match="the test is fixed, of the pinned numpy and torch, another"
    ):
        checked(run)


@needs_walls
def test_a_run_that_takes_too_long_is_ended(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard, "checked", lambda path: RealText(length=32, vocabulary=280))
    with pytest.raises(ValueError, match=r"took longer than 0\.5 seconds: take fewer steps"):
        verified(run, budget=0.5)


@needs_walls
@pytest.mark.slow
def test_a_run_is_trained_behind_the_walls_and_measured_outside(run: Path) -> None:
    place = verified(run)
    assert place.name == "submitted"
    assert 2 < place.bits_per_byte < 8
    assert place.seconds is not None and place.seconds > 0


def test_the_walls_show_no_more_than_asked_and_no_network() -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is missing")
    command = walls.confined(
        "pass", ("numpy",), shown={"/run/a.toml": "/b.toml"}, writable={"/out": "/c"}, threads=2
    )
    assert "--unshare-net" in command and "--cap-add" not in command
    place = command.index("/run/a.toml")
    assert command[place - 2 : place + 1] == ["--ro-bind", "/b.toml", "/run/a.toml"]
    assert ["--bind", "/c", "/out"] == command[command.index("--bind") :][:3]
    assert command.index("--bind") < command.index("--remount-ro", command.index("--bind"))
    assert str(ROOT) not in " ".join(command).replace(str(ROOT / "exercises"), "").replace(
        str(ROOT / ".venv"), ""
    )


def test_the_board_begins_with_the_fewest_bits(tmp_path: Path) -> None:
    figures = {
        "bits_per_byte": {"each": [1.7, 9.0]},
        "n_gram_bits": {"each": [[3.0, 2.0, 1.9, 1.8, 1.6]]},
        "compressed_bits": {"each": [[2.1, 2.4, 1.95]]},
    }
    file = tmp_path / "figures.json"
    file.write_text(json.dumps({"real_text": {"figures": figures}}), encoding="utf-8")
    lines = table([*baselines(file), Place("mine", 1.65, 59.6)]).splitlines()
    assert [line.split()[1] for line in lines[1:]] == [
        "5-gram",
        "mine",
        "the",
        "xz",
        "2-gram",
        "gzip",
    ]
    assert lines[2].split() == ["2", "mine", "1.650", "60"]
