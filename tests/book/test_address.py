"""What a book that has an address tells previews, search engines and hosts."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from book.html import address

PLACE = "https://host.example/courses/attention/"
PAGES = {
    "intro": "First\n=====\n\nOne row is :math:`\\sqrt{x}`.\n\nWords come first.\n",
    "inner/second": "Second\n======\n\n- A list of *words*\n",
}
"""Two pages of which the first begins with a formula."""


def build(folder: Path) -> Path:
    """Build a book of two pages with the extension alone; the folder of its pages."""
    source, html = folder / "source", folder / "html"
    for name, text in PAGES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / f"{name}.rst").write_text(f":orphan:\n\n{text}", encoding="utf-8")
    settings = {"extensions": ["book.html.address"], "root_doc": "intro", "html_theme": "basic"}
    with docutils_namespace():
        made = Sphinx(
            source, None, html, folder / "trees", "html", settings, status=None, warningiserror=True
        )
        made.build()
    (html / "index.html").write_text("<head><title>Book</title></head>", encoding="utf-8")
    return html


def tags(page: Path) -> dict[str, str]:
    """What the head of a page says, by name."""
    head = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    metas = {str(tag.get("property", tag.get("name"))): tag for tag in head.find_all("meta")}
    links = {str(tag["rel"][0]): str(tag["href"]) for tag in head.find_all("link")}
    return links | {name: str(tag.get("content")) for name, tag in metas.items()}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of two pages, at its address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(address.VARIABLE, PLACE.rstrip("/"))
        html = build(tmp_path_factory.mktemp("published"))
    address.finish(html, PLACE)
    return html


@pytest.mark.parametrize(
    ("page", "title", "says"),
    [("intro", "First", "Words come first."), ("inner/second", "Second", "A list of words.")],
)
def test_a_page_has_a_preview_of_its_own(published: Path, page: str, title: str, says: str) -> None:
    said = tags(published / f"{page}.html")
    assert said["canonical"] == said["og:url"] == f"{PLACE}{page}.html"
    assert said["og:title"] == title
    assert said["og:description"] == said["description"] == says
    assert said["og:image"] == f"{PLACE}_static/preview.png" and said["og:image:alt"]
    assert said["twitter:card"] == "summary_large_image"
    with Image.open(Path("assets") / said["og:image"].rpartition("/")[2]) as image:
        size = (int(said["og:image:width"]), int(said["og:image:height"]))
        assert (image.size, f"image/{str(image.format).lower()}") == (size, said["og:image:type"])


def test_the_address_itself_has_the_preview_of_the_first_page(published: Path) -> None:
    first, said = tags(published / "intro.html"), tags(published / "index.html")
    assert said == {name: first[name] for name in said} and {"og:image", "twitter:card"} <= {*said}


def test_a_search_engine_finds_each_page_once(published: Path) -> None:
    root = ElementTree.parse(published / "sitemap.xml").getroot()
    assert sorted(str(each.text) for each in root.iter() if each.tag.endswith("loc")) == [
        f"{PLACE}inner/second.html",
        f"{PLACE}intro.html",
    ]
    assert f"Sitemap: {PLACE}sitemap.xml" in (published / "robots.txt").read_text(encoding="utf-8")
    assert (published / ".nojekyll").exists()


def test_the_page_for_what_is_lost_knows_its_path(published: Path) -> None:
    page = BeautifulSoup((published / "404.html").read_text(encoding="utf-8"), "html.parser")
    places = [str(tag.get("href") or tag.get("src") or "") for tag in page.select("[href], [src]")]
    inside = [place for place in places if place and not place.startswith(("http", "#"))]
    assert inside and all(place.startswith("/courses/attention/") for place in inside)
    assert "/courses/attention/intro.html" in places
    assert page.find("link", rel="canonical") is None


def test_without_an_address_nothing_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(address.VARIABLE, raising=False)
    html = build(tmp_path)
    assert not [html / name for name in ("404.html", "sitemap.xml") if (html / name).exists()]
    assert not [name for name in tags(html / "intro.html") if name.startswith(("og:", "canon"))]


@pytest.mark.parametrize(
    "value", ["host.example/path", "ftp://host.example/", "https:///path", "https://host/?a=b"]
)
def test_what_is_no_address_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"BOOK_ADDRESS is .*it must be like https://host/path/"):
        address.read(value)
