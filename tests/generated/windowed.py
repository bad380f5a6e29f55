"""Queries over streams: rows, groups by time, merges, OVER, joins; valid with STREAM and without."""

from __future__ import annotations

from collections.abc import Sequence

from .aggregates import aggregate
from .expressions import Expressions, floor
from .joins import as_of, looked_up, near
from .over import first
from .sources import From, Names, from_query, from_relation
from .text import SELECT, Column, Expr, Kind, Query, Sql, both, joined, named_list
from .timeframes import sliding
from .timekeys import TimeKey, time_key

_EMPTY = Sql("", "")
SET_KEYS: tuple[Kind, ...] = ("INTEGER", "VARCHAR", "BOOLEAN", "DECIMAL")


def windowed(names: Names, depth: int = 1) -> Query:
    """A query of any shape."""
    shapes = [
        rows,
        groups,
        groups,
        groups,
        groups,
        sets,
        distinct,
        merged,
        over,
        over,
        over,
        top,
        top,
        again,
        near,
        near,
        near,
        looked_up,
        as_of,
        as_of,
    ]
    return names.chance.choice(shapes)(names, depth)


# --- sources ---------------------------------------------------------------------------------------------------------


def stream(names: Names, depth: int) -> From:
    """A stream, a view, a sub-query that filters one, or a merge of two; with ROWTIME and, except for merges, id."""
    drawn = names.chance.random()
    if depth > 0 and drawn < 0.25:
        return from_query(names, rows(names, 0))
    if depth > 0 and drawn < 0.4:
        made = from_query(names, merged(names, 0))
        return From(made.sql, made.scope, True, made.about, made.scope[0])
    return from_relation(names, names.chance.choice("SSSRV"))


def _scope(names: Names, found: From) -> Expressions:
    """Returns all names except ROWTIME, which is for the windows."""
    assert found.rowtime is not None
    return Expressions(names.chance, [e for e in found.scope if e.sql != found.rowtime.sql])


def _where(over: Expressions, chance: float = 0.5) -> Sql:
    return both(" WHERE {}", over.condition(2)) if over.chance.random() < chance else _EMPTY


# --- shapes ----------------------------------------------------------------------------------------------------------


def rows(names: Names, depth: int) -> Query:
    """Projection and selection, with ROWTIME and id in front."""
    found = from_relation(names, names.chance.choice("SSRV")) if depth == 0 else stream(names, depth)
    return rows_of(names, found)


def rows_of(names: Names, found: From) -> Query:
    assert found.rowtime is not None
    over = _scope(names, found)
    said, columns = named_list([over.any(2) for _ in range(names.chance.randint(2, 4))])
    lead = [both("{} AS rowtime", found.rowtime.sql)]
    front = [Column("rowtime", "TIMESTAMP")]
    if found.id is not None:
        lead.append(both("{} AS id", found.id.sql))
        front.append(Column("id", "INTEGER"))
    sql = both(f"{SELECT} {{}}, {{}} FROM {{}}{{}}", joined(lead), said, found.sql, _where(over, 0.7))
    return Query(sql, (*front, *columns), streams=True, about=(*found.about, "rows"))


def groups(names: Names, depth: int) -> Query:
    """GROUP BY a function of ROWTIME and other keys."""
    return groups_of(names, stream(names, depth))


def groups_of(names: Names, found: From) -> Query:
    over = _scope(names, found)
    key = time_key(names, found)
    keys = [e for e in (over.name(), over.any(1)) if "(" in e.sql.ours or "." in e.sql.ours]
    keys = keys[: names.chance.choice((0, 0, 1, 1, 2))]
    keys = [e for i, e in enumerate(keys) if e.sql not in [k.sql for k in keys[:i]]]
    calls = [aggregate(over) for _ in range(names.chance.randint(1, 4))]
    having = _having(over)
    where = _where(over)
    by = joined([*key.by, *(k.sql for k in keys)])
    return _grouped(found, key, [*keys, *calls], where, by, having, [k.sql for k in keys], "GROUP BY")


def _grouped(
    found: From,
    key: TimeKey,
    listed: Sequence[Expr],
    where: Sql,
    by: Sql,
    having: Sql,
    keys: Sequence[Sql],
    about: str,
) -> Query:
    said, columns = named_list(listed)
    source = key.source(found, where, keys)
    sql = both(f"{SELECT} {{}}, {{}} FROM {{}} GROUP BY {{}}{{}}", key.shown, said, source, by, having)
    return Query(sql, (*key.columns, *columns), streams=True, about=(*found.about, about, key.name))


def _having(over: Expressions) -> Sql:
    chance = over.chance
    if chance.random() < 0.7:
        return _EMPTY
    call = aggregate(over)
    if not call.exact or call.kind == "BOOLEAN":
        return both(" HAVING {} IS NOT NULL", call.sql)
    return both(" HAVING {} > {} OR COUNT(*) < 3", call.sql, Expressions(chance, ()).literal(call.kind).sql)


def sets(names: Names, depth: int) -> Query:
    """A function of ROWTIME with GROUPING SETS, ROLLUP or CUBE."""
    return sets_of(names, stream(names, 0))


