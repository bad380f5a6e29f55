"""The streaming queries of a script: each holds its rows back until the queries before it have printed theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rowtime.display.printers import Columns
from rowtime.display.values import Row
from rowtime.plan.parts import Field
from rowtime.runtime.query.query import Query

_HELD_BACK = 1000
"""Rows of a query that wait for the end of the step; if there are more, they are printed as they arrive."""

Print = Callable[[int, Columns, list[Row]], None]


@dataclass
class ScriptQuery:
    """A numbered open query, and the sink of its rows. `eager`: rows are printed immediately."""

    number: int
    print: Print
    eager: bool = False
    query: Query | None = None
    count: int = 0
    _columns: Columns | None = None
    _waiting: list[Row] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, fields: Sequence[Field]) -> None:
        self._columns = Columns(fields)

    def write(self, rows: list[Row]) -> None:
        with self._lock:
            self.count += len(rows)
            self._waiting.extend(rows)
            if self.eager or len(self._waiting) > _HELD_BACK:
                self._flush()

    def flush(self) -> None:
        """Prints the waiting rows."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        if rows and self._columns is not None:
            self.print(self.number, self._columns, rows)
