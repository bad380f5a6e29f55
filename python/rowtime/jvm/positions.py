"""The text of a statement as Java gets it, and positions in it. Java counts UTF-16 units in a line, Python and people
count characters; they differ after an emoji."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, Literal

import msgspec

from rowtime.errors import LINE_END, Diagnostic, RowtimeError

Exchange = Literal["calcite", "substrait"]
"""The form of a plan for other programs: one of Calcite's own two, or Substrait's."""

_HALF = re.compile("[\ud800-\udfff]")


def request_of(
    sql: str,
    line: int,
    column: int,
    *,
    exchange: Collection[Exchange] = (),
    parameters: Sequence[msgspec.Struct] | None = None,
) -> str:
    """Returns the planner's request for a statement that begins at this position. `exchange` lists further forms of its
    plan, `parameters` the values of its parameters. Raises RowtimeError RT0002 if the text has half of a surrogate
    pair, which is not a character and does not exist in any encoding."""
    half = None if sql.isascii() else _HALF.search(sql)
    if half is not None:
        before = LINE_END.split(sql[: half.start()])
        at = (column if len(before) == 1 else 1) + len(before[-1])
        raise RowtimeError(
            Diagnostic(
                code="RT0002",
                message=f"Unpaired surrogate U+{ord(half[0]):04X}",
                line=line + len(before) - 1,
                column=at,
                end_line=line + len(before) - 1,
                end_column=at,
            )
        )
    request: dict[str, Any] = {"sql": sql, "line": line, "column": column}
    for form in exchange:
        request[form] = True
    if parameters is not None:
        request["parameters"] = parameters
    return msgspec.json.encode(request).decode()


def in_characters(request: str, reply: str) -> str:
    """Returns the planner's reply with the columns of its diagnostics and of its plan's origins counted in
    characters."""
    if request.isascii() or max(request) <= "\uffff":
        return reply
    asked = msgspec.json.decode(request)
    answer = msgspec.json.decode(reply)
    lines = LINE_END.split(asked["sql"])
    plan = (answer.get("statement") or {}).get("plan")
    for place in chain(answer.get("diagnostics", []), _origins(plan) if plan else ()):
        for line, column in (("line", "column"), ("endLine", "endColumn")):
            if place.get(line) is not None and place.get(column) is not None:
                number = place[line] - asked["line"]
                before = asked["column"] - 1 if number == 0 else 0
                if 0 <= number < len(lines):
                    units = place[column] - 1 - before
                    place[column] = before + 1 + _characters(lines[number], units)
    return msgspec.json.encode(answer).decode()


def _origins(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from node["origin"]
    for child in node["inputs"]:
        yield from _origins(child)


def _characters(line: str, units: int) -> int:
    """Returns how many characters begin in the first `units` UTF-16 units of a line."""
    taken = 0
    for count, character in enumerate(line):
        if taken >= units:
            return count
        taken += 2 if character > "\uffff" else 1
    return len(line) + max(units - taken, 0)
