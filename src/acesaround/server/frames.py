"""WebSocket frames: text is handed on as the bytes it came as.

What is no UTF-8 is then refused like any other message that cannot be read. uvicorn itself writes a
traceback for it into the log, a longer one if a closing frame follows at once.
"""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame


class Frames(WebSocketsSansIOProtocol):
    """uvicorn's own protocol, but that it decodes no text."""

    def handle_text(self, event: Frame) -> None:
        """Take in a frame of text as one of bytes."""
        self.handle_bytes(event)
