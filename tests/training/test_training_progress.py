import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.training.small import draw, model_of, settings
from transformer_lib.training import log, train
from transformer_lib.training.log import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_each_tenth_of_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    train(model_of("rnn"), draw, settings(), progress=True)
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split("step ")[1].split()[0]) for line in lines] == list(range(3, 31, 3))
    assert lines[-1].startswith("[####################] step 30 of 30  loss ")
    assert lines[-1].endswith("0 s left")


def test_fewer_steps_than_tenths(capsys: pytest.CaptureFixture[str]) -> None:
    train(model_of("rnn"), draw, settings(steps=3), progress=True)
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_silence(capsys: pytest.CaptureFixture[str]) -> None:
    train(model_of("rnn"), draw, settings(), progress=False)
    train(model_of("rnn"), draw, settings(steps=0), progress=True)
    assert capsys.readouterr().out == ""


def test_the_time_left_is_that_of_the_steps_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, clock = Terminal(), iter(np.arange(0.0, 1000.0, 10.0).tolist())
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(log.time, "perf_counter", lambda: now[0])
    now = [next(clock)]
    with Progress(100, shown=True) as line:
        for step in (51, 52):  # resumed after 50
            now[0] = next(clock)
            line.show(step, 0.25)
    shown = terminal.getvalue()
    assert "step 51 of 100  loss 0.2500  8 min 10 s left" in shown.split("\r")[1]
    assert "step 52 of 100  loss 0.2500  8 min 00 s left" in shown.split("\r")[2]
    assert shown.endswith("\n") and shown.count("\n") == 1


def test_a_terminal_is_not_flooded(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(log.time, "perf_counter", lambda: 0.0)
    with Progress(1000, shown=True) as line:
        for step in range(1, 1001):
            line.show(step, 1.0)
    assert terminal.getvalue().count("\r") == 1


@pytest.mark.parametrize("breaks", [False, True])
def test_a_notebook_is_left_with_the_same_text_at_every_run(
    breaks: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    cell = SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
    monkeypatch.setattr(log, "in_notebook", lambda: True)
    monkeypatch.setattr(
        "IPython.display.display", lambda data, **_: cell.update(data, raw=True) or cell
    )
    given = (lambda rng: 3) if breaks else draw
    try:
        train(model_of("rnn"), given, settings(), progress=True)  # type: ignore[arg-type]
    except ValueError:
        assert breaks
    assert shown[0] == shown[-1] == "Training: 30 steps"
    assert breaks or "step 30 of 30" in shown[-2]
    assert capsys.readouterr().out == ""


def test_this_is_no_notebook() -> None:
    assert not log.in_notebook()
