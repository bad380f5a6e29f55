"""Analytic calls whose result does not depend on which of two like rows comes first."""

from __future__ import annotations

from .aggregates import aggregate
from .expressions import Expressions
from .sources import From, Names
from .text import Expr, Sql, both, differing, joined

_EMPTY = Sql("", "")


def analytic(names: Names, over: Expressions, found: From, defined: list[Sql]) -> Expr:
    """Returns a call OVER a window; a named one is added to `defined`."""
    chance = over.chance
    keys = [e.sql for e in chance.sample(over.names(), min(len(over.names()), chance.choice((0, 1, 1, 2))))]
    partition = both("PARTITION BY {} ", joined(keys)) if keys else _EMPTY
    made = chance.choice((_numbered, _ranked, _framed, _framed, _distances, _whole))(over, found, partition)
    call, window = made
    if chance.random() < 0.2:
        name = names.new("w")
        defined.append(both(f"{name} AS ({{}})", window))
        return Expr(both(f"{{}} OVER {name}", call.sql), call.kind, call.exact)
    return Expr(both("{} OVER ({})", call.sql, window), call.kind, call.exact)


def first(over: Expressions, window: Sql) -> Sql:
    """Returns a condition that holds for the first rows of each window, or for those with its best value."""
    chance = over.chance
    partition = both("PARTITION BY {}", joined([window, *([over.name().sql] if chance.random() < 0.4 else [])]))
    if chance.random() < 0.3:
        name, value = chance.choice(("MAX", "MIN")), over.name("INTEGER", "DECIMAL", "VARCHAR", "TIMESTAMP").sql
        frame = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
        return both(f"{{0}} = {name}({{0}}) OVER ({{1}} {frame})", value, partition)
    name = chance.choice(("ROW_NUMBER", "RANK", "DENSE_RANK"))
    order = _total(over) if name == "ROW_NUMBER" else both("ORDER BY {}", _key(over, over.name()))
    form = chance.choice(("{} <= 3", "{} < 3", "{} = 1", "{} BETWEEN 1 AND 2", "{} IN (1, 3)"))
    return both(form, both(f"{name}() OVER ({{}} {{}})", partition, order))


def _total(over: Expressions) -> Sql:
    """Orders by all visible columns: rows that tie are equal."""
    order = over.chance.sample(over.names(), len(over.names()))
    return both("ORDER BY {}", joined([_key(over, e) for e in order]))


def _key(over: Expressions, value: Expr) -> Sql:
    """By default NULL is the greatest value."""
    way, nulls = over.chance.choice(("", " DESC")), over.chance.choice(("FIRST", "LAST", ""))
    said = nulls or ("FIRST" if way else "LAST")
    return differing(f"{{}}{way}{nulls and f' NULLS {nulls}'}", f"{{}}{way} NULLS {said}", value.sql)


def _numbered(over: Expressions, found: From, partition: Sql) -> tuple[Expr, Sql]:
    """Functions of a row's position."""
    value = over.name()
    n = over.chance.choice((1, 2, 3))
    forms = (
        Expr(Sql("ROW_NUMBER()", "ROW_NUMBER()"), "BIGINT"),
        Expr(Sql(f"NTILE({n})", f"NTILE({n})"), "BIGINT"),
        Expr(both(f"LAG({{}}, {n})", value.sql), value.kind),
        Expr(both(f"LEAD({{}}, {n})", value.sql), value.kind),
        Expr(both(f"LEAD({{0}}, {n}, {{1}})", value.sql, over.literal(value.kind).sql), value.kind),
    )
    return over.chance.choice(forms), both("{}{}", partition, _total(over))


def _ranked(over: Expressions, found: From, partition: Sql) -> tuple[Expr, Sql]:
    """Functions of a row's peers."""
    name = over.chance.choice(("RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST"))
    exact = name in ("RANK", "DENSE_RANK")
    call = Expr(Sql(f"{name}()", f"{name}()"), "BIGINT" if exact else "DOUBLE", exact)
    return call, both("{}ORDER BY {}", partition, _key(over, over.name()))


def _framed(over: Expressions, found: From, partition: Sql) -> tuple[Expr, Sql]:
    """ROWS, ordered by all columns."""
    chance, value = over.chance, over.name()
    call = chance.choice(
        (
            aggregate(over, windows=True),
            aggregate(over, windows=True),
            Expr(both("FIRST_VALUE({})", value.sql), value.kind),
            Expr(both("LAST_VALUE({})", value.sql), value.kind),
            Expr(both("NTH_VALUE({}, 2)", value.sql), value.kind),
        )
    )
    lower = chance.choice(("UNBOUNDED PRECEDING", "2 PRECEDING", "1 PRECEDING", "CURRENT ROW"))
    upper = chance.choice(("CURRENT ROW", "1 FOLLOWING", "UNBOUNDED FOLLOWING"))
    return call, both(f"{{}}{{}} ROWS BETWEEN {lower} AND {upper}", partition, _total(over))


def _distances(over: Expressions, found: From, partition: Sql) -> tuple[Expr, Sql]:
    """RANGE over one key. CURRENT ROW as the upper end means something else over streams, so it is not used here."""
    chance = over.chance
    call, value = aggregate(over, windows=True), over.name("INTEGER", "TIMESTAMP")
    away = "INTERVAL '1' HOUR" if value.kind == "TIMESTAMP" else "2"
    lower = chance.choice(("UNBOUNDED PRECEDING", f"{away} PRECEDING", "CURRENT ROW"))
    uppers = [f"{away} FOLLOWING", "UNBOUNDED FOLLOWING", *([] if found.streams else ["CURRENT ROW"])]
    nulls = chance.choice(("FIRST", "LAST"))
    way = chance.choice(("", " DESC"))
    frame = f"ORDER BY {{}}{way} NULLS {nulls} RANGE BETWEEN {lower} AND {chance.choice(uppers)}"
    return call, both(f"{{}}{frame}", partition, value.sql)


def _whole(over: Expressions, found: From, partition: Sql) -> tuple[Expr, Sql]:
    """All rows of the partition. A window over rows with a ROWTIME is ordered by it, and the query says so."""
    frame = " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
    timed = found.streams or any(e.sql.ours.endswith(".rowtime") for e in found.scope)
    ordered = both("{}{}", _total(over), Sql(frame, frame)) if timed else _EMPTY
    return aggregate(over, windows=True), both("{}{}", partition, ordered)
