"""What a reader made on the front page, as a link: it restores, and what does not fit is said."""

import gzip
import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from book.paths import ROOT, html_folder
from course.languages.presets import PRESETS
from course.next_word import SENTENCES
from tests.browser.axe import COLORS, violations
from tests.browser.test_front_page import SHIFT, WIDER, share, verb
from tests.browser.visit import Visit

CATS = "the cats who ate the blackberry"
LINK = "#s=the+cats+who+ate+the+blackberry&silence=2.3"
AGREEMENT, CASE = PRESETS["agreement"], PRESETS["case"]
ARRIVE = """async (links) => {
  const found = {}, later = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const [name, given] of Object.entries(links)) {
    document.querySelector(".flow-arrived")?.remove();
    const link = Array.isArray(given) ? `#own=${await window.tlAddress.pack(given[0])}` : given;
    location.hash = link;
    for (let k = 0; k < 2000 && !document.querySelector(".flow-arrived"); k++) await later(5);
    found[name] = [document.querySelector(".flow-arrived")?.textContent ?? "nothing",
      document.getElementById("flow-sentence").textContent];
  }
  return found;
}"""
SAID = "This link cannot be shown: .+[.] The picture is as it was[.]"
PAINTED = "(it) => { const s = getComputedStyle(it); return [s.color, s.backgroundColor]; }"
PACK = "([rules, words]) => window.tlAddress.packRules(rules, words)"
LONG = "a" * 7000
REFUSED = {
    # Sentences and numbers that are none of this picture.
    "a word that is not known": "#s=zebra",
    "a script": "#s=<script>alert(1)</script>",
    "an image with a handler": "#s=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E",
    "a word of the machine": "#s=%3Cs%3E",
    "too many words": "#s=" + "the+" * 25,
    "too long": f"#s={LONG}",
    "no UTF-8": "#s=%ff%fe",
    "a key of each object": "#s=__proto__",
    "a method of each object": "#s=constructor",
    "a null": "#s=the%00cats",
    "a head that is none": "#silence=3.1",
    "head 0": "#silence=0.1",
    "head 5": "#silence=1.5",
    "no head": "#silence=first",
    "a negative head": "#silence=-1.1",
    "nine heads": "#silence=" + ",".join(["1.1"] * 9),
    "heads of an exponent": "#silence=1e1",
    "Arabic digits": "#silence=١.١",
    "a large head that is none": "#head=2.9",
    "an array": "#head=[object Object]",
    "stage 6": "#stage=6",
    "stage 0": "#stage=0",
    "a stage in words": "#stage=last",
    "temperature 0": "#t=0",
    "temperature 4": "#t=4",
    "a temperature in words": "#t=hot",
    "infinity": "#t=Infinity",
    "top 0": "#k=0",
    "top 9": "#k=9",
    "a hexadecimal": "#k=0x1",
    "an empty head": "#silence=",
    "an empty stage": "#stage=",
    # Rules that are none, or do not come whole.
    "no rules": "#own=",
    "no base 64": "#own=%%%",
    "a word": "#own=rules",
    "letters of another script": "#own=книга",
    "padding alone": "#own====",
    "nothing packed": "#own=AwA",
    "a link in a link": "#own=https://example.com",
    "a script address": "#own=javascript:alert(1)",
    "rules that are too long": f"#own={LONG}",
    "a negative seed": "#own=AwA&seed=-1",
    "a large seed": "#own=AwA&seed=10000",
    "no seed": "#own=AwA&seed=NaN",
    "no steps": "#own=AwA&steps=0",
    "steps for ever": "#own=AwA&steps=9999",
    "steps in words": "#own=AwA&steps=many",
    "a head of a second layer": "#own=AwA&silence=2.1",
    "an object": {"rules": "S -> a"},
    "a number": 1,
    "null": None,
    "one text": ["S -> a"],
    "three texts": ["S -> a", "", ""],
    "numbers": [1, 2],
    "texts within": [["S -> a"], ["a"]],
    "blank rules": [" \n ", ""],
    "4,001 letters": ["a" * 4001, ""],
    "a long sentence": ["S -> a", "a " * 151],
}


@pytest.fixture
def front(second_tab: Page, site: str) -> Iterator[Visit]:
    """The front page on a first visit."""
    with Visit(second_tab, f"{site}/intro.html", 1280, "light") as seen:
        expect(second_tab.locator(".flow-live")).to_be_visible()
        yield seen


