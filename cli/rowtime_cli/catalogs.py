"""Shared by commands that inspect a warehouse: its catalog, and tables on the terminal. None of them starts Spark."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rowtime.terminal import printable

if TYPE_CHECKING:
    from rowtime.catalog.store import Store


def open_store(warehouse: str | None, catalog: str | None, *, read_only: bool = False) -> Store:
    """Returns the warehouse's catalog. Raises RowtimeError RT0601 if there is none."""
    from rowtime.catalog.store import Store

    if not Store.exists(warehouse):
        # A command that only reads must not create a warehouse.
        read_only = True
    return Store(warehouse, read_only=read_only, catalog=catalog)


def print_json(found: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode(), flush=True)


def print_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Prints aligned columns; numbers are right-aligned, None is empty."""
    from rowtime.errors import len_cells

    cells = [[_text(value) for value in row] for row in rows]
    widths = [max(len_cells(text) for text in column) for column in zip(names, *cells, strict=True)]
    right = [any(isinstance(row[i], int | float) for row in rows) for i in range(len(names))]
    for line in [list(names), ["-" * width for width in widths], *cells]:
        padded = [
            " " * (width - len_cells(text)) + text if to_right else text + " " * (width - len_cells(text))
            for text, width, to_right in zip(line, widths, right, strict=True)
        ]
        print("  ".join(padded).rstrip())
    sys.stdout.flush()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.1f}"
    if isinstance(value, int):
        return f"{value:,}"
    return printable(str(value))
