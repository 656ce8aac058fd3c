"""A TCP proxy between a browser and its server, which can be cut, frozen and restored."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Final

_CHUNK: Final = 65_536


class CuttableProxy:
    """Forwards connections to a local port, unless it is cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._is_open = True
        self._flows = threading.Event()
        self._flows.set()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection; new ones end at once."""
        self._is_open = False
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def freeze(self) -> None:
        """Hold back all data, as if the server's machine slept."""
        self._flows.clear()

    def restore(self) -> None:
        """Forward connections again, and send what was held back."""
        self._is_open = True
        self._flows.set()

    def close(self) -> None:
        """Cut the connections and stop listening."""
        self.cut()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:  # closed
                return
            if not self._is_open:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._port))
            except OSError:  # the server is not there
                near.close()
                continue
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with source:
            with contextlib.suppress(OSError):
                while chunk := source.recv(_CHUNK):
                    self._flows.wait()
                    target.sendall(chunk)
            for end in (source, target):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
