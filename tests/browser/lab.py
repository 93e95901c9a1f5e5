"""A real JupyterLab on a free port, with its own folder, settings and token."""

import json
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from book import environment
from book.lab import CONFIGURATION

SETTINGS = {
    # Every cell is in the page, also those that are scrolled out of sight.
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
PATIENCE = 300
IN_TIME = """(arg) => Promise.race([
  (%s)(arg),
  new Promise((_, fail) => setTimeout(
    () => fail(new Error("TimeoutError: JupyterLab is late")), %d)),
])"""
MET = """async () => {
  const { sessionContext } = jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  await sessionContext.session.kernel.info;
}"""
"""Waits until the notebook in front has met its kernel; what is run before that may not run."""


def ask(page: Page, script: str, argument: str = "") -> None:
    """Let JupyterLab do something and wait for its end, but not for ever."""
    page.evaluate(IN_TIME % (script, 600_000), argument)


class Lab:
    """Starts JupyterLab in a folder and stops it again."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.token = secrets.token_hex(16)
        self.runtime = home / "runtime"
        self.log = (home / "lab.log").open("a", encoding="utf-8")
        self.process = subprocess.Popen(
            self._command(folder),
            cwd=folder,
            env=environment_of(home),
            stdout=self.log,
            stderr=self.log,
        )
        self.address = self._wait()

    def _command(self, folder: Path) -> list[str]:
        program = Path(sys.executable).with_name("jupyter")
        options = {
            "ServerApp.port": 0,  # a free one, which the server then tells
            "ServerApp.root_dir": folder,
            "IdentityProvider.token": self.token,
            "LabApp.expose_app_in_browser": True,
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        return [str(program), "lab", "--no-browser", "--allow-root", *arguments]

    def _wait(self) -> str:
        """The address of the server, which it writes down as it begins to listen."""
        about = self.runtime / f"jpserver-{self.process.pid}.json"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                address = (
                    f"http://127.0.0.1:{json.loads(about.read_text(encoding='utf-8'))['port']}"
                )
                with urllib.request.urlopen(f"{address}/api?token={self.token}"):
                    return address
            except (OSError, ValueError):
                time.sleep(0.3)
        self.stop()
        raise RuntimeError(
            f"JupyterLab does not answer:\n{Path(self.log.name).read_text(encoding='utf-8')}"
        )

    def url(self, file: str = "") -> str:
        """Where a file of the folder opens, alone and without an earlier layout; or no file."""
        place = f"/tree/{file}" if file else ""
        return f"{self.address}/lab{place}?token={self.token}&reset"

    def end_kernels(self) -> None:
        """Shut down every kernel of this server, so that they do not pile up in memory."""
        for session in self._ask("GET", "/api/sessions"):
            self._ask("DELETE", f"/api/sessions/{session['id']}")

    def _ask(self, method: str, path: str) -> Any:
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.address + path, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or "null")

    def stop(self) -> None:
        """End the server and with it its kernels, which leave when their parent is gone."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def environment_of(home: Path) -> dict[str, str]:
    """Nothing of the user's own Jupyter, and the library of this folder."""
    settings = home / "settings"
    for name, values in SETTINGS.items():
        file = settings / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")
    return {
        **environment.environment(),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_CONFIG_PATH": str(CONFIGURATION),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
