"""JupyterLab on a hub: the book is a tile of the launcher, served from the image."""

c = get_config()  # noqa: F821

c.ServerProxy.servers = {
    "book": {
        "command": [
            *("python", "-m", "http.server", "{port}"),
            *("--bind", "127.0.0.1", "--directory", "/srv/book"),
        ],
        "launcher_entry": {"title": "The book"},
    }
}
