"""Requests to a server over HTTP."""

from __future__ import annotations

import base64
import decimal
import http.client
import json
import ssl
import threading
from collections.abc import Mapping
from typing import Any

from rowtime.dbapi.errors import OperationalError, error_of


class Link:
    """Sends requests, each once. Each thread has a connection of its own."""

    def __init__(
        self, host: str, port: int, user: tuple[str, str] | None, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._host, self._port, self._context, self._timeout = host, port, context, timeout
        self._headers = {"Content-Type": "application/json"}
        if user is not None:
            token = base64.b64encode(":".join(user).encode()).decode()
            self._headers["Authorization"] = f"Basic {token}"
        self._local = threading.local()

    def post(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            link = self._link()
            link.request("POST", path, json.dumps(request).encode(), self._headers)
            response = link.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            raise OperationalError(f"The server at {self._host}:{self._port} does not answer: {fault}") from fault
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

    def _link(self) -> http.client.HTTPConnection:
        link: http.client.HTTPConnection | None = getattr(self._local, "link", None)
        if link is None:
            if self._context is None:
                link = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
            else:
                link = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._context)
            link.connect()
            link.sock.settimeout(None)
            self._local.link = link
        return link
