"""What is wider than its box: nothing at 1280 pixels; at 390 it scrolls in its own box."""

import pytest

from tests.browser.visit import DESKTOP, Visit

PHONE = pytest.mark.parametrize(("width", "theme"), [(390, "light")], indirect=True)

BOXES = (
    "div.highlight pre, .cell_output pre, div.math, .pst-scrollable-table-container, .tl-frame, "
    ".tl-box, .tl-row, .tl-panels, .tl-product, .tl-figure, .tl-place"
)
SHOWN = f"""() => [...document.querySelectorAll('main :is({BOXES})')]
  .filter((box) => box.checkVisibility() && box.clientWidth > 0)"""
NAMED = """(box) => [box.className || box.tagName, box.closest('.cell')?.id ?? '',
  box.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60),
  `${box.scrollWidth} in ${box.clientWidth}`].join(' | ')"""
WITH_COUNTS = SHOWN.replace(BOXES, f"{BOXES}, div.tl-ledger")
WIDER = f"""() => ({WITH_COUNTS})()
  .filter((box) => box.scrollWidth > box.clientWidth + 1).map({NAMED})"""
LONGER = """() => [...document.querySelectorAll('main .tl-table caption')]
  .filter((title) => title.checkVisibility() && title.clientHeight
    > MOST * Number.parseFloat(getComputedStyle(title).lineHeight))
  .map((title) => title.textContent)"""
WRAPPED, OF_THREE_LINES = LONGER.replace("MOST", "1.9"), LONGER.replace("MOST", "2.9")
LONELY = """() => [...document.querySelectorAll('main span.math')].filter((math) => {
  const next = math.nextSibling, range = document.createRange();
  if (!/^[.,;:?!]/.test(next?.data ?? '') || !math.checkVisibility()) return false;
  range.setStart(next, 0);
  range.setEnd(next, 1);
  const { bottom } = math.lastElementChild.getBoundingClientRect();
  return range.getBoundingClientRect().top > bottom - 4;
}).map((math) => math.parentElement.textContent)"""
STUCK = f"""() => ({SHOWN})().filter((box) => box.scrollWidth > box.clientWidth + 1)
  .filter((box) => {{
    const around = [box];
    while (around[0].parentElement) around.unshift(around[0].parentElement);
    return !around.some((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX));
  }}).map({NAMED})"""
UNMARKED = f"""() => ({SHOWN})().filter((box) => box.scrollWidth > box.clientWidth + 1)
  .filter((box) => {{
    let around = box;
    while (around && !getComputedStyle(around).backgroundImage.includes('gradient'))
      around = around.parentElement;
    return !around;
  }}).map({NAMED})"""
CUT = f"""() => ({SHOWN})().filter((box) => {{
    const {{ left, right }} = box.getBoundingClientRect();
    return left < -1 || right > document.documentElement.clientWidth + 1;
  }}).map({NAMED})"""

UNHUNG = """() => [...document.querySelectorAll('main .tl-line')].filter((line) => {
  const text = line.textContent, range = document.createRange();
  if (!line.checkVisibility() || !text.trim()) return false;
  range.selectNodeContents(line);
  const rows = [...range.getClientRects()].filter((row) => row.width);
  const [column, letter] = [text.search(/\\S/), rows[0].height / 3];
  const goesOn = rows.filter((row) => row.top > rows[0].bottom - 2);
  return goesOn.some((row) => row.left < rows[0].left + column * letter + letter);
}).map((line) => line.textContent)"""
EMPTY = """() => [...document.querySelectorAll('main .tl-line')].filter((line) => {
  if (!line.checkVisibility() || !line.textContent.trim()) return false;
  const range = document.createRange(), texts = document.createTreeWalker(line, 4); // SHOW_TEXT
  let text = texts.nextNode();
  while (!text.data.trim()) text = texts.nextNode();
  range.setStart(text, text.data.search(/\\S/));
  range.setEnd(text, text.data.search(/\\S/) + 1);
  return range.getBoundingClientRect().top > line.getBoundingClientRect().top + 10;
}).map((line) => line.textContent)"""
UNMARKED_LINES = """() => [...document.querySelectorAll('main div.highlight pre')].filter((code) =>
  code.textContent.split('\\n').filter((line) => line.length > 40).length
    > code.querySelectorAll('.tl-line').length).map((code) => code.textContent)"""
CODE = f"""() => [...document.querySelectorAll('main :is(div.highlight pre, .cm-scroller)')]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).map({NAMED})"""

