"""The lines of the README that look inside a model print what they say."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "transformer_lib" / "README.md"


def test_the_lines_that_look_inside_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (lines,) = (block for block in blocks if "nn.changed" in block)
    exec(compile(lines, "README.md", "exec"), {})
    said = re.findall(r"^print.*  # (.*)", lines, re.MULTILINE)
    assert len(said) == lines.count("\nprint(") == 4
    assert capsys.readouterr().out.splitlines() == said
