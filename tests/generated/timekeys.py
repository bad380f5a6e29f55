"""Keys of GROUP BY that follow from ROWTIME: FLOOR, CEIL, TUMBLE, HOP, SESSION and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .expressions import ceil, floor
from .sources import From, Names
from .text import Column, Sql, both, differing

_ROWTIME = (Column("rowtime", "TIMESTAMP"),)

Source = Callable[[From, Sql, Sequence[Sql]], Sql]


def _plainly(found: From, where: Sql, keys: Sequence[Sql]) -> Sql:
    return both("{}{}", found.sql, where)


@dataclass(frozen=True)
class TimeKey:
    """`by` is what GROUP BY lists, `shown` what SELECT does (with names), `source` the FROM and WHERE clause, given the
    relation, the WHERE, and the other keys."""

    name: str
    by: tuple[Sql, ...]
    shown: Sql
    columns: tuple[Column, ...] = _ROWTIME
    source: Source = _plainly


def time_key(names: Names, found: From, *, simple: bool = False) -> TimeKey:
    """`simple`: one column with one value for each row."""
    assert found.rowtime is not None
    kinds = [_floor, _ceil, _other]
    kinds += [_floor] if simple else [_tumble, _hop, _hop, _session, _session]
    return names.chance.choice(kinds)(names, found.rowtime.sql)


def _single(name: str, key: Sql) -> TimeKey:
    return TimeKey(name, (key,), both("{} AS rowtime", key))


def _floor(names: Names, rowtime: Sql) -> TimeKey:
    unit = names.chance.choice(("MINUTE", "HOUR", "HOUR", "DAY", "MONTH", "YEAR"))
    return _single(f"FLOOR TO {unit}", floor(rowtime, unit))


def _ceil(names: Names, rowtime: Sql) -> TimeKey:
    unit = names.chance.choice(("MINUTE", "HOUR", "DAY", "MONTH"))
    return _single(f"CEIL TO {unit}", ceil(rowtime, unit))


def _other(names: Names, rowtime: Sql) -> TimeKey:
    if names.chance.random() < 0.5:
        return _single("ROWTIME", rowtime)
    key = both("CAST({} AS DATE)", rowtime)
    return TimeKey("CAST AS DATE", (key,), both("{} AS day_of", key), (Column("day_of", "DATE"),))


def _tumble(names: Names, rowtime: Sql) -> TimeKey:
    minutes, away = names.chance.choice((1, 7, 10, 60, 90)), names.chance.choice((0, 0, 3))
    given = f"({rowtime.ours}, INTERVAL '{minutes}' MINUTE{f', TIME {chr(39)}00:0{away}:00{chr(39)}' if away else ''})"
    start = f"time_bucket(INTERVAL '{minutes} minutes', {rowtime.duck}, TIMESTAMP '1970-01-01 00:0{away}:00')"
    shown = Sql(
        f"TUMBLE_START{given} AS rowtime, TUMBLE_END{given} AS ends",
        f"{start} AS rowtime, {start} + INTERVAL '{minutes} minutes' AS ends",
    )
    return TimeKey("TUMBLE", (Sql(f"TUMBLE{given}", start),), shown, (*_ROWTIME, Column("ends", "TIMESTAMP")))


def _hop(names: Names, rowtime: Sql) -> TimeKey:
    slide, size = names.chance.choice(((10, 30), (30, 60), (60, 90), (60, 60), (60, 10), (90, 200)))
    away = names.chance.choice((0, 0, 3))
    offset = f", TIME '00:0{away}:00'" if away else ""
    given = f"({rowtime.ours}, INTERVAL '{slide}' MINUTE, INTERVAL '{size}' MINUTE(3){offset})"
    alias = names.new("w")
    windows = f"LATERAL {hop_windows(rowtime.duck, slide, size, away)} AS {alias}"

    def source(found: From, where: Sql, keys: Sequence[Sql]) -> Sql:
        return differing("{0}{1}", f"{{0}} CROSS JOIN {windows}{{1}}", found.sql, where)

    shown = Sql(f"HOP_START{given} AS rowtime, HOP_END{given} AS ends", f"{alias}.b AS rowtime, {alias}.e AS ends")
    by = (Sql(f"HOP{given}", f"{alias}.b, {alias}.e"),)
    return TimeKey("HOP", by, shown, (*_ROWTIME, Column("ends", "TIMESTAMP")), source)


def hop_windows(rowtime: str, slide: int, size: int, away: int) -> str:
    """Returns DuckDB's windows (b, e) that contain a time."""
    latest = f"time_bucket(INTERVAL '{slide} minutes', {rowtime}, TIMESTAMP '1970-01-01 00:0{away}:00')"
    begins = f"unnest(generate_series({latest} - INTERVAL '{-(-size // slide) * slide} minutes', {latest}, "
    begins += f"INTERVAL '{slide} minutes'))"
    inner = f"(SELECT b, b + INTERVAL '{size} minutes' AS e FROM (SELECT {begins} AS b))"
    return f"(SELECT b, e FROM {inner} WHERE {rowtime} < e)"


def _session(names: Names, rowtime: Sql) -> TimeKey:
    minutes = names.chance.choice((1, 7, 20, 60))
    given = f"({rowtime.ours}, INTERVAL '{minutes}' MINUTE)"
    alias, _, column = rowtime.duck.rpartition(".")

    def source(found: From, where: Sql, keys: Sequence[Sql]) -> Sql:
        by = f"PARTITION BY {', '.join(k.duck for k in keys)} " if keys else ""
        before = f"lag({rowtime.duck}) OVER ({by}ORDER BY {rowtime.duck})"
        opens = f"CASE WHEN {before} >= {rowtime.duck} - INTERVAL '{minutes} minutes' THEN NULL ELSE {rowtime.duck} END"
        inner = f"(SELECT *, {opens} AS opens FROM {{0}}{{1}}) AS {alias}"
        began = f"max({alias}.opens) OVER ({by}ORDER BY {alias}.{column})"
        return differing("{0}{1}", f"(SELECT *, {began} AS began FROM {inner}) AS {alias}", found.sql, where)

    shown = Sql(
        f"SESSION_END{given} AS rowtime, SESSION_START{given} AS starts",
        f"max({rowtime.duck}) + INTERVAL '{minutes} minutes' AS rowtime, {alias}.began AS starts",
    )
    by = (Sql(f"SESSION{given}", f"{alias}.began"),)
    return TimeKey("SESSION", by, shown, (*_ROWTIME, Column("starts", "TIMESTAMP")), source)