def sets_of(names: Names, found: From) -> Query:
    """`found` has two columns that can be keys."""
    over = _scope(names, found)
    key = time_key(names, found, simple=True)
    a, b = names.chance.sample(over.names(*SET_KEYS), 2)
    form = names.chance.choice(
        ("ROLLUP ({}, {})", "CUBE ({}, {})", "GROUPING SETS (({0}), ({1}))", "GROUPING SETS (({0}, {1}), ())")
    )
    calls = [aggregate(over) for _ in range(names.chance.randint(1, 3))]
    calls.append(Expr(both("GROUPING({}, {})", a.sql, b.sql), "BIGINT"))
    by = both("{}, {}", joined(list(key.by)), both(form, a.sql, b.sql))
    return _grouped(found, key, [a, b, *calls], _where(over), by, _having(over), [], form.partition(" (")[0])


def distinct(names: Names, depth: int) -> Query:
    """SELECT DISTINCT with a function of ROWTIME."""
    return distinct_of(names, stream(names, depth))


def distinct_of(names: Names, found: From) -> Query:
    over = _scope(names, found)
    key = time_key(names, found, simple=True)
    said, columns = named_list([over.any(1) for _ in range(names.chance.randint(1, 2))])
    sql = both(f"{SELECT} DISTINCT {{}}, {{}} FROM {{}}", key.shown, said, key.source(found, _where(over), []))
    return Query(sql, (*key.columns, *columns), streams=True, about=(*found.about, "DISTINCT", key.name))


def merged(names: Names, depth: int) -> Query:
    """UNION ALL, sometimes in order of ROWTIME."""
    kinds = [names.chance.choice(("INTEGER", "DECIMAL", "VARCHAR", "BOOLEAN", "TIMESTAMP")) for _ in range(3)]
    branches = []
    for _ in range(names.chance.choice((2, 2, 3))):
        found = from_relation(names, names.chance.choice("SRV"))
        assert found.rowtime is not None
        over = _scope(names, found)
        said, columns = named_list([over.value(kind, 1) for kind in kinds])
        branches.append(
            both(f"{SELECT} {{}} AS rowtime, {{}} FROM {{}}{{}}", found.rowtime.sql, said, found.sql, _where(over))
        )
    order = Sql(" ORDER BY rowtime", " ORDER BY rowtime") if depth > 0 and names.chance.random() < 0.4 else _EMPTY
    sql = both("{}{}", joined(branches, " UNION ALL "), order)
    return Query(sql, (Column("rowtime", "TIMESTAMP"), *columns), streams=True, about=("UNION ALL",))


def over(names: Names, depth: int) -> Query:
    """Sliding windows over a stream or its totals."""
    found = stream(names, depth)
    if found.rowtime is None or found.id is None:
        found = from_relation(names, "S")
    assert found.rowtime is not None and found.id is not None
    scope = _scope(names, found)
    calls = [sliding(names, scope, found) for _ in range(names.chance.randint(1, 3))]
    said, columns = named_list([scope.any(1), *calls])
    condition = _EMPTY
    counts = [c for c in calls if c.kind == "BIGINT" and c.exact]
    if counts and names.chance.random() < 0.25:
        condition = both(" QUALIFY {} > 1", counts[0].sql)
    sql = both(
        f"{SELECT} {{}} AS rowtime, {{}} AS id, {{}} FROM {{}}{{}}{{}}",
        *(found.rowtime.sql, found.id.sql, said, found.sql, _where(scope, 0.3), condition),
    )
    front = (Column("rowtime", "TIMESTAMP"), Column("id", "INTEGER"))
    return Query(sql, (*front, *columns), streams=True, about=(*found.about, "OVER"))


def top(names: Names, depth: int) -> Query:
    """The first rows of windows."""
    found = stream(names, depth)
    if found.rowtime is None or found.id is None:
        found = from_relation(names, "S")
    assert found.rowtime is not None and found.id is not None
    scope = _scope(names, found)
    said, columns = named_list([scope.any(1) for _ in range(names.chance.randint(1, 3))])
    window = floor(found.rowtime.sql, names.chance.choice(("MINUTE", "HOUR", "DAY")))
    sql = both(
        f"{SELECT} {{}} AS rowtime, {{}} AS id, {{}} FROM {{}}{{}} QUALIFY {{}}",
        *(found.rowtime.sql, found.id.sql, said, found.sql, _where(scope, 0.3), first(scope, window)),
    )
    front = (Column("rowtime", "TIMESTAMP"), Column("id", "INTEGER"))
    return Query(sql, (*front, *columns), streams=True, about=(*found.about, "Top-N"))


def again(names: Names, depth: int) -> Query:
    """Groups of groups: over the view of totals, or over a sub-query that groups."""
    if names.chance.random() < 0.4:
        found = from_relation(names, "W")
    else:
        inner = groups(names, 0)
        made = from_query(names, inner)
        found = From(made.sql, made.scope, True, made.about, made.scope[0])
    over = _scope(names, found)
    key = time_key(names, found, simple=True)
    keys = [e for e in [over.name()] if "." in e.sql.ours][: names.chance.choice((0, 1))]
    calls = [aggregate(over) for _ in range(names.chance.randint(1, 3))]
    by = joined([*key.by, *(k.sql for k in keys)])
    return _grouped(found, key, [*keys, *calls], _where(over, 0.3), by, _having(over), [], "groups of groups")
