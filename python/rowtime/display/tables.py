"""Formats rows and diagnostics as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from rowtime.display.printers import Columns, TextPrinter
from rowtime.errors import Diagnostic, render_all
from rowtime.explain.markup import element, text
from rowtime.plan.parts import Field

SHOWN = 50
"""The largest number of rows that are shown."""


def table(fields: Sequence[Field], rows: Sequence[tuple[Any, ...]], remark: str = "") -> str:
    """Returns rows as an HTML table with column names, which show their types as tooltips, and the remark below it."""
    columns = Columns(fields)
    sides = ["text-align: right" if sql.is_numeric else "text-align: left" for sql in columns.types]
    header = [
        element("th", text(name), style=side, title=field.type)
        for name, side, field in zip(columns.names, sides, fields, strict=True)
    ]
    body = [
        element(
            "tr",
            *(element("td", text(cell), style=side) for cell, side in zip(columns.texts(row), sides, strict=True)),
        )
        for row in rows
    ]
    # The class by which notebooks recognise tables of data: they have a style for it, light and dark.
    shown = element("table", element("thead", element("tr", *header)), element("tbody", *body), class_="dataframe")
    return element("div", shown, element("p", text(remark)) if remark else "")


def plain(fields: Sequence[Field], rows: Sequence[tuple[Any, ...]], remark: str = "") -> str:
    """Returns the same table as text, for the terminal."""
    with redirect_stdout(StringIO()) as out:
        TextPrinter("", "").table(0, None, Columns(fields), rows)
    return (out.getvalue() + remark).rstrip("\n")


def problems(diagnostics: Sequence[Diagnostic], source: str | None = None) -> str:
    """Returns diagnostics as HTML that looks like a terminal's output."""
    return element("pre", text(render_all(diagnostics, source)))
