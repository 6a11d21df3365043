"""A TCP wire between a page and its server, which a test can silence or have refuse streams."""

import socket
import threading
from contextlib import suppress

REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Wire:
    """Forwards connections to a port of this machine. Only what is sent later is silenced or refused."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._dead = threading.Event()
        """New connections get one of their own with each `restore`."""
        self.refuses = False
        """Whether streams are answered with 503."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._streams: set[socket.socket] = set()
        """Pages' ends of connections that carry a stream."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where a page is opened through the wire."""
        return f"http://127.0.0.1:{self.port}/"

    def silence(self) -> None:
        """Nothing gets through any more, and no end is told.

        Connections without a stream end before, as the server ends them when nobody uses them.
        """
        self._dead.set()
        for page, server in zip(self._open[::2], self._open[1::2], strict=True):
            if page not in self._streams:
                end_both(page, server)

    def restore(self) -> None:
        """New connections get through; those of before stay silent."""
        self._dead = threading.Event()

    def close(self) -> None:
        """End all connections."""
        end_both(self._listening, *self._open)
        for each in (self._listening, *self._open):
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                page, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [page, server]
                dead = self._dead
                for start, end in ((page, server), (server, page)):
                    threading.Thread(target=self._forward, args=(start, end, dead), daemon=True).start()

    def _forward(self, start: socket.socket, end: socket.socket, dead: threading.Event) -> None:
        with suppress(OSError):
            while data := start.recv(65536):
                if dead.is_set():
                    continue
                if data.startswith(b"GET /events"):
                    self._streams.add(start)
                if self.refuses and data.startswith(b"GET /events"):
                    start.sendall(REFUSAL)
                    break
                end.sendall(data)
            if dead.is_set():
                return
            end_both(start, end)


def end_both(*ends: socket.socket) -> None:
    """End these, whether they have ended or not."""
    for each in ends:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
