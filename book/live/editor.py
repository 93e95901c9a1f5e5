"""Make one script of CodeMirror, the editor of a page's cells, and of `book/live/editor.mjs`."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from book import npm
from book.paths import ROOT

ENTRY = "book/live/editor.mjs"
SCRIPT = "editor.js"
# Browsers of 2022 and later, which have what Pyodide needs too.
OPTIONS = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=eof"]


def bundle(packages: list[dict[str, str]], vendor: Path, root: Path = ROOT) -> None:
    """Write the script into assets/vendor, from the packages that `book/assets.toml` lists."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for package in packages:
            install(package, folder)
        shutil.copy(root / ENTRY, folder)
        esbuild = folder / "node_modules/esbuild-wasm/bin/esbuild"
        command = [npm.node(), str(esbuild), Path(ENTRY).name, *OPTIONS]
        output = f"--outfile={(vendor / SCRIPT).resolve()}"
        done = subprocess.run([*command, output], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"esbuild could not bundle {ENTRY}:\n{done.stderr}")


def install(package: dict[str, str], folder: Path) -> None:
    """Fetch one pinned package and unpack it below node_modules."""
    name, version = package["name"], package["version"]
    print(f"Fetching {name} {version}", flush=True)
    place = folder / "node_modules" / name
    place.mkdir(parents=True)
    archive = npm.fetch(name, version, package["integrity"], folder)
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            member.name = member.name.partition("/")[2]  # npm packs all in one folder
            if member.name:
                tar.extract(member, place, filter="data")
    archive.unlink()
