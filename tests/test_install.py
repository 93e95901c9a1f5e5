"""The wheels: what is in them, and that they work where only what they declare is installed."""

import csv
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import transformer_lib
from book.live import course_zip
from book.testing import inputs
from course.languages import AgreementLanguage
from tests import environment
from tests.environment import call, run
from tests.grader import course

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
MODEL = ROOT / "chapters" / "models" / "agreement_transformer.safetensors"
CHOSEN = ("nvidia-", "cuda-", "triton")
BUILT = ("_build", "build", "*.egg-info", "__pycache__", "my", "vendor", ".*")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout without what was built in it, so that nothing stale gets in."""
    copy = tmp_path_factory.mktemp("tree") / "checkout"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*BUILT))
    return copy


@pytest.fixture(scope="module")
def wheels(tree: Path) -> Path:
    environment.build(tree, tree / "course", tree / "exercises", into=tree / "wheels")
    return tree / "wheels"


@pytest.fixture(scope="module")
def library(wheels: Path) -> Path:
    return wheels / f"worked_transformer-{transformer_lib.__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def judge(wheels: Path) -> Path:
    (found,) = wheels.glob("worked_transformer_judge-*.whl")
    return found


@pytest.fixture(scope="module")
def notebooks(wheels: Path) -> Path:
    (found,) = wheels.glob("worked_transformer_course-*.whl")
    return found


@pytest.fixture
def bare(tmp_path: Path, library: Path) -> Path:
    return environment.install(tmp_path / "bare", library)


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as file:
        return {name for name in file.namelist() if ".dist-info/" not in name}


def sources(folder: str) -> Iterator[str]:
    for path in ROOT.joinpath(folder).rglob("*"):
        if path.is_file() and not {"__pycache__", "README.md"} & set(path.parts):
            yield path.relative_to(ROOT).as_posix()


def test_the_lock_pins_all_that_is_asked_for_and_all_that_this_brings() -> None:
    asked = [*lines("direct.txt"), *lines("parity.txt")]
    asked = [line for line in asked if not line.startswith("#")]
    lock = {
        canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in lines("lock.txt")
    }
    for need in map(Requirement, asked):
        assert str(need.specifier) == f"=={lock[canonicalize_name(need.name)]}"
    brought = {canonicalize_name(name) for name in environment.needs(asked)}
    # On Linux with a GPU, torch brings packages that pip chooses.
    assert {name for name in brought - lock.keys() if not name.startswith(CHOSEN)} == set()


def lines(name: str) -> list[str]:
    return (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()


def test_each_wheel_holds_its_own_and_all_of_it(
    library: Path, judge: Path, notebooks: Path
) -> None:
    assert names_in(library) == {*sources("transformer_lib")}
    wanted = [path for path in course_zip.OWN if path.startswith(("course/", "chapters/"))]
    asked = {path.relative_to(ROOT).as_posix() for path in inputs.files(ROOT, wanted)}
    inside = {name.removeprefix("course/files/") for name in names_in(notebooks)}
    assert asked - inside == {"course/pyproject.toml"}  # and all else that a page has is in it
    names = {name for name in names_in(judge) if not name.endswith(".md")}
    assert names == {*sources("exercises/grader")}


@pytest.mark.parametrize("place,extra", [(0, ""), (2, "torch")])
def test_the_examples_of_its_readme_print_what_they_say(
    place: int, extra: str, library: Path, tmp_path: Path
) -> None:
    text = (ROOT / "transformer_lib" / "README.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[place]
    said = re.findall(r"^print.*  # (.*)", example, re.MULTILINE)
    assert len(said) >= 3 and len(said) == example.count("print(")
    assert run(environment.install(tmp_path / "new", library, extra), example).splitlines() == said


def test_without_torch_a_kept_model_reaches_its_recorded_loss(bare: Path, tmp_path: Path) -> None:
    for path in (MODEL, MODEL.with_suffix(".json")):
        shutil.copy(path, tmp_path)
    language, rng = AgreementLanguage(), np.random.default_rng(20170612)
    drawn = [language.sample(rng) for _ in range(1000)]
    ids = [language.vocabulary.encode(words, start=True, end=True) for words in drawn]
    code = """
