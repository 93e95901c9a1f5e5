"""Frames under sliders: each point has its frame, and the page holds all of them."""

import json
import re

from bs4 import BeautifulSoup

from tests.refusals import refusals
from transformer_lib import plot, widgets


def build(**options):
    return widgets.frames(
        lambda a, b: f"<p>{a}{b}</p>", a=[1, 2, 3], b=["x", "y"], caption="Change a.", **options
    )


def parts_of(shown):
    """The page's own reading: sliders, the frame in sight, and all frames in order."""
    page = BeautifulSoup(shown.html, "html.parser")
    frames = [each.decode_contents() for each in page.select("template")]
    return page.select("input"), page.select_one(".tl-frame").decode_contents(), frames


def says_what_is_wrong_and_recovers(field, page, text, message):
    """Type what is wrong into a field of an editor, and then what stood there before."""
    shown, typed = page.value, field.value
    field.value = text
    assert message in page.value and 'role="alert"' in page.value
    field.value = typed
    assert page.value == shown


def test_the_frame_in_sight_is_that_of_the_sliders_and_the_last_slider_moves_fastest():
    (a, b), seen, frames = parts_of(build(start={"a": 2, "b": 1}))
    assert (a["max"], a["value"], b["max"], b["value"]) == ("2", "2", "1", "1")
    assert json.loads(a["data-stops"]) == ["1", "2", "3"] and b["aria-valuetext"] == "y"
    assert frames == [f"<p>{i}{j}</p>" for i in (1, 2, 3) for j in "xy"]
    assert seen == "<p>3y</p>"
    assert "Change a." in build().html


def test_every_slider_has_its_name():
    page = BeautifulSoup(build(names={"a": "Divide by"}).html, "html.parser")
    assert [label.span.text for label in page.select("label")] == ["Divide by", "b"]
    assert all(label.input and label.output.text for label in page.select("label"))


def test_frames_share_one_style():
    shown = widgets.frames(lambda n: plot.heat_map([[n / 4]]), n=[1, 2, 3])
    assert len(shown.head) == len(set(shown.head)) == 3
    _, _, frames = parts_of(shown)
    assert all("<style" not in frame for frame in frames)
    assert "0.7500" in frames[2]


def test_text_form_is_stable_and_names_the_sliders():
    shown = build(names={"a": "Divide by"}, labels={"a": ["one", "√2", "√3"]})
    assert repr(shown) == "6 frames: Divide by from one to √3, b from x to y"
    assert shown.html == build(names={"a": "Divide by"}, labels={"a": ["one", "√2", "√3"]}).html
    assert re.search("0x|IPY_MODEL", shown.html) is None


def test_what_knows_no_html_is_shown_as_text():
    _, seen, _ = parts_of(widgets.frames(lambda a: [a, "<b>"], a=[1]))
    assert seen == "<pre>[1, '&lt;b&gt;']</pre>"


test_bounds_are_named = refusals(
    ("at least one parameter", lambda: widgets.frames(lambda: "")),
    ("at least one point", lambda: widgets.frames(lambda a: "", a=[])),
    ("at most 200", lambda: widgets.frames(lambda a, b: "", a=range(67), b=range(3))),
    ("1500000", lambda: widgets.frames(lambda a: "x" * 20_000, a=range(100))),
    ("grid's", lambda: build(names={"c": "C"})),
    ("labels of a must be 3", lambda: build(labels={"a": ["one"]})),
    ("start of a", lambda: build(start={"a": 3})),
)
