"""A server that sends lines of text, for connector 'socket'."""

from __future__ import annotations

import socket


class Server:
    """Sends lines to one client after another."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(180)
        self.port = int(self._listener.getsockname()[1])
        self._client: socket.socket | None = None

    def send(self, *lines: str | bytes) -> None:
        if self._client is None:
            self._client, _ = self._listener.accept()
        encoded = [line.encode() if isinstance(line, str) else line for line in lines]
        self._client.sendall(b"".join(line + b"\n" for line in encoded))

    def hang_up(self) -> None:
        """Sends the next lines to the client that connects next."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        self.hang_up()
        self._listener.close()
