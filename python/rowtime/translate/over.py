"""OVER on streams: what an operator of rowtime's is told about the windows of a query.

A query's windows stand in the plan as a chain of nodes, each of which reads the columns below the whole chain only. So
those over the same partitions are computed in one pass, whatever their frames.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.nodes import Node, SortKey, Window, WindowBound, WindowCall
from rowtime.plan.rex import Literal, Ref, Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.translate.clock import watermark_at, watermark_past
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.result import Translated
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.sparksql import TIMESTAMP, binary, cast, column, fn, number, spark_column

if TYPE_CHECKING:
    from pyspark.sql import Column

_SPREADS = {"STDDEV": "STDDEV_SAMP", "VARIANCE": "VAR_SAMP"}
_SPREAD_FUNCTIONS = ("STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP")
_NUMBERED = ("LAG", "LEAD", "NTH_VALUE", "NTILE")
"""Functions with a number among their arguments, which is the same for all rows."""
_OWN_TYPE = ("MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "LAG", "LEAD")
"""Functions that give one of the values they are given."""
_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?\Z")


def chain(top: Window) -> list[Window]:
    """The streaming windows that stand one upon the other, lowest first; of a relation's, the node alone."""
    found = [top]
    while found[0].streaming and isinstance(found[0].inputs[0], Window):
        found.insert(0, found[0].inputs[0])
    return found


def over_stream(windows: Sequence[Window], rows: Translated) -> Translated:
    """The rows with a column for each call of the windows, lowest window first."""
    if rows.rowtime is None:
        raise error("RT0900", "not supported yet: OVER on a stream whose rows have no ROWTIME")
    top, results = windows[-1], {}
    passes: dict[tuple[int, ...], list[Window]] = {}
    for window in windows:
        passes.setdefault(tuple(window.partition), []).append(window)
    df = rows.df
    for same in passes.values():
        one = _Pass(same, Translated(df, rows.columns, rows.rowtime, rows.seq, in_order=rows.in_order))
        df = one.run()
        results |= one.results
    named = names_of(top)
    width = len(rows.columns)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, named[:width], strict=True)]
    calls = [(window.id, i) for window in windows for i in range(len(window.calls))]
    columns += [plain(spark_column(results[call]), n) for call, n in zip(calls, named[width:], strict=True)]
    hidden = [keep(c) for c in dict.fromkeys((rows.rowtime, rows.seq)) if c is not None and c not in named]
    index = top.rowtime_index
    return Translated(df.select(*columns, *hidden), named, rows.rowtime if index is None else named[index], rows.seq)


