"""GROUP BY HOP as the planner writes it: rows are grouped by pane, and the groups of panes by window.

A pane is a stretch of time between two borders of windows. The two aggregations, with the `hop` between them, are one
thing to do; who can do it at once, finds here what it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rowtime.plan.clock import goes_by_local_time
from rowtime.plan.nodes import Aggregate, AggregateCall, Hop, Node, Project
from rowtime.plan.rex import Call, Literal, Ref, Rex
from rowtime.plan.types import SqlType, parse_type

_PANE = "$pane"
"""What the planner calls the start of a pane. Other groups below a HOP may not begin and end where windows do."""
_MERGED_BY = {"COUNT": "SUM0", "SUM": "SUM", "SUM0": "SUM0", "MIN": "MIN", "MAX": "MAX"}
"""What makes the results of a function over two sets of rows its result over both."""


@dataclass(frozen=True)
class Hops:
    """`windows` groups what `hop` makes of the groups of `panes`."""

    windows: Aggregate
    hop: Hop
    panes: Aggregate
    columns: tuple[int, ...]
    """Which field of `hop` each field of the input of `windows` is."""
    after: int
    """How long after its start a pane closes, on the clock of `input`, in milliseconds."""

    @property
    def input(self) -> Node:
        return self.panes.inputs[0]

    @property
    def pane(self) -> int:
        """The field of `input` with the start of a row's pane."""
        return self.panes.keys[0]

    @property
    def length(self) -> int:
        """How long a pane is, in milliseconds."""
        return math.gcd(self.hop.slide, self.hop.size)

    @property
    def late(self) -> int:
        """How far the clock of `input` is ahead of the starts of panes, in milliseconds."""
        return self.after - self.length

    @property
    def calls(self) -> list[tuple[AggregateCall, AggregateCall]]:
        """The calls of `windows`, each with the one of `panes` whose results it merges."""
        return [
            (call, self.panes.calls[self.columns[call.args[0]] - len(self.panes.keys)]) for call in self.windows.calls
        ]


def hops(node: Node) -> Hops | None:
    """What a streaming GROUP BY HOP is made of, or None where a node is something else, or has a clock that goes by
    calendar units or local times."""
    match node:
        case Aggregate(
            streaming=True,
            session=None,
            sets=None,
            inputs=[Project(exprs=exprs, inputs=[Hop(time=Ref(index=0), inputs=[Aggregate() as panes]) as hop])],
        ):
            columns = tuple(rex.index for rex in exprs if isinstance(rex, Ref))
        case _:
            return None
    if len(columns) < len(exprs) or panes.session is not None or panes.closes is None:
        return None
    if panes.inputs[0].fields[panes.keys[0]].name != _PANE:
        return None
    clock = panes.inputs[0].steps
    if goes_by_local_time(clock) or any(getattr(step, "unit", None) is not None for step in clock):
        return None
    after = _after(panes.closes, panes.keys[0])
    if after is None:
        return None
    found = Hops(node, hop, panes, columns, after)
    return found if _keys_fit(found) and _calls_fit(found) else None


def _keys_fit(found: Hops) -> bool:
    """Whether windows are grouped by all keys of the panes but the pane, and by nothing else but the window."""
    keys, fields = len(found.panes.keys), len(found.panes.fields)
    grouped = {found.columns[key] for key in found.windows.keys}
    return {key for key in grouped if key < fields} == set(range(1, keys))


def _calls_fit(found: Hops) -> bool:
    keys, fields = len(found.panes.keys), len(found.panes.fields)
    for call in found.windows.calls:
        if len(call.args) != 1 or call.distinct or call.filter is not None:
            return False
        if not keys <= found.columns[call.args[0]] < fields:
            return False
    return all(
        len(pane.args) <= 1
        and not pane.distinct
        and call.function == _MERGED_BY.get(pane.function)
        and _is_plain(parse_type(pane.type))
        for call, pane in found.calls
    )


def _is_plain(type: SqlType) -> bool:
    """Whether values are simply less or greater than one another, as those of rows and maps are not."""
    return type.is_numeric or type.is_character or type.is_datetime


def _after(closes: Rex, key: int) -> int | None:
    """How many milliseconds after the value of the key a group closes; None where it is not that simple."""
    if isinstance(closes, Ref):
        return 0 if closes.index == key else None
    if isinstance(closes, Call) and closes.op == "DATETIME_PLUS" and isinstance(closes.args[1], Literal):
        before, interval = _after(closes.args[0], key), closes.args[1]
        if before is not None and parse_type(interval.type).is_day_time and isinstance(interval.value, int):
            return before + interval.value
    return None
