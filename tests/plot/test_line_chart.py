import itertools
import re
import xml.etree.ElementTree as ET

from tests.refusals import refusals
from transformer_lib import plot
from transformer_lib.plot.line_ends import spread


def chart():
    return plot.line_chart(
        [4, 16, 64],
        {"scores": [2.0, 4.0, 8.0], "scaled": [1.0, 1.0, 1.0]},
        xlabel="d_k",
        ylabel="standard deviation",
        title="Growth & <scale>",
        xlog=True,
    )


def test_the_same_chart_is_the_same_text_and_takes_the_color_of_the_page():
    svg = chart().html
    assert svg == chart().html
    assert len(svg) < 16_000
    colors = set(re.findall(r"#[0-9a-fA-F]{6}", svg))
    assert colors == {"#c8246c", "#7d7d00"}
    assert "currentColor" in svg and "<style" not in svg and "<metadata" not in svg


def test_chart_is_one_image_with_a_computed_description():
    root = ET.fromstring(chart().html).find("svg")
    assert root.get("role") == "img"
    assert root.get("aria-label") == (
        "Line chart. Growth & <scale>: standard deviation over d_k from 4 to 64. "
        "scores goes from 2 to 8, lowest 2, highest 8; "
        "scaled stays at 1."
    )
    assert root.get("aria-label") == repr(chart())


def course(heights, **scales):
    shown = plot.line_chart([1, 2, 3], {"line": heights}, xlabel="x", ylabel="y", **scales)
    return repr(shown).split("line ")[-1]


def test_the_words_do_not_depend_on_the_last_bits():
    below = 0.3 - 2**-54
    assert below < 0.3 < 0.1 + 0.2
    assert course([below, 0.1 + 0.2, 0.3]) == "stays at 0.3."
    half = 0.6245
    edges = [half - 2**-52, half, half + 2**-52]
    assert len({course([0.1, edge, 0.2]) for edge in edges}) == 1


def test_what_numbers_leave_that_cancel_is_zero_in_words_but_not_on_a_logarithmic_axis():
    assert course([1.0, -1e-17, 1e-17]) == "goes from 1 to 0, lowest 0, highest 1."
    assert course([1.0, 1e-17, 2e-17], ylog=True).startswith("goes from 1 to 2e−17, lowest 1e−17")


def test_each_point_of_a_short_logarithmic_axis_is_labelled():
    words = ["".join(text.itertext()) for text in ET.fromstring(chart().html).iter("text")]
    assert {"4", "16", "64", "scores", "scaled", "d_k"} <= set(words)


def test_the_numbers_at_the_axes_keep_their_decimals():
    small = plot.line_chart([0, 1, 2], {"small": [0.02, 0.05, 0.08]}, xlabel="x", ylabel="y")
    labels = re.findall(r">(0\.\d+)</text>", small.html)
    assert {"0.02", "0.05", "0.08"} & set(labels)
    paths = "".join(re.findall(r' d="([^"]*)"', small.html))
    assert re.search(r"\d\.\d", paths)
    assert not re.search(r"\d\.\d\d", paths)


def names_at_the_ends(svg):
    """Each name with its place."""
    axes = {"x", "y"}
    texts = {"".join(text.itertext()): text for text in ET.fromstring(svg).iter("text")}
    return {
        word: (float(text.get("x")), float(text.get("y")))
        for word, text in texts.items()
        if word[0].isalpha() and word not in axes
    }


def four_lines(*ends):
    lines = {f"line{i}": [float(i), 0.5, end] for i, end in enumerate(ends)}
    return plot.line_chart([1, 2, 3], lines, xlabel="x", ylabel="y").html


def test_each_line_is_named_beside_its_end():
    places = names_at_the_ends(four_lines(3.0, 2.0, 1.0, 0.0))
    assert [*sorted(places, key=lambda name: places[name][1])] == [f"line{i}" for i in range(4)]
    assert len({x for x, _ in places.values()}) == 1


