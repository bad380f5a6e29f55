"""The meaning of windows, computed by DuckDB: a frame is a condition on pairs of rows, so nothing here is a window
itself.

CURRENT ROW as an upper end includes the peers that arrived earlier (in the standard: all of them); as a lower end all
peers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from .cases import Call, End, Row, Window

_AGGREGATES = {
    "COUNT_ALL": "count(*) {f}",
    "COUNT": "count({x}) {f}",
    "SUM": "sum({x}) {f}",
    "AVG": "avg({x}) {f}",
    "MIN": "min({x}) {f}",
    "MAX": "max({x}) {f}",
    "STDDEV_POP": "stddev_pop({x}) {f}",
    "VAR_SAMP": "var_samp({x}) {f}",
    "COUNT_DISTINCT": "count(DISTINCT {x}) {f}",
    "SUM_DISTINCT": "sum(DISTINCT {x}) {f}",
    "MEDIAN": "quantile_cont({x}, 0.5) {f}",
    "CONT": "quantile_cont({x}, {n}) {f}",
    "DISC": "quantile_disc({x}, {n}) {f}",
    "EVERY": "bool_and({x} > 2) {f}",
    "FILTERED": "sum({x}) FILTER (WHERE j.seq IS NOT NULL AND j.d > 4)",
    "FIRST_VALUE": "(list({x} ORDER BY j.time, j.seq) {f})[1]",
    "LAST_VALUE": "(list({x} ORDER BY j.time, j.seq) {f})[-1]",
    "NTH_VALUE": "(list({x} ORDER BY j.time, j.seq) {f})[{n}]",
    "LISTAGG": "string_agg({x}, '-' ORDER BY j.time, j.seq) {f}",
    "COLLECT": "coalesce(list({x} ORDER BY j.time, j.seq) FILTER (WHERE j.seq IS NOT NULL AND {x} IS NOT NULL), [])",
    "LAG": "(list({x} ORDER BY j.time, j.seq) {f})[1]",
    "LEAD": "(list({x} ORDER BY j.time, j.seq) {f})[1]",
    "ROW_NUMBER": "max(i.n)",
    "RANK": "1 + count(*) FILTER (WHERE j.time < i.time)",
    "DENSE_RANK": "1 + count(DISTINCT j.time) FILTER (WHERE j.time < i.time)",
    "PERCENT_RANK": "coalesce(count(*) FILTER (WHERE j.time < i.time) / nullif(count(j.seq) - 1, 0), 0)",
    "CUME_DIST": "count(*) FILTER (WHERE j.time <= i.time) / count(j.seq)",
}


def expected(rows: Sequence[Row], calls: Sequence[tuple[Window, Call]]) -> dict[int, tuple[Any, ...]]:
    """Returns the values of the calls, by the number of the row."""
    with duckdb.connect() as db:
        db.execute("CREATE TABLE r (seq INTEGER, time BIGINT, k VARCHAR, v INTEGER, d DOUBLE)")
        db.executemany("INSERT INTO r VALUES (?, ?, ?, ?, ?)", [(r.seq, r.time, r.k, r.v, r.d) for r in rows])
        found = [dict(db.execute(_query(window, call)).fetchall()) for window, call in calls]
    return {row.seq: tuple(column[row.seq] for column in found) for row in rows}


def _query(window: Window, call: Call) -> str:
    keys = ", ".join([*window.keys, *(["time // 60000"] if window.minutes else []), "0"])
    places = f"SELECT *, row({keys}) AS p, row_number() OVER (PARTITION BY {keys} ORDER BY time, seq) AS n FROM r"
    value = _AGGREGATES.get(call.name, "").format(
        x=f"j.{call.argument}",
        n=call.number if call.number % 1 else int(call.number),
        f="FILTER (WHERE j.seq IS NOT NULL)",
    )
    if call.name == "NTILE":
        value = f"max({_ntile(int(call.number))})"
    return f"""WITH a AS ({places}), b AS (SELECT *, count(*) OVER (PARTITION BY p) AS size FROM a)
        SELECT i.seq, {value} FROM b i LEFT JOIN b j ON i.p IS NOT DISTINCT FROM j.p AND {_frame(window, call)}
        GROUP BY i.seq, i.time, i.n, i.size"""


def _ntile(n: int) -> str:
    """The first size % n of the n parts have one row more than the others."""
    small, larger = f"(i.size // {n})", f"(i.size % {n})"
    first = f"({larger} * ({small} + 1))"
    return (
        f"CASE WHEN i.n <= {first} THEN (i.n - 1) // ({small} + 1) + 1 "
        f"ELSE {larger} + (i.n - 1 - {first}) // greatest({small}, 1) + 1 END"
    )


def _frame(window: Window, call: Call) -> str:
    if call.name in ("LAG", "LEAD"):
        return f"j.n = i.n {'-' if call.name == 'LAG' else '+'} {int(call.number)}"
    if not call.framed:
        return "true"
    if window.rows:
        return f"{_by('n', window.lower, '>=')} AND {_by('n', window.upper, '<=')}"
    upper = "(j.time, j.seq) <= (i.time, i.seq)" if window.upper.here else _by("time", window.upper, "<=")
    return f"{_by('time', window.lower, '>=')} AND {upper}"


def _by(column: str, end: End, compared: str) -> str:
    return "true" if end.distance is None else f"j.{column} {compared} i.{column} + {end.distance}"
