"""Foreseen mistakes of a question: each number is foreseen once, and no word is lost as a tag."""

import ast
import json
import re
from collections.abc import Iterator

import pytest

from book import toc

KNOWN = r"</?(sub|sup|i|em|b|code|span|a|br)\b"


def asked(text: str) -> Iterator[ast.Call]:
    """Each call in the code of a notebook that asks for a number."""
    cells = [each for each in json.loads(text)["cells"] if each["cell_type"] == "code"]
    for cell in cells:
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "questions.number":
                yield node


QUESTIONS = [
    (path.stem, call)
    for path in toc.notebooks()
    for call in asked(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "call"), QUESTIONS)
def test_a_wrong_number_is_foreseen_once_and_no_tag_hides_a_word(page: str, call: ast.Call) -> None:
    given = {word.arg: word.value for word in call.keywords}
    mistakes = given.get("mistakes", ast.Dict([], []))
    assert isinstance(mistakes, ast.Dict)
    # A dictionary keeps only the last of two equal keys.
    plain = [ast.unparse(key) for key in mistakes.keys if key is not None]
    values = [eval(text) for text in plain if re.fullmatch(r"[-+*/().\d\s]+", text)]
    assert len({round(value, 9) for value in values}) == len(values), page
    texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
    for text in filter(lambda each: isinstance(each, str), texts):
        assert not re.search(r"<(?=[a-z/])", re.sub(KNOWN, "", str(text))), f"{page}: {text}"