def test_no_name_stands_over_another_where_lines_end_together():
    heights = sorted(y for _, y in names_at_the_ends(four_lines(1.0, 1.0, 1.0, 1.0)).values())
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 11  # the size of the letters
    assert 0 < heights[0] and heights[-1] < 3.4 * 72


def test_a_line_under_others_is_thicker_than_they_are():
    same = {"one": [1, 2, 3], "two": [1, 2, 3], "three": [1, 2, 3], "four": [3, 2.7, 1]}
    svg = plot.line_chart([1, 2, 3], same, xlabel="x", ylabel="y").html
    widest = dict.fromkeys(["#c8246c", "#7d7d00", "currentColor", "#64809a"], 0.0)
    for style in re.findall(r'<path d="[^"]*" clip-path[^>]*style="([^"]*)"', svg):
        width = float((re.search(r"stroke-width: ([\d.]+)", style) or [0, "1.5"])[1])
        for color in re.findall("#[0-9a-f]{6}|currentColor", style):
            widest[color] = max(widest[color], width)
    assert list(widest.values()) == [6.5, 4.0, 1.5, 1.5]


def test_a_title_stands_outside_of_the_picture_where_it_can_wrap():
    html = chart().html
    assert "<figcaption>Growth &amp; &lt;scale&gt;</figcaption><svg" in html
    assert ">Growth" not in html.split("<svg")[1]


def test_names_at_the_bottom_move_up_and_names_at_the_top_move_down():
    assert spread([1, 0, 2], [10, 10, 10], 100) == [10, 0, 20]
    assert spread([98, 99, 50], [10, 20, 10], 100) == [75, 90, 50]


def test_a_loss_curve_has_every_step_and_the_floor():
    chart = plot.loss_curve([4.0, 2.0, 1.0, 1.0, 0.5], floor=0.25, points=3).html
    assert "loss goes from 3 to 0.5" in chart
    assert "floor stays at 0.25" in chart
    assert "from 2 to 5" in chart


test_what_a_loss_curve_refuses = refusals(
    ("losses must contain at least one step, got none", lambda: plot.loss_curve([])),
    ("points must be an integer of 1 or more", lambda: plot.loss_curve([1.0], points=0)),
)


test_what_a_chart_refuses = refusals(
    ("lines must be", ([1, 2], {})),
    ("a must have 2", ([1, 2], {"a": [1]})),
    ("x must be a vector", ([[1, 2], [1, 2]], {"a": [1, 2]})),
    of=lambda given: plot.line_chart(*given, xlabel="x", ylabel="y"),
)


def left_out(x):
    """The numbers at the axis that a phone leaves out."""
    lines = {"32 heads": [float(i) for i in range(len(x))], "8 heads, window": [1.0] * len(x)}
    svg = plot.line_chart(x, lines, xlabel="x", ylabel="y", xlog=True).html
    return re.findall(r'<g class="tl-between"><text[^>]*>([^<]*)<', svg)


def test_a_phone_leaves_out_every_other_number_where_it_has_no_room_for_all():
    assert left_out([4, 16, 64, 256, 1024]) == []
    assert left_out([1024, 2048, 4096, 8192, 16_384, 32_768]) == ["1024", "4096", "16,380"]


def banded(bands):
    return plot.line_chart(
        [0, 1, 2],
        {"one": [1.0, 2.0, 3.0], "two": [3.0, 2.0, 1.0]},
        xlabel="x",
        ylabel="y",
        bands=bands,
    )


def test_a_band_is_filled_around_its_line_and_is_said():
    made = banded({"two": [0.5, 0.0, 0.25]})
    assert repr(made).endswith("lowest 1, highest 3; the band of two reaches 0.5 at most.")
    filled = re.findall(r'<path d="[^"]*"[^>]*fill: #7d7d00[^>]*opacity: 0.2', made.html)
    assert len(filled) == 1
    assert "opacity: 0.2" not in banded(None).html.replace("stroke-opacity: 0.2", "")


test_what_a_band_refuses = refusals(
    ("bands must be of one, two, got 'three'", {"three": [1, 1, 1]}),
    ("one must have 3 numbers, as many as x, got 2", {"one": [1, 1]}),
    of=banded,
)
