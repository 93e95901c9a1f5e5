"""A link of the front page, made at a phone's width, opens at 1280 in every other engine."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser
from selenium.webdriver.common.keys import Keys

from tests.browser.engines import SELENIUM, Chromium, Engine, Firefox, WebKit, firefox, wait, webkit

pytestmark = pytest.mark.filterwarnings(SELENIUM)
HEADLINE = """["#flow-sentence", "#flow-verb b", "#flow-verb small", "#flow-say"]
  .map((part) => document.querySelector(part).textContent)"""
TRAINED = """/^Train$/.test(document.querySelector(".flow-main")?.textContent)
  && !document.querySelector(".flow-waits") && /steps/.test(
    document.querySelector(".flow-own > p").textContent)"""
LIVE = "document.querySelector('.flow-live')"
HERE = "location.href"


class Headline(NamedTuple):
    """The sentence, its verb and the probability of the verb, and what is said of a silent head."""

    sentence: str
    verb: str
    share: float
    says: str


def headline(engine: Engine) -> Headline:
    sentence, verb, share, says = engine.see(HEADLINE)
    return Headline(sentence, verb, float(re.findall("[0-9.]+$", share)[0]), says)


def same(found: Headline, made: Headline) -> bool:
    """Engines round the functions of exp and cos apart, and the second digit after a training."""
    return found._replace(share=made.share) == made and abs(found.share - made.share) < 0.011


def resize(engine: Engine, width: int) -> None:
    if isinstance(engine, Chromium):
        engine.page.set_viewport_size({"width": width, "height": 844})
    elif isinstance(engine, Firefox):
        size = {"width": width, "height": 844}
        engine.ask("browsingContext.setViewport", context=engine.tab, viewport=size)
    elif isinstance(engine, WebKit):
        engine.driver.set_window_size(width, 844)


def opened(engine: Engine, address: str, width: int) -> None:
    engine.visit("about:blank")
    resize(engine, width)
    engine.visit(address)
    wait(engine, LIVE)


def written(engine: Engine, key: str) -> str:
    """The address, once it says what was done last."""
    wait(engine, f"{HERE}.includes({key!r})")
    return str(engine.see(HERE))


def retype(engine: Engine, selector: str, text: str) -> None:
    engine.click(selector)
    engine.type(Keys.CONTROL + "a", text)


def of_the_book(engine: Engine, address: str) -> tuple[str, Headline]:
    """Type a sentence on a phone and silence the head that finds its subject."""
    opened(engine, address, 390)
    retype(engine, "#flow-sentence", "the cats who ate the blackberry")
    engine.click("#flow-silence")
    return written(engine, "silence="), headline(engine)


def of_a_language(engine: Engine, address: str) -> tuple[str, Headline]:
    """Train the language that is there on a phone, type a sentence and silence a head."""
    opened(engine, address, 390)
    engine.click("[data-act=own]")
    wait(engine, "document.querySelector('.flow-own')")
    retype(engine, ".flow-own label:nth-of-type(2) input", "150")
    engine.click(".flow-main")
    wait(engine, TRAINED)
    retype(engine, "#flow-sentence", "the chef who met the cats")
    engine.click("#flow-silence")
    return written(engine, "silence="), headline(engine)


@pytest.fixture(scope="module")
def engines(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Engine]]:
    with ExitStack() as open_ones:
        folder: Path = tmp_path_factory.mktemp("firefox")
        yield {
            "chromium": Chromium(browser),
            "firefox": open_ones.enter_context(firefox(folder)),
            "webkit": open_ones.enter_context(webkit()),
        }


@pytest.mark.parametrize("maker", ["chromium", "firefox", "webkit"])
def test_a_link_made_on_a_phone_opens_elsewhere(
    engines: dict[str, Engine], site: str, maker: str
) -> None:
    for make in (of_the_book, of_a_language):
        link, made = make(engines[maker], f"{site}/intro.html")
        assert "is silent" in made.says
        for name, engine in engines.items():
            for width in (1280, 390):
                opened(engine, link, width)
                if make is of_a_language:
                    wait(engine, "document.querySelector('.flow-waits .flow-main')")
                    engine.click(".flow-main")
                    wait(engine, TRAINED)
                wait(engine, f"document.querySelector('#flow-say').textContent === {made.says!r}")
                assert same(headline(engine), made), (maker, name, width)
