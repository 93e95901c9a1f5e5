from pathlib import Path

from book import lab


def test_a_learners_copy_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "exercises" / "release" / "one").mkdir(parents=True)
    (tmp_path / "chapters" / "00_first.ipynb").write_text("new")
    (tmp_path / "chapters" / "01_second.ipynb").write_text("new")
    (tmp_path / "exercises" / "release" / "one" / "one.ipynb").write_text("new")
    (tmp_path / "my").mkdir()
    (tmp_path / "my" / "00_first.ipynb").write_text("my own work")
    made = {path.relative_to(tmp_path).as_posix() for path in lab.copy_missing(tmp_path)}
    assert made == {"my/01_second.ipynb", "my/exercises/one/one.ipynb"}
    assert (tmp_path / "my" / "00_first.ipynb").read_text() == "my own work"
    assert lab.copy_missing(tmp_path) == []