@dataclass
class _Pass:
    """Windows over the same partitions, and what the operator is given for them.

    `results` are expressions over the operator's output, by window and number of the call; `added` are columns that it
    needs beside those of the input."""

    windows: list[Window]
    rows: Translated
    results: dict[tuple[int, int], exp.Expression] = field(default_factory=dict)
    added: dict[str, Column] = field(default_factory=dict)

    def run(self) -> Any:
        from rowtime.sources.over import over

        described = [self._window(window) for window in self.windows]
        first = self.windows[0]
        below = first.inputs[0]
        while isinstance(below, Window):
            below = below.inputs[0]
        assert self.rows.rowtime is not None
        certain = watermark_past(below.clock, column(self.rows.rowtime))
        spec: dict[str, Any] = {
            "partition": [self.rows.columns[i] for i in first.partition],
            "time": self.rows.rowtime,
            "watermark": self._add(first, "certain", cast(certain, TIMESTAMP)),
            "seq": self.rows.seq,
            "disordered": not self.rows.in_order,
            "proves": None if self.rows.in_order else _disorder(below, self.rows),
            "closes": None,
            "windows": described,
        }
        if first.closes is not None:
            closes = watermark_at(below.clock, to_expression(first.closes, Scope(self.rows.columns)))
            spec["closes"] = self._add(first, "closes", cast(closes, TIMESTAMP))
        given = self.rows.df.select(*(keep(c) for c in self.rows.df.columns), *self.added.values())
        return over(given, spec).drop(*self.added)

    def _add(self, window: Window, what: str, value: exp.Expression) -> str:
        name = internal(window, what)
        self.added[name] = plain(spark_column(value), name)
        return name

    def _window(self, window: Window) -> dict[str, Any]:
        calls: list[dict[str, Any]] = []
        for number_, call in enumerate(window.calls):
            self.results[window.id, number_] = self._call(window, number_, call, calls)
        frame = window.frame
        return {
            "order": [self._key(key) for key in window.order],
            "rows": frame.rows,
            "lower": self._bound(window, frame.lower),
            "upper": self._bound(window, frame.upper),
            "calls": calls,
        }

    def _key(self, key: SortKey) -> dict[str, Any]:
        return {
            "column": self.rows.columns[key.index],
            "descending": key.direction == "DESC",
            "nullsFirst": key.nulls == "FIRST",
        }

    def _bound(self, window: Window, bound: WindowBound) -> dict[str, Any]:
        if bound.offset is None:
            return {"kind": bound.kind, "offset": None}
        offset = int(bound.offset.value)
        if not window.frame.rows and parse_type(bound.offset.type).is_day_time:
            offset *= 1000
        return {"kind": bound.kind, "offset": offset}

    def _call(self, window: Window, index: int, call: WindowCall, calls: list[dict[str, Any]]) -> exp.Expression:
        """Adds what the operator computes for a call, and gives the call's value made of it."""
        result = parse_type(call.type)
        function = _SPREADS.get(call.function, call.function).removeprefix("$")
        if function == "AVG":
            return self._average(window, index, call, calls)
        if function in _SPREAD_FUNCTIONS:
            double = parse_type("DOUBLE")
            value = self._compute(window, f"{index}", call, function, double, calls, argument_type=double)
            return cast(value, result)
        if function in ("SUM", "SUM0"):
            value = self._compute(window, f"{index}", call, "SUM", _total(call), calls)
            if function == "SUM0":
                value = fn("coalesce", value, number(0))
            return cast(value, result)
        own = parse_type(getattr(call.args[0], "type", call.type)) if function in _OWN_TYPE else result
        return cast(self._compute(window, f"{index}", call, function, own, calls), result)

    def _average(self, window: Window, index: int, call: WindowCall, calls: list[dict[str, Any]]) -> exp.Expression:
        result = parse_type(call.type)
        total = self._compute(window, f"{index}_sum", call, "SUM", _total(call), calls)
        count = self._compute(window, f"{index}_count", call, "COUNT", parse_type("BIGINT"), calls)
        if result.is_decimal:
            digits = max(result.scale or 0, 6)
            total = cast(total, parse_type(f"DECIMAL({min(38, 22 + digits)}, {digits})"))
        return cast(binary(exp.Div, total, fn("nullif", count, number(0))), result)

    def _compute(
        self,
        window: Window,
        suffix: str,
        call: WindowCall,
        function: str,
        type: SqlType,
        calls: list[dict[str, Any]],
        argument_type: SqlType | None = None,
    ) -> exp.Expression:
        name = internal(window, f"call{suffix}")
        args, constants = self._arguments(window, call, argument_type)
        calls.append(
            {
                "name": name,
                "function": function,
                "args": args,
                "constants": constants,
                "distinct": call.distinct,
                "ignoreNulls": call.ignore_nulls,
                "filter": None,
                "type": type.spark(),
            }
        )
        return column(name)

    def _arguments(self, window: Window, call: WindowCall, type: SqlType | None) -> tuple[list[str], list[Any]]:
        given: list[Rex] = list(call.args)
        constants: list[Any] = []
        if call.function == "LISTAGG" and len(given) > 1:
            separator = given.pop()
            constants = [separator.value if isinstance(separator, Literal) else None]
        if call.function in _NUMBERED:
            place = 0 if call.function == "NTILE" else 1
            if len(given) > place:
                constant = given.pop(place)
                if not isinstance(constant, Literal) or constant.value is None:
                    raise error("RT0900", f"not supported yet: {call.function} whose number is not a constant")
                constants = [int(constant.value)]
            else:
                constants = [1]
        names = [self._argument(window, rex, type) for rex in given]
        if call.function in ("LAG", "LEAD") and len(given) == 2:
            # the default is of the type of the values
            names[1] = self._argument(window, given[1], parse_type(getattr(given[0], "type", call.type)))
        return names, constants

    def _argument(self, window: Window, rex: Rex, type: SqlType | None) -> str:
        if isinstance(rex, Ref) and type is None:
            return self.rows.columns[rex.index]
        value = to_expression(rex, Scope(self.rows.columns))
        if type is not None:
            value = cast(value, type)
        return self._add(window, f"argument{len(self.added)}", value)


def _total(call: WindowCall) -> SqlType:
    """The type in which a sum is exact: BIGINT of integers, the most digits there are of decimals."""
    argument = parse_type(getattr(call.args[0], "type", call.type))
    if argument.is_decimal:
        return parse_type(f"DECIMAL(38, {argument.scale or 0})")
    return parse_type("BIGINT" if argument.is_integer else "DOUBLE")


def _disorder(node: Node, rows: Translated) -> int | None:
    """How far rows of later micro-batches may be behind those that have come, in microseconds: the LATENESS of ROWTIME.
    None where the plan does not say."""
    found = [f.disorder for f, name in zip(node.fields, rows.columns, strict=True) if name == rows.rowtime]
    match = _DURATION.match(found[0]) if found and found[0] else None
    if match is None:
        return None
    hours, minutes, seconds, fraction = match.groups()
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole * 1_000_000 + int((fraction or "").ljust(6, "0")[:6])
