"""The bits of a table: its rows, the model, the differences, and the same of minicons."""

import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.paths import ROOT
from course.published import score, scorer
from course.published.model import START
from tests.course.published import tiny
from transformer_lib import families, nn
from transformer_lib.model.gguf import read_metadata
from transformer_lib.text import BytePairTokenizer, save_tokenizer, tokenizer_of_gguf, word_bits

HERE = Path(__file__).parent
TABLE = """sentence,item,condition,note
a bad cab,1,good,of no use
a bad dab,1,bad,
"a cab, bad",2,good,
a dab bad,2,bad,
a cad,3,good,
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="module")
def by(path: Path) -> scorer.Scorer:
    return scorer.scorer(path, START)


@pytest.fixture(scope="module")
def folder(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as a folder."""
    made = tmp_path_factory.mktemp("saved") / "model"
    families.save(families.load(path), made, "llama")
    read = tokenizer_of_gguf(read_metadata(path))
    tokenizer = BytePairTokenizer(read.vocabulary, read.merges, read.special_tokens)
    save_tokenizer(made / "tokenizer.json", tokenizer)
    return made


def scored(table: Path, text: str | bytes, *options: Any) -> dict[str, list[dict[str, str]]]:
    """What the command writes for a table."""
    table.write_bytes(text.encode() if isinstance(text, str) else text)
    assert score.main([str(table), *map(str, options)]) == 0
    delimiter = ";" if b";" in table.read_bytes() else ","
    found = {}
    for name in ("words", "sums", "differences"):
        with (table.parent / f"items.{name}.csv").open(encoding="utf-8", newline="") as opened:
            found[name] = list(csv.DictReader(opened, delimiter=delimiter))
    return found


def test_words_add_up_to_sentences_and_sentences_to_tokens_and_the_last_end(
    path: Path, by: scorer.Scorer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = scored(tmp_path / "items.csv", TABLE, "--model", path, "--start", START)
    of_third = [row for row in found["words"] if row["sentence"] == "a cab, bad"]
    assert [row["word"] for row in of_third] == ["a", "cab", ",", "bad"]
    assert [row["place"] for row in of_third] == ["1", "2", "3", "4"]
    for row in found["sums"]:
        mine = [x for x in found["words"] if x["sentence"] == row["sentence"]]
        assert float(row["bits"]) == pytest.approx(sum(float(x["bits"]) for x in mine), abs=1e-5)
        ids = by.encode(row["sentence"])
        logs = scorer.logarithms(ids, by)
        tokens = -sum(logs[i, k] for i, k in enumerate(ids)) / np.log(2)
        end = -np.log2(np.exp(logs[-1, by.ends]).sum())
        assert float(row["bits"]) == pytest.approx(tokens + end, abs=1e-5)
    said = capsys.readouterr()
    assert "lack one of the two: 1." in said.out and f"are in {tmp_path}" in said.out
    assert said.err.endswith("\r5 of 5 sentences\n")
    assert [row["items"] for row in found["differences"]] == ["2"]


def test_no_sentence_depends_on_the_others(path: Path, tmp_path: Path) -> None:
    options = ("--model", path, "--start", START)
    whole = scored(tmp_path / "items.csv", TABLE, *options)["sums"]
    lines = TABLE.splitlines(keepends=True)
    alone = scored(tmp_path / "items.csv", lines[0] + lines[3], *options)["sums"]
    assert alone == [whole[2]]


def test_a_table_as_excel_saves_it_gives_the_same(path: Path, tmp_path: Path) -> None:
    plain = "sentence,item,condition\na “bad” cab,1,good\na dab,1,bad\n"
    theirs = b"\xef\xbb\xbf" + plain.replace(",", ";").replace("\n", "\r\n").encode() + b";;\r\n"
    options = ("--model", path, "--start", START)
    ours = scored(tmp_path / "items.csv", plain, *options)
    assert scored(tmp_path / "items.csv", theirs, *options) == ours
    assert not (tmp_path / "items.sums.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_a_saved_folder_gives_the_numbers_of_the_file(
    path: Path, folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "items.csv"
    ours = scored(table, TABLE, "--model", path, "--start", START)
    assert scored(table, TABLE, "--model", folder, "--start", START) == ours


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tokenizer_config.json", {"bos_token": START}),
        ("tokenizer_config.json", {"bos_token": {"content": START, "lstrip": False}}),
        ("special_tokens_map.json", {"bos_token": START}),
        ("config.json", {"bos_token_id": 0}),
    ],
)
def test_the_start_is_that_of_the_files(folder: Path, file: str, content: Any) -> None:
    with pytest.raises(ValueError, match="--start must name a token that begins a text, got None"):
        scorer.scorer(folder)
    with pytest.raises(ValueError, match="got <s>"):
        scorer.scorer(folder, "<s>")
    place = folder / file
    before = place.read_text(encoding="utf-8") if place.exists() else None
    old = json.loads(before) if before else {}
    place.write_text(json.dumps(old | content), encoding="utf-8")
    try:
        assert scorer.scorer(folder).start == 0
        assert scorer.scorer(folder, "<|im_end|>").start == 2
    finally:
        place.unlink() if before is None else place.write_text(before, encoding="utf-8")


