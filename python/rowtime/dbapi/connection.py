"""Connections to a server."""

from __future__ import annotations

import contextlib
import ssl
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from rowtime.dbapi import errors
from rowtime.dbapi.cursor import Cursor
from rowtime.dbapi.errors import InterfaceError, NotSupportedError, OperationalError
from rowtime.dbapi.link import Link

_DEFAULT_PORT = 7655
_REPEATABLE = frozenset(("createStatement", "prepare", "fetch", "closeStatement", "closeConnection", "bound", "cancel"))
"""Requests that change no data, and that the server can receive twice: it repeats the latest page of a result, and a
statement that nobody uses is closed with its connection."""


def connect(url: str, *, timeout: float = 60, cafile: str | None = None) -> Connection:
    """Connects to a server: `rowtime://host:port`, `rowtime://user:password@host:port?tls=true`.

    `timeout` is how many seconds the server may take to accept the connection; statements may take as long as they
    need. `cafile` is a PEM file with the certificates that are trusted. Raises OperationalError.
    """
    parts = urlsplit(url)
    try:
        port = parts.port or _DEFAULT_PORT
    except ValueError:
        port = 0
    if parts.scheme != "rowtime" or not parts.hostname or not port:
        raise InterfaceError(f"'{url}' is not the URL of a server; write rowtime://host:port")
    tls = parse_qs(parts.query).get("tls", ["false"])[0].lower() == "true"
    context = ssl.create_default_context(cafile=cafile) if tls else None
    user = None if parts.password is None else (unquote(parts.username or "rowtime"), unquote(parts.password))
    return Connection(Link(parts.hostname, port, user, context, timeout))


class Connection:
    """A connection to a server. Several threads may use it, each with cursors of its own."""

    Warning = errors.Warning
    Error = errors.Error
    InterfaceError = errors.InterfaceError
    DatabaseError = errors.DatabaseError
    DataError = errors.DataError
    OperationalError = errors.OperationalError
    IntegrityError = errors.IntegrityError
    InternalError = errors.InternalError
    ProgrammingError = errors.ProgrammingError
    NotSupportedError = errors.NotSupportedError

    def __init__(self, link: Link) -> None:
        self._link = link
        self.id = str(uuid.uuid4())
        self.is_closed = False
        self.ask("openConnection", info={})

    def cursor(self) -> Cursor:
        """Returns a new cursor."""
        return Cursor(self)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Executes a statement with a new cursor, and returns that."""
        cursor = self.cursor()
        cursor.execute(sql, parameters)
        return cursor

    def commit(self) -> None:
        """Does nothing: each statement is durable when it returns."""

    def rollback(self) -> None:
        """Raises NotSupportedError: there are no transactions."""
        raise NotSupportedError("ROLLBACK is not supported on streams", "RT0330")

    def close(self) -> None:
        """Closes the connection. Its queries end, and its producers leave. Closing twice is harmless."""
        if not self.is_closed:
            try:
                self.ask("closeConnection")
            finally:
                self.is_closed = True
                self._link.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OperationalError):
            self.close()

    def ask(self, what: str, **request: Any) -> dict[str, Any]:
        """Sends a request of Avatica's protocol."""
        if self.is_closed:
            raise InterfaceError("The connection is closed")
        # The handle of the statement already names the connection.
        named = {} if what == "execute" else {"connectionId": self.id}
        return self._link.post("/", {"request": what, **named, **request}, repeatable=what in _REPEATABLE)

    def extension(self, what: str, statement: int, **request: Any) -> dict[str, Any]:
        """Sends a request about a statement that Avatica's protocol does not have."""
        asked = {"do": what, "connection": self.id, "statement": statement, **request}
        return self._link.post("/rowtime", asked, repeatable=what in _REPEATABLE)
