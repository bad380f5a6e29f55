"""OVER on streams: frames in the order of ROWTIME, where peers come in the order in which they arrived."""

from __future__ import annotations

from .aggregates import aggregate
from .expressions import Expressions, floor
from .sources import From, Names
from .text import Expr, Sql, both

_APART = 1000
"""More than the number of rows: in DuckDB the position among peers is a fraction of a millisecond."""


def sliding(names: Names, scope: Expressions, found: From) -> Expr:
    """A call over a window of rows before or around the row."""
    assert found.rowtime is not None and found.id is not None
    chance = scope.chance
    keys = [e.sql for e in scope.names("INTEGER", "VARCHAR", "BOOLEAN") if e.sql != found.id.sql]
    partition = [chance.choice(keys)] if keys and chance.random() < 0.6 else []
    closes = chance.random() < 0.35
    if closes:
        partition.append(floor(found.rowtime.sql, chance.choice(("HOUR", "DAY"))))
    by = both(f"PARTITION BY {', '.join(['{}'] * len(partition))} ", *partition) if partition else Sql("", "")
    if chance.random() < 0.3:
        return _place(scope, found, by, closes)
    call = aggregate(scope, windows=True)
    return Expr(both("{} OVER ({}{})", call.sql, by, _frame(scope, found, closes)), call.kind, call.exact)


def _frame(scope: Expressions, found: From, closes: bool) -> Sql:
    assert found.rowtime is not None and found.id is not None
    chance, rowtime, id_ = scope.chance, found.rowtime.sql, found.id.sql
    hidden = chance.choice(("", f"ORDER BY {rowtime.ours} "))
    minutes = chance.choice((1, 7, 20, 60))
    arrival = f"ORDER BY {rowtime.duck}, {id_.duck}"
    length = f"INTERVAL '{minutes}' MINUTE"
    since = f"{minutes * 60_000 * _APART} + {id_.duck}"
    places = f"ORDER BY epoch_ms({rowtime.duck}) * {_APART} + {id_.duck}"
    frames = [
        Sql(f"{hidden}RANGE {length} PRECEDING", f"{places} RANGE BETWEEN {since} PRECEDING AND CURRENT ROW"),
        Sql(f"{hidden}RANGE UNBOUNDED PRECEDING", f"{arrival} ROWS UNBOUNDED PRECEDING"),
        Sql(f"{hidden}ROWS 2 PRECEDING", f"{arrival} ROWS 2 PRECEDING"),
        Sql(
            f"{hidden}RANGE BETWEEN {length} PRECEDING AND INTERVAL '0' SECOND PRECEDING",
            f"ORDER BY {rowtime.duck} RANGE BETWEEN {length} PRECEDING AND CURRENT ROW",
        ),
        Sql(
            f"{hidden}RANGE BETWEEN {length} PRECEDING AND INTERVAL '5' MINUTE FOLLOWING",
            f"ORDER BY {rowtime.duck} RANGE BETWEEN {length} PRECEDING AND INTERVAL '5' MINUTE FOLLOWING",
        ),
    ]
    if closes:
        frames.append(
            Sql(
                f"{hidden}ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING",
                f"{arrival} ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING",
            )
        )
    return chance.choice(frames)


def _place(scope: Expressions, found: From, by: Sql, closes: bool) -> Expr:
    """Functions of a row's position; by another order than ROWTIME if the partition is complete at some time."""
    assert found.rowtime is not None and found.id is not None
    chance, value = scope.chance, scope.name()
    order = Sql(f"ORDER BY {found.rowtime.sql.ours}", f"ORDER BY {found.rowtime.sql.duck}, {found.id.sql.duck}")
    forms = [
        Expr(both("ROW_NUMBER() OVER ({}{})", by, order), "BIGINT"),
        Expr(both("LAG({}) OVER ({}{})", value.sql, by, order), value.kind),
        Expr(both("RANK() OVER ({}ORDER BY {})", by, found.rowtime.sql), "BIGINT"),
    ]
    if closes:
        key = both("ORDER BY {} NULLS LAST, {} DESC", value.sql, found.id.sql)
        forms += [
            Expr(both("ROW_NUMBER() OVER ({}{})", by, key), "BIGINT"),
            Expr(both("DENSE_RANK() OVER ({}ORDER BY {} NULLS FIRST)", by, value.sql), "BIGINT"),
            Expr(both("LEAD({}) OVER ({}{})", value.sql, by, order), value.kind),
            Expr(both("SUM({}) OVER ({}{} ROWS 1 PRECEDING)", scope.name("INTEGER").sql, by, key), "BIGINT"),
        ]
    return chance.choice(forms)
