"""The messages of widgets: from ipywidgets here to the widget manager of the page, and back."""

import json
from collections.abc import Callable
from typing import Any

import comm
from comm.base_comm import BaseComm

Send = Callable[[str], object]


def connect(send: Send) -> None:
    """Let every widget that is made from now on speak through `send`, one JSON text a message."""

    class PageComm(BaseComm):
        def publish_msg(
            self,
            msg_type: str,
            data: Any = None,
            metadata: Any = None,
            buffers: Any = None,
            **keys: Any,
        ) -> None:
            if buffers:
                raise NotImplementedError("a page takes no binary state of widgets")
            message = {"type": msg_type, "comm_id": self.comm_id, "data": data or {}}
            message |= {key: keys[key] for key in ("target_name",) if key in keys}
            send(json.dumps(message, default=str))

    comm.create_comm = PageComm


def receive(comm_id: str, text: str) -> None:
    """Hand the data of a message from the page to its widget, if that is still there."""
    if (found := comm.get_comm_manager().get_comm(comm_id)) is not None:
        content = {"comm_id": comm_id, "data": json.loads(text)}
        found.handle_msg({"content": content, "buffers": [], "metadata": {}})
