"""Joins of two streams whose times are near each other, of a stream with versions, and with a table; EXISTS and IN."""

from __future__ import annotations

from .expressions import Expressions, floor
from .sources import From, Names, from_relation
from .text import SELECT, Column, Expr, Query, Sql, both, joined, named_list

_NOTHING = Sql("", "")
_MINUTES = (0, 1, 7, 20, 60)


def near(names: Names, depth: int) -> Query:
    """Two streams, joined by a condition on time, in ON or WHERE, or by windows."""
    return near_of(names, *(from_relation(names, names.chance.choice("SSRV")) for _ in range(2)))


def near_of(names: Names, left: From, right: From) -> Query:
    kind = names.chance.choice(("INNER", "LEFT", "RIGHT", "FULL", "EXISTS", "NOT EXISTS", "IN"))
    if kind in ("EXISTS", "NOT EXISTS", "IN"):
        return _filtered(names, left, right, kind, _within(names, left, right))
    if names.chance.random() < 0.4:
        return _windowed(names, left, right, kind)
    on = joined([_within(names, left, right), *_conditions(names, left, right)], " AND ")
    sides = {"INNER": (left, right), "LEFT": (left,), "RIGHT": (right,), "FULL": ()}[kind]
    by = names.chance.choice([None, *sides])
    if kind == "INNER" and names.chance.random() < 0.3:
        source = both("{}, {} WHERE {}", left.sql, right.sql, on)
    else:
        source = both(f"{{}} {kind} JOIN {{}} ON {{}}", left.sql, right.sql, on)
    return _selected(names, left, right, source, by, f"near {kind} JOIN")


def as_of(names: Names, depth: int) -> Query:
    """A stream and the versions of another one: FOR SYSTEM_TIME AS OF, LATERAL SNAPSHOT, or an ASOF JOIN."""
    return as_of_of(names, from_relation(names, names.chance.choice("SSRV")))


def as_of_of(names: Names, left: From) -> Query:
    chance, right = names.chance, from_relation(names, "P")
    assert left.rowtime is not None
    kind, alias = chance.choice(("", "LEFT ")), right.sql.ours.rpartition(" AS ")[2]
    if chance.random() < 0.35:
        a, b = _equal(names, left, right)
        on, later = both("{} = {}", a.sql, b.sql), chance.choice((">=", ">"))
        ours = both(f"{{}} {kind}ASOF JOIN {{}} MATCH_CONDITION {{}} {later} {alias}.rowtime ON {{}}",
                    left.sql, right.sql, left.rowtime.sql, on)  # fmt: skip
        name, time = f"{kind}ASOF JOIN", left.rowtime.sql
        holds = _holds(alias, b.sql.ours.rpartition(".")[2], later)
    else:
        on = joined(_conditions(names, left, right, least=1), " AND ")
        time = _shifted(left.rowtime.sql, chance.choice((0, 0, 0, 7, -7)))
        form = chance.choice((f"~P~ FOR SYSTEM_TIME AS OF {{}} AS {alias}", f"LATERAL SNAPSHOT(~P~, {{}}) AS {alias}"))
        ours = both(f"{{}} {kind}JOIN {form} ON {{}}", left.sql, time, on)
        name, holds = f"{kind}JOIN with versions", _holds(alias, "k", ">=")
    versions, condition = (part.replace("~TIME~", time.duck) for part in holds)
    source = Sql(ours.ours, f"{left.sql.duck} {kind}JOIN {versions} ON {condition} AND {on.duck}")
    return _selected(names, left, right, source, left, name)


def _holds(alias: str, key: str, later: str) -> tuple[str, str]:
    """Returns DuckDB's versions of a key with the times at which they end, and the condition that one is valid at
    ~TIME~."""
    versions = f"(SELECT *, LEAD(rowtime) OVER (PARTITION BY {key} ORDER BY rowtime) AS until FROM G_P) AS {alias}"
    begins = f"~TIME~ {later} {alias}.rowtime"
    return versions, f"{begins} AND ({alias}.until IS NULL OR NOT ~TIME~ {later} {alias}.until)"


def looked_up(names: Names, depth: int) -> Query:
    """A stream and a table."""
    return looked_up_of(names, from_relation(names, names.chance.choice("SSRV")))


def looked_up_of(names: Names, stream: From) -> Query:
    table = from_relation(names, names.chance.choice("TU"))
    kind = names.chance.choice(("INNER", "LEFT", "RIGHT", "EXISTS", "NOT EXISTS", "IN"))
    if kind in ("EXISTS", "NOT EXISTS", "IN"):
        return _filtered(names, stream, table, kind, _NOTHING)
    on = joined(_conditions(names, stream, table, least=1), " AND ")
    sides = (table, stream) if kind == "RIGHT" else (stream, table)
    source = both(f"{{}} {kind} JOIN {{}} ON {{}}", *(side.sql for side in sides), on)
    return _selected(names, stream, table, source, stream, f"{kind} JOIN of a table")


def _selected(names: Names, left: From, right: From, source: Sql, by: From | None, about: str) -> Query:
    """Columns of both sides; ROWTIME is that of `by`, or is not listed."""
    over = Expressions(names.chance, [e for side in (left, right) for e in side.scope if not _is_rowtime(side, e)])
    ids = [side.id for side in (left, right) if side.id is not None]
    said, columns = named_list([*ids, *(over.any(1) for _ in range(names.chance.randint(1, 3)))])
    if by is None:
        return Query(both(f"{SELECT} {{}} FROM {{}}", said, source), columns, streams=True, about=(about,))
    assert by.rowtime is not None
    sql = both(f"{SELECT} {{}} AS rowtime, {{}} FROM {{}}", by.rowtime.sql, said, source)
    return Query(sql, (Column("rowtime", "TIMESTAMP"), *columns), streams=True, about=(about,))