@pytest.fixture
def kept(fresh: Page, site: str) -> Iterator[Visit]:
    """The front page of a reader whose browser keeps what it is given."""
    with Visit(fresh, f"{site}/intro.html", 1280, "light") as seen:
        expect(fresh.locator(".flow-live")).to_be_visible()
        yield seen


def follow(page: Page, link: str) -> None:
    """Come by a link that somebody sent."""
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".flow-live")).to_be_visible()


def copied(page: Page) -> str:
    """Press *Copy link*; the link."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".flow-shared")).to_contain_text("The link is copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


HEADLINE = ("#flow-sentence", "#flow-verb b", "#flow-verb small", "#flow-say")


def headline(page: Page) -> list[str]:
    """The sentence, the verb, its probability, and what is said of them."""
    return [str(page.locator(each).text_content()) for each in HEADLINE]


def shows(page: Page, headline: list[str]) -> None:
    """The page comes to say this."""
    for part, text in zip(HEADLINE, headline, strict=True):
        expect(page.locator(part)).to_have_text(text)


def test_a_link_brings_the_sentence_and_the_silent_head(front: Visit) -> None:
    page = front.page
    page.get_by_role("textbox", name="sentence").fill(CATS)
    page.get_by_role("button", name="Silence head 3 of layer 2").click()
    verb(page, "is", share(CATS, "is", silent=(1, 2)))
    here, link = headline(page), copied(page)
    assert link == f"{front.url}{LINK}"
    follow(page, link)
    shows(page, here)
    page.get_by_role("button", name="Embed").click()
    expect(page.locator(".flow-shared")).to_contain_text("The code of a frame is copied")
    code = str(page.evaluate("navigator.clipboard.readText()"))
    assert f'src="{front.url}?frame=sentence{LINK.replace("&", "&amp;")}"' in code
    assert (front.errors, front.foreign) == ([], [])


def test_what_is_as_in_the_book_is_left_out(front: Visit) -> None:
    page = front.page
    assert copied(page) == front.url
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("slider", name="temperature").fill("0.5")
    page.get_by_role("slider", name="top-k").fill("2")
    page.get_by_role("button", name="Lift the mask").click()
    page.locator("[data-head='0,1'][aria-pressed]").click()
    page.get_by_role("button", name="Next stage").click()
    link, here = copied(page), headline(page)
    given = parse_qs(link.partition("#")[2])
    assert {key: value for key, [value] in given.items()} == {
        **{"head": "1.2", "stage": "1", "lift": "1", "t": "0.5", "k": "2"}
    }
    follow(page, link)
    shows(page, here)
    expect(page.locator("#flow-top-out")).to_have_text("2")
    expect(page.locator("#flow-stage-1.flow-lit")).to_be_visible()


def test_what_does_not_fit_is_refused_in_a_sentence(front: Visit) -> None:
    page, dialogs = front.page, []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    follow(page, f"{front.url}#own=AwA")
    expect(page.locator(".flow-arrived")).to_contain_text("This link cannot be shown")
    given = {
        n: each if isinstance(each, str) else [json.dumps(each)] for n, each in REFUSED.items()
    }
    for name, (said, sentence) in page.evaluate(ARRIVE, given).items():
        assert re.fullmatch("This link cannot be shown: .+[.] The picture is as it was[.]", said), (
            name
        )
        assert sentence == SENTENCES[0], name
    assert len(REFUSED) >= 50
    page.evaluate("location.hash = '#the-worked-transformer'")  # a section is no state
    expect(page.locator(".flow-arrived")).to_have_count(1)  # what was said of the last one
    assert (front.errors, front.foreign, front.missing, dialogs) == ([], [], [], [])


def test_nothing_of_a_language_comes_before_a_press(front: Visit) -> None:
    loaded = "performance.getEntriesByType('resource').map((each) => each.name)"
    first = front.page.evaluate(loaded)
    assert any("flow/share.js" in each for each in first)
    assert not [each for each in first if re.search(r"own/|arrive|picture|frame|notation", each)]


def test_the_first_visit_is_at_most_7_kb_larger() -> None:
    """It was 408 kB before there were links."""
    names = ["address.js", "flow/share.js", "flow/share.css"]
    sizes = [len(gzip.compress((ROOT / "assets" / name).read_bytes())) for name in names]
    assert sum(sizes) < 5500  # flow.js and its neighbors have grown by 1.5 kB for other models


def own_link(page: Page, rules: str, words: str = "", more: str = "") -> str:
    """The fragment that brings rules."""
    return f"#own={page.evaluate(PACK, [rules, words])}{more}"


def trained(page: Page) -> None:
    """Press *Train* and wait for the end."""
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".flow-own > p")).to_contain_text(re.compile("right at ! in|steps[.]"))
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_the_rules_of_a_link_run_only_after_a_press(front: Visit) -> None:
    page, asked = front.page, []
    link = own_link(page, CASE.rules, "lupos servus", "&seed=3&steps=5&silence=1.2")
    page.on("request", lambda request: asked.append(request.url))
    follow(page, front.url + link)
    panel = page.get_by_role("region", name="A language of your own")
    expect(panel).to_contain_text("rules of somebody else, who is not the author of this book")
    expect(panel.get_by_role("textbox")).to_have_value(CASE.rules)
    expect(page.locator("#flow-sentence")).to_be_hidden()
    assert not [url for url in asked if "worker.js" in url]
    assert page.locator(".flow-stages").evaluate("(stages) => stages.inert")
    assert page.evaluate(SHIFT) < 0.05
    trained(page)
    expect(panel).to_contain_text("The language of a reader, not of the author of this book")
    expect(page.locator("#flow-sentence")).to_have_text("lupos servus")
    expect(page.locator("#flow-say")).to_contain_text("Head 2 of layer 1 is silent")
    assert [url for url in asked if "worker.js" in url]
    assert (front.errors, front.foreign, front.missing) == ([], [], [])


def test_a_language_of_the_reader_is_theirs_after_a_reload(kept: Visit) -> None:
    page = kept.page
    page.get_by_role("button", name="My language").click()
    panel = page.get_by_role("region", name="A language of your own")
    expect(panel.get_by_role("textbox")).to_have_value(AGREEMENT.rules.strip())
    mine = "n = x y\nS -> A[n] then B[n]!\nA[x] -> a\nA[y] -> o\nB[x] -> b\nB[y] -> c"
    panel.get_by_role("textbox").fill(mine)
    panel.get_by_role("spinbutton", name="steps").fill("5")
    trained(page)
    expect(panel).to_contain_text("Your language: 5 words, 5 steps")
    expect(page).to_have_url(re.compile("#own=.*&seed=0&steps=5$"))
    said = headline(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save SVG").click()
    drawn = saved.value.path().read_text("utf-8")
    assert "layer 1" in drawn and "layer 2" not in drawn
    page.locator("#flow-silence").click()
    expect(page.locator("#flow-say")).to_contain_text("silent")
    trained(page)  # another model, which has all its heads
    shows(page, said)
    page.reload()
    expect(panel.get_by_role("textbox")).to_have_value(mine)
    expect(panel).not_to_contain_text("somebody else")
    trained(page)
    shows(page, said)
    # Rules of somebody else come while these are open: a press decides, and both are kept.
    page.evaluate("(link) => { location.hash = link; }", own_link(page, CASE.rules, "lupos servus"))
    expect(panel).to_contain_text("A link brings rules of somebody else")
    page.get_by_role("button", name="Keep mine").click()
    shows(page, said)
    expect(page).to_have_url(re.compile("steps=5$"))
    page.evaluate("(link) => { location.hash = link; }", own_link(page, CASE.rules, "lupos servus"))
    page.get_by_role("button", name="Show them").click()
    expect(panel.get_by_role("textbox")).to_have_value(CASE.rules)
    page.get_by_role("button", name="Back to my rules").click()
    expect(panel.get_by_role("textbox")).to_have_value(mine)
    page.get_by_role("button", name="Back to the model of the book").click()
    expect(page.locator("#flow-sentence")).to_have_text(SENTENCES[0])
    assert (kept.errors, kept.foreign) == ([], [])


def test_who_changes_the_rules_of_a_link_keeps_their_own(kept: Visit) -> None:
    page, mine = kept.page, "S -> my own | rules of | a few words"
    page.get_by_role("button", name="My language").click()
    panel = page.get_by_role("region", name="A language of your own")
    rules = panel.get_by_role("textbox")
    other = page.get_by_role("button", name=re.compile("My other rules"))
    rules.fill(mine)
    follow(page, kept.url + own_link(page, CASE.rules, "lupos servus"))
    expect(rules).to_have_value(CASE.rules)
    expect(page.get_by_role("button", name="Back to my rules")).to_be_visible()
    rules.press("End")
    rules.press_sequentially("# changed")
    expect(panel).not_to_contain_text("somebody else")
    follow(page, kept.url)
    page.get_by_role("button", name="My language").click()
    expect(rules).to_have_value(re.compile("# changed"))
    # A second link is changed, too: three texts, one press apart.
    page.evaluate("(link) => { location.hash = link; }", own_link(page, AGREEMENT.rules))
    page.get_by_role("button", name="Show them").click()
    rules.press("End")
    rules.press_sequentially("# second")
    for text in (mine, re.compile("# changed"), re.compile("# second")):
        other.click()
        expect(rules).to_have_value(text)
    expect(page).to_have_url(re.compile("#own=.*&seed=0&steps=400$"))
    assert (kept.errors, kept.foreign) == ([], [])


def test_a_wrong_rule_is_named_and_a_training_can_be_stopped(front: Visit) -> None:
    page = front.page
    page.get_by_role("button", name="My language").click()
    panel = page.get_by_role("region", name="A language of your own")
    rules = panel.get_by_role("textbox")
    rules.fill(AGREEMENT.rules.replace("V[pl] -> sleep | sing", ""))
    panel.get_by_role("button", name="Train").click()
    expect(panel.get_by_role("status")).to_contain_text("V[pl] must have a rule")
    expect(page.locator("#flow-sentence")).to_be_hidden()
    rules.fill(AGREEMENT.rules)
    panel.get_by_role("spinbutton", name="steps").fill("2000")
    panel.get_by_role("button", name="Train").click()
    expect(panel).to_contain_text("Training: step")
    page.get_by_role("textbox", name="sentence").fill("the chef who met the cats")  # meanwhile
    panel.get_by_role("button", name="Stop").click()
    expect(panel).to_contain_text("Stopped. The picture is that of the model so far.")
    expect(page.locator("#flow-sentence")).to_have_text("the chef who met the cats")
    assert (front.errors, front.foreign) == ([], [])


def test_a_link_of_each_preset_is_short(front: Visit) -> None:
    for name, preset in PRESETS.items():
        words = preset.possible.rpartition(" ")[0]
        link = own_link(front.page, preset.rules, words, "&seed=9999&steps=2000&silence=1.1,1.2")
        assert 56 + len(link) <= 400, name


@pytest.mark.parametrize("width", [1280, 390])
def test_the_panel_pleases_axe_and_fits(front: Visit, width: int) -> None:
    page = front.page
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="My language").click()
    page.get_by_role("spinbutton", name="steps").fill("5")
    for act in (lambda: None, lambda: trained(page)):
        act()
        front.turn("light")
        assert violations(page) == []
        front.turn("dark")
        assert violations(page, COLORS) == []
        assert not page.evaluate(WIDER)


@pytest.mark.parametrize("width", [320, 390])
def test_what_is_said_below_the_marked_word_has_room(front: Visit, width: int) -> None:
    page = front.page
    link = own_link(page, AGREEMENT.rules, "the chef who met the cats", "&steps=5")
    page.set_viewport_size({"width": width, "height": 844})
    for query in ("", "?frame=sentence"):
        follow(page, front.url + query + link)
        trained(page)
        for words in ("the chef", "the chef who met", "the chef who met the cats"):
            page.get_by_role("textbox", name="sentence").fill(words)
            assert not page.evaluate(WIDER), (query, words)


def test_a_filled_button_is_read_in_colors_of_the_system(front: Visit) -> None:
    page = front.page
    page.emulate_media(forced_colors="active")
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Lift the mask").click()
    page.get_by_role("button", name="My language").click()
    for name in ("Lift the mask", "Train"):
        button = page.locator("button", has_text=re.compile(f"^{name}$"))
        color, paper = button.evaluate(PAINTED)
        assert color != paper, name


def test_a_page_from_the_disk_trains_too(fresh: Page) -> None:
    """A browser starts no worker there, so the page trains by itself."""
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    follow(fresh, (html_folder() / "intro.html").as_uri())
    fresh.get_by_role("button", name="My language").click()
    fresh.get_by_role("spinbutton", name="steps").fill("5")
    trained(fresh)
    expect(fresh.locator(".flow-own > p")).to_contain_text("Your language: 13 words, 5 steps")
    assert errors == []
