"""HTTP servers in Python that limit what clients can use, whoever they are: connections, time, and the size of headers.

A client that sends nothing, sends slowly, or does not read its answer is disconnected. `is_own_name` tells requests for
this server from those of a web page that has given its own name this machine's address.
"""

from __future__ import annotations

import contextlib
import io
import ipaddress
import json
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Iterable
from http.client import LineTooLong
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

CONNECTIONS = 64
REQUEST_SECONDS = 30.0
IDLE_SECONDS = 60.0
HEADER_BYTES = 1 << 16


def is_loopback(address: str) -> bool:
    """Returns whether only this machine can connect to the address."""
    try:
        return address == "localhost" or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def own_names(more: Iterable[str] = ()) -> list[str]:
    """Returns the names of this machine's servers: `more`, and those in $ROWTIME_HOSTS, separated by commas."""
    return [name.strip() for name in (*more, *os.environ.get("ROWTIME_HOSTS", "").split(",")) if name.strip()]


def is_own_name(host: str | None, names: Iterable[str]) -> bool:
    """Returns whether the Host of a request is a loopback name, or one of `names`."""
    name = re.sub(r":\d+$", "", host or "").strip("[]").lower().rstrip(".")
    return is_loopback(name) or name in {each.lower() for each in names}


class BoundedServer(ThreadingHTTPServer):
    """A server with at most CONNECTIONS connections."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BoundedHandler]) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[socket.socket, float] = {}
        self.expired: set[socket.socket] = set()
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            full = len(self._deadlines) >= CONNECTIONS
            if not full:
                self._deadlines[request] = time.monotonic() + IDLE_SECONDS
        if full:
            self._turn_away(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._deadlines.pop(request, None)
            self.expired.discard(request)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Shuts down reading on connections that have exceeded their time. Their threads see the end of the input, and
        answer."""
        now = time.monotonic()
        with self._lock:
            late = [one for one, deadline in self._deadlines.items() if now > deadline and one not in self.expired]
            self.expired.update(late)
        for one in late:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RD)

    def allow(self, connection: socket.socket, seconds: float) -> None:
        """Allows the connection `seconds` for its next part."""
        with self._lock:
            if connection in self._deadlines:
                self._deadlines[connection] = time.monotonic() + seconds

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Does nothing: a client that disconnects is not an error."""
        logging.getLogger(__name__).debug("A connection failed", exc_info=True)

    def _turn_away(self, request: socket.socket) -> None:
        body = json.dumps({"error": f"There are {CONNECTIONS} connections already; try again later"}).encode()
        head = f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        with contextlib.suppress(OSError):
            request.settimeout(1)
            request.sendall(head.encode() + b"Retry-After: 1\r\nConnection: close\r\n\r\n" + body)
        super().shutdown_request(request)


class BoundedHandler(BaseHTTPRequestHandler):
    """Handles the requests of one connection to a BoundedServer."""

    server_version = "rowtime"
    sys_version = ""
    timeout = IDLE_SECONDS

    @property
    def bounded(self) -> BoundedServer:
        return cast(BoundedServer, self.server)

    def parse_request(self) -> bool:
        self.bounded.allow(self.connection, REQUEST_SECONDS)
        whole = self.rfile
        self.rfile = _Headers(whole)
        try:
            return super().parse_request()
        finally:
            self.rfile = whole

    def handle_one_request(self) -> None:
        self.bounded.allow(self.connection, IDLE_SECONDS)
        super().handle_one_request()

    def log_message(self, format: str, *args: Any) -> None:
        """Does nothing: nobody reads the output of a server."""


class _Headers(io.BufferedIOBase):
    """The lines of a request's headers, up to a total number of bytes."""

    def __init__(self, inner: Any) -> None:
        self._inner, self._left = inner, HEADER_BYTES

    def readline(self, limit: int | None = -1, /) -> bytes:
        line: bytes = self._inner.readline(self._left + 1)
        self._left -= len(line)
        if self._left < 0:
            raise LineTooLong("header line")
        return line
