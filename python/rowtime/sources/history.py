"""Limited history: whether a stream still holds the rows that a relational query needs.

What a query needs of a stream is read from its conditions on ROWTIME: those that set a lower limit, on ROWTIME itself
or on what a projection or a group made of it. A query without one needs all rows that there have ever been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError, error
from rowtime.plan.nodes import Aggregate, Filter, Join, Node, Project, Scan, SetOp, Sort, Union, Window
from rowtime.plan.rex import Call, Cast, Literal, Ref, Rex
from rowtime.streams import times
from rowtime.streams.log import ROWTIME, LogState
from rowtime.streams.rules import history

Limits = dict[int, int]
"""By the index of a field: no row that matters has an earlier time in it (ms)."""


def held_from(entry: Entry, state: LogState) -> int | None:
    """The ROWTIME (ms) from which on the stream's rows are kept; None if all that ever came are."""
    kept = history(entry)
    if kept is None or state.bound is None or state.first is None or state.first >= state.bound - kept:
        return None
    return state.bound - kept


def check(
    plan: Node,
    entry_of: Callable[[str], Entry | None],
    state_of: Callable[[Entry], LogState],
    has_kept: Callable[[Entry, Scan], bool],
) -> None:
    """Raises RowtimeError RT0520 if the plan needs rows of a stream that are no longer kept. `has_kept` says for
    which scans the query has rows of its own."""
    for scan, needed in scans(plan, {}):
        entry = entry_of(scan.source)
        if scan.mode != "relation" or entry is None or entry.kind != "STREAM" or has_kept(entry, scan):
            continue
        held = held_from(entry, state_of(entry))
        if held is not None and (needed is None or needed < held):
            raise _insufficient(entry, needed, held)


def scans(node: Node, limits: Limits) -> Iterator[tuple[Scan, int | None]]:
    """The scans below a node, each with the earliest ROWTIME (ms) that the query needs of it; None: all."""
    if isinstance(node, Scan):
        index = next((i for i, field in enumerate(node.fields) if field.name == ROWTIME), None)
        yield node, None if index is None else limits.get(index)
    elif isinstance(node, Filter):
        yield from scans(node.inputs[0], _strictest(limits, _of_condition(node.condition)))
    elif isinstance(node, Project):
        below: Limits = {}
        for index, limit in limits.items():
            below = _strictest(below, _through(node.exprs[index], limit))
        yield from scans(node.inputs[0], below)
    elif isinstance(node, Aggregate):
        keys = {node.keys[i]: limit for i, limit in limits.items() if i < len(node.keys)}
        yield from scans(node.inputs[0], keys)
    elif isinstance(node, Join):
        width = len(node.inputs[0].fields)
        yield from scans(node.inputs[0], {i: limit for i, limit in limits.items() if i < width})
        yield from scans(node.inputs[1], {i - width: limit for i, limit in limits.items() if i >= width})
    elif isinstance(node, Union | SetOp):
        for child in node.inputs:
            yield from scans(child, limits)
    elif isinstance(node, Sort) and node.fetch is None and node.offset is None:
        yield from scans(node.inputs[0], limits)
    elif isinstance(node, Window):
        # A frame may look at rows before the limit.
        yield from scans(node.inputs[0], {})
    else:
        for child in node.inputs:
            yield from scans(child, {})


def _of_condition(condition: Rex) -> Limits:
    if not isinstance(condition, Call):
        return {}
    if condition.op == "AND":
        found: Limits = {}
        for each in condition.args:
            found = _strictest(found, _of_condition(each))
        return found
    if condition.op in ("<", "<="):
        literal, value = condition.args
    elif condition.op in (">", ">=", "="):
        value, literal = condition.args
    else:
        return {}
    millis = _millis(literal)
    if millis is None and condition.op == "=":
        millis, value = _millis(value), literal
    return {} if millis is None else _through(value, millis)


def _through(rex: Rex, limit: int) -> Limits:
    """What a lower limit of an expression's value means for the field that it is made of."""
    if isinstance(rex, Ref):
        return {rex.index: limit}
    if isinstance(rex, Cast) and rex.type.startswith("TIMESTAMP"):
        return _through(rex.args[0], limit)
    if isinstance(rex, Call) and rex.op in ("FLOOR", "TUMBLE"):
        # Nothing is earlier than what it falls to.
        return _through(rex.args[0], limit)
    if isinstance(rex, Call) and rex.op in ("DATETIME_PLUS", "DATETIME_MINUS") and isinstance(rex.args[1], Literal):
        shift = rex.args[1]
        if isinstance(shift.value, int) and not any(unit in shift.type for unit in ("MONTH", "YEAR")):
            return _through(rex.args[0], limit - shift.value if rex.op == "DATETIME_PLUS" else limit + shift.value)
    return {}


def _millis(rex: Rex) -> int | None:
    if isinstance(rex, Cast):
        return _millis(rex.args[0]) if rex.type.startswith("TIMESTAMP") else None
    if isinstance(rex, Literal) and rex.type.startswith("TIMESTAMP") and isinstance(rex.value, str):
        return times.parse_millis(rex.value)
    return None


def _strictest(one: Limits, other: Limits) -> Limits:
    return {i: max(one.get(i, other.get(i, 0)), other.get(i, one.get(i, 0))) for i in {*one, *other}}


def _insufficient(entry: Entry, needed: int | None, held: int) -> RowtimeError:
    wanted = "all rows" if needed is None else f"the rows from {times.text(needed)} on"
    return error(
        "RT0520",
        f"The query needs {wanted} of stream '{entry.name}', and its history ('{entry.options['history']}') "
        f"begins at {times.text(held)}",
        hint=f"Add a condition such as ROWTIME >= TIMESTAMP '{times.text(held)}', or keep more history",
    )
