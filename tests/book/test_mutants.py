"""What `make mutants` reads from mutmut's files, and what it says of them."""

import json
import tomllib

import pytest

from book import mutants
from book.paths import ROOT

MUTATED = """
def x_half__mutmut_orig(x, by=2):
    return x / by


def x_half__mutmut_1(x, by=3):
    return x / by


def x_half__mutmut_2(x, by=2):
    return x * by


def x_half__mutmut_3(x, by=2):
    return None
"""


def write(folder, codes):
    file = folder / "mutants" / "transformer_lib" / "half.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(MUTATED, encoding="utf-8")
    keys = {f"transformer_lib.half.x_half__mutmut_{i}": code for i, code in codes.items()}
    meta = file.with_name("half.py.meta")
    meta.write_text(json.dumps({"exit_code_by_key": keys, "other": 1}), encoding="utf-8")
    return meta


def test_each_mutant_is_told_by_what_it_changes(tmp_path):
    write(tmp_path, {1: 0, 2: 1, 3: None})
    where = ("transformer_lib/half.py", "half")
    assert list(mutants.mutants(tmp_path)) == [
        (*where, "def (x, by=3):", "survived"),
        (*where, "return x * by", "killed"),
        (*where, "return None", "not run"),
    ]


def test_survivors_are_tried_again_once_all_were_run(tmp_path):
    meta = write(tmp_path, {1: 0, 2: 1, 3: None})
    before = meta.read_text(encoding="utf-8")
    mutants.retry_survivors(tmp_path)
    assert meta.read_text(encoding="utf-8") == before
    meta = write(tmp_path, {1: 0, 2: 33, 3: -24})
    mutants.retry_survivors(tmp_path)
    assert list(json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"].values()) == [
        None,
        None,
        -24,
    ]


def test_the_score_leaves_out_what_is_equivalent(tmp_path, monkeypatch, capsys):
    write(tmp_path, {1: 0, 2: 1, 3: 0})
    listed = tmp_path / "equivalent.toml"
    listed.write_text(
        '[[equivalent]]\nfile = "transformer_lib/half.py"\nfunction = "half"\n'
        'changes = ["return None"]\nwhy = "an example"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(mutants, "EQUIVALENT", listed)
    mutants.report("formulas", tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        "survived: transformer_lib/half.py, half: def (x, by=3):",
        "formulas: 1 of 2 killed, 50.0%; 1 more are equivalent to the code",
    ]


@pytest.mark.parametrize("name", mutants.ROOMS)
def test_the_settings_are_read_by_mutmut_and_name_what_is_there(name):
    room = mutants.ROOMS[name]
    told = tomllib.loads(mutants.settings(room))["tool"]["mutmut"]
    assert told["only_mutate"] == [room.files] and list(ROOT.glob(room.files))
    paths = [each for each in told["pytest_add_cli_args_test_selection"] if each[:6] == "tests/"]
    assert paths and all((ROOT / each).exists() for each in paths)


def test_an_equivalent_mutant_names_its_function_and_the_reason():
    for each in tomllib.loads(mutants.EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]:
        assert f"def {each['function'].split('.')[-1]}(" in (ROOT / each["file"]).read_text(
            encoding="utf-8"
        ), each
        assert each["changes"] and each["why"].endswith(".")
