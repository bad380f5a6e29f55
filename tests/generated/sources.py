"""FROM clauses: relations, views, sub-queries, VALUES, and joins of them; and sub-queries in conditions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .data import ALL_RELATIONS, VIEW_COLUMNS
from .expressions import Expressions
from .text import Column, Expr, Kind, Query, Sql, both, differing, relation

Subquery = Callable[["Names", int], Query]

_COLUMNS: dict[str, tuple[tuple[str, Kind], ...]] = {**{r.letter: r.columns for r in ALL_RELATIONS}, **VIEW_COLUMNS}
STREAMS = (*(r.letter for r in ALL_RELATIONS if r.stream and r.letter != "P"), *VIEW_COLUMNS)
_USING = "USING"
_ROWS: tuple[tuple[str, tuple[tuple[str, Kind], ...]], ...] = (
    ("(VALUES (1, 'one'), (2, 'two'), (4, NULL), (2, 'two'))", (("k", "INTEGER"), ("label", "VARCHAR"))),
    ("(VALUES (1.25, TRUE), (NULL, FALSE), (10.75, NULL))", (("d", "DECIMAL"), ("g", "BOOLEAN"))),
    ("(VALUES (DATE '2015-02-15'), (DATE '2015-01-31'))", (("dt", "DATE"),)),
)


@dataclass(frozen=True)
class Names:
    """The random generator, and unused aliases."""

    chance: random.Random
    numbers: Iterator[int]

    @classmethod
    def of(cls, chance: random.Random) -> Names:
        return cls(chance, itertools.count(1))

    def new(self, letter: str = "q") -> str:
        return f"{letter}{next(self.numbers)}"


@dataclass(frozen=True)
class From:
    """A FROM clause and the names that it defines. `rowtime` and `id` are set if rows have an order of arrival."""

    sql: Sql
    scope: tuple[Expr, ...]
    streams: bool
    about: tuple[str, ...] = ()
    rowtime: Expr | None = None
    id: Expr | None = None


def from_relation(names: Names, letter: str) -> From:
    alias = names.new("r")
    columns = {n: Column(n, kind).of(alias) for n, kind in _COLUMNS[letter]}
    return From(
        both(f"{{}} AS {alias}", relation(letter)),
        tuple(columns.values()),
        letter in STREAMS,
        rowtime=columns.get("rowtime"),
        id=columns.get("id") if "rowtime" in columns else None,
    )


def from_query(names: Names, query: Query) -> From:
    alias = names.new()
    columns = {c.name: c.of(alias) for c in query.columns}
    arrives = query.streams and {"rowtime", "id"} <= columns.keys()
    return From(
        both(f"({{}}) AS {alias}", query.sql),
        tuple(columns.values()),
        query.streams,
        (*query.about, "sub-query"),
        columns.get("rowtime") if arrives else None,
        columns.get("id") if arrives else None,
    )


def source(names: Names, depth: int, subquery: Subquery) -> From:
    """Returns one relation, of any kind."""
    drawn = names.chance.random()
    if depth > 0 and drawn < 0.3:
        return from_query(names, subquery(names, depth - 1))
    if drawn < 0.36:
        rows, columns = names.chance.choice(_ROWS)
        alias = names.new("v")
        listed = ", ".join(n for n, _ in columns)
        scope = tuple(Column(n, kind).of(alias) for n, kind in columns)
        said = f"{rows} AS {alias} ({listed})"
        return From(Sql(said, said), scope, False, ("VALUES",))
    return from_relation(names, names.chance.choice("TTTUUSSSRVW"))


def from_clause(names: Names, depth: int, subquery: Subquery) -> From:
    """A source, or a join of two or three."""
    found = source(names, depth, subquery)
    for _ in range(names.chance.choice((0, 0, 0, 1, 1, 2))):
        if _USING not in found.about:
            found = _join(names, found, source(names, 0, subquery))
    return found


def _join(names: Names, left: From, right: From) -> From:
    chance = names.chance
    scope, streams = (*left.scope, *right.scope), left.streams and right.streams
    kind = chance.choice(("INNER", "LEFT", "LEFT", "RIGHT", "FULL", "CROSS", "USING"))
    about = (*left.about, *right.about)
    single = "JOIN" not in "".join(left.about)
    shared = [c for c in ("k", "d", "dt") if all(_named(side, c) is not None for side in (left, right))]
    if kind == "USING" and shared and single:
        by = chance.choice(shared)
        way = chance.choice(("INNER", "LEFT", "RIGHT", "FULL"))
        key = _named(left, by)
        assert key is not None
        rest = tuple(e for e in scope if short(e) != by)
        merged = Column(by, key.kind).of("")
        sql = both(f"{{}} {way} JOIN {{}} USING ({by})", left.sql, right.sql)
        return From(sql, (merged, *rest), streams, (*about, f"{way} JOIN", _USING))
    if kind == "CROSS":
        between = chance.choice((" CROSS JOIN ", ", ")) if "JOIN" not in left.sql.ours else " CROSS JOIN "
        return From(both(f"{{}}{between}{{}}", left.sql, right.sql), scope, streams, (*about, "CROSS JOIN"))
    way = "INNER" if kind == "USING" else kind
    sql = both(f"{{}} {way} JOIN {{}} ON {{}}", left.sql, right.sql, _condition(chance, left, right))
    return From(sql, scope, streams, (*about, f"{way} JOIN"))


def _condition(chance: random.Random, left: From, right: From) -> Sql:
    """Equal values of one kind, and sometimes a further condition."""
    pairs = [(a, b) for a in left.scope for b in right.scope if a.kind == b.kind and a.exact and b.exact]
    both_sides = Expressions(chance, (*left.scope, *right.scope))
    if not pairs or chance.random() < 0.1:
        return both_sides.condition(1)
    equal = both("{} = {}", *(e.sql for e in chance.choice(pairs)))
    return both("{} AND {}", equal, both_sides.condition(1)) if chance.random() < 0.4 else equal


def short(name: Expr) -> str:
    return name.sql.ours.rpartition(".")[2]


def _named(side: From, name: str) -> Expr | None:
    return next((e for e in side.scope if short(e) == name), None)


# --- sub-queries in expressions --------------------------------------------------------------------------------------


def _correlated(names: Names, outer: Expressions, letters: str) -> tuple[From, Sql]:
    """A relation, and a condition on it that names the outer row."""
    inner = from_relation(names, names.chance.choice(letters))
    pairs = [(a, b) for a in inner.scope for b in outer.names() if a.kind == b.kind]
    if not pairs or names.chance.random() < 0.25:
        return inner, Expressions(names.chance, inner.scope).condition(1)
    a, b = names.chance.choice(pairs)
    compared = names.chance.choice(("=", "=", "=", "<", ">="))
    where = both(f"{{}} {compared} {{}}", a.sql, b.sql)
    if names.chance.random() < 0.4:
        where = both("{} AND {}", where, Expressions(names.chance, inner.scope).condition(0))
    return inner, where


def sub_condition(names: Names, outer: Expressions, letters: str = "TUS") -> Sql:
    """EXISTS, IN, or a comparison with a sub-query over one of the relations."""
    chance = names.chance
    inner, where = _correlated(names, outer, letters)
    values = Expressions(chance, inner.scope)
    form = chance.choice(("EXISTS", "IN", "IN", "ROW IN", "COMPARED", "QUANTIFIED"))
    negated = chance.choice(("", "NOT "))
    if form == "EXISTS":
        return both(f"{negated}EXISTS (SELECT 1 FROM {{}} WHERE {{}})", inner.sql, where)
    chosen = chance.choice([e for e in inner.scope if e.kind not in ("BOOLEAN", "DOUBLE")])
    value = outer.value(chosen.kind, 1).sql
    if form == "COMPARED":
        single = both("(SELECT MIN({}) FROM {} WHERE {})", chosen.sql, inner.sql, where)
        return both(f"{{}} {chance.choice(('<', '=', '>='))} {{}}", value, single)
    column = both("(SELECT {} FROM {} WHERE {})", chosen.sql, inner.sql, Expressions(chance, inner.scope).condition(1))
    if form == "QUANTIFIED":
        compared = chance.choice(("= SOME", "< ALL", "> SOME", "<> ALL", ">= ALL"))
        return differing(f"{{0}} {compared} {{1}}", f"{{0}} {compared.replace('SOME', 'ANY')} {{1}}", value, column)
    if form == "ROW IN":
        other = values.name("INTEGER", "VARCHAR")
        equal = "({0} = {2} AND {1} = {3})"
        # DuckDB takes NULLs in rows for values.
        unknown = f"CASE WHEN bool_or({equal}) THEN TRUE WHEN bool_or({equal} IS NULL) THEN NULL ELSE FALSE END"
        return differing(
            f"({{0}}, {{1}}) {negated}IN (SELECT {{2}}, {{3}} FROM {{4}})",
            f"{negated}(SELECT {unknown} FROM {{4}})",
            *(value, outer.name(other.kind).sql, chosen.sql, other.sql, inner.sql),
        )
    if chance.random() < 0.4:
        column = both("(SELECT {} FROM {} WHERE {})", chosen.sql, inner.sql, where)
    return both(f"{{}} {negated}IN {{}}", value, column)


def scalar(names: Names, outer: Expressions, letters: str = "TUS") -> Expr:
    """A sub-query for one value."""
    inner, where = _correlated(names, outer, letters)
    values = Expressions(names.chance, inner.scope)
    function = names.chance.choice(("COUNT", "SUM", "MAX"))
    chosen = values.name(*(("INTEGER", "DECIMAL") if function == "SUM" else ("INTEGER", "VARCHAR", "TIMESTAMP")))
    kind: Kind = "BIGINT" if function == "COUNT" else chosen.kind
    return Expr(both(f"(SELECT {function}({{}}) FROM {{}} WHERE {{}})", chosen.sql, inner.sql, where), kind)
