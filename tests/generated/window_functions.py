"""TUMBLE, HOP and SESSION as table functions, in composed queries."""

from __future__ import annotations

from dataclasses import dataclass

from .compositions import timed_query, where_of
from .expressions import Expressions
from .sources import From, Names, short
from .text import Column, Expr, Query, Sql, both
from .timekeys import hop_windows


@dataclass(frozen=True)
class Windowed:
    """Rows with their windows: the function and its FROM clause, all names except ROWTIME and those of the borders,
    ROWTIME, and the start and the end of the window."""

    name: str
    sql: Sql
    scope: Expressions
    time: Expr
    borders: tuple[Expr, Expr]

    @property
    def rows(self) -> From:
        return From(self.sql, (*self.scope.scope, self.time), True, rowtime=self.time)


def window_function(names: Names, found: From) -> Query:
    """The rows with a border of their windows, or its start as a further column."""
    made = windowed(names, found)
    start, end = made.borders
    rowtime = end if made.name == "SESSION" else names.chance.choice((start, end, made.time))
    listed = [made.scope.any(0), made.scope.any(0), start]
    return timed_query(rowtime.sql, listed, both("FROM {}{}", made.sql, where_of(made.scope)), f"{made.name}()")


def windowed(names: Names, found: From) -> Windowed:
    """Returns a call of a function; SESSION is as likely as the others together."""
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
        key = short(chance.choice(keys)) if keys and chance.random() < 0.7 else ""
        ours = f"SESSION({inner.ours}, {descriptor}{key and f', DESCRIPTOR({key})'}, {ends})"
        duck = _sessions(inner.duck, key, ends)
    columns = [Column(short(e), e.kind, e.exact) for e in found.scope]
    made = From(Sql(f"{ours} AS {alias}", f"{duck} AS {alias}"), tuple(c.of(alias) for c in columns), True)
    scope = Expressions(chance, [e for e in made.scope if not e.sql.ours.endswith(".rowtime")])
    start, end = (Column(f"window_{which}", "TIMESTAMP").of(alias) for which in ("start", "end"))
    return Windowed(name, made.sql, scope, Column("rowtime", "TIMESTAMP").of(alias), (start, end))


def _sessions(inner: str, key: str, gap: str) -> str:
    """Returns DuckDB's rows with the start and the end of the session of each."""
    by = f"PARTITION BY {key} " if key else ""
    opens = f"CASE WHEN lag(rowtime) OVER ({by}ORDER BY rowtime) >= rowtime - {gap} THEN NULL ELSE rowtime END AS opens"
    began = f"max(opens) OVER ({by}ORDER BY rowtime) AS window_start"
    ended = f"max(rowtime) OVER (PARTITION BY {f'{key}, ' if key else ''}window_start) + {gap} AS window_end"
    return f"(SELECT *, {ended} FROM (SELECT *, {began} FROM (SELECT *, {opens} FROM {inner})))"


def _bare(found: From) -> Sql:
    """The relation or the sub-query in parentheses, without its alias."""
    return Sql(*(text.rpartition(" AS ")[0] for text in (found.sql.ours, found.sql.duck)))
