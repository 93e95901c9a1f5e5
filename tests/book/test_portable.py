"""Which machines are played, and what runs again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from book import portable
from book.environment import INSTRUCTIONS, environment
from book.testing import parts, processors
from book.testing.parts import Part
from book.testing.processors import NATIVE, Setting

NEW = {"X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"}
OLD = {"SSE41", "AVX", "F16C", "FMA3", "AVX2", "AVX512F", "AVX512_SKX"}
OFF = "NPY_DISABLE_CPU_FEATURES"

ASK = """
import json, os, numpy, torch
found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
capability = torch.backends.cpu.get_cpu_capability()
print(json.dumps([found, capability, torch.get_num_threads()]))
"""


def switched_off(known: set[str], found: set[str]) -> dict[str, list[str]]:
    """What numpy does without, by setting."""
    played, _ = processors.settings("x86_64", known, found)
    return {each.name: each.instructions.get(OFF, "").split() for each in played}


@pytest.mark.parametrize(
    ("known", "avx2", "sse"),
    [
        (NEW, ["AVX512_ICL", "AVX512_SPR", "X86_V4"], sorted(NEW)),
        (OLD, ["AVX512F", "AVX512_SKX"], sorted(OLD - {"SSE41"})),
    ],
    ids=["the names of numpy 2.4", "those before"],
)
def test_numpy_is_told_no_name_that_it_does_not_know(
    known: set[str], avx2: list[str], sse: list[str]
) -> None:
    assert switched_off(known, known) == {
        "native": [],
        "AVX2": avx2,
        "SSE": sse,
        "two threads": [],
    }


def test_a_processor_without_avx2_plays_the_lower_ones() -> None:
    played, lines = processors.settings("AMD64", OLD, {"SSE41", "AVX"})
    assert [each.name for each in played] == ["native", "SSE", "two threads"]
    assert lines == ["Not played: AVX2. This processor does not have it."]


def test_another_architecture_says_what_it_does_not_play() -> None:
    played, lines = processors.settings("arm64", {"NEON_DOTPROD"}, {"NEON_DOTPROD"})
    assert [each.name for each in played] == ["native", "two threads"]
    assert lines == ["Not played: AVX2 and SSE. They need an x86-64 processor; this one is arm64."]


@pytest.mark.parametrize("setting", processors.playable()[0], ids=lambda setting: setting.name)
def test_the_libraries_obey(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in INSTRUCTIONS:  # those of the shell must not count
        monkeypatch.setenv(name, "default" if name == "ATEN_CPU_CAPABILITY" else "")
    monkeypatch.setenv("MKL_NUM_THREADS", "3")
    env = environment(setting.threads, setting.instructions)
    done = subprocess.run([sys.executable, "-c", ASK], env=env, capture_output=True, check=True)
    found, capability, threads = json.loads(done.stdout)
    assert threads == setting.threads
    if setting.instructions:
        assert capability == {"AVX2": "AVX2", "SSE": "DEFAULT"}[setting.name]
        assert not any(name.startswith(processors.NUMPY_AVX512) for name in found)
        assert setting.name == "AVX2" or not processors.NUMPY_AVX2 & set(found)
    else:
        assert set(found) == processors.numpy_targets()[1]


def test_every_chapter_and_every_numeric_folder_is_run() -> None:
    targets = [*parts.notebooks(), *parts.numeric_tests()]
    assert {"chapters/12_training.ipynb", "tests/formulas", "tests/training"} < set(targets)
    assert not {f"tests/{name}" for name in parts.NOT_NUMERIC} & set(targets)
    assert len(targets) == len(set(targets))


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of two files of tests, one setting, and what runs in it."""
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / "tests").mkdir(exist_ok=True)
        (tmp_path / "tests" / name).write_text("def test_it():\n    pass\n", encoding="utf-8")
    for module in (parts, portable):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(parts, "notebooks", list)
    monkeypatch.setattr(portable, "playable", lambda: ([NATIVE], ["Not played: the rest."]))
    return tmp_path


def test_what_passed_does_not_run_again(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "tests/test_two.py").write_text(
        "def test_it():\n    assert 1.25 == 2\n", encoding="utf-8"
    )
    assert portable.main([]) == 1
    shown = capsys.readouterr().out
    assert "2 parts under native; 0 passed before.\n" in shown
    assert "native: tests/test_one.py passed" in shown
    assert "assert 1.25 == 2" in shown
    assert "FAILED native: tests/test_two.py\nNot played: the rest.\n" in shown
    assert shown.splitlines()[-1].startswith(
        "Portable, under native: 1 FAILED, 1 passed before or now."
    )
    assert Part(NATIVE, "tests/test_one.py").has_passed()
    assert portable.main([]) == 1
    shown = capsys.readouterr().out
    assert "1 passed before" in shown and "test_one" not in shown
    (small / "tests/test_two.py").write_text("def test_it():\n    pass\n", encoding="utf-8")
    assert portable.main([]) == 0  # a changed test counts for its neighbors
    assert "0 passed before" in capsys.readouterr().out
    assert portable.main([]) == 0
    assert "2 passed before" in capsys.readouterr().out


@pytest.mark.parametrize(
    "file", ["transformer_lib/one.py", "tests/conftest.py", "pyproject.toml", "tests/test_one.py"]
)
def test_a_changed_input_makes_it_run_again(small: Path, file: str) -> None:
    part = Part(NATIVE, "tests/test_one.py")
    part.remember(part.key)
    assert part.has_passed()
    assert not Part(processors.TWO_THREADS, part.target).has_passed()
    (small / file).parent.mkdir(exist_ok=True)
    (small / file).write_text("changed = True\n", encoding="utf-8")
    assert not part.has_passed()


def test_another_processor_makes_it_run_again(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part(NATIVE, "tests/test_one.py")
    part.remember(part.key)
    monkeypatch.setattr(processors, "fingerprint", lambda: "another")
    assert not part.has_passed()
