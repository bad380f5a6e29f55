"""Peers in relational windows over the rows of streams: they follow one another in order of arrival, and CURRENT ROW as
an upper end includes those that arrived before the row.

Spark treats all peers alike. A frame of distances allows no second ORDER BY key, so rows are ordered by a number that
combines both: the key's value, far apart, and the position among the peers.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from sqlglot import exp

from rowtime.plan.parts import Field, OverWindow, WindowBound
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import binary, cast, column, fn, micros, number, text
from rowtime.sparksql.result import Translated

_PLACE = parse_type("DECIMAL(38, 0)")
_APART = 20_000_000_000


def arrival(window: OverWindow, rows: Translated, framed: bool) -> list[exp.Expression]:
    """Returns the order of peers, if rows have an order of arrival, and the frame does not treat all peers alike."""
    lower, upper = window.frame.lower, window.frame.upper
    peers = lower.kind == "CURRENT_ROW" or lower.offset is not None or upper.offset is not None
    distances = framed and not window.frame.rows and peers
    if rows.seq is None or not window.order or distances:
        return []
    keys = {rows.columns[key.index] for key in window.order}
    return [exp.Ordered(this=column(c)) for c in (rows.rowtime, rows.seq) if c is not None and c not in keys]


def places_peers(window: OverWindow, rows: Translated) -> bool:
    """Returns whether peers count one by one in a frame of distances: it matters, and their order of arrival is
    known."""
    return window.places_peers and rows.seq is not None


def order_key(window: OverWindow, fields: Sequence[Field]) -> SqlType:
    """Returns the type of the leading ORDER BY key."""
    return parse_type(fields[window.order[0].index].type)


def place(window: OverWindow, fields: Sequence[Field], rows: Translated) -> exp.Expression:
    """Returns a number that orders rows by the key, and peers by arrival; one unit of the key is `_APART`."""
    key, type_ = column(rows.columns[window.order[0].index]), order_key(window, fields)
    value = binary(exp.Mul, cast(_units(key, type_), _PLACE), cast(number(_APART), _PLACE))
    number_ = exp.Window(
        this=fn("row_number"),
        partition_by=[*(column(rows.columns[i]) for i in window.partition), key.copy()],
        order=exp.Order(expressions=[exp.Ordered(this=column(c)) for c in (rows.rowtime, rows.seq) if c is not None]),
    )
    if window.order[0].direction == "DESC":
        value = exp.Neg(this=value)
    return cast(binary(exp.Add, cast(value, _PLACE), cast(number_, _PLACE)), _PLACE)


def _units(key: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.name == "TIMESTAMP":
        return micros(key)
    if type_.name == "DATE":
        return fn("unix_date", key)
    return binary(exp.Mul, key, number(10 ** (type_.scale or 0)))


def placed_frame(window: OverWindow, fields: Sequence[Field]) -> exp.Expression:
    """Returns the frame over the numbers of `place`."""
    start, start_side = _placed_bound(order_key(window, fields), window.frame.lower, -_APART // 2)
    end, end_side = _placed_bound(order_key(window, fields), window.frame.upper, _APART // 2)
    return exp.WindowSpec(kind="RANGE", start=start, start_side=start_side, end=end, end_side=end_side)


def _placed_bound(key: SqlType, bound: WindowBound, peers: int) -> tuple[str | exp.Expression, str | None]:
    """Returns a bound in these numbers: that of the row itself, or half of a unit further, which includes all peers."""
    if bound.kind.startswith("UNBOUNDED"):
        return "UNBOUNDED", bound.kind.removeprefix("UNBOUNDED_")
    if bound.kind == "CURRENT_ROW" and peers > 0:
        return "CURRENT ROW", None
    away = 0
    if bound.offset is not None:
        away = int(Decimal(str(bound.offset.value)) * _unit(key, bound)) * _APART
    away = (away if bound.kind == "FOLLOWING" else -away) + peers
    return cast(text(str(abs(away))), _PLACE), "FOLLOWING" if away > 0 else "PRECEDING"


def _unit(key: SqlType, bound: WindowBound) -> Decimal:
    """Returns how many units of the key the number 1 in a bound is."""
    if bound.offset is not None and parse_type(bound.offset.type).is_day_time:
        return Decimal(1) / 86_400_000 if key.name == "DATE" else Decimal(1000)
    return Decimal(10 ** (key.scale or 0))
