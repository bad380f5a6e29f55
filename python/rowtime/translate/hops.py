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
from rowtime.sources.over import START, described, group
from rowtime.streams.times import ORIGIN
from rowtime.translate.clock import watermark_past
from rowtime.translate.columns import internal, plain
from rowtime.translate.disorder import micros_of
from rowtime.translate.groups import alike, combining, grouped, of_one_row
from rowtime.translate.result import Translated
from rowtime.translate.sparksql import (
    TIMESTAMP,
    cast,
    column,
    fn,
    long,
    shifted,
    spark_column,
)


def hop_stream(found: Hops, rows: Translated, *, ordered: bool) -> Translated:
    """The rows of `found.windows`, made of those of `found.input`.

    Windows come out by the watermark alone where rows have to be `ordered` from one micro-batch to the next; else the
    rows of a task tell as well that a window is over.
    """
    node, panes = found.windows, found.panes
    time, certain = internal(panes, "time"), internal(panes, "certain")
    keys = [internal(panes, f"key{i}") for i in range(1, len(panes.keys))]
    start = column(rows.columns[found.pane])
    reached = watermark_past(found.input.steps, shifted(start, found.late))
    assert reached is not None, "hops() takes no clock that goes by local times"
    given = [plain(spark_column(start), time), plain(spark_column(cast(reached, TIMESTAMP)), certain)]
    for key, name in zip(panes.keys[1:], keys, strict=True):
        type_ = parse_type(found.input.fields[key].type)
        given.append(plain(spark_column(alike(column(rows.columns[key]), type_)), name))
    early = not keys or not ordered
    calls, combine = [], []
    for i, (call, pane) in enumerate(found.calls):
        argument = internal(panes, f"argument{i}")
        value = column(rows.columns[pane.args[0]]) if pane.args else None
        condition = None if pane.filter is None else column(rows.columns[pane.filter])
        one = of_one_row(pane.function, value, condition)
        given.append(plain(spark_column(cast(one, parse_type(pane.type))), argument))
        name = internal(panes, f"call{i}")
        calls.append(described(name, call.function.removesuffix("0"), [argument], parse_type(pane.type)))
        combine.append(combining(calls[-1], pane.function, value, condition))
    spec: dict[str, Any] = {
        "partition": keys,
        "time": time,
        "watermark": certain,
        "disordered": not rows.in_order,
        "proves": _proves(found, rows),
        "hop": {
            "slide": found.hop.slide * 1000,
            "size": found.hop.size * 1000,
            "offset": found.hop.offset * 1000,
            "early": early,
            "clock": [_step(step) for step in (Shift(-ORIGIN), *found.input.steps, Shift(-found.late))],
        },
    }
    # A sum of approximate numbers, rounded once and again, would depend on which rows come together.
    combines = not any(pane.function == "SUM" and parse_type(pane.type).is_approximate for pane in panes.calls)
    timed = rows.df.select(*given).filter(f"`{time}` IS NOT NULL")
    out = group(timed, spec, calls, combine if combines else ())
    values = [_key(found, key, keys) for key in node.keys]
    values += [_result(call, given_call["name"]) for call, given_call in zip(node.calls, calls, strict=True)]
    return grouped(node, out, values, mixes=early and bool(keys))


def _key(found: Hops, key: int, keys: list[str]) -> exp.Expression:
    field = found.columns[key] - len(found.panes.fields)
    if field < 0:
        return column(keys[found.columns[key] - 1])
    start = column(START)
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
