"""Statements of clients: prepared, executed, fetched from, closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rowtime.display.values import Row
from rowtime.errors import error
from rowtime.plan.parts import Field
from rowtime.planner import (
    ChangeRows,
    Define,
    Describe,
    Explain,
    Insert,
    Planned,
    PlannedStatement,
    Select,
    Show,
)
from rowtime.runtime.dml.changes import Changed
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.runtime.statements import DESCRIBED, EXPLAINED, shown_columns
from rowtime.serve.cancelling import Cancellation
from rowtime.serve.engine import Engine
from rowtime.serve.pages import MOST_WAITING, FetchedPages, RelationPages, StreamSink
from rowtime.serve.types import describe_type
from rowtime.serve.values import RowEncoder, decode_values, describe_columns
from rowtime.streams.producer import Inserted, Producer
from rowtime.types import times

Answer = dict[str, Any]
_WAIT = 0.25
"""Seconds that a fetch waits for a row of a stream. The client then asks again."""
_NO_INFO = -2
"""JDBC's Statement.SUCCESS_NO_INFO."""


class ServedStatement:
    """A statement of a client. `execute` replaces the previous result."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sql = ""
        self._limit = -1
        self._planned: Planned | None = None
        self._producer: Producer | None = None
        self._result: _StreamResult | _RelationResult | None = None
        self._computing: Cancellation | None = None
        self._lock = threading.RLock()

    def prepare(self, sql: str, limit: int) -> Answer:
        """Plans a statement. Returns its parameters, and the columns of its rows."""
        self._planned = self._engine.plan(sql)
        self._sql, self._limit = sql, limit
        statement = self._planned.statement
        columns = _columns(statement)
        return {
            "query": columns is not None,
            "columns": describe_columns(columns or []),
            "parameters": [describe_type(text) for text in statement.parameters],
        }

    def execute(self, sql: str | None, limit: int, parameters: Sequence[Mapping[str, Any]], first: int) -> Answer:
        """Runs a statement, or the prepared one if `sql` is None. Returns the count of an update, or the first page."""
        with self._lock:
            self._end_result()
            if sql is None:
                return self._execute_prepared(parameters, first)
            return self._run_planned(self._engine.plan(sql), sql, limit, first, None)

    def update(self, sql: str) -> Answer:
        """Runs a statement of a batch. Raises RowtimeError RT0648 if it is a query, before it runs."""
        planned = self._engine.plan(sql)
        if _columns(planned.statement) is not None:
            raise error("RT0648", "A query cannot be in a batch", hint="Use executeQuery()")
        with self._lock:
            self._end_result()
            return self._run_planned(planned, sql, -1, 1, None)

    def batch(self, rows: int, parameters: Sequence[Mapping[str, Any]]) -> Answer:
        """Runs the prepared statement with each row of values. The rows of an INSERT … VALUES are one step."""
        with self._lock:
            self._end_result()
            planned = self._require_prepared()
            if _columns(planned.statement) is not None:
                raise error("RT0648", "A query cannot be in a batch", hint="Use executeQuery()")
            done = self._insert(planned.statement, parameters)
            if done is not None:
                return {"each": 1 if not done.rejected and done.entered == rows else _NO_INFO}
            values = _by_row(parameters, rows)
            for row in values:
                self._run_planned(self._engine.bind(planned, self._sql, row), self._sql, -1, 1, self._sender())
            return {"each": _NO_INFO}

    def fetch(self, offset: int, most: int) -> Answer:
        """Returns the rows of the result from `offset` on; none if none arrives for a moment."""
        result = self._result
        if result is None:
            raise error("RT0641", "The statement has no result", hint="Execute it again")
        return result.page(offset, most)

    def bound(self, offset: int) -> Answer:
        """Returns the bound (ms) of the rows from `offset` on; None if there is none yet."""
        result = self._result
        return {"bound": result.bound(offset) if isinstance(result, _StreamResult) else None}

    def set_bound(self, bound: int, strict: bool) -> Answer:
        """Sets the rowtime bound of the statement's producer. Raises RowtimeError RT0647 if it has none."""
        with self._lock:
            producer = self._own_producer()
            if producer is None:
                raise error(
                    "RT0647",
                    "A rowtime bound can be set on a prepared INSERT EXPEDITED into a stream only",
                    hint="Prepare INSERT EXPEDITED INTO … VALUES (?, …)",
                )
            producer.set_rowtime_bound(bound, strict)
        return {}

    def cancel(self) -> Answer:
        """Ends the running query or computation; its execution raises RowtimeError RT0649."""
        computing = self._computing
        if computing is not None:
            computing.cancel()
        self._end_result()
        return {}

    def close(self) -> None:
        """Ends the running query or computation, and detaches the producer."""
        self.cancel()
        with self._lock:
            self._end_result()
            if self._producer is not None:
                producer, self._producer = self._producer, None
                producer.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _require_prepared(self) -> Planned:
        if self._planned is None:
            raise error("RT0641", "The statement is not prepared", hint="Prepare it again")
        self._planned = self._engine.current(self._planned, self._sql)
        return self._planned

    def _execute_prepared(self, parameters: Sequence[Mapping[str, Any]], first: int) -> Answer:
        planned = self._require_prepared()
        done = self._insert(planned.statement, parameters)
        if done is not None:
            return {"count": done.entered}
        row = _by_row(parameters, 1)[0] if parameters else None
        planned = self._engine.bind(planned, self._sql, row)
        return self._run_planned(planned, self._sql, self._limit, first, self._sender())

    def _insert(self, statement: PlannedStatement, parameters: Sequence[Mapping[str, Any]]) -> Inserted | None:
        """Inserts rows that consist of parameters. Returns None for any other statement."""
        if not isinstance(statement, Insert) or not statement.parameter_rows:
            return None
        values = [decode_values(each["as"], each["values"]) for each in parameters]
        return self._engine.insert_columns(statement, values, self._own_producer())

    def _own_producer(self) -> Producer | None:
        """Returns the producer of an INSERT EXPEDITED into a stream, which is attached until the statement is
        closed."""
        statement = None if self._planned is None else self._planned.statement
        if not isinstance(statement, Insert) or not statement.expedited:
            return None
        if self._producer is not None and self._producer.is_dropped:
            self._producer = None
        if self._producer is None:
            self._producer = self._engine.producer_of(statement.target.name)
        return self._producer

    def _sender(self) -> str | None:
        producer = self._own_producer()
        return None if producer is None else producer.name

    def _run_planned(self, planned: Planned, sql: str, limit: int, first: int, sender: str | None) -> Answer:
        statement = planned.statement
        if isinstance(statement, Select) and statement.streaming:
            sink = StreamSink()
            query = self._engine.run(planned, sql, sink=sink)
            self._result = _StreamResult(query, sink, limit)
            return {"columns": describe_columns(query.fields), **self._result.page(0, first, 0.0)}
        if isinstance(statement, Select | Insert) and not statement.streaming:
            self._computing = self._engine.cancellation()
            try:
                with self._computing.running():
                    return self._compute(planned, sql, limit, first, sender)
            finally:
                self._computing = None
        return self._compute(planned, sql, limit, first, sender)

    def _compute(self, planned: Planned, sql: str, limit: int, first: int, sender: str | None) -> Answer:
        done = self._engine.run(planned, sql, sender)
        if isinstance(done, Query):
            # INSERT … SELECT STREAM runs until the statement is closed.
            self._result = _StreamResult(done, None, limit)
            return {"count": 0}
        if isinstance(done, Relation):
            # Rows beyond the client's limit need not be computed.
            rows = iter(done.head(limit)[0]) if 0 <= limit <= MOST_WAITING else done.spool(MOST_WAITING)
            self._result = _RelationResult(done.fields, rows, limit)
            return {"columns": describe_columns(done.fields), **self._result.page(0, first)}
        if isinstance(done, Inserted):
            return {"count": done.entered}
        return {"count": done.total if isinstance(done, Changed) else 0}

    def _end_result(self) -> None:
        result, self._result = self._result, None
        if result is not None:
            result.close()


