import re

import pytest

from transformer_lib import plot

BOX = re.compile(r'<(a|div) class="tl-part[^>]*grid-column:(\d);grid-row:(\d+)">([^<]+)<')


def boxes(html):
    return [(int(column), int(row), name) for _, column, row, name in BOX.findall(html)]


def test_the_decoder_has_one_sublayer_more_and_the_head():
    names = [name for *_, name in boxes(plot.architecture().html)]
    assert names.count("Add & norm".replace("&", "&amp;")) == 5
    assert names[:4] == ["Embedding", "Positions", "Self-attention", "Add &amp; norm"]
    assert names[-2:] == ["Linear", "Softmax"]


def test_cross_attention_stands_beside_the_memory():
    html = plot.architecture().html
    (row,) = re.findall(r"tl-memory[^>]*grid-area:(\d+)/", html)
    assert (6, int(row), "Cross-attention") in boxes(html)
    assert max(row for column, row, _ in boxes(html) if column == 2) == int(row) - 1


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
def test_no_two_boxes_share_a_place(kind):
    places = [box[:2] for box in boxes(plot.architecture(kind).html)]
    assert len(places) == len(set(places)) >= 8


def test_only_named_boxes_are_links_and_every_one_of_them():
    html = plot.architecture(links={"Add & norm": "09.html?a&b"}).html
    assert re.findall(r'<a [^>]*href="([^"]*)"', html) == ["09.html?a&amp;b"] * 5


@pytest.mark.parametrize("kind, masked", [("encoder", False), ("decoder", True)])
def test_one_stack_alone_has_no_cross_attention(kind, masked):
    text = plot.architecture(kind, layers=3).text
    assert ("Masked" in text) == masked and "Cross" not in text and "3 × (" in text


def test_wrong_kind_and_wrong_link_are_refused():
    with pytest.raises(ValueError, match="kind must be"):
        plot.architecture("both")
    with pytest.raises(ValueError, match=r"links and here must name boxes .* got \['Head'\]"):
        plot.architecture(links={"Head": "x"})
