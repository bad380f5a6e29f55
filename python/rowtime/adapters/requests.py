"""The HTTP server of the webhook. It answers every request, and limits the memory and time that each can use.

Limits: RECORD_BYTES per body, four times that for all bodies together, and those of `httpserver`: 64 KiB of headers, 30
seconds per request, one minute for an idle connection, 64 connections. An invalid request is answered with a status and
a reason, `{"error": …}`.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast

from rowtime import httpserver
from rowtime.httpserver import BoundedHandler, BoundedServer
from rowtime.limits import RECORD_BYTES
from rowtime.numerals import natural

ALL_BODIES = 4 * RECORD_BYTES
ROOM_SECONDS = 5.0
"""How long a body waits until there is room for it."""
_SHORT = 1 << 16
"""Bodies up to this size need no room."""
_SHOWN = 500
_DISCARDED = 16 * RECORD_BYTES
_STOPPING = "The stream is not being read any more; try again later"


class RequestRefused(Exception):
    """A request that is refused, with the status and the reason of the answer."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Server(BoundedServer):
    """Serves requests until `stop`. `posted` takes the path of a POST, its body and its Idempotency-Key, and returns
    the answer; it raises RequestRefused or ValueError for a request that it refuses. `token` is the bearer token that
    requests must carry; None if none is needed. A GET is answered with `identity`. Raises OSError if it cannot
    listen."""

    def __init__(
        self,
        address: tuple[str, int],
        posted: Callable[[str, str, str | None], Mapping[str, Any]],
        token: str | None,
        identity: str,
    ) -> None:
        self.posted, self.identity = posted, identity
        self.expected = None if token is None else f"Bearer {token}".encode()
        self.stopping = False
        self.busy = 0
        self._bodies = 0
        self._room = threading.Condition()
        super().__init__(address, _Handler)

    def begin(self) -> None:
        threading.Thread(target=self.serve_forever, name="rowtime webhook", daemon=True).start()

    def stop(self) -> None:
        """Accepts no more requests, and waits a moment for those that are being answered."""
        self.stopping = True
        end = time.monotonic() + 5
        while self.busy and time.monotonic() < end:
            time.sleep(0.02)
        self.shutdown()
        self.server_close()

    @contextlib.contextmanager
    def room(self, length: int) -> Iterator[bool]:
        """Takes room for a body while the block runs. Returns whether there is some."""
        needed = length if length > _SHORT else 0
        with self._room:
            found = not needed or self._room.wait_for(lambda: self._bodies + needed <= ALL_BODIES, ROOM_SECONDS)
            self._bodies += needed if found else 0
        try:
            yield found
        finally:
            with self._room:
                self._bodies -= needed if found else 0
                self._room.notify_all()

    def working(self, by: int) -> None:
        with self._lock:
            self.busy += by


class _Handler(BoundedHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _of(self) -> Server:
        return cast(Server, self.server)

    def do_GET(self) -> None:
        self._answer(200, {"identity": self._of.identity})

    def do_POST(self) -> None:
        self._of.working(1)
        try:
            self._answer(200, self._receive_post())
        except RequestRefused as fault:
            self._answer(fault.status, {"error": str(fault)})
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except ValueError as fault:
            self._answer(400, {"error": str(fault)})
        except (OSError, sqlite3.Error) as fault:
            self._answer(503, {"error": f"The request cannot be stored: {fault}"})
        except Exception:
            logging.getLogger(__name__).exception("A request failed")
            self._answer(500, {"error": "The request failed; see the log of the worker"})
        finally:
            self._of.working(-1)

    def _receive_post(self) -> Mapping[str, Any]:
        if self.connection in self._of.expired:
            raise self._timeout()
        if self.headers.get("Transfer-Encoding") is not None:
            self.close_connection = True
            raise RequestRefused(411, "Send a Content-Length, and no Transfer-Encoding")
        given = self.headers.get_all("Content-Length", [])
        length = natural(given[0]) if len(given) == 1 else None
        if length is None:
            self.close_connection = True
            raise RequestRefused(411, "Send one Content-Length")
        allowed = self._of.expected is None or hmac.compare_digest(
            self.headers.get("Authorization", "").encode("latin-1", "replace"), self._of.expected
        )
        if length > RECORD_BYTES or not allowed:
            # A client that is still sending would not read the answer.
            self._discard(length)
            if not allowed:
                raise RequestRefused(401, "Authorization: Bearer … is missing or wrong")
            raise RequestRefused(413, f"A request may have {RECORD_BYTES:,} bytes")
        with self._of.room(length) as found:
            if not found:
                self._discard(length)
                raise RequestRefused(503, "The requests that are being read are too large together; try again later")
            return self._receive_body(length)

    def _receive_body(self, length: int) -> Mapping[str, Any]:
        raw = self.rfile.read(length)
        if len(raw) < length:
            raise self._timeout()
        if self._of.stopping:
            self.close_connection = True
            raise RequestRefused(503, _STOPPING)
        try:
            body = raw.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise RequestRefused(400, f"The body is not UTF-8 (byte {fault.start + 1})") from None
        return self._of.posted(self.path, body, self.headers.get("Idempotency-Key"))

    def _timeout(self) -> RequestRefused:
        self.close_connection = True
        return RequestRefused(408, f"The request was not complete within {httpserver.REQUEST_SECONDS:.0f} seconds")

    def _discard(self, length: int) -> None:
        self.close_connection = length > _DISCARDED
        left = min(length, _DISCARDED)
        while left > 0:
            found = len(self.rfile.read(min(left, 1 << 16)))
            left -= found
            if not found:
                self.close_connection = True
                return

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers with JSON if the base class finds an error, such as an unknown method."""
        self.close_connection = True
        # Without a version in its first line, a request would get an answer without headers.
        self.request_version = self.protocol_version
        unknown = code == HTTPStatus.NOT_IMPLEMENTED
        reason = "Only GET and POST are supported" if unknown else message or HTTPStatus(code).phrase
        self._answer(HTTPStatus.METHOD_NOT_ALLOWED if unknown else code, {"error": reason})

    def _answer(self, status: int, answer: Mapping[str, Any]) -> None:
        if "error" in answer:
            answer = {"error": str(answer["error"])[:_SHOWN]}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == HTTPStatus.UNAUTHORIZED:
            self.send_header("WWW-Authenticate", "Bearer")
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            self.send_header("Retry-After", "1")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
