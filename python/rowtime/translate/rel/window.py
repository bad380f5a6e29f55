"""Window: OVER relations, by Spark's own, adjusted to agree with rowtime's operator for streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.calls import WindowCall
from rowtime.plan.functions import FUNCTIONS
from rowtime.plan.nodes import Window
from rowtime.plan.parts import Field, OverWindow, WindowBound
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, column, fn, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.aggregates import AggregateUse, aggregate_expression
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.peers import arrival, order_key, place, placed_frame, places_peers
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(Window)
def translate_window(node: Window, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    names = names_of(node)
    width = len(rows.columns)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    windows = [
        _Relational(window, rows, node.inputs[0].fields, internal(node, f"place{i}"))
        for i, window in enumerate(node.windows)
    ]
    placed = [plain(spark_column(place(w.window, w.fields, rows)), w.place) for w in windows if w.places_peers]
    if placed:
        rows = replace(rows, df=rows.df.select(*(keep(c) for c in rows.df.columns), *placed))
    calls = (window.call(call) for window in windows for call in window.window.calls)
    for value, name in zip(calls, names[width:], strict=True):
        columns.append(plain(spark_column(value), name))
    hidden = [c for c in dict.fromkeys((rows.rowtime, rows.seq)) if c is not None and c not in names]
    index = node.rowtime_index
    rowtime = rows.rowtime if index is None else names[index]
    return replace(
        rows, df=rows.df.select(*columns, *(keep(c) for c in hidden)), columns=names, rowtime=rowtime, order=()
    )


@dataclass(frozen=True)
class _Relational:
    """A window over relational rows, whose columns are `fields`; `place` is the column with the places of peers."""

    window: OverWindow
    rows: Translated
    fields: Sequence[Field]
    place: str

    @property
    def places_peers(self) -> bool:
        return places_peers(self.window, self.rows)

    def call(self, call: WindowCall) -> exp.Expression:
        scope = Scope(self.rows.columns)
        args = [to_expression(a, scope) for a in call.args]
        result = parse_type(call.type)
        if FUNCTIONS[call.function].reads != "FRAME":
            # Spark's names are the same.
            plain_call: exp.Expression = fn(call.function.lower(), *args)
            if call.ignore_nulls:
                plain_call = exp.IgnoreNulls(this=plain_call)
            return cast(self._over(call.function, plain_call), result)
        if call.function == "NTH_VALUE":
            nth = fn("nth_value", *args)
            return cast(self._over(call.function, exp.IgnoreNulls(this=nth) if call.ignore_nulls else nth), result)
        use = AggregateUse(
            function=call.function,
            args=args,
            types=[parse_type(getattr(a, "type", "ANY")) for a in call.args],
            result=result,
            distinct=call.distinct,
            ignore_nulls=call.ignore_nulls,
            sets=True,
            wrap=lambda each: self._over(call.function, each),
        )
        return aggregate_expression(use)

    def _over(self, function: str, call: exp.Expression) -> exp.Expression:
        window, rows = self.window, self.rows
        framed = FUNCTIONS[function].reads == "FRAME"
        placed = framed and self.places_peers
        order: list[exp.Expression] = [exp.Ordered(this=column(self.place))] if placed else self._order()
        if not placed and FUNCTIONS[function].peers != "SAME":
            order += arrival(window, rows, framed)
        if not order and not framed:
            order = [exp.Ordered(this=exp.Null())]  # Spark wants an order for these, SQL takes any
        spec = placed_frame(window, self.fields) if placed else self._frame() if framed else None
        return exp.Window(
            this=call,
            partition_by=[column(rows.columns[i]) for i in window.partition],
            order=exp.Order(expressions=order) if order else None,
            spec=spec,
        )

    def _order(self) -> list[exp.Expression]:
        keys = self.window.order
        return [_ordered_column(self.rows.columns[k.index], k.direction == "DESC", k.nulls == "FIRST") for k in keys]

    def _frame(self) -> exp.Expression | None:
        frame = self.window.frame
        if not self.window.order and not frame.rows:
            return None  # without an order all rows are peers
        kinds = (frame.lower.kind, frame.upper.kind)
        if not frame.rows and self.rows.seq is not None and kinds == ("UNBOUNDED_PRECEDING", "CURRENT_ROW"):
            # up to the row itself: those of its peers that came before it
            return exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
        key = order_key(self.window, self.fields) if self.window.order else None
        start, start_side = _frame_bound(frame.lower, frame.rows, key)
        end, end_side = _frame_bound(frame.upper, frame.rows, key)
        return exp.WindowSpec(
            kind="ROWS" if frame.rows else "RANGE", start=start, start_side=start_side, end=end, end_side=end_side
        )


def _ordered_column(name: str, descending: bool, nulls_first: bool) -> exp.Expression:
    return exp.Ordered(this=column(name), desc=descending, nulls_first=nulls_first)


def _frame_bound(bound: WindowBound, rows: bool, key: SqlType | None) -> tuple[str | exp.Expression, str | None]:
    if bound.kind == "CURRENT_ROW":
        return "CURRENT ROW", None
    if bound.kind.startswith("UNBOUNDED"):
        return "UNBOUNDED", bound.kind.removeprefix("UNBOUNDED_")
    if bound.offset is None or bound.offset.value is None:
        raise error("RT0999", "The plan has a window frame without its size")
    if rows:
        return number(int(bound.offset.value)), bound.kind
    distance = to_expression(bound.offset, Scope(()))
    if key is not None and key.is_numeric:
        distance = cast(distance, key)
    elif key is not None and key.name == "DATE" and parse_type(bound.offset.type).is_day_time:
        # Spark measures distances between dates in days
        distance = number(int(bound.offset.value) // 86_400_000)
    return distance, bound.kind
