"""Relational queries: every clause that SELECT has, over tables and over the history of streams."""

from __future__ import annotations

from collections.abc import Sequence

from .aggregates import aggregate
from .expressions import Expressions
from .over import analytic
from .sources import From, Names, from_clause, from_relation, scalar, sub_condition
from .text import KINDS, SELECT, Column, Expr, Kind, Query, Sql, both, joined, named_list


def relational(names: Names, depth: int = 2) -> Query:
    """A query of any shape."""
    shapes = [plain, plain, grouped, grouped, sets, distinct]
    if depth > 0:
        shapes += [windows, windows, windows, combined, combined, limited, limited, common]
    return names.chance.choice(shapes)(names, depth)


def plain(names: Names, depth: int) -> Query:
    """Projection, selection and joins."""
    chance = names.chance
    found = from_clause(names, depth, relational)
    over = Expressions(chance, found.scope)
    listed = [over.any(2) for _ in range(chance.randint(1, 4))]
    about = [*found.about, "projection"]
    if found.streams and found.rowtime is not None and found.id is not None and chance.random() < 0.6:
        return _arriving(found, over, listed, about)
    if chance.random() < 0.2:
        listed.append(over.inexact())
    if depth > 0 and chance.random() < 0.3:
        listed.append(scalar(names, over))
        about.append("scalar sub-query")
    where = _where(names, over, depth, about)
    return _query(listed, found, where, about)


def _arriving(found: From, over: Expressions, listed: list[Expr], about: list[str]) -> Query:
    """With ROWTIME and id, from which an outer query knows the order of arrival."""
    assert found.rowtime is not None and found.id is not None
    where = both(" WHERE {}", over.condition(2)) if over.chance.random() < 0.6 else Sql("", "")
    said, columns = named_list(listed)
    lead = both("{} AS rowtime, {} AS id", found.rowtime.sql, found.id.sql)
    sql = both(f"{SELECT} {{}}, {{}} FROM {{}}{{}}", lead, said, found.sql, where)
    return Query(
        sql, (Column("rowtime", "TIMESTAMP"), Column("id", "INTEGER"), *columns), streams=True, about=tuple(about)
    )


def _where(names: Names, over: Expressions, depth: int, about: list[str]) -> Sql:
    chance = names.chance
    parts = [over.condition(2)] if chance.random() < 0.7 else []
    if depth > 0 and chance.random() < 0.45:
        parts.append(sub_condition(names, over))
        about.append("sub-query in WHERE")
    return both(" WHERE {}", joined(parts, chance.choice((" AND ", " OR ")))) if parts else Sql("", "")


def _query(listed: Sequence[Expr], found: From, rest: Sql, about: Sequence[str], distinct: str = "") -> Query:
    """SELECT list FROM … rest."""
    said, columns = named_list(listed)
    sql = both(f"{SELECT} {distinct}{{}} FROM {{}}{{}}", said, found.sql, rest)
    return Query(sql, columns, streams=found.streams, about=tuple(about))


def distinct(names: Names, depth: int) -> Query:
    found = from_clause(names, depth, relational)
    over = Expressions(names.chance, found.scope)
    listed = [over.any(1) for _ in range(names.chance.randint(1, 3))]
    about = [*found.about, "DISTINCT"]
    return _query(listed, found, _where(names, over, 0, about), about, "DISTINCT ")


def grouped(names: Names, depth: int) -> Query:
    """GROUP BY, or an aggregate of all rows, sometimes with HAVING."""
    chance = names.chance
    found = from_clause(names, depth, relational)
    over = Expressions(chance, found.scope)
    keys = [over.any(chance.choice((0, 0, 1))) for _ in range(chance.choice((0, 1, 1, 2)))]
    keys = [k for k in keys if any(k.sql == e.sql for e in found.scope) or "(" in k.sql.ours]
    calls = [aggregate(over) for _ in range(chance.randint(1, 4))]
    about = [*found.about, "GROUP BY" if keys else "aggregate"]
    where = _where(names, over, depth, about)
    by = both(" GROUP BY {}", joined([k.sql for k in keys])) if keys else Sql("", "")
    return _query([*keys, *calls], found, both("{}{}{}", where, by, _having(over, about)), about)


def _having(over: Expressions, about: list[str]) -> Sql:
    if over.chance.random() < 0.7:
        return Sql("", "")
    about.append("HAVING")
    call = aggregate(over)
    if not call.exact or call.kind == "BOOLEAN":
        return both(" HAVING {} IS NOT NULL", call.sql)
    return both(" HAVING {} <= {} OR COUNT(*) > 2", call.sql, Expressions(over.chance, ()).literal(call.kind).sql)


def sets(names: Names, depth: int) -> Query:
    """GROUPING SETS, ROLLUP and CUBE."""
    chance = names.chance
    found = from_relation(names, chance.choice("TTUSR"))
    over = Expressions(chance, found.scope)
    keys = chance.sample(over.names("INTEGER", "VARCHAR", "BOOLEAN", "DECIMAL"), 3)
    a, b, c = (k.sql for k in keys)
    form = chance.choice(
        (
            "ROLLUP ({0}, {1}, {2})",
            "CUBE ({0}, {1}, {2})",
            "GROUPING SETS (({0}, {1}), ({1}, {2}), ({0}), ())",
            "GROUPING SETS (({0}), ({0}), ({1}, {2}))",
            "{2}, ROLLUP ({0}, {1})",
            "{0}, GROUPING SETS (({1}), ({2}), ())",
        )
    )
    calls = [aggregate(over) for _ in range(chance.randint(1, 3))]
    calls.append(Expr(both("GROUPING({}, {})", a, c), "BIGINT"))
    about = [*found.about, form.partition(" ")[0].strip("{}02,") or "ROLLUP"]
    rest = both("{} GROUP BY {}{}", _where(names, over, 0, about), both(form, a, b, c), _having(over, about))
    return _query([*keys, *calls], found, rest, about)


