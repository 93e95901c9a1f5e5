"""Two typed sentences fill a grid of layers by words, in all three engines, with a small model."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.course.published import tiny

FIELD = """(() => {{
  document.getElementById("typed")?.removeAttribute("id");
  const labels = [...document.querySelectorAll("main .tl-widget label")];
  const label = labels.find((each) => each.textContent.startsWith({name!r}));
  label.parentElement.querySelector("input").id = "typed";
  return 1;
}})()"""
BUTTON = """[...document.querySelectorAll("main button")]
  .find((each) => each.innerText.startsWith({name!r})).id = "pressed" """
SHOWN = """[...document.querySelectorAll(".tl-grid button")]
  .map((cell) => getComputedStyle(cell, "::after").content.replace(/"/g, ""))"""
TEXTS = {
    "first of": "a key",
    "second of": "a cot",
    "third": "a cat",
    "first next": "a",
    "second next": "i",
}
pytestmark = pytest.mark.filterwarnings(SELENIUM)


def says(text: str) -> str:
    return f"document.querySelector('article').innerText.includes({text!r})"


def fill(engine: Engine, address: str, texts: dict[str, str]) -> list[str]:
    """Load the model, type into the fields, fill the grid; what its cells show."""
    engine.visit(address)
    wait(engine, DRAWN)
    engine.click(".tl-start")
    wait(engine, says("bits less"))
    for name, text in texts.items():
        engine.see(FIELD.format(name=name))
        engine.click("#typed")
        engine.type(Keys.CONTROL + "a", text)
    engine.see(BUTTON.format(name="Fill the grid"))
    engine.click("#pressed")
    wait(engine, says("A number is the share of this difference"))
    return list(engine.see(SHOWN))


@pytest.mark.usefixtures("given")
def test_two_typed_sentences_fill_a_grid(engine: Engine, site: str) -> None:
    cells = fill(engine, f"{site}/chapters/real_model.html", TEXTS)
    assert len(cells) == 5 * tiny.LAYERS and cells[-1] == "100" and set(cells[::5]) == {"0"}
    engine.click(".tl-grid button:last-child")
    wait(engine, says("100% of the way to the second sentence"))
