"""Cursors: execute statements and fetch their rows."""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from rowtime.dbapi.errors import InterfaceError, OperationalError, Timeout
from rowtime.dbapi.values import decoder, millis, to_datetime, to_typed_value

_BATCH = 10_000
"""The number of rows of executemany per request, and so per step."""
_PAGE = 1_000


class CursorConnection(Protocol):
    """The part of a connection that a cursor needs."""

    id: str
    is_closed: bool

    def ask(self, what: str, **request: Any) -> dict[str, Any]: ...

    def extension(self, what: str, statement: int, **request: Any) -> dict[str, Any]: ...


class Cursor:
    """Executes statements, and fetches their rows. The rows of a `SELECT STREAM` never end: a fetch waits for more.

    `timeout` is how many seconds a fetch waits for a row (None: no limit) before it raises Timeout.
    """

    def __init__(self, connection: CursorConnection) -> None:
        self.connection = connection
        self.arraysize = 1
        self.timeout: float | None = None
        self.description: list[tuple[Any, ...]] | None = None
        """The columns of the result: name, type code, display size, None, precision, scale, nullable."""
        self.rowcount = -1
        """The number of rows that a statement has changed; -1 for a query."""
        self._statement: int | None = None
        self._prepared: str | None = None
        self._rows: list[Any] = []
        self._next = 0
        self._read = 0
        self._done = True
        self._closed = False
        self._decoders: list[Callable[[Any], Any] | None] = []

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Executes a statement; `?` in it are parameters. Raises ProgrammingError if it is not valid."""
        self._check_open()
        if parameters:
            handle = self._prepare(sql)
            answer = self._ask(
                "execute",
                statementHandle={"connectionId": self.connection.id, "id": handle, "signature": None},
                parameterValues=[to_typed_value(value) for value in parameters],
                maxRowCount=-1,
            )
        else:
            self._forget()
            self._statement = self._ask("createStatement")["statementId"]
            answer = self._ask(
                "prepareAndExecute",
                statementId=self._statement,
                sql=sql,
                maxRowCount=-1,
                maxRowsInFirstFrame=-1,
            )
        self._take(answer["results"][0])
        return self

    def executemany(self, sql: str, rows: Sequence[Sequence[Any]]) -> Cursor:
        """Executes a statement with each row of parameters. An `INSERT … VALUES (?, …)` inserts up to 10,000 rows as
        one step; an INSERT EXPEDITED remains the same producer while the cursor executes the same SQL."""
        self._check_open()
        handle = self._prepare(sql)
        self._take(None)
        counts: list[int] = []
        for begin in range(0, len(rows), _BATCH):
            values = [[to_typed_value(value) for value in row] for row in rows[begin : begin + _BATCH]]
            answer = self._ask("executeBatch", statementId=handle, parameterValues=values)
            counts += answer["updateCounts"]
        self.rowcount = -1 if any(count < 0 for count in counts) else sum(counts)
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        """Returns the next row; None after the last one. Raises Timeout if none arrives in time."""
        return self._take_row() if self._await_row() else None

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """Returns the next `size` rows (default: `arraysize`), or fewer. For a stream, waits for the first row, and
        returns those that are available then."""
        wanted = self.arraysize if size is None else size
        found: list[tuple[Any, ...]] = []
        while len(found) < wanted and (self._await_row() if not found else self._has_row()):
            found.append(self._take_row())
        return found

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Returns all remaining rows. The rows of a stream never end, unless the cursor has a `timeout`: then this
        returns the rows that have arrived when no more arrive in time."""
        found: list[tuple[Any, ...]] = []
        try:
            while self._await_row():
                found.append(self._take_row())
        except Timeout:
            if not found:
                raise
        return found

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while self._await_row():
            yield self._take_row()

    @property
    def rowtime_bound(self) -> dt.datetime | None:
        """Returns a bound of the rows that have not been fetched: none is earlier. None if there is no bound yet."""
        if self._statement is None:
            raise InterfaceError("The cursor has no result")
        bound = self.connection.extension("bound", self._statement, offset=self._read)["bound"]
        return None if bound is None else to_datetime(bound)

    def set_rowtime_bound(self, sql: str, bound: dt.datetime, strict: bool = False) -> None:
        """Promises that no later row of the INSERT EXPEDITED `sql` is earlier than `bound`; with `strict`, nor equal to
        it. Raises DataError if the bound would go back."""
        self._check_open()
        handle = self._prepare(sql)
        self.connection.extension("setBound", handle, bound=millis(bound), strict=strict)

    def cancel(self) -> None:
        """Ends the running query or statement, from another thread; `execute` raises OperationalError (RT0649)
        there."""
        statement = self._statement
        if statement is not None:
            self.connection.extension("cancel", statement)

    def close(self) -> None:
        """Ends the cursor's query, and its producer leaves."""
        if not self._closed:
            self._forget()
            self._closed = True

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Does nothing."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing."""

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OperationalError):
            self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _ask(self, what: str, **request: Any) -> dict[str, Any]:
        return self.connection.ask(what, **request)

    def _check_open(self) -> None:
        if self._closed:
            raise InterfaceError("The cursor is closed")

    def _prepare(self, sql: str) -> int:
        if self._prepared != sql or self._statement is None:
            self._forget()
            statement = self._ask("prepare", sql=sql, maxRowCount=-1)["statement"]
            self._statement, self._prepared = int(statement["id"]), sql
        return self._statement

    def _forget(self) -> None:
        statement, self._statement, self._prepared = self._statement, None, None
        self._take(None)
        if statement is not None and not self.connection.is_closed:
            self._ask("closeStatement", statementId=statement)

    def _take(self, result: dict[str, Any] | None) -> None:
        self._rows, self._next, self._read, self._done = [], 0, 0, True
        self.description, self.rowcount = None, -1
        if result is None:
            return
        if result["updateCount"] != -1:
            self.rowcount = result["updateCount"]
            return
        columns = result["signature"]["columns"]
        self.description = [
            (c["label"], c["type"]["id"], c["displaySize"], None, c["precision"], c["scale"], c["nullable"] != 0)
            for c in columns
        ]
        self._decoders = [decoder(c["type"]) for c in columns]
        self._page(result["firstFrame"])

    def _page(self, frame: dict[str, Any]) -> None:
        self._rows, self._next, self._done = frame["rows"], 0, frame["done"]

    def _has_row(self) -> bool:
        """Returns whether a row is available; asks the server once if there is none here."""
        if self._next >= len(self._rows) and not self._done:
            self._fetch()
        return self._next < len(self._rows)

    def _fetch(self) -> None:
        most = max(_PAGE, self.arraysize)
        self._page(self._ask("fetch", statementId=self._statement, offset=self._read, fetchMaxRowCount=most)["frame"])

    def _await_row(self) -> bool:
        if self.description is None:
            raise InterfaceError("The cursor has no result: the last statement was not a query")
        until = None if self.timeout is None else time.monotonic() + self.timeout
        while self._next >= len(self._rows):
            if self._done:
                return False
            self._fetch()
            if not self._rows and not self._done and until is not None and time.monotonic() >= until:
                raise Timeout("No row has come within the time-out of the cursor", sqlstate="HYT00")
        return True

    def _take_row(self) -> tuple[Any, ...]:
        row = self._rows[self._next]
        self._next += 1
        self._read += 1
        return tuple(
            value if value is None or decode is None else decode(value)
            for value, decode in zip(row, self._decoders, strict=True)
        )