import importlib.util, json, sys
import numpy as np
import transformer_lib as tl
for name in ("torch", "matplotlib", "ipywidgets", "course", "exercises", "book", "tests"):
    assert importlib.util.find_spec(name) is None, name
assert tl.__file__.startswith(sys.prefix), tl.__file__
parameters, config = tl.read_model(sys.argv[1])
ids = json.loads(sys.argv[2])
read = [tl.forward(parameters, config, np.array(each[:-1])) for each in ids]
print(tl.cross_entropy(np.concatenate(read), np.concatenate([each[1:] for each in ids])))
try:
    import transformer_lib.languages
except ModuleNotFoundError as error:
    assert "the toy languages are part of the course" in str(error)
else:
    raise AssertionError("the toy languages are in the wheel")
"""
    loss = float(run(bare, code, tmp_path / MODEL.name, json.dumps(ids)))
    recorded = json.loads(MODEL.with_suffix(".json").read_text(encoding="utf-8"))["about"]["loss"]
    assert loss == pytest.approx(recorded, rel=1e-4)  # the parameters are float32


def test_with_torch_it_trains_keeps_and_loads(library: Path, tmp_path: Path) -> None:
    code = """
import numpy as np
import torch
from transformer_lib import nn
from transformer_lib.training import Settings, load_model, save_model, train, window_draws
config = nn.Configuration(kind="decoder", vocabulary_size=9, d_model=8, heads=2, layers=1, d_ff=12)
model = nn.Transformer(config, seed=0)
draws = window_draws(np.arange(50) % 9, batch_size=5, length=7)
train(model, draws, Settings(steps=1, rate=0.01), progress=False)
save_model("kept.safetensors", model)
ids = torch.tensor([[2, 5, 7]])
assert torch.equal(load_model("kept.safetensors")(ids), model.eval()(ids))
"""
    run(environment.install(tmp_path / "torch", library, "torch"), code)


def test_in_a_notebook_it_plots_and_moves_without_torch(library: Path, tmp_path: Path) -> None:
    code = """
import importlib.util
from transformer_lib import plot, widgets
assert importlib.util.find_spec("torch") is None
print(plot.line_chart([1, 2], {"loss": [3.0, 2.0]}, xlabel="step", ylabel="nats")._repr_html_())
print(widgets.frames(lambda n: plot.table({"n": [n]}), n=[1, 2]).html)
"""
    shown = run(environment.install(tmp_path / "notebook", library, "notebook"), code)
    assert "<svg" in shown and 'type="range"' in shown


def test_the_judge_alone_grades_from_a_bank(judge: Path, tmp_path: Path) -> None:
    script = environment.install(tmp_path / "judge", judge)
    bank = course.write_source(tmp_path / "bank")
    course.write(tmp_path / "in", "ann", course.submission("ann"))
    wrong = {"double": "def double(x):\n    return x + 2\n"}
    course.write(tmp_path / "in", "bob", course.submission("bob", wrong))
    out = tmp_path / "out"
    unsafe = [] if shutil.which("bwrap") else ["--no-sandbox"]
    call(script, "grade", "demo", tmp_path / "in", "--out", out, "--source", bank, *unsafe)
    rows = list(csv.DictReader((out / "scores.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["double"] for row in rows] == ["2", "0"]
    assert [row["softmax"] for row in rows] == ["3", "3"]


def test_from_anywhere_a_checkouts_environment_finds_the_course_and_grade(
    tree: Path, library: Path, tmp_path: Path
) -> None:
    script = environment.install(tmp_path / "checkout", library)
    for project in (tree, tree / "exercises"):  # as the Makefile does, in this order
        environment.install_editable(script, project)
    code = """
import sys
from pathlib import Path
import book, course, exercises.grader, transformer_lib
from course import ledger, questions
for module in (book, course, exercises.grader, transformer_lib):
    assert Path(module.__file__).is_relative_to(sys.argv[1]), module
print(len(ledger.load().numbers))
"""
    assert int(run(script, code, tree)) > 200
    assert call(script, "grade", "--help").startswith("usage: grade")
