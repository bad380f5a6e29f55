"""Prints the output of a script: JSON lines, text tables or CSV."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TextIO

import msgspec

from rowtime.display.values import Row, as_text, shown_timestamp, writers
from rowtime.errors import Diagnostic, len_cells, render_all
from rowtime.plan.names import names_of
from rowtime.plan.parts import Field
from rowtime.plan.types import parse_type
from rowtime.terminal import printable


class Columns:
    """The columns of a result: their unique names, and how their values are formatted."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.names = names_of(fields)
        self.types = [parse_type(field.type) for field in fields]
        self._writers = writers([field.type for field in fields])

    def json_values(self, row: Row) -> list[Any]:
        """Returns the row's values as JSON values."""
        return [write(value) for write, value in zip(self._writers, row, strict=True)]

    def texts(self, row: Row) -> list[str]:
        """Returns the row's values as cells of a table, safe for a terminal."""
        return [
            printable(shown_timestamp(as_text(value)) if sql.name == "TIMESTAMP" else as_text(value))
            for value, sql in zip(self.json_values(row), self.types, strict=True)
        ]


class Printer(Protocol):
    """Prints the events of a script, in order."""

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[Row]) -> None: ...

    def ended(self, query: int, count: int) -> None:
        """A relational query has returned all its rows."""

    def answer(self, kind: str, columns: Columns, rows: Sequence[Row]) -> None:
        """Prints the rows of SHOW, DESCRIBE or EXPLAIN."""

    def changed(self, message: str) -> None:
        """Prints what a statement did to a stream or a table: `2 rows inserted, 1 rejected`."""

    def rejected(
        self, stream: str, step: int, columns: Columns, row: Row, reason: str, pump: str | None = None
    ) -> None:
        """Prints a row that a stream rejected, with the pump that sent it."""

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None: ...


class _Output:
    """Writes to the current stdout, which a live line may have replaced."""

    @property
    def _out(self) -> TextIO:
        return sys.stdout


class JsonPrinter(_Output):
    """Prints one JSON object per line."""

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[Row]) -> None:
        for row in rows:
            self._line({"query": query, "step": step, "row": _json_object(columns, row)})
        self._out.flush()

    def ended(self, query: int, count: int) -> None:
        pass

    def answer(self, kind: str, columns: Columns, rows: Sequence[Row]) -> None:
        for row in rows:
            self._line({kind.lower(): _json_object(columns, row)})
        self._out.flush()

    def changed(self, message: str) -> None:
        pass

    def rejected(
        self, stream: str, step: int, columns: Columns, row: Row, reason: str, pump: str | None = None
    ) -> None:
        content = {"stream": stream, "step": step, "row": _json_object(columns, row), "reason": reason}
        if pump is not None:
            content["pump"] = pump
        self._line({"rejected": content})
        self._out.flush()

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self._line({diagnostic.severity: diagnostic.to_dict()})
        self._out.flush()

    def _line(self, content: dict[str, Any]) -> None:
        self._out.write(msgspec.json.encode(content).decode() + "\n")


