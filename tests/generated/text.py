"""SQL in two dialects at once: rowtime's and DuckDB's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["INTEGER", "BIGINT", "DECIMAL", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP"]
KINDS: tuple[Kind, ...] = ("INTEGER", "BIGINT", "DECIMAL", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP")
NUMBERS: tuple[Kind, ...] = ("INTEGER", "BIGINT", "DECIMAL", "DOUBLE")

STREAM = "~STREAM~"
"""Stands behind each SELECT that says STREAM in the streaming form."""
SELECT = f"SELECT{STREAM}"
_NAME = re.compile(r"~([A-Z])~")


@dataclass(frozen=True)
class Sql:
    """`ours` names relations as `~S~`, as they have other names where the same query runs as a stream."""

    ours: str
    duck: str


def both(template: str, *parts: Sql) -> Sql:
    """The same words in both dialects, around parts that may differ."""
    return differing(template, template, *parts)


def differing(ours: str, duck: str, *parts: Sql) -> Sql:
    return Sql(ours.format(*(p.ours for p in parts)), duck.format(*(p.duck for p in parts)))


def joined(parts: list[Sql], between: str = ", ") -> Sql:
    return Sql(between.join(p.ours for p in parts), between.join(p.duck for p in parts))


def relation(letter: str) -> Sql:
    return Sql(f"~{letter}~", f"G_{letter}")


@dataclass(frozen=True)
class Expr:
    """`exact`: both engines have the same value to its last digit, so that it may be compared and grouped by."""

    sql: Sql
    kind: Kind
    exact: bool = True


@dataclass(frozen=True)
class Column:
    """A column that a query gives, or a name in the scope of one."""

    name: str
    kind: Kind
    exact: bool = True

    def of(self, alias: str) -> Expr:
        name = f"{alias}.{self.name}" if alias else self.name
        return Expr(Sql(name, name), self.kind, self.exact)


def named_list(listed: Sequence[Expr]) -> tuple[Sql, tuple[Column, ...]]:
    """What SELECT lists, as columns c0, c1 …"""
    columns = tuple(Column(f"c{i}", e.kind, e.exact) for i, e in enumerate(listed))
    return joined([both(f"{{}} AS {c.name}", e.sql) for c, e in zip(columns, listed, strict=True)]), columns


@dataclass(frozen=True)
class Query:
    """A query with its columns. `ordered`: rows come in one order only. `streams`: it reads nothing but streams, so
    that it may run as one, or joins a stream with a table. `about` says what it is made of. `streamed` is its text as a
    stream, where that has what a relation has not."""

    sql: Sql
    columns: tuple[Column, ...]
    ordered: bool = False
    streams: bool = False
    about: tuple[str, ...] = field(default=())
    streamed: str = ""

    def text(self, names: Mapping[str, str], *, streaming: bool) -> str:
        """The query as rowtime takes it, with relations under those names."""
        ours = self.streamed if streaming and self.streamed else self.sql.ours
        said = ours.replace(STREAM, " STREAM" if streaming else "")
        return _NAME.sub(lambda found: names[found[1]], said)

    @property
    def duck(self) -> str:
        """The query as DuckDB takes it."""
        return self.sql.duck.replace(STREAM, "")
