"""The operators of composed queries that those over single streams lack, or have in a form that needs the order of
arrival."""

from __future__ import annotations

from collections.abc import Sequence

from . import windowed
from .expressions import Expressions, ceil, floor
from .sources import From, Names, from_query, scalar, sub_condition
from .text import SELECT, STREAM, Column, Expr, Query, Sql, both, joined, named_list

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


def where_of(over: Expressions, chance: float = 0.3) -> Sql:
    return both(" WHERE {}", over.condition(1)) if over.chance.random() < chance else _EMPTY


def timed_query(rowtime: Sql, listed: Sequence[Expr], rest: Sql, about: str) -> Query:
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
    return timed_query(chosen, listed, both("FROM {}{}", found.sql, where_of(over, 0.6)), about)


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
    return timed_query(found.rowtime.sql, listed, both("FROM {}{}", found.sql, where), about)


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
            both(f"{SELECT} {{}} AS rowtime, {{}} FROM {{}}{{}}", side.rowtime.sql, said, side.sql, where_of(over))
        )
    return Query(joined(branches, " UNION ALL "), (_ROWTIME, *columns), streams=True, about=("UNION ALL",))


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
    inner = both(f"SELECT{STREAM} {{}} FROM {{}}{{}}", joined(listed), found.sql, where_of(over))
    columns = [Column("k", key.kind)] if keys else []
    columns += [Column("v", "INTEGER"), Column("s", "VARCHAR")] if passes else [Column("n", "BIGINT")]
    counts = f"(SELECT *, ROW_NUMBER() OVER ({keys} ORDER BY rowtime) AS n FROM ({inner.duck}))"
    call = Sql(
        f"{'passed_on' if passes else 'numbered'}(({inner.ours}) {keys}) AS {alias}",
        f"({inner.duck}) AS {alias}" if passes else f"{counts} AS {alias}",
    )
    return timed_query(
        _ROWTIME.of(alias).sql, [c.of(alias) for c in columns], both("FROM {}", call), "process function"
    )