def test_special_tokens_in_a_sentence_are_text(path: Path, folder: Path, by: scorer.Scorer) -> None:
    for each in (by, scorer.scorer(folder, START)):
        assert len(each.encode(START)) == len(START)


HEAD = b"sentence,item,condition\n"
BAD = {
    b"": "line 1 must name sentence, item, condition",
    b"sentence,item\na cab,1\n": "line 1 must name .* each once, got 'sentence,item'",
    b"sentence,item,item,condition\n": "line 1 must name .* each once",
    HEAD: "line 2 must be a row",
    HEAD + b"a cab,1,good\n ,2,good\n": "line 3 must have a value for sentence$",
    HEAD + b"a cab,,\n\na cab,1,good\na cab,1,\n": (
        "line 2 must have a value for item and condition\nline 5 must have a value for condition"
    ),
    HEAD + b"a cab,1\n": "line 2 must have as many cells as line 1",
    HEAD + b"a cab, bad,1,good\n": "line 2 must have as many cells .* quote a sentence",
    HEAD + b'a cab,1,good\n"a cab,2,good\na cab,3,good\n': "line 3 must be a row of a CSV",
    HEAD + b"a cab,1,good\na caf\xe9,2,good\n": "line 3 must be UTF-8",
    HEAD + b"x" * 256 + b",1,good\n": "line 2 .* its tokens must be 1 to 255, got 256",
}


