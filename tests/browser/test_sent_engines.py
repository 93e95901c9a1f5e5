"""What a reader sends, in all three engines: a question, rules, and sentences for the model."""

import pytest

from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.browser.test_sent_links import GOOD

LINE = "document.querySelector('.tl-sent')?.innerText ?? ''"
PUT = "[...document.querySelectorAll('.tl-sent button')][0].id = 'pressed'"
ASK = """(() => {
  const question = document.querySelector("fieldset.tl-question:has([type=radio])");
  question.querySelector("[type=radio]").id = "chosen";
  question.querySelector(".tl-check").id = "checked";
  return question.id;
})()"""
SHOWN = """(({ top, bottom }) => top >= 0 && bottom > 0 && top < innerHeight)(
  document.getElementById("%s").getBoundingClientRect())"""
pytestmark = pytest.mark.filterwarnings(SELENIUM)


def test_what_is_sent_arrives(engine: Engine, site: str) -> None:
    engine.visit(f"{site}/chapters/own_language.html#own={GOOD}")
    wait(engine, f"({LINE}).includes('Nothing has run.')")
    engine.see(PUT)
    engine.click("#pressed")
    wait(engine, "tlLive.cells.some(({ code }) => code.includes('красив'))")
    assert "#" not in engine.see("location.href")
    engine.see("(localStorage.clear(), location.hash = 'own=' + 'a'.repeat(50), 1)")
    wait(engine, f"({LINE}).startsWith('This link cannot be shown: ')")

    engine.visit(f"{site}/chapters/real_model.html#first=a+key&second=a%20cat")
    wait(engine, f"({LINE}).includes('a key') && ({LINE}).includes('a cat')")

    address = f"{site}/chapters/02_embeddings.html"
    engine.visit(address)
    wait(engine, DRAWN)
    name = engine.see(ASK)
    engine.click("#chosen")
    engine.click("#checked")
    wait(engine, "document.querySelector('.tl-ask')")
    engine.click(".tl-ask")
    wait(engine, "document.querySelector('.tl-asked').textContent")
    engine.visit("about:blank")
    engine.visit(f"{address}#{name}")
    wait(engine, f"document.activeElement.id === {name!r} && {SHOWN % name}")
    assert not engine.see(f"'answered' in document.getElementById({name!r}).dataset")
