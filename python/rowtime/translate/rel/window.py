"""Window: OVER. In relational queries it is Spark's own; on streams an operator of rowtime's (`translate.over`)."""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.nodes import Window, WindowBound, WindowCall
from rowtime.plan.types import SqlType, parse_type
from rowtime.translate.aggregates import AggregateUse, aggregate_expression
from rowtime.translate.columns import keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.over import chain, over_stream
from rowtime.translate.registry import translates
from rowtime.translate.result import Translated
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.sparksql import cast, column, fn, number, spark_column

# Functions of a row's place in its partition; they take no frame. Spark's names are the same.
_PLACES = ("ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LAG", "LEAD")


@translates(Window, inputs=lambda node: chain(node)[0].inputs)
def translate_window(node: Window, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    if node.streaming:
        return over_stream(chain(node), rows)
    names = names_of(node)
    width = len(rows.columns)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    for call, name in zip(node.calls, names[width:], strict=True):
        columns.append(plain(spark_column(_call(node, call, rows)), name))
    return Translated(rows.df.select(*columns), names)


def _call(node: Window, call: WindowCall, rows: Translated) -> exp.Expression:
    scope = Scope(rows.columns)
    args = [to_expression(a, scope) for a in call.args]
    result = parse_type(call.type)
    if call.function in _PLACES:
        place: exp.Expression = fn(call.function.lower(), *args)
        if call.ignore_nulls:
            place = exp.IgnoreNulls(this=place)
        return cast(_over(node, rows, place, framed=False), result)
    if call.function == "NTH_VALUE":
        nth = fn("nth_value", *args)
        return cast(_over(node, rows, exp.IgnoreNulls(this=nth) if call.ignore_nulls else nth), result)
    use = AggregateUse(
        function=call.function,
        args=args,
        types=[parse_type(getattr(a, "type", "ANY")) for a in call.args],
        result=result,
        distinct=call.distinct,
        ignore_nulls=call.ignore_nulls,
        sets=True,
        wrap=lambda plain_call: _over(node, rows, plain_call),
    )
    return aggregate_expression(use)


def _over(node: Window, rows: Translated, call: exp.Expression, *, framed: bool = True) -> exp.Expression:
    order = [_ordered(rows.columns[k.index], k.direction == "DESC", k.nulls == "FIRST") for k in node.order]
    if not order and not framed:
        order = [exp.Ordered(this=exp.Null())]  # Spark wants an order for these, SQL takes any
    return exp.Window(
        this=call,
        partition_by=[column(rows.columns[i]) for i in node.partition],
        order=exp.Order(expressions=order) if order else None,
        spec=_frame(node) if framed else None,
    )


def _ordered(name: str, descending: bool, nulls_first: bool) -> exp.Expression:
    return exp.Ordered(this=column(name), desc=descending, nulls_first=nulls_first)


def _frame(node: Window) -> exp.Expression | None:
    frame = node.frame
    if not node.order and not frame.rows:
        return None  # without an order all rows are peers
    key = parse_type(node.inputs[0].fields[node.order[0].index].type) if node.order else None
    start, start_side = _bound(frame.lower, frame.rows, key)
    end, end_side = _bound(frame.upper, frame.rows, key)
    return exp.WindowSpec(
        kind="ROWS" if frame.rows else "RANGE", start=start, start_side=start_side, end=end, end_side=end_side
    )


def _bound(bound: WindowBound, rows: bool, key: SqlType | None) -> tuple[str | exp.Expression, str | None]:
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
        # Spark measures between dates in days
        distance = number(int(bound.offset.value) // 86_400_000)
    return distance, bound.kind
