"""GROUP BY HOP on streams: one operator of rowtime's for what the plan says in two aggregations (`plan.hops`).

It keeps each row, or what rows of one pane and group come to, for as long as a window is, instead of a total for each
group and window.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlglot import exp

from rowtime.plan.clock import ClockStep, Shift
from rowtime.plan.hops import Hops
from rowtime.plan.nodes import AggregateCall
from rowtime.plan.types import parse_type
from rowtime.sources.over import described, hop
from rowtime.streams.times import ORIGIN
from rowtime.translate.clock import watermark_past
from rowtime.translate.columns import internal, names_of, plain
from rowtime.translate.disorder import micros_of
from rowtime.translate.result import Translated
from rowtime.translate.sparksql import (
    TIMESTAMP,
    add,
    case,
    cast,
    column,
    fn,
    is_null,
    long,
    number,
    shifted,
    spark_column,
)

_STARTS = "rowtime_start"
"""The operator's column with the start of a window."""


def hop_stream(found: Hops, rows: Translated, *, ordered: bool) -> Translated:
    """The rows of `found.windows`, made of those of `found.input`.

    Windows come out by the watermark alone where rows have to be `ordered` from one micro-batch to the next; else the
    rows of a task tell as well that a window is over.
    """
    node, panes = found.windows, found.panes
    names = names_of(node)
    time, certain = internal(panes, "time"), internal(panes, "certain")
    keys = [internal(panes, f"key{i}") for i in range(1, len(panes.keys))]
    start = column(rows.columns[found.pane])
    reached = watermark_past(found.input.clock, shifted(start, found.late))
    given = [plain(spark_column(start), time), plain(spark_column(cast(reached, TIMESTAMP)), certain)]
    for key, name in zip(panes.keys[1:], keys, strict=True):
        given.append(plain(spark_column(_alike(rows.columns[key], found.input.fields[key].type)), name))
    early = not keys or not ordered
    calls = []
    for i, (call, pane) in enumerate(found.calls):
        argument = internal(panes, f"argument{i}")
        given.append(plain(spark_column(cast(_of_one_row(pane, rows), parse_type(pane.type))), argument))
        name = internal(panes, f"call{i}")
        calls.append(described(name, call.function.removesuffix("0"), [argument], parse_type(pane.type)))
    spec: dict[str, Any] = {
        "partition": keys,
        "time": time,
        "watermark": certain,
        "disordered": not rows.in_order,
        "proves": _proves(found, rows),
        "windows": [{"lower": {"kind": "CURRENT_ROW"}, "upper": {"kind": "CURRENT_ROW"}, "calls": calls}],
        "hop": {
            "slide": found.hop.slide * 1000,
            "size": found.hop.size * 1000,
            "offset": found.hop.offset * 1000,
            "early": early,
            "clock": [_step(step) for step in (Shift(-ORIGIN), *found.input.clock, Shift(-found.late))],
        },
    }
    # A sum of approximate numbers, rounded once and again, would depend on which rows come together.
    combines = not any(pane.function == "SUM" and parse_type(pane.type).is_approximate for pane in panes.calls)
    out = hop(rows.df.select(*given).filter(f"`{time}` IS NOT NULL"), spec, combines=combines)
    columns = [plain(spark_column(_key(found, key, keys)), n) for key, n in zip(node.keys, names, strict=False)]
    results = names[len(node.keys) :]
    columns += [
        plain(spark_column(_result(call, c["name"])), n) for call, c, n in zip(node.calls, calls, results, strict=True)
    ]
    index = node.rowtime_index
    rowtime = None if index is None else names[index]
    mixes = early and bool(keys)
    return Translated(out.select(*columns), names, rowtime, in_order=not mixes, tells=not mixes)


def _alike(name: str, type: str) -> exp.Expression:
    """A key such that equal values are the same bytes: there are two zeros among approximate numbers."""
    value: exp.Expression = column(name)
    if parse_type(type).is_approximate:
        value = cast(add(value, number(0)), parse_type(type))
    return value


def _of_one_row(call: AggregateCall, rows: Translated) -> exp.Expression:
    """What a call gives for a single row."""
    value = column(rows.columns[call.args[0]]) if call.args else None
    one: exp.Expression
    if call.function == "COUNT":
        one = long(1) if value is None else case((is_null(value), long(0)), default=long(1))
    elif value is not None:
        one = value
    if call.filter is None:
        return one
    none = long(0) if call.function == "COUNT" else exp.Null()
    return case((column(rows.columns[call.filter]), one), default=none)


def _key(found: Hops, key: int, keys: list[str]) -> exp.Expression:
    field = found.columns[key] - len(found.panes.fields)
    if field < 0:
        return column(keys[found.columns[key] - 1])
    start = column(_STARTS)
    return start if field == 0 else cast(shifted(start, found.hop.size), TIMESTAMP)


def _result(call: AggregateCall, name: str) -> exp.Expression:
    value: exp.Expression = column(name)
    if call.function == "SUM0":
        value = fn("coalesce", value, long(0))
    return cast(value, parse_type(call.type))


def _proves(found: Hops, rows: Translated) -> int | None:
    """How far panes of later micro-batches may begin before one that has come, in microseconds."""
    disorder = micros_of(found.input.fields[found.pane].disorder)
    if rows.in_order or not rows.tells or disorder is None:
        return None
    pane = found.length * 1000
    return -(-disorder // pane) * pane


def _step(step: ClockStep) -> dict[str, Any]:
    described: dict[str, Any] = msgspec.to_builtins(step)
    return described