class _RelationResult:
    def __init__(self, fields: Sequence[Field], rows: Iterator[Row], limit: int) -> None:
        self._pages = RelationPages(rows)
        self._fetched = FetchedPages(self._pages, limit)
        self._encoder = RowEncoder(fields)
        self._guard = threading.Lock()

    def page(self, offset: int, most: int) -> Answer:
        with self._guard:
            rows, done = self._fetched.page(offset, most, 0.0)
        return {"values": self._encoder.columns(rows), "done": done}

    def close(self) -> None:
        with self._guard:
            self._pages.close()


class _StreamResult:
    """The rows of a streaming query as they arrive. Without a sink they go elsewhere."""

    def __init__(self, query: Query, sink: StreamSink | None, limit: int) -> None:
        self._query = query
        self._sink = sink
        self._fetched = FetchedPages(self, limit)
        self._encoder = RowEncoder(query.fields)
        self._bound: int | None = None
        self._guard = threading.Lock()

    def page(self, offset: int, most: int, seconds: float = _WAIT) -> Answer:
        with self._guard:
            rows, done = self._fetched.page(offset, most, seconds)
        if done:
            self.close()
        return {"values": self._encoder.columns(rows), "done": done}

    def take(self, most: int, seconds: float) -> tuple[list[Row], bool]:
        if self._sink is None:
            return [], True
        # A query that no longer runs has written all its rows.
        ended = not self._query.is_active
        rows = self._sink.take(most, seconds)
        if not rows and ended:
            fault = self._query.exception
            if fault is not None:
                raise fault
            return [], True
        return rows, False

    def bound(self, offset: int) -> int | None:
        """Returns a bound of the rows that the client has not read. While rows of a page are left to read, it is the
        bound before that page."""
        with self._guard:
            if self._sink is not None and offset >= self._fetched.end:
                # Read first: rows emitted up to now are in the sink.
                bound = self._query.rowtime_bound
                if bound is not None and self._sink.is_empty:
                    self._bound = times.to_micros(bound) // 1000
            return self._bound

    def close(self) -> None:
        if self._sink is not None:
            self._sink.close()
        self._query.stop()


def _by_row(parameters: Sequence[Mapping[str, Any]], rows: int) -> list[tuple[Any, ...]]:
    columns = [decode_values(each["as"], each["values"]) for each in parameters]
    return list(zip(*columns, strict=True)) if columns else [()] * rows


def _columns(statement: PlannedStatement) -> list[Field] | None:
    """Returns the columns of the statement's rows; None if it returns none."""
    match statement:
        case Select():
            return list(statement.fields or [])
        case Show():
            return shown_columns(statement.object)
        case Describe():
            return DESCRIBED
        case Explain():
            return EXPLAINED
        case Insert() | ChangeRows() | Define():
            return None