def _windowed(names: Names, left: From, right: From, kind: str) -> Query:
    """Windows in FROM, which only streams have; a relation has an equivalent condition."""
    before, after = (names.chance.choice(_MINUTES[1:]) for _ in range(2))
    looks_ahead = names.chance.random() < 0.5
    if looks_ahead:
        frames = ("", f" OVER (RANGE INTERVAL '{after}' MINUTE FOLLOWING)")
        near = _between(left, right, 0, after)
    else:
        frames = tuple(f" OVER (RANGE INTERVAL '{minutes}' MINUTE PRECEDING)" for minutes in (after, before))
        near = _between(left, right, -before, after)
    conditions = _conditions(names, left, right)
    relation = both(f"{{}} {kind} JOIN {{}} ON {{}}", left.sql, right.sql, joined([near, *conditions], " AND "))
    made = _selected(names, left, right, relation, None, f"windowed {kind} JOIN")
    over = [
        f"{frame} AS ".join(side.sql.ours.rsplit(" AS ", 1)) for side, frame in zip((left, right), frames, strict=True)
    ]
    on = joined(conditions, " AND ").ours or "TRUE"
    stream = made.sql.ours.replace(relation.ours, f"{over[0]} {kind} JOIN {over[1]} ON {on}")
    return Query(made.sql, made.columns, streams=True, about=made.about, streamed=stream)


def _filtered(names: Names, left: From, right: From, kind: str, within: Sql) -> Query:
    """Rows of the left side with a match, or without one."""
    assert left.rowtime is not None
    over = Expressions(names.chance, [e for e in left.scope if not _is_rowtime(left, e)])
    said, columns = named_list([over.any(1) for _ in range(names.chance.randint(1, 3))])
    more = [within] if within.ours else []
    if kind == "IN":
        a, b = _equal(names, left, right)
        inner = both(" WHERE {}", joined(more, " AND ")) if more else _NOTHING
        test = both("{} IN (SELECT {} FROM {}{})", a.sql, b.sql, right.sql, inner)
    else:
        where = joined([*more, *_conditions(names, left, right, least=1)], " AND ")
        test = both(f"{kind} (SELECT 1 FROM {{}} WHERE {{}})", right.sql, where)
    sql = both(f"{SELECT} {{}} AS rowtime, {{}} FROM {{}} WHERE {{}}", left.rowtime.sql, said, left.sql, test)
    of = "near" if within.ours else "of a table"
    return Query(sql, (Column("rowtime", "TIMESTAMP"), *columns), streams=True, about=(f"{kind} {of}",))


def _conditions(names: Names, left: From, right: From, least: int = 0) -> list[Sql]:
    """Usually equal columns, sometimes with a further condition on both sides."""
    found = []
    if least or names.chance.random() < 0.8:
        a, b = _equal(names, left, right)
        found.append(both("{} = {}", a.sql, b.sql))
    if names.chance.random() < 0.4:
        scope = [e for side in (left, right) for e in side.scope if not _is_rowtime(side, e)]
        found.append(both("({})", Expressions(names.chance, scope).condition(1)))
    return found


def _equal(names: Names, left: From, right: From) -> tuple[Expr, Expr]:
    """Columns of one kind that have many equal values."""
    kinds = ("INTEGER", "VARCHAR", "DECIMAL")
    pairs = [
        (a, b)
        for a in left.scope
        for b in right.scope
        if a.kind == b.kind and a.kind in kinds and a is not left.id and b is not right.id
    ]
    if not pairs:
        value = Expressions(names.chance, left.scope).name("INTEGER")
        return value, Expressions(names.chance, right.scope).name("INTEGER")
    return names.chance.choice(pairs)


def _within(names: Names, left: From, right: From) -> Sql:
    """Limits the distance between the two ROWTIMEs."""
    assert left.rowtime is not None
    assert right.rowtime is not None
    chance, a, b = names.chance, left.rowtime.sql, right.rowtime.sql
    if chance.random() < 0.2:
        return both("{} = {}", floor(a, "HOUR"), floor(b, "HOUR"))
    least, most = sorted(chance.choice(_MINUTES) * chance.choice((-1, 1)) for _ in range(2))
    if chance.random() < 0.3:
        return both("{} >= {} AND {} < {}", b, _shifted(a, least), b, _shifted(a, most + 1))
    return _between(left, right, least, most)


def _between(left: From, right: From, least: int, most: int) -> Sql:
    assert left.rowtime is not None
    assert right.rowtime is not None
    a, b = left.rowtime.sql, right.rowtime.sql
    return both("{} BETWEEN {} AND {}", b, _shifted(a, least), _shifted(a, most))


def _shifted(time: Sql, minutes: int) -> Sql:
    if minutes == 0:
        return time
    return both(f"{{}} {'+' if minutes > 0 else '-'} INTERVAL '{abs(minutes)}' MINUTE", time)


def _is_rowtime(side: From, name: Expr) -> bool:
    return side.rowtime is not None and name.sql == side.rowtime.sql
