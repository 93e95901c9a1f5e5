"""The front page: a reader silences a head, types, steps through; without scripts it is whole."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from book.paths import html_folder
from course.next_word import SENTENCES, changed, model, picture, read, vocabulary
from tests.browser.axe import COLORS, violations
from tests.browser.visit import Visit
from transformer_lib import forward, softmax, trace
from transformer_lib.plot.numbers import fixed

PATHS = """(root) => [...root.querySelectorAll('.tl-flow path')].map(
  (mark) => [mark.getAttribute('d'), mark.getAttribute('stroke-width')])"""
INERT = "(parts) => parts.length === 2 && parts.every((part) => part.inert)"
WIDER = "document.documentElement.scrollWidth > innerWidth"
SHIFT = """new Promise((done) => {
  new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, each) => sum + each.value, 0)
  )).observe({ type: "layout-shift", buffered: true });
  setTimeout(done, 300, 0);
})"""


@pytest.fixture(params=[1280])
def visit(request: pytest.FixtureRequest, second_tab: Page, site: str) -> Iterator[Visit]:
    """The front page, which answers."""
    with Visit(second_tab, f"{site}/intro.html", request.param, "light") as seen:
        expect(second_tab.locator(".flow-live")).to_be_visible()
        yield seen


def verb(page: Page, word: str, share: float) -> None:
    """The headline ends with this word and its probability."""
    expect(page.locator("#flow-verb b")).to_have_text(word)
    expect(page.locator("#flow-verb small")).to_contain_text(fixed(share, 2))


def share(sentence: str, word: str, **change: Any) -> float:
    """What the library computes."""
    logits = forward(*model(), read(sentence)[1], attend=changed(**change))[-1]
    return float(softmax(logits)[vocabulary().tokens.index(word)])


def test_a_silent_head_turns_the_verb(visit: Visit) -> None:
    page, sentence = visit.page, SENTENCES[0]
    verb(page, "are", share(sentence, "are"))
    expect(page.locator("#flow-heads")).to_be_hidden()
    page.get_by_role("button", name="Silence head 3 of layer 2").click()
    verb(page, "is", share(sentence, "is", silent=(1, 2)))
    expect(page.locator("#flow-say")).to_contain_text("the verb turns from are into is")
    expect(page.locator("#flow-say")).to_contain_text("this does not prove")
    expect(page.locator("#flow-say")).to_contain_text("Its weights stay, because")
    expect(page.locator(".flow-shares text").nth(2)).to_have_text("1.00")  # that of chefs
    heard = page.locator(".flow-unseen tr", has_text=re.compile(r"^is"))
    expect(heard.locator("td")).to_have_text(fixed(share(sentence, "is", silent=(1, 2)), 3))
    page.get_by_role("button", name="Restore head 3 of layer 2").click()
    verb(page, "are", share(sentence, "are"))


def test_with_several_silent_heads_the_sentence_says_what_that_shows(visit: Visit) -> None:
    page, says = visit.page, visit.page.locator("#flow-say")
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Silence head 3 of layer 2").click()
    for layer, head in ((1, 0), (0, 3)):
        page.locator(f"[data-head='{layer},{head}'][aria-pressed]").click()
        page.locator("#flow-silence").click()
    expect(says).to_contain_text("Head 4 of layer 1 and heads 1 and 3 of layer 2 are silent")
    expect(says).to_contain_text("needs at least one of these heads here. Silence each by itself")
    page.locator("[data-head='1,2'][aria-pressed]").click()
    page.get_by_role("button", name="Restore head 3 of layer 2").click()
    expect(says).to_contain_text("do nothing, because the others may do the same")


def test_a_turn_between_two_possible_words_proves_nothing(visit: Visit) -> None:
    said = (
        "([usual, verb]) => tlFlow.state({...tlFlow.seen, silent: new Set(['1.2'])}, {usual, verb})"
    )
    free, rule = (visit.page.evaluate(said, ["are", verb]) for verb in ("were", "is"))
    assert "Both words are possible here" in free and "needs this head" not in free
    assert "Both words" not in rule and "needs this head here" in rule


def test_each_key_counts_and_what_is_unknown_is_said(visit: Visit) -> None:
    page, field = visit.page, visit.page.get_by_role("textbox", name="sentence")
    field.fill("")
    field.press_sequentially("the uncles who sat on the mat")
    verb(page, "are", share("the uncles who sat on the mat", "are"))
    assert page.locator(".flow-token path").count() == 8
    field.press_sequentially(" zebra")
    expect(page.locator("#flow-say")).to_contain_text("does not know zebra.")
    expect(page.locator("#flow-say")).to_contain_text("It knows 37 words")
    expect(page.locator("#flow-verb b")).to_have_text("?")
    expect(page.locator("#flow-say details:not([open])")).to_contain_text("Zuko, dragons")
    assert page.locator(".flow-stages, .flow-unseen").evaluate_all(INERT)
    field.fill("mat the the")
    expect(page.locator("#flow-say")).to_contain_text("never trained on sentences like this.")
    field.fill("dragons")
    field.press("Enter")
    expect(field).to_have_text(re.compile("^dragons \\w+$"))
    assert visit.errors == []


def test_unknown_words_are_replaced_by_pressed_ones(visit: Visit) -> None:
    page, field = visit.page, visit.page.get_by_role("textbox", name="sentence")
    offers = page.locator("#flow-say [data-offer]")
    field.fill("")
    field.press_sequentially("the linguist sleeps")
    expect(page.locator("#flow-say")).to_contain_text("does not know linguist.")
    expect(offers).to_have_count(3)
    nouns = offers.all_text_contents()
    offers.first.click()
    expect(page.locator("#flow-say")).to_contain_text("does not know sleeps.")
    expect(offers.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(field).to_have_text(re.compile(f"^the {nouns[0]} \\w+$"))
    expect(field).to_be_focused()
    expect(page.locator("#flow-say")).not_to_contain_text("never trained")


def test_the_enter_of_a_composition_appends_nothing(visit: Visit) -> None:
    """An input method confirms with Enter what is typed in Chinese, Japanese or Korean."""
    field = visit.page.get_by_role("textbox", name="sentence")
    field.fill("dragons")
    for said in ("isComposing: true", "keyCode: 229"):
        field.evaluate(
            f"(it) => it.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', {said}}}))"
        )
        expect(field).to_have_text("dragons")


def test_the_script_draws_what_python_draws(visit: Visit) -> None:
    page = visit.page
    for sentence in (*SENTENCES[1:], SENTENCES[0]):  # which is there when the page comes
        page.get_by_role("textbox", name="sentence").fill(sentence)
        expect(page.locator(".flow-token path")).to_have_count(len(read(sentence)[1]))
        drawn = picture(sentence).html
        live = page.evaluate(f"({PATHS})(document)")
        made = page.evaluate(
            f"(html) => ({PATHS})(new DOMParser().parseFromString(html, 'text/html'))", drawn
        )
        assert live == made
        assert page.locator("#flow-say").inner_html() in drawn


def test_by_keyboard_alone_numbers_are_spelled_and_stages_open(visit: Visit) -> None:
    page, steps = visit.page, trace(*model(), read(SENTENCES[0])[1])
    weight = float(steps["decoder.layers.1.self_attention.weights"][2, -1, 2])
    page.get_by_role("button", name="Next stage").focus()
    for _ in range(5):
        page.keyboard.press("Enter")
    expect(page.locator("#flow-say")).to_contain_text("The last vector scores all 41 tokens.")
    expect(page.locator("#flow-heads")).to_be_visible()
    page.locator("[data-head='1,2'][aria-pressed]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Silence head 2 of layer 2")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(page.locator("#flow-sum")).to_contain_text("the weight of store for store")
    for _ in range(5):  # from store to chefs
        page.keyboard.press("ArrowUp")
    expect(page.locator("#flow-sum b")).to_have_text(fixed(weight, 3))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#flow-sum")).to_contain_text("number 1 of the value of chefs")
    assert page.locator(".flow-picture[tabindex='0']").count() == 5


def test_mask_temperature_and_top_k(visit: Visit) -> None:
    page, sentence = visit.page, SENTENCES[0]
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Lift the mask").click()
    first = page.locator(".flow-bars li small").first
    best = softmax(forward(*model(), read(sentence)[1], attend=changed(lifted=True))[-1]).max()
    expect(first).to_have_text(fixed(float(best), 2))
    page.get_by_role("button", name="Lift the mask").click()
    page.get_by_role("slider", name="top-k").fill("2")
    kept = share(sentence, "and") / (share(sentence, "and") + share(sentence, "are"))
    expect(first).to_have_text(fixed(kept, 2))
    expect(page.locator(".flow-bars li small").nth(2)).to_have_text("cut")


@pytest.mark.parametrize("visit", [1280, 820, 390], indirect=True)
def test_it_fits_asks_no_other_host_and_pleases_axe(visit: Visit) -> None:
    page = visit.page
    assert page.evaluate(SHIFT) < 0.05
    for everything in (False, True):
        if everything:
            page.get_by_role("button", name="Show everything").click()
        visit.turn("light")
        assert not page.evaluate(WIDER)
        assert violations(page) == []
        visit.turn("dark")
        assert violations(page, COLORS) == []
    assert (visit.foreign, visit.missing, visit.errors) == ([], [], [])


@pytest.mark.parametrize("visit", [390], indirect=True)
def test_on_a_phone_a_press_is_seen_with_what_it_does(visit: Visit) -> None:
    page = visit.page
    page.locator("#flow-silence").click()
    told = page.locator(".flow-told").bounding_box()
    assert told
    for part in ("#flow-sentence", "#flow-verb", "#flow-silence", ".flow-bars"):
        box = page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= told["y"], part


def test_without_scripts_the_picture_is_whole(scriptless: Page, site: str) -> None:
    scriptless.goto(f"{site}/intro.html")
    for name in ("headline", "heads", "ribbons", "token", "far", "bars"):
        expect(scriptless.locator(f".flow-{name}").first).to_be_visible()
    expect(scriptless.get_by_role("button", name="Silence")).to_be_hidden()
    expect(
        scriptless.locator("main").get_by_role("link", name="Attention", exact=True)
    ).to_be_visible()


def test_no_stage_shows_before_the_last_one_has_come(fresh: Page, site: str) -> None:
    """A phone shows the last stage first, and the ones before it must not jump down for it."""
    whole = (html_folder() / "intro.html").read_text("utf-8")
    begun = whole[: whole.index('<section class="flow-stage" id="flow-stage-5"')]
    fresh.set_viewport_size({"width": 390, "height": 900})
    fresh.route("**/intro.html", lambda route: route.fulfill(body=begun, content_type="text/html"))
    fresh.goto(f"{site}/intro.html")
    expect(fresh.locator(".flow-headline")).to_be_visible()
    for stage in fresh.locator(".flow-stage").all():
        expect(stage).to_be_hidden()