class TextPrinter(_Output):
    """Prints aligned tables, row by row as they arrive; a table starts again after rows of another query."""

    def __init__(self, source: str, file: str | None, color: Callable[[TextIO], bool] | None = None) -> None:
        self.read(source, file)
        self._color = bool(color and color(sys.stderr))
        self._current: object = None
        self._widths: list[int] = []

    def read(self, source: str, file: str | None) -> None:
        """Sets the text to which the positions of later diagnostics refer, and its name."""
        self._source = source
        self._file = file

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[Row]) -> None:
        self.table(query, f"-- query {query}", columns, rows)

    def ended(self, query: int, count: int) -> None:
        self._current = None
        self._print(f"{count} record{'' if count == 1 else 's'} returned.\n")

    def answer(self, kind: str, columns: Columns, rows: Sequence[Row]) -> None:
        if kind == "EXPLAIN":
            for row in rows:
                self._print(printable(str(row[0])))
            self._print("")
        else:
            self.table(object(), None, columns, rows)
            self._print("")
            self._current = None

    def changed(self, message: str) -> None:
        # A table continues below this line. Its rows begin with a blank, so this line does not look like a row.
        self._print(printable(message))
        self._out.flush()

    def rejected(
        self, stream: str, step: int, columns: Columns, row: Row, reason: str, pump: str | None = None
    ) -> None:
        cells = ", ".join(f"{n} {t}" for n, t in zip(columns.names, columns.texts(row), strict=True) if t)
        by = f" (pump {pump})" if pump is not None else ""
        print(printable(f"rejected from {stream}{by}: {reason}: {cells}"), file=sys.stderr)

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self._out.flush()
        print(render_all(diagnostics, self._source, self._file, color=self._color), file=sys.stderr)

    def table(self, key: object, title: str | None, columns: Columns, rows: Sequence[Row]) -> None:
        """Prints rows of the table with this `key`, with a title and the column names wherever it starts (again)."""
        names, cells = [printable(name) for name in columns.names], [columns.texts(row) for row in rows]
        right = [sql.is_numeric for sql in columns.types]
        if key != self._current:
            if self._current is not None:
                self._print("")
            self._current = key
            self._widths = [_least_width(n, sql.name) for n, sql in zip(names, columns.types, strict=True)]
            self._widen(cells)
            if title:
                self._print(title)
            self._print(self._row(names, right))
            self._print("-" + "-+-".join("-" * width for width in self._widths) + "-")
        self._widen(cells)
        for each in cells:
            self._print(self._row(each, right))
        self._out.flush()

    def _widen(self, cells: Sequence[Sequence[str]]) -> None:
        for row in cells:
            self._widths = [max(w, min(len_cells(c), 60)) for w, c in zip(self._widths, row, strict=True)]

    def _row(self, cells: Sequence[str], right: Sequence[bool]) -> str:
        padded = []
        for cell, width, to_right in zip(cells, self._widths, right, strict=True):
            blanks = " " * (width - len_cells(cell))
            padded.append(blanks + cell if to_right else cell + blanks)
        return (" " + " | ".join(padded)).rstrip()

    def _print(self, line: str) -> None:
        self._out.write(line + "\n")


class CsvPrinter(_Output):
    """Prints CSV, with a line of names before the first row of each query, and again after rows of another query."""

    def __init__(self, problems: TextPrinter) -> None:
        self._current: object = None
        self._problems = problems

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[Row]) -> None:
        if query != self._current:
            self._current = query
            self._line(columns.names)
        for row in rows:
            self._line([None if value is None else as_text(value) for value in columns.json_values(row)])
        self._out.flush()

    def ended(self, query: int, count: int) -> None:
        pass

    def answer(self, kind: str, columns: Columns, rows: Sequence[Row]) -> None:
        self.rows(id(columns), 0, columns, rows)

    def _line(self, cells: Sequence[str | None]) -> None:
        """An empty field is NULL, and `""` is empty text, as in the files that foreign streams and tables read."""
        self._out.write(",".join("" if cell is None else _csv_field(cell) for cell in cells) + "\n")

    def changed(self, message: str) -> None:
        pass

    def rejected(
        self, stream: str, step: int, columns: Columns, row: Row, reason: str, pump: str | None = None
    ) -> None:
        self._problems.rejected(stream, step, columns, row, reason, pump)

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self._out.flush()
        self._problems.problems(diagnostics)


def print_objects(columns: Columns, rows: Sequence[Row]) -> None:
    """Prints only the rows, each as a JSON object on a line."""
    for row in rows:
        sys.stdout.write(msgspec.json.encode(_json_object(columns, row)).decode() + "\n")
    sys.stdout.flush()


def _json_object(columns: Columns, row: Row) -> dict[str, Any]:
    return dict(zip(columns.names, columns.json_values(row), strict=True))


def _csv_field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not text or any(each in text for each in ',"\r\n') else text


def _least_width(name: str, type: str) -> int:
    return max(len_cells(name), {"TIMESTAMP": 19, "DATE": 10}.get(type, 0))
