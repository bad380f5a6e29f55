"""OVER and Top-N in composed queries: over rows whose order of arrival is not known, by ROWTIME, by times that follow
from it, and by the borders of windows."""

from __future__ import annotations

from collections.abc import Sequence

from .aggregates import aggregate
from .compositions import scope_of, timed_query, where_of
from .expressions import Expressions, floor
from .over import first
from .sources import From, Names
from .text import Expr, Query, Sql, both, differing, joined
from .window_functions import Windowed, windowed

_EMPTY = Sql("", "")


def over(names: Names, found: From) -> Query:
    """Windows over rows."""
    assert found.rowtime is not None
    scope, time, chance = scope_of(names, found), found.rowtime, names.chance
    calls = []
    for _ in range(chance.randint(1, 2)):
        order_by = _coarse(scope, time) if chance.random() < 0.3 else time.sql
        calls.append(_sliding(scope, [time], order_by, _closing(scope, time)))
    return _with_calls(names, found, scope, calls, "OVER")


def over_windows(names: Names, found: From) -> Query:
    """Windows over the rows of TUMBLE, HOP and SESSION, in order of their borders or within them."""
    made = windowed(names, found)
    times = (*made.borders, made.time)
    calls = [
        _sliding(made.scope, times, names.chance.choice(times).sql, _border(made))
        for _ in range(names.chance.randint(1, 2))
    ]
    return _with_calls(names, made.rows, made.scope, calls, f"OVER {made.name}()")


def top(names: Names, found: From) -> Query:
    """The first rows of a span of time."""
    assert found.rowtime is not None
    scope = scope_of(names, found)
    return _top(names, found, scope, _closing(scope, found.rowtime, ("MINUTE", "HOUR", "HOUR", "DAY")), "Top-N")


def top_windows(names: Names, found: From) -> Query:
    """The first rows of the windows of TUMBLE, HOP and SESSION."""
    made = windowed(names, found)
    return _top(names, made.rows, made.scope, _border(made), f"Top-N of {made.name}()")


def _with_calls(names: Names, found: From, scope: Expressions, calls: list[Expr], about: str) -> Query:
    assert found.rowtime is not None
    counts = [c for c in calls if c.kind == "BIGINT" and c.exact]
    limit = both(" QUALIFY {} > 1", counts[0].sql) if counts and names.chance.random() < 0.2 else _EMPTY
    rest = both("FROM {}{}{}", found.sql, where_of(scope), limit)
    return timed_query(found.rowtime.sql, [scope.any(0), *calls], rest, about)


def _top(names: Names, found: From, scope: Expressions, closing: Sql, about: str) -> Query:
    assert found.rowtime is not None
    listed = [scope.any(1) for _ in range(names.chance.randint(1, 3))]
    limit = both(" QUALIFY {}", first(Expressions(names.chance, [*scope.scope, found.rowtime]), closing))
    return timed_query(found.rowtime.sql, listed, both("FROM {}{}{}", found.sql, where_of(scope), limit), about)


def _closing(scope: Expressions, time: Expr, units: tuple[str, ...] = ("HOUR", "DAY")) -> Sql:
    """A span of time, which may begin beside the full hour or day."""
    return _coarse(scope, time, units) if scope.chance.random() < 0.2 else floor(time.sql, scope.chance.choice(units))


def _coarse(scope: Expressions, time: Expr, units: tuple[str, ...] = ("MINUTE", "HOUR", "DAY")) -> Sql:
    shift = scope.chance.choice(("+ INTERVAL '30' MINUTE", "- INTERVAL '20' SECOND", ""))
    return floor(both(f"({{}} {shift})", time.sql) if shift else time.sql, scope.chance.choice(units))


def _border(made: Windowed) -> Sql:
    return made.scope.chance.choice(made.borders).sql


def _sliding(scope: Expressions, times: Sequence[Expr], order_by: Sql, closing: Sql) -> Expr:
    """A call whose frame holds all rows of a time or none, or that is ordered by all columns.

    `times` are those of a row, by which it can differ from others with equal names. `order_by` is the time by which a
    frame goes, `closing` the one whose values end partitions.
    """
    chance = scope.chance
    keys = [e.sql for e in scope.names("INTEGER", "VARCHAR", "BOOLEAN")]
    partition = [chance.choice(keys)] if keys and chance.random() < 0.5 else []
    closes = chance.random() < 0.4
    if closes:
        partition.append(closing)
    by = both(f"PARTITION BY {', '.join(['{}'] * len(partition))} ", *partition) if partition else _EMPTY
    call, length = aggregate(scope, windows=True), f"INTERVAL '{chance.choice((1, 7, 20, 60))}' MINUTE"
    before, peers = f"RANGE BETWEEN {length} PRECEDING AND ", "INTERVAL '0' SECOND PRECEDING"
    order = both("ORDER BY {}", order_by)
    frames = [
        differing(f"{{0}} {before}{peers}", f"{{0}} {before}CURRENT ROW", order),
        both(f"{{0}} {before}INTERVAL '5' MINUTE FOLLOWING", order),
    ]
    forms = [Expr(both("{} OVER ({}{})", call.sql, by, frame), call.kind, call.exact) for frame in frames]
    forms.append(Expr(both("RANK() OVER ({}{})", by, order), "BIGINT"))
    if closes:
        every = joined([both("{} NULLS LAST", e.sql) for e in (*scope.names(), *times)])
        total = both("ORDER BY {}", every)
        timely = both("ORDER BY {}, {}", order_by, every)
        value = scope.name()
        forms += [
            Expr(both("ROW_NUMBER() OVER ({}{})", by, chance.choice((total, timely))), "BIGINT"),
            Expr(both("LAG({}) OVER ({}{})", value.sql, by, chance.choice((total, timely))), value.kind),
            Expr(both("DENSE_RANK() OVER ({}ORDER BY {} NULLS FIRST)", by, value.sql), "BIGINT"),
            Expr(both("{} OVER ({}{} ROWS 1 PRECEDING)", call.sql, by, total), call.kind, call.exact),
        ]
    return chance.choice(forms)
