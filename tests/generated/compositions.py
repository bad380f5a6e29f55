"""The operators of composed queries that those over single streams lack, or have in a form that needs the order of
arrival."""

from __future__ import annotations

from collections.abc import Sequence

from . import windowed
from .aggregates import aggregate
from .expressions import Expressions, ceil, floor
from .over import first
from .sources import From, Names, from_query, scalar, sub_condition
from .text import SELECT, STREAM, Column, Expr, Query, Sql, both, differing, joined, named_list
from .timekeys import hop_windows

_EMPTY = Sql("", "")
_ROWTIME = Column("rowtime", "TIMESTAMP")
_UNITS = ("MINUTE", "HOUR", "HOUR", "DAY", "MONTH")
FUNCTIONS = (
    "CREATE FUNCTION passed_on (input TABLE) RETURNS TABLE (v INTEGER, s VARCHAR)"
    " LANGUAGE PYTHON AS 'process_functions:passed_on'",
    "CREATE FUNCTION numbered (input TABLE) RETURNS TABLE (n BIGINT) LANGUAGE PYTHON AS 'process_functions:numbered'",
)
"""The process functions of queries."""


def timed(names: Names, query: Query) -> From:
    """A sub-query whose first column is its ROWTIME."""
    made = from_query(names, query)
    return From(made.sql, made.scope, True, made.about, made.scope[0])


def scope_of(names: Names, found: From) -> Expressions:
    """All names except ROWTIME, which is for the windows."""
    assert found.rowtime is not None
    return Expressions(names.chance, [e for e in found.scope if e.sql != found.rowtime.sql])


def _where(over: Expressions, chance: float = 0.3) -> Sql:
    return both(" WHERE {}", over.condition(1)) if over.chance.random() < chance else _EMPTY


def _timed_query(rowtime: Sql, listed: Sequence[Expr], rest: Sql, about: str) -> Query:
    """SELECT rowtime, listed rest."""
    said, columns = named_list(listed)
    sql = both(f"{SELECT} {{}} AS rowtime, {{}} {{}}", rowtime, said, rest)
    return Query(sql, (_ROWTIME, *columns), streams=True, about=(about,))


def rows(names: Names, found: From) -> Query:
    """Projection and selection, sometimes with another ROWTIME that follows from that of the source."""
    assert found.rowtime is not None
    over, chance, time = scope_of(names, found), names.chance, found.rowtime.sql
    shifted = both(f"{{}} {chance.choice('+-')} INTERVAL '{chance.choice((1, 7, 90))}' MINUTE", time)
    times = [time, time, time, shifted, floor(time, chance.choice(_UNITS)), ceil(time, chance.choice(_UNITS))]
    chosen = chance.choice(times)
    listed = [over.any(1) for _ in range(chance.randint(2, 4))]
    about = "rows" if chosen is time else "rows with another ROWTIME"
    return _timed_query(chosen, listed, both("FROM {}{}", found.sql, _where(over, 0.6)), about)


def filtered(names: Names, found: From) -> Query:
    """Sub-queries over tables: EXISTS, IN, comparisons in WHERE, and scalar ones."""
    assert found.rowtime is not None
    over = scope_of(names, found)
    listed, where = [over.any(0) for _ in range(2)], _EMPTY
    if names.chance.random() < 0.4:
        listed.append(scalar(names, over, "TU"))
        about = "scalar sub-query"
    else:
        where, about = both(" WHERE {}", sub_condition(names, over, "TU")), "sub-query in WHERE"
    return _timed_query(found.rowtime.sql, listed, both("FROM {}{}", found.sql, where), about)


def sets(names: Names, found: From) -> Query:
    """GROUPING SETS where there are two keys for them, or else a GROUP BY."""
    if len(scope_of(names, found).names(*windowed.SET_KEYS)) < 2:
        return windowed.groups_of(names, found)
    return windowed.sets_of(names, found)


def merged(names: Names, sides: Sequence[From]) -> Query:
    """UNION ALL."""
    kinds = [names.chance.choice(("INTEGER", "DECIMAL", "VARCHAR", "BOOLEAN", "TIMESTAMP")) for _ in range(3)]
    branches = []
    for side in sides:
        assert side.rowtime is not None
        over = scope_of(names, side)
        said, columns = named_list([over.value(kind, 1) for kind in kinds])
        branches.append(
            both(f"{SELECT} {{}} AS rowtime, {{}} FROM {{}}{{}}", side.rowtime.sql, said, side.sql, _where(over))
        )
    return Query(joined(branches, " UNION ALL "), (_ROWTIME, *columns), streams=True, about=("UNION ALL",))


