"""Plans and runs the statements of clients with the planner, the catalog and the runtime of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rowtime.jvm import Planner
from rowtime.planner import Insert, Planned, bindings, plan
from rowtime.runtime.runtime import Runtime
from rowtime.runtime.sinks import Sink
from rowtime.serve.cancelling import Cancellation
from rowtime.serve.no_code import refuse_code
from rowtime.streams.producer import Inserted, Producer

Values = Sequence[Sequence[Any]]
"""Values of parameters: for each parameter, one value per row."""


class Run(Protocol):
    """Runs a planned statement; the rows of a streaming query go to `sink`."""

    def __call__(self, planned: Planned, sql: str, producer: str | None = None, sink: Sink | None = None) -> Any: ...


class Engine:
    """Plans statements with the `planner`, over the catalog of the `runtime`; `run` is `Session.run`. Without `code`,
    statements that name code or local files are refused (RT0635)."""

    def __init__(self, planner: Planner, runtime: Runtime, run: Run, *, code: bool = True) -> None:
        self._code = code
        self._planner = planner
        self._runtime = runtime
        self._store = runtime.store
        self.run = run

    def plan(self, sql: str) -> Planned:
        """Plans a statement."""
        return self._admitted(plan(self._planner, self._store.snapshot(), _statement(sql)))

    def bind(self, prepared: Planned, sql: str, values: Sequence[Any] | None) -> Planned:
        """Plans a `prepared` statement again, with values for its parameters (`?`) if there are any: Python values,
        times in UTC."""
        catalog = self._store.snapshot()
        if values is None or prepared.catalog_version != catalog.version:
            # The catalog may have changed since the statement was prepared, and with it the types of the parameters.
            prepared = self._admitted(plan(self._planner, catalog, _statement(sql)))
        if values is None or not prepared.statement.parameters:
            return prepared
        return plan(self._planner, catalog, _statement(sql), parameters=bindings(prepared.statement, values))

    def current(self, prepared: Planned, sql: str) -> Planned:
        """Plans a `prepared` statement again if the catalog has changed since: its target may have other columns."""
        is_current = prepared.catalog_version == self._store.snapshot().version
        return prepared if is_current else self.plan(sql)

    def insert_columns(self, statement: Insert, values: Values, producer: Producer | None) -> Inserted | None:
        """Inserts rows by column as one step into the target of a planned INSERT; None if only Spark can."""
        return self._runtime.inserts.insert_columns(statement, values, producer)

    def cancellation(self) -> Cancellation:
        """Returns an object that can cancel an execution in this thread."""
        return Cancellation(self._runtime.spark.sparkContext)

    def producer_of(self, target: str) -> Producer | None:
        """Returns a new producer of a named stream; None if the object of that name is not a stream."""
        entry = self._store.get(target)
        return Producer(self._runtime.log(entry)) if entry is not None and entry.kind == "STREAM" else None

    def _admitted(self, planned: Planned) -> Planned:
        if not self._code:
            refuse_code(planned)
        return planned


def _statement(sql: str) -> str:
    return sql.strip().removesuffix(";")