def windows(names: Names, depth: int) -> Query:
    """OVER, named windows and QUALIFY."""
    chance = names.chance
    found = from_clause(names, depth, relational)
    if not any(e.exact for e in found.scope):
        return plain(names, depth)
    over = Expressions(chance, found.scope)
    about = [*found.about, "OVER"]
    defined: list[Sql] = []
    calls = [analytic(names, over, found, defined) for _ in range(chance.randint(1, 3))]
    shown = chance.sample(over.names(), min(len(over.names()), 3))
    where = _where(names, over, 0, about)
    qualify = Sql("", "")
    if chance.random() < 0.25:
        about.append("QUALIFY")
        call = next((c for c in calls if c.kind == "BIGINT" and c.exact), None)
        qualify = both(" QUALIFY {} <= 3", call.sql) if call is not None else qualify
    named = both(" WINDOW {}", joined(defined)) if defined else Sql("", "")
    if defined:
        about.append("WINDOW")
    return _query([*shown, *calls], found, both("{}{}{}", where, named, qualify), about)


def combined(names: Names, depth: int) -> Query:
    """UNION, INTERSECT and EXCEPT."""
    chance = names.chance
    kinds: list[Kind] = [chance.choice(KINDS) for _ in range(chance.randint(1, 3))]
    branches = [_branch(names, depth, kinds) for _ in range(chance.choice((2, 2, 3)))]
    words = [
        f"{chance.choice(('UNION', 'UNION', 'INTERSECT', 'EXCEPT'))}{chance.choice((' ALL', ''))}" for _ in range(2)
    ]
    sql = branches[0].sql
    for word, branch in zip(words, branches[1:], strict=False):
        sql = both(f"({{}}) {word} ({{}})", sql, branch.sql)
    streams = all(b.streams for b in branches)
    about = tuple(a for b in branches for a in b.about) + tuple(words[: len(branches) - 1])
    return Query(sql, branches[0].columns, streams=streams, about=about)


def _branch(names: Names, depth: int, kinds: Sequence[Kind]) -> Query:
    found = from_clause(names, 0, relational)
    over = Expressions(names.chance, found.scope)
    about = list(found.about)
    where = _where(names, over, depth - 1, about)
    return _query([over.value(kind, 1) for kind in kinds], found, where, about)


def limited(names: Names, depth: int) -> Query:
    """ORDER BY all columns, so that only one order is possible, and LIMIT, OFFSET or FETCH."""
    chance = names.chance
    inner = names.chance.choice((plain, grouped, distinct, windows, combined))(names, depth - 1)
    if not all(c.exact for c in inner.columns):
        return inner
    order = chance.sample(inner.columns, len(inner.columns))
    keys = joined([_key(chance.choice(("", " ASC", " DESC")), chance.random() < 0.5, c) for c in order])
    count, skipped = chance.choice((0, 1, 3, 10)), chance.choice((0, 1, 5))
    ours, duck = chance.choice(
        (
            ("", ""),
            (f" LIMIT {count}", f" LIMIT {count}"),
            (f" LIMIT {count} OFFSET {skipped}", f" LIMIT {count} OFFSET {skipped}"),
            (f" OFFSET {skipped} ROWS", f" OFFSET {skipped}"),
            (f" OFFSET {skipped} ROWS FETCH NEXT {count} ROWS ONLY", f" LIMIT {count} OFFSET {skipped}"),
            (f" FETCH FIRST {count} ROWS ONLY", f" LIMIT {count}"),
        )
    )
    return Query(
        both(f"{SELECT} * FROM ({{}}) AS {names.new()} ORDER BY {{}}{{}}", inner.sql, keys, Sql(ours, duck)),
        inner.columns,
        ordered=True,
        streams=inner.streams,
        about=(*inner.about, "ORDER BY", ours.strip().partition(" ")[0]),
    )


def _key(way: str, nulls: bool, column: Column) -> Sql:
    """By default NULL is the greatest value."""
    if nulls:
        said = f"{column.name}{way} NULLS {'FIRST' if len(column.name) % 2 else 'LAST'}"
        return Sql(said, said)
    return Sql(f"{column.name}{way}", f"{column.name}{way} NULLS {'FIRST' if way == ' DESC' else 'LAST'}")


def common(names: Names, depth: int) -> Query:
    """WITH, its name used once or twice."""
    chance = names.chance
    inner = relational(names, depth - 1)
    exact = [c for c in inner.columns if c.exact]
    name, one, other = names.new("w"), names.new(), names.new()
    if not exact or chance.random() < 0.4:
        shown = joined([c.of(one).sql for c in inner.columns])
        body, columns = both(f"{SELECT} {{}} FROM {name} AS {one}", shown), inner.columns
    else:
        by = chance.choice(exact).name
        twice = f"{name} AS {one} JOIN {name} AS {other} ON {one}.{by} = {other}.{by}"
        body = both(f"{SELECT} {one}.{by} AS c0, COUNT(*) AS c1 FROM {twice} GROUP BY {one}.{by}")
        kind = next(c.kind for c in exact if c.name == by)
        columns = (Column("c0", kind), Column("c1", "BIGINT"))
    sql = both(f"WITH {name} AS ({{}}) {{}}", inner.sql, body)
    return Query(sql, columns, streams=inner.streams, about=(*inner.about, "WITH"))
