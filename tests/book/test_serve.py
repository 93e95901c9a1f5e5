"""What `make serve` says where it cannot serve."""

import socket
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
