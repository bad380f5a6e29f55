"""Rows and diagnostics as HTML, as a notebook shows them."""

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
"""So many rows are shown, at most."""


def table(fields: Sequence[Field], rows: Sequence[tuple[Any, ...]], remark: str = "") -> str:
    """Rows under the names of their columns, which show their types when pointed at; the remark stands below."""
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
    # The class by which notebooks know tables of data: they have a style for it, light and dark.
    shown = element("table", element("thead", element("tr", *header)), element("tbody", *body), class_="dataframe")
    return element("div", shown, element("p", text(remark)) if remark else "")


def plain(fields: Sequence[Field], rows: Sequence[tuple[Any, ...]], remark: str = "") -> str:
    """The same as text, for the terminal."""
    with redirect_stdout(StringIO()) as out:
        TextPrinter("", "").table(0, None, Columns(fields), rows)
    return (out.getvalue() + remark).rstrip("\n")


def problems(diagnostics: Sequence[Diagnostic], source: str | None = None) -> str:
    """Diagnostics as they are in a terminal."""
    return element("pre", text(render_all(diagnostics, source)))
