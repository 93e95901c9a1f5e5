from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The repository, where `_config.yml` is."""


def html_folder(root: Path = ROOT) -> Path:
    """The folder of the built pages."""
    return root / "_build" / "html"
