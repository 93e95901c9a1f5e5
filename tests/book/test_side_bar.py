"""The list of pages beside a page of code: made once for all at its depth."""

from typing import Any

from book.html.side_bar import of_depth


def test_pages_at_one_depth_share_a_list_and_others_have_their_own() -> None:
    asked: list[str] = []
    lists: dict[Any, str] = {}

    def listed(page: str, **options: Any) -> str:
        def whole(**options: Any) -> str:
            asked.append(page)
            return f"{'../' * page.count('/')}intro.html {sorted(options)}"

        return of_depth(page, whole, lists)(**options)

    assert (
        listed("_modules/a", depth=1) == listed("_modules/b", depth=1) == "../intro.html ['depth']"
    )
    assert listed("_modules/a/c", depth=1).startswith("../../")
    assert listed("_modules/b", titles=True) != listed("_modules/b", depth=1)
    assert asked == ["_modules/a", "_modules/a/c", "_modules/b"]
