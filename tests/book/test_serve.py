"""What `make serve` says where it cannot serve, and what it serves to nobody."""

import http.client
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from book import serve


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of the built pages."""
    monkeypatch.setattr(serve, "html_folder", lambda: tmp_path)
    return tmp_path


def test_without_a_book_it_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main(["0"]) == 1
    assert "make book" in capsys.readouterr().out


def test_a_port_that_is_taken_is_named(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "index.html").touch()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert serve.main([str(port)]) == 1
    said = capsys.readouterr().out
    assert f"Port {port} cannot be used" in said and "make serve PORT=" in said


@pytest.fixture
def port(book: Path) -> Iterator[int]:
    """Of a server with a page, a folder without one, and a way out of the book."""
    (book / "index.html").write_text("the book", encoding="utf-8")
    (book / "large").write_bytes(bytes(30_000_000))
    (book / "folder").mkdir()
    (book.parent / "secret").write_text("secret", encoding="utf-8")
    (book / "out").symlink_to(book.parent / "secret")
    with serve.served() as address:
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/", "127.0.0.1:{}", 200),
        ("/index.html", "localhost:{}", 200),
        ("/index.html", "[::1]:{}", 200),
        ("/index.html", "127.0.0.1:9", 421),
        ("/index.html", "localhost", 421),
        ("/index.html", "book.example:{}", 421),
        ("/folder/", "127.0.0.1:{}", 404),
        ("/out", "127.0.0.1:{}", 404),
        ("/../secret", "127.0.0.1:{}", 404),
        ("/%00", "127.0.0.1:{}", 404),
    ],
)
def test_only_the_book_is_served_and_only_to_its_own_pages(
    port: int, path: str, host: str, status: int
) -> None:
    asked = http.client.HTTPConnection("127.0.0.1", port)
    asked.request("GET", path, headers={"Host": host.format(port)})
    answer = asked.getresponse()
    text = answer.read()
    assert answer.status == status
    assert (text == b"the book") == (status == 200) and b"secret</a>" not in text


def test_a_download_that_is_dropped_says_nothing(
    port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", port)) as reader:
        reader.sendall(f"GET /large HTTP/1.0\r\nHost: localhost:{port}\r\n\r\n".encode())
        reader.recv(100)
    for thread in threading.enumerate():
        if "process_request" in thread.name:
            thread.join(10)
    assert capsys.readouterr().err == ""
