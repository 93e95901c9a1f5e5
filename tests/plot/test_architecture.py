import re

import pytest

from tests.refusals import refusals
from transformer_lib import plot

BOX = re.compile(r'<(a|div) class="tl-part[^>]*grid-column:(\d);grid-row:(\d+)">([^<]+)<')


def boxes(html):
    return [(int(column), int(row), name) for _, column, row, name in BOX.findall(html)]


def test_the_decoder_has_one_sublayer_more_and_the_head():
    names = [name for *_, name in boxes(plot.architecture().html)]
    assert names.count("Add & norm".replace("&", "&amp;")) == 5
    assert names[:4] == ["Embedding", "Positions", "Self-attention", "Add &amp; norm"]
    assert names[-2:] == ["Linear", "Softmax"]


@pytest.mark.parametrize("place", ["post", "pre"])
def test_cross_attention_stands_beside_the_memory(place):
    html = plot.architecture(place=place).html
    (row,) = re.findall(r"tl-memory[^>]*grid-area:(\d+)/", html)
    found = boxes(html)
    assert (6, int(row), "Cross-attention") in found
    assert max(row for column, row, _ in found if column == 2) == int(row) - 1


def test_only_named_boxes_are_links_and_every_one_of_them():
    html = plot.architecture(links={"Add & norm": "09.html?a&b"}).html
    assert re.findall(r'<a [^>]*href="([^"]*)"', html) == ["09.html?a&amp;b"] * 5


@pytest.mark.parametrize("kind, masked", [("encoder", False), ("decoder", True)])
def test_one_stack_alone_has_no_cross_attention(kind, masked):
    text = plot.architecture(kind, layers=3).text
    assert ("Masked" in text) == masked and "Cross" not in text and "3 × (" in text


def test_pre_norm_has_a_norm_before_each_sublayer_a_sum_after_it_and_a_norm_at_the_end():
    drawn = plot.architecture("decoder", place="pre", layers=2)
    assert [name for *_, name in boxes(drawn.html)][2:] == [
        *("Norm", "Masked self-attention", "Add", "Norm", "Feed-forward", "Add"),
        *("Norm", "Linear", "Softmax"),
    ]
    assert "2 × (Norm; Masked self-attention; Add; Norm; Feed-forward; Add);\n  Norm;" in drawn.text


@pytest.mark.parametrize("place, reach", [("pre", 3), ("post", 2)])
def test_a_residual_goes_past_the_norm_that_its_sublayer_reads(place, reach):
    html = plot.architecture("decoder", place=place).html
    rows = re.findall(r'tl-skip"[^>]*grid-area:(\d+)/1/(\d+)/3', html)
    assert [int(end) - int(start) for start, end in rows] == [reach, reach]


def test_a_box_is_lit_only_where_it_is_drawn():
    assert plot.architecture("decoder", place="pre", here="Add").html.count("tl-here") == 2


test_wrong_kind_place_and_link_are_refused = refusals(
    ("kind must be", {"kind": "both"}),
    ("place must be 'pre' or 'post', got 'mid'", {"place": "mid"}),
    (r"links must name boxes .* got \['Head'\]", {"links": {"Head": "x"}}),
    (r"notes must name boxes .* got \['Head'\]", {"notes": {"Head": "tied"}}),
    (
        r"here must name a box of .*, got 'Add & norm'",
        {"kind": "decoder", "place": "pre", "here": "Add & norm"},
    ),
    of=lambda options: plot.architecture(**options),
)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
@pytest.mark.parametrize("place", ["pre", "post"])
@pytest.mark.parametrize("positions, norm", [(False, False), (False, True), (True, True)])
def test_what_stands_between_tokens_and_block(kind, place, positions, norm):
    drawn = plot.architecture(kind, place=place, positions=positions, embedding_norm=norm)
    places = boxes(drawn.html)
    assert len({box[:2] for box in places}) == len(places)
    first = ["Embedding", *["Positions"] * positions, *["Norm"] * norm]
    for column in {column for column, *_ in places}:
        names = [name for at, _, name in sorted(places) if at == column]
        assert names[: len(first)] == first and names.count("Positions") == positions
    assert "; ".join(first) + ";\n" in drawn.text


def test_a_note_stands_in_its_box_and_in_the_text():
    drawn = plot.architecture("decoder", notes={"Feed-forward": "gated", "Cross-attention": "no"})
    assert drawn.html.count("Feed-forward<small>gated</small>") == 1 and "no<" not in drawn.html
    assert "Feed-forward (gated); Add & norm" in drawn.text
