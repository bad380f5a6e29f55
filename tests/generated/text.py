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
"""Follows each SELECT that has STREAM in the streaming form."""
SELECT = f"SELECT{STREAM}"
_NAME = re.compile(r"~([A-Z])~")


@dataclass(frozen=True)
class Sql:
    """`ours` names relations as `~S~`, because they have other names if the same query runs as a stream."""

    ours: str
    duck: str


def both(template: str, *parts: Sql) -> Sql:
    """Returns the same text in both dialects, around parts that may differ."""
    return differing(template, template, *parts)


def differing(ours: str, duck: str, *parts: Sql) -> Sql:
    return Sql(ours.format(*(p.ours for p in parts)), duck.format(*(p.duck for p in parts)))


def joined(parts: list[Sql], between: str = ", ") -> Sql:
    return Sql(between.join(p.ours for p in parts), between.join(p.duck for p in parts))


def relation(letter: str) -> Sql:
    return Sql(f"~{letter}~", f"G_{letter}")


@dataclass(frozen=True)
class Expr:
    """`exact`: both engines have exactly the same value, so it may be compared and used as a key."""

    sql: Sql
    kind: Kind
    exact: bool = True


@dataclass(frozen=True)
class Column:
    """A column of a query's result, or a name in the scope of one."""

    name: str
    kind: Kind
    exact: bool = True

    def of(self, alias: str) -> Expr:
        name = f"{alias}.{self.name}" if alias else self.name
        return Expr(Sql(name, name), self.kind, self.exact)


def named_list(listed: Sequence[Expr]) -> tuple[Sql, tuple[Column, ...]]:
    """Returns the SELECT list, as columns c0, c1 …"""
    columns = tuple(Column(f"c{i}", e.kind, e.exact) for i, e in enumerate(listed))
    return joined([both(f"{{}} AS {c.name}", e.sql) for c, e in zip(columns, listed, strict=True)]), columns


@dataclass(frozen=True)
class Query:
    """A query with its columns. `ordered`: its rows have only one possible order. `streams`: it reads only streams, so
    it may run as one, or joins a stream with a table. `about` describes its parts. `streamed` is its text as a stream,
    if that has constructs that a relation lacks."""

    sql: Sql
    columns: tuple[Column, ...]
    ordered: bool = False
    streams: bool = False
    about: tuple[str, ...] = field(default=())
    streamed: str = ""

    def text(self, names: Mapping[str, str], *, streaming: bool) -> str:
        """Returns the query in rowtime's dialect, with relations under those names."""
        ours = self.streamed if streaming and self.streamed else self.sql.ours
        said = ours.replace(STREAM, " STREAM" if streaming else "")
        return _NAME.sub(lambda found: names[found[1]], said)

    @property
    def duck(self) -> str:
        """Returns the query in DuckDB's dialect."""
        return self.sql.duck.replace(STREAM, "")
