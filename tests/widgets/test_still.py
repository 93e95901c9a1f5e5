"""A widget as it stands: what a page shows while no kernel is there."""

import re

import ipywidgets
import numpy as np
import pytest

from transformer_lib import widgets
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets.box import Box
from transformer_lib.widgets.still import still

Q, K, V = np.eye(2), np.ones((3, 2)), np.zeros((3, 1))


def html_of(box):
    return box._repr_mimebundle_()["text/html"]


def test_a_page_gets_html_and_a_notebook_the_widget():
    shown = widgets.attention_editor(Q, K, V)._repr_mimebundle_()
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} <= shown.keys()


def test_nothing_that_stands_can_be_changed():
    fields = re.findall(r"<(?:input|textarea|select|button d)[^>]*>", html_of(everything()))
    assert len(fields) == 7
    assert all("readonly" in field or "disabled" in field for field in fields)


def test_the_button_is_hidden_until_a_script_can_answer_it():
    (button,) = re.findall(r"<button[^>]*>", html_of(widgets.attention_editor(Q, K, V)))
    assert "tl-start" in button and "hidden" in button


def test_it_is_the_present_state_and_it_is_escaped():
    box = widgets.attention_editor(Q, K, V)
    assert "1 0\n0 1</textarea>" in html_of(box)
    box.children[0].children[0].value = "<2> 3"
    assert "&lt;2&gt; 3</textarea>" in html_of(box)
    assert 'role="alert"' in html_of(box)


def test_what_is_hidden_stays_hidden():
    box = everything()
    assert "seven" in html_of(box)
    box.children[0].children[2].layout.display = "none"
    assert "seven" not in html_of(box)


def test_what_moves_without_a_kernel_stands_there_as_it_is():
    moves = Markup("<p>It moves.</p>", "It moves.", ("<style></style>",))
    html = html_of(Box([ipywidgets.Text(value="typed")], "", note="And more.", before=moves))
    note, _, rest = html.partition("</div>")
    assert "tl-start" in note and "And more." in note and "typed" not in html
    assert rest == "<style></style><p>It moves.</p>"


def test_a_widget_that_cannot_be_drawn_is_named():
    with pytest.raises(ValueError, match=r"widget must be one of .* got IntSlider"):
        still(ipywidgets.VBox([ipywidgets.IntSlider()]))


def everything():
    row = ipywidgets.HBox(
        [
            ipywidgets.Textarea(value="1 2"),
            ipywidgets.Text(value="a"),
            ipywidgets.Dropdown(options=["six", "seven"], value="seven"),
            ipywidgets.BoundedIntText(value=3),
            ipywidgets.BoundedFloatText(value=0.5),
            ipywidgets.FloatText(value=0.5),
            ipywidgets.Button(description="Train"),
        ]
    )
    return Box([row, ipywidgets.HTML("<b>shown</b>")], "everything")
