"""Typed scalar expressions and conditions over the names in a scope, of which no one fails or overflows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .text import KINDS, NUMBERS, Expr, Kind, Sql, both, differing

_LITERALS: dict[Kind, tuple[str, ...]] = {
    "INTEGER": ("0", "1", "2", "3", "-1"),
    "BIGINT": ("CAST(5 AS BIGINT)", "CAST(-7 AS BIGINT)"),
    "DECIMAL": ("1.25", "0.00", "-2.50", "10.75"),
    "DOUBLE": ("1.5E0", "0.25E0", "-2.75E0"),
    "VARCHAR": ("'a'", "'ab'", "''", "'zz'"),
    "BOOLEAN": ("TRUE", "FALSE"),
    "DATE": ("DATE '2015-02-15'", "DATE '2015-01-31'"),
    "TIMESTAMP": ("TIMESTAMP '2015-02-15 10:00:00'", "TIMESTAMP '2015-02-15 00:59:00'"),
}
_TYPES = {"INTEGER": "INTEGER", "BIGINT": "BIGINT", "DECIMAL": "DECIMAL(12, 2)", "DOUBLE": "DOUBLE"}
_UNITS = ("MINUTE", "HOUR", "DAY", "MONTH", "YEAR")
_COMPARED = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Expressions:
    """Draws expressions. `scope` contains the values that names stand for."""

    chance: random.Random
    scope: Sequence[Expr]

    def names(self, *kinds: Kind) -> list[Expr]:
        return [e for e in self.scope if e.exact and (not kinds or e.kind in kinds)]

    def name(self, *kinds: Kind) -> Expr:
        """Returns a name of one of the kinds, or else a literal."""
        found = self.names(*kinds)
        return self.chance.choice(found) if found else self.literal(self.chance.choice(kinds or KINDS))

    def literal(self, kind: Kind) -> Expr:
        said = self.chance.choice(_LITERALS[kind])
        return Expr(Sql(said, said), kind)

    def kind(self) -> Kind:
        """Returns a kind, mostly one that has names."""
        return self.chance.choice(
            sorted({e.kind for e in self.names()}) or KINDS if self.chance.random() < 0.9 else KINDS
        )

    def any(self, depth: int) -> Expr:
        return self.value(self.kind(), depth)

    def value(self, kind: Kind, depth: int) -> Expr:
        """Returns an exact value of that kind."""
        chance = self.chance
        if depth <= 0 or chance.random() < 0.35:
            return self.name(kind) if chance.random() < 0.92 else self.literal(kind)
        if chance.random() < 0.3:
            return self._any_kind(kind, depth - 1)
        return {
            "INTEGER": self._integer,
            "BIGINT": self._number,
            "DECIMAL": self._number,
            "DOUBLE": self._number,
            "VARCHAR": self._text,
            "BOOLEAN": lambda kind, depth: Expr(self.condition(depth), "BOOLEAN"),
            "DATE": self._time,
            "TIMESTAMP": self._time,
        }[kind](kind, depth - 1)

    def inexact(self) -> Expr:
        """Returns a quotient or root, which is compared with a tolerance."""
        numbers = NUMBERS[2:] if self.names("DECIMAL", "DOUBLE") else NUMBERS
        a, b = (self.name(*numbers).sql for _ in range(2))
        text = self.chance.choice(
            (
                "CAST({0} AS DOUBLE) / NULLIF(CAST({1} AS DOUBLE), 0E0)",
                "SQRT(ABS(CAST({0} AS DOUBLE))) + {1}",
                "POWER(CAST({0} AS DOUBLE), 2) - CAST({1} AS DOUBLE)",
            )
        )
        return Expr(both(text, a, b), "DOUBLE", exact=False)

    # --- conditions --------------------------------------------------------------------------------------------------

    def condition(self, depth: int) -> Sql:
        """Returns a condition: TRUE, FALSE or unknown."""
        chance = self.chance
        if depth > 0 and chance.random() < 0.45:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            tests = ("IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "IS UNKNOWN", "IS NOT UNKNOWN")
            one = chance.choice(("({0} AND {1})", "({0} OR {1})", "(NOT {0})", f"({{0}} {chance.choice(tests)})"))
            return both(one, a, b)
        kind = self.kind()
        a, b, c = self.value(kind, depth - 1).sql, self._other(kind, depth - 1), self._other(kind, depth - 1)
        if kind == "BOOLEAN":
            return a
        if kind == "VARCHAR" and chance.random() < 0.3:
            pattern = chance.choice(("a%", "%b", "_", "%", "", "a_b"))
            return both(f"({{}} {chance.choice(('', 'NOT '))}LIKE '{pattern}')", a)
        compared = chance.choice(_COMPARED)
        forms = (
            *([f"({{0}} {compared} {{1}})"] * 4),
            "({0} IS NULL)",
            "({0} IS NOT NULL)",
            "({0} BETWEEN {1} AND {2})",
            "({0} NOT BETWEEN {1} AND {2})",
            "({0} IN ({1}, {2}))",
            "({0} NOT IN ({1}, {2}))",
            "({0} IS DISTINCT FROM {1})",
            "({0} IS NOT DISTINCT FROM {1})",
        )
        if kind in NUMBERS and chance.random() < 0.3:
            b = self.name(*NUMBERS).sql
        return both(chance.choice(forms), a, b, c)

    def _other(self, kind: Kind, depth: int) -> Sql:
        """Returns what a value is compared with: a literal in half of the cases."""
        return (self.literal(kind) if self.chance.random() < 0.5 else self.value(kind, depth)).sql

    # --- kinds -------------------------------------------------------------------------------------------------------

    def _any_kind(self, kind: Kind, depth: int) -> Expr:
        a, b, c = (self.value(kind, depth).sql for _ in range(3))
        when, then = (self.condition(depth) for _ in range(2))
        some = self.name(self.chance.choice(KINDS))
        forms = [
            ("CASE WHEN {0} THEN {1} ELSE {2} END", (when, a, b)),
            ("CASE WHEN {0} THEN {1} WHEN {2} THEN {3} END", (when, a, then, b)),
            ("CASE {0} WHEN {1} THEN {2} ELSE {3} END", (some.sql, self.literal(some.kind).sql, a, b)),
            ("COALESCE({0}, {1})", (a, b)),
            ("COALESCE({0}, {1}, {2})", (a, b, c)),
            ("NULLIF({0}, {1})", (a, b)),
        ]
        text, parts = self.chance.choice(forms)
        return Expr(both(text, *parts), kind)

    def _integer(self, kind: Kind, depth: int) -> Expr:
        number, text = self.name("INTEGER").sql, self.value("VARCHAR", depth).sql
        when = self.name("DATE", "TIMESTAMP").sql
        made = self.chance.choice(
            (
                lambda: self._number(kind, depth).sql,
                lambda: self._number(kind, depth).sql,
                lambda: (
                    both("CHAR_LENGTH({})", text) if self.chance.random() < 0.5 else both("POSITION('b' IN {})", text)
                ),
                lambda: both("MOD({}, 3)", number),
                lambda: both(f"CAST(EXTRACT({self.chance.choice(_UNITS[2:])} FROM {{}}) AS INTEGER)", when),
                # Half away from zero, where DuckDB goes to even numbers.
                lambda: differing(
                    "CAST({0} AS INTEGER)", "CAST(round({0}) AS INTEGER)", self.name("DECIMAL", "DOUBLE").sql
                ),
                lambda: differing("({0} / 2)", "({0} // 2)", number),
            )
        )()
        return Expr(made, kind)

    def _number(self, kind: Kind, depth: int) -> Expr:
        a, b, factor = self.value(kind, depth).sql, self.value(kind, depth).sql, self.literal(kind).sql
        leaf = self.name(kind).sql
        lower = self.name(*NUMBERS[: NUMBERS.index(kind) + 1]).sql
        forms = (
            ("({0} + {1})", (a, b)),
            ("({0} - {1})", (a, b)),
            ("({0} * {1})", (leaf, factor)),
            ("(- {0})", (a,)),
            ("ABS({0})", (a,)),
            (f"CAST({{0}} AS {_TYPES[kind]})", (lower,)),
        )
        text, parts = self.chance.choice(forms)
        return Expr(both(text, *parts), kind)

    def _text(self, kind: Kind, depth: int) -> Expr:
        a, b = self.value(kind, depth).sql, self.name(kind).sql
        forms = [
            ("UPPER({0})", (a,)),
            ("LOWER({0})", (a,)),
            ("({0} || {1})", (self.name(kind).sql, b)),
            ("SUBSTRING({0} FROM 1 FOR 2)", (a,)),
            ("TRIM(BOTH 'a' FROM {0})", (a,)),
            ("REPLACE({0}, 'b', 'xy')", (b,)),
            ("CAST({0} AS VARCHAR)", (self.name("INTEGER", "BIGINT", "DATE").sql,)),
        ]
        text, parts = self.chance.choice(forms)
        return Expr(both(text, *parts), kind)

    def _time(self, kind: Kind, depth: int) -> Expr:
        chance, a = self.chance, self.value(kind, depth).sql
        if kind == "DATE":
            days = f"{chance.choice('+-')} INTERVAL '{chance.choice((1, 30))}' DAY"
            forms = [
                differing(f"({{0}} {days})", f"CAST({{0}} {days} AS DATE)", a),
                both("CAST({0} AS DATE)", self.name("TIMESTAMP").sql),
            ]
            return Expr(chance.choice(forms), kind)
        unit = chance.choice(_UNITS)
        forms = [
            both(f"({{0}} {chance.choice('+-')} INTERVAL '{chance.choice((1, 2, 90))}' {unit})", a),
            floor(self.name(kind).sql, unit),
            ceil(self.name(kind).sql, unit),
            both("CAST({0} AS TIMESTAMP)", self.name("DATE").sql),
        ]
        return Expr(chance.choice(forms), kind)


def floor(when: Sql, unit: str) -> Sql:
    return differing(f"FLOOR({{0}} TO {unit})", f"date_trunc('{unit}', {{0}})", when)


def ceil(when: Sql, unit: str) -> Sql:
    truncated = f"date_trunc('{unit}', {{0}})"
    ceiling = f"(CASE WHEN {truncated} = {{0}} THEN {{0}} ELSE {truncated} + INTERVAL '1' {unit} END)"
    return differing(f"CEIL({{0}} TO {unit})", ceiling, when)
