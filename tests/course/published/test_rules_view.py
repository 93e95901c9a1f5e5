"""The field for rules on the page of the real model: tested, stopped, continued, refused."""

import asyncio

import pytest

from course.published import fetch, model, rules_view
from course.published.from_rules import Twins
from tests.course.published import tiny
from tests.course.published.turns import until


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> model.Published:
    return model.opened(tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf"))


class Fields:
    """The fields of the view by their names."""

    def __init__(self) -> None:
        _, self.rules, press, self.asked, self.bar, self.told, self.result = (
            rules_view.rules_view().children
        )
        self.most, self.test, self.stop = press.children


def test_rules_are_tested_stopped_continued_and_refused(
    small: model.Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Fields()

    async def use() -> None:
        model.opened.cache_clear()
        monkeypatch.setattr(fetch, "is_there", lambda: False)
        view.test.click()
        await until(lambda: "press Load a real model" in view.told.value)
        assert view.result.value == ""
        monkeypatch.setattr(rules_view, "loaded", lambda: small)

        # What is done before Stop stays, and a further press goes on with it.
        view.test.click()
        await until(lambda: "progress" in view.bar.value)
        view.stop.click()
        await until(lambda: "Stopped" in view.told.value)
        assert "V</td>" in view.result.value and view.bar.value == ""
        done = view.result.value
        view.test.click()
        await until(lambda: "Tested: 15 of 15 pairs" in view.told.value)
        assert view.result.value != done and view.result.value.count("<tr") == 4
        assert "<i>is</i> was compared after <i>The " in view.told.value
        assert "</i>, and so was <i>are</i>." in view.told.value
        every = view.result.value

        # Fewer pairs are those that were tested first, and no pair is tested twice.
        monkeypatch.setattr(rules_view, "margins", lambda *_: pytest.fail("computed again"))
        view.most.value = 10
        assert "answer below is old" in view.asked.value
        view.test.click()
        await until(lambda: "Tested: 10 of 15 pairs" in view.told.value)
        assert view.result.value != every and view.asked.value == ""

        # Rules are refused with the sentences of A language of your own, and those of the twins.
        view.rules.value = "S -> the N[k]"
        view.test.click()
        await until(lambda: "line 1, S -&gt; the N[k]: k in N[k] must be" in view.told.value)
        assert view.result.value == "" and 'role="alert"' in view.told.value
        view.rules.value = "S -> the N\nN -> <b>"
        view.test.click()
        await until(lambda: "must have a symbol with a mark" in view.told.value)

    asyncio.run(use())


def test_an_example_is_said_without_markup_of_the_reader() -> None:
    pair = Twins("D N V", "<b>", ("No <b>", "The <b>"), ("ever", ""))
    assert rules_view.said(pair) == (
        "For example, <i>ever</i> was compared after <i>No &lt;b&gt;</i> and after "
        "<i>The &lt;b&gt;</i>."
    )