def over(names: Names, found: From) -> Query:
    """Windows over rows whose order of arrival is not known."""
    assert found.rowtime is not None
    scope = scope_of(names, found)
    calls = [_sliding(scope, found) for _ in range(names.chance.randint(1, 2))]
    counts = [c for c in calls if c.kind == "BIGINT" and c.exact]
    limit = both(" QUALIFY {} > 1", counts[0].sql) if counts and names.chance.random() < 0.2 else _EMPTY
    rest = both("FROM {}{}{}", found.sql, _where(scope), limit)
    return _timed_query(found.rowtime.sql, [scope.any(0), *calls], rest, "OVER")


def _sliding(scope: Expressions, found: From) -> Expr:
    """A call whose frame holds all rows of a ROWTIME or none, or that is ordered by all columns."""
    assert found.rowtime is not None
    chance, rowtime = scope.chance, found.rowtime.sql
    keys = [e.sql for e in scope.names("INTEGER", "VARCHAR", "BOOLEAN")]
    partition = [chance.choice(keys)] if keys and chance.random() < 0.5 else []
    closes = chance.random() < 0.4
    if closes:
        partition.append(floor(rowtime, chance.choice(("HOUR", "DAY"))))
    by = both(f"PARTITION BY {', '.join(['{}'] * len(partition))} ", *partition) if partition else _EMPTY
    call, length = aggregate(scope, windows=True), f"INTERVAL '{chance.choice((1, 7, 20, 60))}' MINUTE"
    before, peers = f"RANGE BETWEEN {length} PRECEDING AND ", "INTERVAL '0' SECOND PRECEDING"
    order = both("ORDER BY {}", rowtime)
    frames = [
        differing(f"{{0}} {before}{peers}", f"{{0}} {before}CURRENT ROW", order),
        both(f"{{0}} {before}INTERVAL '5' MINUTE FOLLOWING", order),
    ]
    forms = [Expr(both("{} OVER ({}{})", call.sql, by, frame), call.kind, call.exact) for frame in frames]
    forms.append(Expr(both("RANK() OVER ({}{})", by, order), "BIGINT"))
    if closes:
        total = both("ORDER BY {}", joined([both("{} NULLS LAST", e.sql) for e in (*scope.names(), found.rowtime)]))
        value = scope.name()
        forms += [
            Expr(both("ROW_NUMBER() OVER ({}{})", by, total), "BIGINT"),
            Expr(both("LAG({}) OVER ({}{})", value.sql, by, total), value.kind),
            Expr(both("DENSE_RANK() OVER ({}ORDER BY {} NULLS FIRST)", by, value.sql), "BIGINT"),
            Expr(both("{} OVER ({}{} ROWS 1 PRECEDING)", call.sql, by, total), call.kind, call.exact),
        ]
    return chance.choice(forms)


def top(names: Names, found: From) -> Query:
    """The first rows of windows."""
    assert found.rowtime is not None
    scope = scope_of(names, found)
    window = floor(found.rowtime.sql, names.chance.choice(("MINUTE", "HOUR", "HOUR", "DAY")))
    listed = [scope.any(1) for _ in range(names.chance.randint(1, 3))]
    limit = first(Expressions(names.chance, [*scope.scope, found.rowtime]), window)
    return _timed_query(
        found.rowtime.sql, listed, both("FROM {}{} QUALIFY {}", found.sql, _where(scope), limit), "Top-N"
    )


