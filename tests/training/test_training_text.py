"""Run files that name a text: what they train on, what they keep, and what they refuse."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.training.small import logged, text_run, write_corpus
from transformer_lib.text import byte_tokenizer, load_tokenizer, save_tokenizer, train_bpe
from transformer_lib.text.corpus import END
from transformer_lib.training import RealText, __main__ as command, load_model, read_run, token_loss

TOML = text_run(
    training="""keep = "float16"
steps = 6
batch_size = 3
rate = 0.01
validate_every = 2""",
    model="d_ff = 8",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The run file, beside a text of its own."""
    write_corpus(tmp_path)
    path = tmp_path / "small.toml"
    path.write_text(TOML, encoding="utf-8")
    return path


def changed(path: Path, old: str, new: str) -> Path:
    path.write_text(TOML.replace(old, new), encoding="utf-8")
    return path


def trained(path: Path, *more: str) -> tuple[Path, Any]:
    out = path.parent / "out"
    assert command.main([str(path), "--out", str(out), *more]) == 0
    kept = out / "small.safetensors"
    return kept, json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))


def test_it_keeps_the_model_its_tokenizer_its_log_and_its_story(path: Path) -> None:
    kept, story = trained(path)
    files = ["small.csv", "small.json", "small.safetensors", "small.tokenizer.json"]
    assert sorted(file.name for file in kept.parent.iterdir()) == files
    text, tokenizer = read_run(path).language, load_tokenizer(kept.with_suffix(".tokenizer.json"))
    assert isinstance(text, RealText)
    assert story["tokenizer"] == tokenizer.digest == text.known_tokenizer.digest
    assert story["about"]["corpus"] == text.corpus.digest
    rows = logged(kept.with_suffix(".csv"))
    assert [row["step"] for row in rows] == list("123456")
    assert [bool(row["validation_loss"]) for row in rows] == [False, True] * 3
    assert 0 < float(rows[5]["induction"]) < 1


def test_it_is_kept_in_half_the_bytes_and_measured_as_it_is_kept(path: Path) -> None:
    kept, story = trained(path)
    model, text = load_model(kept), read_run(path).language
    count = sum(p.numel() for p in model.parameters())
    assert 2 * count < kept.stat().st_size < 2 * count + 4000
    parameters, config = tl.read_model(kept)
    assert {value.dtype for value in parameters.values()} == {np.dtype(np.float32)}
    ids = np.arange(7)
    ours = tl.forward(parameters, config, ids)
    theirs = model(torch.tensor(ids)).detach().numpy()
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
    loss = token_loss(model, text.windows("test"))
    assert float(f"{loss:.4g}") == story["about"]["loss"]
    assert float(f"{text.bits_per_byte(loss, 'test'):.4g}") == story["about"]["bits_per_byte"]


def test_a_model_says_when_a_tokenizer_is_not_its_own(path: Path) -> None:
    kept, _ = trained(path)
    own = load_tokenizer(kept.with_suffix(".tokenizer.json"))
    load_model(kept, tokenizer=own)
    with pytest.raises(
        ValueError, match=r"but this one is \w+: load .*small.tokenizer.json, or tr"
    ):
        load_model(kept, tokenizer=byte_tokenizer())
    kept.with_suffix(".tokenizer.json").unlink()
    with pytest.raises(ValueError, match="load the one it was trained with"):
        load_model(kept, tokenizer=byte_tokenizer())


def test_a_run_does_not_go_on_with_another_text(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any, **__: Any) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(RealText, "measures", killed)
        assert command.main([str(path)]) == 2
    text = path.with_name("text.txt")
    text.write_text(text.read_text(encoding="utf-8") + "\n\n" + "new words " * 300, "utf-8")
    assert command.main([str(path), "--resume"]) == 2
    assert "belongs to a run with another text or tokenizer" in capsys.readouterr().err


