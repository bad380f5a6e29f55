"""Requests to a server over HTTP."""

from __future__ import annotations

import base64
import decimal
import http.client
import json
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any

from rowtime.dbapi.errors import OperationalError, error_of

IDLE_SECONDS = 15.0
"""A connection that was not used for so long is not used again: the server closes idle ones after 30 seconds."""


class Link:
    """Sends requests. Each thread has a connection of its own, which is opened anew when the server, or something in
    between, has closed it while it was idle. A request that the server may have received is sent once only, unless it
    is `repeatable`."""

    def __init__(
        self, host: str, port: int, user: tuple[str, str] | None, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._host, self._port, self._context, self._timeout = host, port, context, timeout
        self._headers = {"Content-Type": "application/json"}
        if user is not None:
            token = base64.b64encode(":".join(user).encode()).decode()
            self._headers["Authorization"] = f"Basic {token}"
        self._local = threading.local()

    def post(self, path: str, request: Mapping[str, Any], *, repeatable: bool = False) -> dict[str, Any]:
        """Sends a request, and returns the answer. `repeatable`: receiving it twice has the effect of once. Raises
        OperationalError."""
        body = json.dumps(request).encode()
        used = self._is_open()
        try:
            try:
                response, body = self._exchange(path, body)
            except (OSError, http.client.HTTPException):
                # It was closed at the same moment.
                if not (used and repeatable):
                    raise
                self.close()
                response, body = self._exchange(path, body)
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            where = f"The server at {self._host}:{self._port}"
            if not used and isinstance(fault, ConnectionResetError | BrokenPipeError):
                reasons = "it has as many as it accepts, is about to end"
                reasons += ", or expects TLS (tls=true)" if self._context is None else ", or does not expect TLS"
                raise OperationalError(f"{where} has closed the new connection: {reasons}", sqlstate="08004") from fault
            raise OperationalError(f"{where} does not answer: {fault}") from fault
        if response.status not in (200, 500):
            raise OperationalError(body.decode(errors="replace") or f"status {response.status}", sqlstate="08004")
        answer: dict[str, Any] = json.loads(body, parse_float=decimal.Decimal)
        if "errorMessage" in answer or "error" in answer:
            raise error_of(answer)
        return answer

    def close(self) -> None:
        link = getattr(self._local, "link", None)
        if link is not None:
            self._local.link = None
            link.close()

    def _exchange(self, path: str, body: bytes) -> tuple[http.client.HTTPResponse, bytes]:
        link = self._link()
        link.request("POST", path, body, self._headers)
        response = link.getresponse()
        answer = response.read()
        self._local.since = time.monotonic()
        return response, answer

    def _is_open(self) -> bool:
        """Returns whether this thread has a connection that can be used; closes one that cannot."""
        link: http.client.HTTPConnection | None = getattr(self._local, "link", None)
        if link is None:
            return False
        idle = time.monotonic() - self._local.since
        # What can be read before a request is the end of the connection.
        if link.sock is None or idle > IDLE_SECONDS or _is_readable(link.sock):
            self.close()
            return False
        return True

    def _link(self) -> http.client.HTTPConnection:
        link: http.client.HTTPConnection | None = getattr(self._local, "link", None)
        if link is None:
            if self._context is None:
                link = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
            else:
                link = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._context)
            link.connect()
            link.sock.settimeout(None)
            self._local.link, self._local.since = link, time.monotonic()
        return link


def _is_readable(sock: socket.socket) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))
