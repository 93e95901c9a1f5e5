"""Find the files of an installed package, so that the sandbox sees them and no others."""

import importlib.metadata
import importlib.util
import re
from pathlib import Path


def files_of(names: list[str]) -> dict[str, Path]:
    """Return the files that must be on the path to import these modules and their requirements.

    Raises:
        ValueError: one of `names` is not installed.
    """
    found: dict[str, Path] = {}
    seen: set[str] = set()
    names = [name.partition(".")[0] for name in names]
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if name in names:
                raise ValueError(f"the package {name} is not installed") from None
            continue
        found |= _tops(distribution, name)
        todo += _required(distribution)
    return found


def _tops(distribution: importlib.metadata.Distribution, name: str) -> dict[str, Path]:
    if distribution.files is None:  # some systems keep no list of files
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            return {}
        folder = Path(spec.origin).parent
        return {path.name: path for path in folder.parent.glob(f"{folder.name}*") if path.is_dir()}
    tops = {file.parts[0] for file in distribution.files}
    wanted = [top for top in tops if top not in ("..", "__pycache__") and "-info" not in top]
    return {top: Path(str(distribution.locate_file(top))) for top in sorted(wanted)}


def _required(distribution: importlib.metadata.Distribution) -> list[str]:
    lines = [line for line in distribution.requires or [] if "extra ==" not in line]
    return [match[0] for line in lines if (match := re.match(r"[A-Za-z0-9._-]+", line))]