LETTERS = 11
"""The smallest letters of a drawing on a phone, in pixels."""
SMALL = f"""() => [...document.querySelectorAll('main svg :is(text, tspan)')].filter((text) => {{
  if (!text.checkVisibility() || !text.textContent.trim()) return false;
  const seen = text.closest('text').getScreenCTM();
  const size = Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(seen.a, seen.b);
  return size < {LETTERS} - 0.05;
}}).map((text) => text.textContent)"""
TOUCHING = """() => [...document.querySelectorAll('main .tl-chart svg')].flatMap((chart) => {
  const texts = [...chart.querySelectorAll('text')]
    .filter((text) => text.checkVisibility() && text.textContent.trim())
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  // Boxes are higher than letters: lines one below the other share three pixels of them.
  return texts.flatMap(([one, a], i) => texts.slice(i + 1).filter(([, b]) =>
    Math.min(a.right, b.right) > Math.max(a.left, b.left) - 2
    && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top) + 4)
    .map(([other]) => `${one} | ${other}`));
})"""
FIELD = 16
"""A phone of Apple enlarges the page at a field with smaller letters."""
FIELDS = f"""() => [...document.querySelectorAll(
    'input:not([type=checkbox], [type=radio], [type=range]), select, textarea, .cm-content')]
  .filter((field) => field.checkVisibility()
    && Number.parseFloat(getComputedStyle(field).fontSize) < {FIELD})
  .map((field) => field.outerHTML.slice(0, 90))"""
ADRIFT = """() => [
  ...document.querySelectorAll('main :is(.pst-scrollable-table-container, .tl-box)'),
].filter((box) => box.checkVisibility()).filter((box) => {
  box.scrollLeft = box.scrollWidth;
  const { left } = box.getBoundingClientRect();
  return [...box.querySelectorAll('tr > :is(th[scope=row], td:empty,'
      + ' table:not([aria-label], [aria-description], .tl-product *) > * > * > *):first-child')]
    .filter((cell) => cell.clientHeight > 1 && cell.closest('table').clientHeight > 1)
    .some((cell) => Math.abs(cell.getBoundingClientRect().left - left) > 4);
}).map((box) => box.textContent.slice(0, 60))"""


@DESKTOP
def test_nothing_is_wider_than_its_box(visit: Visit) -> None:
    assert visit.page.evaluate(WIDER) == []


@DESKTOP
def test_the_title_of_a_table_stands_on_one_line(visit: Visit) -> None:
    assert visit.page.evaluate(WRAPPED) == []


def test_no_line_begins_with_what_ends_a_formula(visit: Visit) -> None:
    assert visit.page.evaluate(LONELY) == []


@PHONE
def test_on_a_phone_what_is_wider_scrolls_in_its_box(visit: Visit) -> None:
    assert visit.page.evaluate(STUCK) == []
    assert visit.page.evaluate(CUT) == []
    assert visit.page.evaluate(UNMARKED) == []


@PHONE
def test_on_a_phone_code_goes_on_behind_the_beginning_of_its_line(visit: Visit) -> None:
    assert visit.page.evaluate(CODE) == []
    assert visit.page.evaluate(UNHUNG) == []
    assert visit.page.evaluate(EMPTY) == []
    assert visit.page.evaluate(UNMARKED_LINES) == []


@PHONE
def test_on_a_phone_letters_can_be_read_and_a_wide_table_keeps_its_names(visit: Visit) -> None:
    assert visit.page.evaluate(SMALL) == []
    assert visit.page.evaluate(FIELDS) == []
    assert visit.page.evaluate(ADRIFT) == []
    assert visit.page.evaluate(OF_THREE_LINES) == []


@PHONE
def test_on_a_phone_no_two_words_of_a_chart_touch(visit: Visit) -> None:
    assert visit.page.evaluate(TOUCHING) == []


@pytest.mark.parametrize(("name", "width", "theme"), [("intro", 1280, "light")], indirect=True)
def test_a_box_that_is_too_narrow_is_found(visit: Visit) -> None:
    made = (
        """(html) => document.querySelector('main article').insertAdjacentHTML('beforeend', html)"""
    )
    wide = "<div class='tl-box' id='tl-wide'><div style='width:4000px'>wide</div></div>"
    visit.page.evaluate(made, wide)
    (found,) = visit.page.evaluate(WIDER)
    assert found.startswith("tl-box | ") and "4000 in" in found
    visit.page.evaluate("document.getElementById('tl-wide').style.overflow = 'visible'")
    visit.page.evaluate("document.getElementById('tl-wide').remove()")