@pytest.mark.parametrize("raw", BAD, ids=range(len(BAD)))
def test_a_bad_row_is_named(
    raw: bytes, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "items.csv"
    table.write_bytes(raw)
    assert score.main([str(table), "--model", str(path), "--start", START]) == 2
    said = capsys.readouterr().err.removesuffix("\n")
    assert re.match(f"Stopped: {BAD[raw]}", said), said
    assert list(tmp_path.iterdir()) == [table]


def test_a_character_that_the_model_cannot_read_is_named(by: scorer.Scorer) -> None:
    def encode(text: str) -> list[int]:
        raise ValueError("no token for byte 0")

    with pytest.raises(ValueError, match=r"line 7 must have a sentence that .*: no token for byte"):
        score.encoded([score.Row(7, "\0", "1", "good")], by._replace(encode=encode))


def saved(family: str, folder: Path, size: int = 9, **fields: Any) -> Path:
    """A small model of a family, without a tokenizer."""
    keys = {"bert": BERT, "t5": T5, "bart": BART, "gpt2": GPT2, "llama": BERT}[family]
    config = families.FAMILIES[family].configuration({"vocab_size": size, **keys}, ())
    families.save(nn.Transformer(replace(config, **fields), seed=0), folder, family)
    return folder


BERT = {"hidden_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 4}
T5 = {"d_model": 4, "num_heads": 2, "num_layers": 1, "d_ff": 4, "d_kv": 2}
BART = {"d_model": 4, "encoder_attention_heads": 2, "decoder_attention_heads": 2} | {
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_ffn_dim": 4,
    "decoder_ffn_dim": 4,
}
GPT2 = {"n_embd": 4, "n_head": 2, "n_layer": 1}


@pytest.mark.parametrize("family", ["bert", "t5", "bart"])
def test_a_model_that_is_no_decoder_is_refused(family: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"must hold a decoder with a head, got {family}"):
        scorer.scorer(saved(family, tmp_path / "model"))


def test_a_decoder_without_a_head_is_refused(tmp_path: Path) -> None:
    folder = saved("llama", tmp_path / "model", headless=True, tied=True)
    with pytest.raises(ValueError, match="must hold a decoder with a head, got llama without one"):
        scorer.scorer(folder)


def test_a_head_may_have_rows_without_a_token_but_no_token_without_a_row(
    folder: Path, tmp_path: Path
) -> None:
    for size, name in ((300, "large"), (9, "small")):
        made = saved("gpt2", tmp_path / name, size)
        shutil.copy(folder / "tokenizer.json", made)
    large = scorer.scorer(tmp_path / "large", START)
    assert len(large.ends) == 300 and not large.ends[len(tiny.WORDS) :].any()
    assert [word for word, _ in scorer.of_words(large.encode("a cab"), large)] == ["a", "cab"]
    with pytest.raises(ValueError, match=f"has {len(tiny.WORDS)} tokens, but the model has 9"):
        scorer.scorer(tmp_path / "small", START)


def test_a_gguf_file_may_name_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = read_metadata(path) | {"tokenizer.ggml.bos_token_id": 1}
    monkeypatch.setattr(scorer, "read_metadata", lambda _: metadata)
    assert scorer.scorer(path).start == 1 and scorer.scorer(path, START).start == 0


def test_a_folder_without_a_tokenizer_and_a_place_without_a_model_are_named(
    tmp_path: Path,
) -> None:
    with pytest.raises(ValueError, match=r"must contain a tokenizer\.json"):
        scorer.scorer(saved("gpt2", tmp_path / "model"))
    with pytest.raises(ValueError, match="nowhere does not exist"):
        scorer.scorer(tmp_path / "nowhere")


def test_without_the_published_model_a_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSFORMER_LIB_CACHE", str(tmp_path))
    scorer.ask.model_and_tokenizer.cache_clear()
    with pytest.raises(SystemExit, match="make real"):
        scorer.scorer()


def test_differences_by_hand() -> None:
    good, bad, other = ({str(i): x + k for i in range(5)} for k, x in enumerate((1.0, 3.5, 0.5)))
    other["5"] = 100.0
    found = score.differences({"good": good, "bad": bad, "other": other, "none": {"6": 1.0}})
    assert found == [
        score.Difference("good", "bad", 5, -3.5, -3.5, -3.5),
        score.Difference("good", "other", 5, -1.5, -1.5, -1.5),
        score.Difference("bad", "other", 5, 2.0, 2.0, 2.0),
    ]


def test_the_interval_is_that_of_samples_of_the_items() -> None:
    values = [3.0, -1.0, 0.5, 2.0, 7.0, 1.0]
    one = {str(i): x + 10 for i, x in enumerate(values)}
    (found,) = score.differences({"one": one, "two": dict.fromkeys(reversed(one), 10.0)})
    rng = np.random.default_rng(0)
    samples = [[values[i] for i in row] for row in rng.integers(6, size=(1000, 6)).tolist()]
    in_order = sorted(sum(sample) / 6 for sample in samples)
    assert found.bits == pytest.approx(sum(values) / 6)
    for end, share in ((found.low, 0.05), (found.high, 0.95)):
        below, part = divmod(share * 999, 1)
        a, b = in_order[int(below)], in_order[int(below) + 1]
        assert end == pytest.approx(a + part * (b - a))


def test_what_is_left_out_is_said() -> None:
    rows = [score.Row(i, "x", *each.split()) for i, each in enumerate(["1 a", "1 a", "2 b"])]
    lines = score.said(rows, score.means(rows, [1.0, 2.0, 3.0]))
    assert lines == [
        "a - b: items left out that lack one of the two: 2.",
        "Rows that repeat an item and a condition, so that their mean counts: 1.",
    ]
    assert score.said(rows[2:], score.means(rows[2:], [3.0])) == [
        "There are no differences, because each row has b."
    ]


@pytest.mark.published
def test_the_published_model_prefers_what_a_stop_prefers_but_for_one_pair() -> None:
    """Forty pairs, chosen before any was scored; by their tokens alone three differ."""
    by = scorer.scorer()
    rows, _ = score.read((HERE / "pairs.csv").read_bytes())
    differ: dict[str, list[str]] = {"words": [], "tokens": []}
    for good, bad in zip(rows[::2], rows[1::2], strict=True):
        right = bits(f"{good.sentence}.", by)[0] < bits(f"{bad.sentence}.", by)[0]
        for kind, one, two in zip(
            differ, bits(good.sentence, by), bits(bad.sentence, by), strict=True
        ):
            differ[kind] += [good.sentence] * ((one < two) != right)
    beautifully = "She sings beautifully"  # *beautiful* may go on, with a noun
    assert differ["words"] == [beautifully]
    assert differ["tokens"] == ["The linguist sleeps", "The old dog barks", beautifully]


def bits(sentence: str, by: scorer.Scorer) -> tuple[float, float]:
    """The bits of the words of a sentence, and those of its tokens alone."""
    ids = np.array(by.encode(sentence))
    logs = scorer.logarithms(ids.tolist(), by)
    of_tokens = -logs[np.arange(len(ids)), ids].sum() / np.log(2)
    return float(word_bits(logs, ids, by.ends).sum()), float(of_tokens)


@pytest.mark.published
def test_the_published_model_gives_the_numbers_of_the_docs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs/scoring.md").read_text(encoding="utf-8")
    _, table, _, printed, _ = text.split("```\n", 4)
    (tmp_path / "items.csv").write_text(table, encoding="utf-8")
    assert score.main([str(tmp_path / "items.csv")]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == printed.splitlines()[:2]
    by = scorer.scorer()
    verbs = [scorer.of_words(by.encode(f"The linguist {x}"), by)[-1][1] for x in SLEEP]
    alone = [bits(f"The linguist {x}", by)[1] - bits("The linguist", by)[1] for x in SLEEP]
    songs = [bits(f"She sings {x}{stop}", by)[0] for stop in ("", ".") for x in BEAUTIFUL]
    numbers = [f"{x:.1f}" for x in (*alone, *verbs, *songs)]
    assert re.findall(r"\b\d\d\.\d\b", text) == numbers


SLEEP, BEAUTIFUL = ("sleeps", "sleep"), ("beautiful", "beautifully")


@pytest.mark.published
def test_the_published_model_gives_the_bits_of_minicons() -> None:
    """`minicons_numbers.py` made them; there a word ends only where a blank follows."""
    by = scorer.scorer()
    tokens = [by.decode([i]) for i in range(len(by.ends))]
    blank = np.array([token.startswith(" ") for token in tokens])
    with (HERE / "minicons.csv").open(encoding="utf-8", newline="") as opened:
        theirs = list(csv.DictReader(opened))
    ours = []
    for sentence in dict.fromkeys(row["sentence"] for row in theirs):
        ids = by.encode(sentence)
        logs = scorer.logarithms(ids, by)
        bits = -logs[np.arange(len(ids)), ids] / np.log(2)
        firsts = [i for i, k in enumerate(ids) if i == 0 or blank[k]]
        ours += zip(
            np.add.reduceat(bits, firsts), word_bits(logs, np.array(ids), blank), strict=True
        )
    wanted = [(float(row["tokens"]), float(row["corrected"])) for row in theirs]
    np.testing.assert_allclose(ours, wanted, atol=1e-3, rtol=0)
