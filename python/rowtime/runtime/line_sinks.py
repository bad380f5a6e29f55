"""Sinks that write rows as lines: a table on the console, or JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from rowtime.display.printers import Columns, TextPrinter
from rowtime.display.values import Row
from rowtime.plan.nodes import Field


@dataclass(slots=True)
class ConsoleSink:
    """Prints rows as an aligned table on stdout, as they come."""

    title: str = ""
    _columns: Columns | None = field(default=None, init=False)
    _printer: TextPrinter = field(default_factory=lambda: TextPrinter("", ""), init=False)

    def open(self, fields: Sequence[Field]) -> None:
        self._columns = Columns(fields)

    def write(self, rows: list[Row]) -> None:
        assert self._columns is not None
        self._printer.table(self, f"-- {self.title}" if self.title else None, self._columns, rows)


@dataclass(slots=True)
class JsonLinesSink:
    """Appends each row as a JSON object on a line of its own to a file, or to stdout where no `path` is given.

    Timestamps are ISO text in UTC with three digits of fraction and no zone; DECIMAL, DATE, TIME, intervals are text.
    """

    path: str | Path | None = None
    _columns: Columns | None = field(default=None, init=False)

    def open(self, fields: Sequence[Field]) -> None:
        self._columns = Columns(fields)

    def write(self, rows: list[Row]) -> None:
        assert self._columns is not None
        names = self._columns.names
        made = [dict(zip(names, self._columns.written(row), strict=True)) for row in rows]
        lines = b"".join(msgspec.json.encode(row) + b"\n" for row in made)
        if self.path is None:
            sys.stdout.write(lines.decode())
            sys.stdout.flush()
        else:
            with Path(self.path).open("ab") as file:
                file.write(lines)