def window_function(names: Names, found: From) -> Query:
    """TUMBLE, HOP and SESSION as table functions."""
    assert found.rowtime is not None
    chance, alias, minutes = names.chance, names.new("t"), names.chance.choice((7, 20, 60))
    inner, name = _bare(found), chance.choice(("TUMBLE", "HOP", "SESSION", "SESSION"))
    descriptor, time, ends = "DESCRIPTOR(rowtime)", "rowtime", f"INTERVAL '{minutes}' MINUTE"
    if name == "TUMBLE":
        ours = f"TUMBLE({inner.ours}, {descriptor}, {ends})"
        start = f"time_bucket({ends}, {time}, TIMESTAMP '1970-01-01 00:00:00')"
        duck = f"(SELECT *, {start} AS window_start, {start} + {ends} AS window_end FROM {inner.duck})"
    elif name == "HOP":
        slide, size = chance.choice(((10, 30), (30, 60), (60, 90)))
        ours = f"HOP({inner.ours}, {descriptor}, INTERVAL '{slide}' MINUTE, INTERVAL '{size}' MINUTE)"
        source, windows = names.new("h"), names.new("w")
        lateral = f"LATERAL {hop_windows(f'{source}.rowtime', slide, size, 0)} AS {windows}"
        shown = f"{source}.*, {windows}.b AS window_start, {windows}.e AS window_end"
        duck = f"(SELECT {shown} FROM {inner.duck} AS {source} CROSS JOIN {lateral})"
    else:
        keys = [e for e in found.scope if e.exact and e.kind in ("INTEGER", "VARCHAR")]
        key = _short(chance.choice(keys)) if keys and chance.random() < 0.7 else ""
        ours = f"SESSION({inner.ours}, {descriptor}{key and f', DESCRIPTOR({key})'}, {ends})"
        duck = _sessions(inner.duck, key, ends)
    columns = [Column(_short(e), e.kind, e.exact) for e in found.scope]
    made = From(Sql(f"{ours} AS {alias}", f"{duck} AS {alias}"), tuple(c.of(alias) for c in columns), True)
    over = Expressions(chance, [e for e in made.scope if not e.sql.ours.endswith(".rowtime")])
    start, end = (Column(f"window_{which}", "TIMESTAMP").of(alias) for which in ("start", "end"))
    rowtime = end if name == "SESSION" else chance.choice((start, end, Column("rowtime", "TIMESTAMP").of(alias)))
    listed = [over.any(0), over.any(0), start]
    return _timed_query(rowtime.sql, listed, both("FROM {}{}", made.sql, _where(over)), f"{name}()")


def _sessions(inner: str, key: str, gap: str) -> str:
    """Returns DuckDB's rows with the start and the end of the session of each."""
    by = f"PARTITION BY {key} " if key else ""
    opens = f"CASE WHEN lag(rowtime) OVER ({by}ORDER BY rowtime) >= rowtime - {gap} THEN NULL ELSE rowtime END AS opens"
    began = f"max(opens) OVER ({by}ORDER BY rowtime) AS window_start"
    ended = f"max(rowtime) OVER (PARTITION BY {f'{key}, ' if key else ''}window_start) + {gap} AS window_end"
    return f"(SELECT *, {ended} FROM (SELECT *, {began} FROM (SELECT *, {opens} FROM {inner})))"


def process_function(names: Names, found: From) -> Query:
    """A function in Python that passes its rows on, or numbers those of each key."""
    assert found.rowtime is not None
    chance, alias, over = names.chance, names.new("p"), scope_of(names, found)
    key = over.name("INTEGER", "VARCHAR")
    keys = "PARTITION BY k" if chance.random() < 0.8 else ""
    passes = chance.random() < 0.5
    listed = [both("{} AS rowtime", found.rowtime.sql)]
    listed += [both("{} AS k", key.sql)] if keys else []
    if passes:
        listed += [both("{} AS v", over.value("INTEGER", 0).sql), both("{} AS s", over.value("VARCHAR", 0).sql)]
    inner = both(f"SELECT{STREAM} {{}} FROM {{}}{{}}", joined(listed), found.sql, _where(over))
    columns = [Column("k", key.kind)] if keys else []
    columns += [Column("v", "INTEGER"), Column("s", "VARCHAR")] if passes else [Column("n", "BIGINT")]
    counts = f"(SELECT *, ROW_NUMBER() OVER ({keys} ORDER BY rowtime) AS n FROM ({inner.duck}))"
    call = Sql(
        f"{'passed_on' if passes else 'numbered'}(({inner.ours}) {keys}) AS {alias}",
        f"({inner.duck}) AS {alias}" if passes else f"{counts} AS {alias}",
    )
    return _timed_query(
        _ROWTIME.of(alias).sql, [c.of(alias) for c in columns], both("FROM {}", call), "process function"
    )


def _bare(found: From) -> Sql:
    """The relation or the sub-query in parentheses, without its alias."""
    return Sql(*(text.rpartition(" AS ")[0] for text in (found.sql.ours, found.sql.duck)))


def _short(name: Expr) -> str:
    return name.sql.ours.rpartition(".")[2]