def test_a_text_of_the_readers_own_takes_the_place(path: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("\n\n".join(f"Ὀδυσσεύς {n} " * 90 for n in range(60)), encoding="utf-8")
    kept, story = trained(path, "--text", str(mine))
    text = read_run(path).language
    assert story["about"]["corpus"] == replace(text, path=str(mine)).corpus.digest
    learned = load_tokenizer(kept.with_suffix(".tokenizer.json")).vocabulary
    assert any(len(token) > 1 and token[0] >= 0xCE for token in learned), "no Greek was learned"


def test_curves_for_tensorboard_are_those_of_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(command, "tensorboard_log", lambda folder: seen.append(folder) or keep)

    def keep(row: Any) -> None:
        seen.append((str(row["step"]), str(row["loss"]), row["induction"] is not None))

    kept, _ = trained(path, "--tensorboard", str(path.with_name("curves")))
    lines = logged(kept.with_suffix(".csv"))
    rows = [(line["step"], line["loss"], bool(line["induction"])) for line in lines]
    assert seen == [path.with_name("curves"), *rows]


def test_without_tensorboard_the_command_says_how_to_get_it(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert command.main([str(path), "--tensorboard", str(path.with_name("curves"))]) == 2
    said = capsys.readouterr().err
    assert "Stopped: this log needs tensorboard" in said and "pip install tensorboard" in said


@pytest.mark.parametrize("option", ["--text", "--tensorboard"])
def test_some_options_are_for_runs_on_text(
    option: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(
        path,
        '[text]\npath = "text.txt"\nvocabulary = 270\nlength = 12',
        "[language]\nkind = 'agreement'",
    )
    assert command.main([str(path), option, str(path)]) == 2
    assert f"{option} is for a run file with the section [text]" in capsys.readouterr().err


def test_a_tokenizer_from_a_file_stands_beside_the_run_file(path: Path) -> None:
    tokenizer = train_bpe(["a text of another kind"], vocabulary_size=265, special_tokens=[END])
    save_tokenizer(path.with_name("own.json"), tokenizer)
    text = read_run(changed(path, "vocabulary = 270", 'tokenizer = "own.json"')).language
    assert text.known_tokenizer.digest == tokenizer.digest
    assert text.vocabulary_size == len(tokenizer)
    save_tokenizer(path.with_name("own.json"), byte_tokenizer())
    with pytest.raises(ValueError, match=r"own.json must have the special token <\|endoftext\|>"):
        _ = read_run(path).language.vocabulary_size  # type: ignore[union-attr]


def test_the_parts_are_those_of_the_corpus(path: Path) -> None:
    text = read_run(path).language
    parts = text.corpus.parts
    for part, documents in parts._asdict().items():
        assert (
            text.known_tokenizer.decode(text.ids(part).tolist()) == END + END.join(documents) + END
        )
    fewer = replace(text, every=7)
    assert fewer.documents("train") == parts.train[::7]
    assert fewer.documents("test") == parts.test
    assert fewer.known_tokenizer.digest == text.known_tokenizer.digest
    assert fewer.digest != text.digest


def test_looks_are_windows_of_the_validation_part_spread_over_it(path: Path) -> None:
    text = read_run(path).language
    some = replace(text, look=3)
    starts = [batch.ids[0].tolist() for batch in some.looks()]
    every = [row.tolist() for batch in text.windows("validation") for row in batch.ids]
    places = [every.index(start) for start in starts]
    assert len(places) == 3 and places[1] - places[0] == places[2] - places[1] == len(every) // 3


def test_bits_per_byte_count_every_token_and_no_byte_of_the_ends(path: Path) -> None:
    text = read_run(path).language
    size = len("".join(text.documents("test")).encode())
    tokens = len(text.ids("test")) - 1
    assert text.bits_per_byte(np.log(2), "test") == pytest.approx(tokens / size, abs=1e-12)


BAD: dict[str, tuple[str, str, str]] = {
    "both": ("vocabulary = 270", 'vocabulary = 270\ntokenizer = "t.json"', "but not both"),
    "neither": ("vocabulary = 270\n", "", "either vocabulary or tokenizer must be given"),
    "too small": ("vocabulary = 270", "vocabulary = 256", "vocabulary must be an integer of 257"),
    "field": ("length = 12", "lenght = 12", r"\[text\]: .*lenght"),
    "every": ("length = 12", "length = 12\nevery = 0", "every must be an integer of 1 or more"),
    "kind": ('kind = "decoder"', 'kind = "encoder"', r"\[model\]: kind must be one of"),
    "keep": ('keep = "float16"', 'keep = "int8"', "keep must be one of"),
    "two": ("[text]", "[language]\nkind = 'agreement'\n[text]", "must have the sections"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_run_file_that_does_not_fit(case: str, path: Path, unhooked: None) -> None:
    old, new, says = BAD[case]
    with pytest.raises(ValueError, match=says):
        read_run(changed(path, old, new))


STOPS: dict[str, tuple[Any, str]] = {
    "no such text": (lambda p: changed(p, "text.txt", "none.txt"), "there is no file or folder"),
    "too long": (lambda p: changed(p, "length = 12", "length = 100000"), "take shorter windows"),
    "no text": (lambda p: p.with_name("text.txt").write_bytes(b"\0"), "it contains zero bytes"),
}


@pytest.mark.parametrize("case", STOPS)
def test_a_run_that_cannot_begin(case: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil, says = STOPS[case]
    spoil(path)
    assert command.main([str(path)]) == 2
    assert says in capsys.readouterr().err
    assert not path.with_name("small.safetensors").exists()
