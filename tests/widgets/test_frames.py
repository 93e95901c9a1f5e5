import re

import pytest
from ipywidgets.widgets import widget_link
from ipywidgets.widgets.widget import _instances

from transformer_lib import plot, widgets


def build(**options):
    return widgets.frames(
        lambda a, b: f"<p>{a}{b}</p>", a=[1, 2, 3], b=["x", "y"], caption="Change a.", **options
    )


def links():
    """Every link in the browser, as (source, target)."""
    found = [widget for widget in _instances.values() if type(widget) is widget_link.Link]
    return [(link.source, link.target) for link in found]


def test_every_point_has_its_frame_at_the_index_of_its_sliders():
    box = build(start={"a": 2, "b": 1})
    note, a, b, outer = box.children
    assert (a.index, b.index, outer.selected_index) == (2, 1, 2)
    assert a.options == ("1", "2", "3") and b.readout
    assert [[page.value for page in inner.children] for inner in outer.children] == [
        ["<p>1x</p>", "<p>1y</p>"],
        ["<p>2x</p>", "<p>2y</p>"],
        ["<p>3x</p>", "<p>3y</p>"],
    ]
    assert "Change a." in note.value


def test_each_slider_is_linked_in_the_browser_to_all_its_stacks():
    _, a, b, outer = build().children
    expected = [((a, "index"), (outer, "selected_index"))] + [
        ((b, "index"), (inner, "selected_index")) for inner in outer.children
    ]
    assert all(pair in links() for pair in expected)


def test_frames_share_one_style():
    box = widgets.frames(lambda n: plot.heat_map([[n / 4]]), n=[1, 2, 3])
    note, _, stack = box.children
    assert note.value.count("<style>") == 1
    assert all("<style" not in page.value for page in stack.children)
    assert "0.7500" in stack.children[2].value


def test_text_form_is_stable_and_names_the_sliders():
    shown = build(names={"a": "Divide by"}, labels={"a": ["one", "√2", "√3"]})
    assert repr(shown) == "6 frames: Divide by from one to √3, b from x to y"
    assert shown._repr_mimebundle_()["text/plain"] == repr(shown)
    assert re.search("0x|IPY_MODEL", repr(shown)) is None


def test_what_knows_no_html_is_shown_as_text():
    shown = widgets.frames(lambda a: [a, "<b>"], a=[1])
    assert shown.children[-1].children[0].value == "<pre>[1, &#x27;&lt;b&gt;&#x27;]</pre>"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: widgets.frames(lambda: ""), "at least one parameter"),
        (lambda: widgets.frames(lambda a: "", a=[]), "at least one point"),
        (lambda: widgets.frames(lambda a, b: "", a=range(67), b=range(3)), "at most 200"),
        (lambda: widgets.frames(lambda a: "x" * 20_000, a=range(100)), "1500000"),
        (lambda: build(names={"c": "C"}), "grid's"),
        (lambda: build(labels={"a": ["one"]}), "labels of a must be 3"),
        (lambda: build(start={"a": 3}), "start of a"),
    ],
)
def test_bounds_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
