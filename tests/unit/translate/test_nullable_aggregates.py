"""Each aggregate function declares NULL where it can be NULL: over one row, without rows, over NULLs; as a group and
OVER, of a stream and of a relation. Which values are NULL is compared with DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from queries import drain

from rowtime.errors import RowtimeError

if TYPE_CHECKING:
    from rowtime.session import Session

ONE = ("COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "VARIANCE", "VAR_POP", "VAR_SAMP",
       "MEDIAN", "COLLECT", "ARRAY_AGG", "ANY_VALUE", "MODE", "BIT_AND", "BIT_OR", "BIT_XOR", "APPROX_COUNT_DISTINCT",
       "FIRST_VALUE", "LAST_VALUE")  # fmt: skip
TWO = ("COVAR_POP", "COVAR_SAMP", "REGR_COUNT", "REGR_SXX", "REGR_SYY", "MAX_BY", "MIN_BY", "ARG_MAX", "ARG_MIN")
TRUTH = ("EVERY", "SOME", "BOOL_AND", "BOOL_OR", "LOGICAL_AND", "LOGICAL_OR")
CALLS = [
    *(f"{name}(n)" for name in ONE),
    *(f"{name}(n, m)" for name in TWO),
    *(f"{name}(b)" for name in TRUTH),
    "COUNT(*)",
    "SUM(DISTINCT n)",
    "LISTAGG(c, ',')",
    "LISTAGG(c) WITHIN GROUP (ORDER BY n)",
    "STRING_AGG(c, ',')",
    "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n)",
    "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n)",
    "NTH_VALUE(n, 2)",
    "LAG(n)",
    "LEAD(n)",
]

BEFORE = "ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING"
OF_RELATIONS = {
    "group": "SELECT {} FROM {t} GROUP BY k",
    "none": "SELECT {} FROM {t} WHERE k > 100",
    "filter": "SELECT {} FILTER (WHERE k > 100) FROM {t} GROUP BY k",
    "rollup": "SELECT {} FROM {t} WHERE k > 100 GROUP BY ROLLUP (k)",
    "partition": "SELECT {} OVER (PARTITION BY k ORDER BY rowtime) FROM {t}",
    "frame": f"SELECT {{}} OVER (PARTITION BY k ORDER BY rowtime {BEFORE}) FROM {{t}}",
}
OF_STREAMS = {
    "group": "SELECT STREAM {} FROM {t} GROUP BY FLOOR(rowtime TO HOUR), k",
    "filter": "SELECT STREAM {} FILTER (WHERE k > 100) FROM {t} GROUP BY FLOOR(rowtime TO HOUR), k",
    "running": "SELECT STREAM {} OVER (PARTITION BY k ORDER BY rowtime ROWS 2 PRECEDING) FROM {t}",
    "frame": f"SELECT STREAM {{}} OVER (PARTITION BY k ORDER BY rowtime {BEFORE}) FROM {{t}}",
}
EMPTY_ARRAYS = ("COLLECT", "ARRAY_AGG")
"""An array without elements, where it is NULL in DuckDB."""

ROWS = (
    "('2015-02-15 10:00:00', 1, 5, 1, 'x', TRUE), ('2015-02-15 10:01:00', 2, 1, 2, 'y', FALSE), "
    "('2015-02-15 10:02:00', 2, 1, 4, 'z', TRUE)"
)


@pytest.fixture
def filled(rt: Session) -> Session:
    columns = "k INTEGER NOT NULL, n INTEGER{0}, m INTEGER{0}, c VARCHAR{0}, b BOOLEAN{0}"
    for name, null in (("s", " NOT NULL"), ("u", "")):
        rt.sql(f"CREATE STREAM {name} ({columns.format(null)}) OPTIONS (history 'all')")
    rt.sql(f"INSERT INTO s (rowtime, k, n, m, c, b) VALUES {ROWS.replace('(' + chr(39), '(TIMESTAMP ' + chr(39))}")
    rt.sql("INSERT INTO u (rowtime, k) SELECT rowtime, k FROM s")
    return rt


def _planned(rt: Session, form: str, table: str) -> tuple[str, list[str], list[bool]]:
    """Returns a query of all calls that run in a form, with the calls, and whether each is declared as nullable."""
    calls, nullable = [], []
    for call in CALLS:
        try:
            plan = rt.plan(form.replace("{t}", table).replace("{}", call))
        except RowtimeError:
            continue
        if not plan.statement.not_supported:
            calls.append(call)
            nullable.append(plan.fields[-1].nullable)
    head, tail = form.replace("{t}", table).split("{}", 1)
    clause, rest = tail.split(" FROM ", 1)
    items = ", ".join(f"{call}{clause} AS c{i}" for i, call in enumerate(calls))
    return f"{head}{items} FROM {rest}", calls, nullable


def _nulls(rows: list[tuple[Any, ...]], calls: list[str]) -> dict[str, int]:
    return {call: sum(row[i] is None for row in rows) for i, call in enumerate(calls)}


def _wrong(found: dict[str, int], nullable: list[bool]) -> list[str]:
    return [call for (call, nulls), may in zip(found.items(), nullable, strict=True) if nulls and not may]


@pytest.mark.parametrize("form", OF_RELATIONS)
def test_relations(filled: Session, interpreted: None, form: str) -> None:
    duck = duckdb.connect()
    duck.execute("CREATE TABLE s (rowtime TIMESTAMP, k INTEGER, n INTEGER, m INTEGER, c VARCHAR, b BOOLEAN)")
    duck.execute(f"INSERT INTO s VALUES {ROWS}")
    duck.execute("CREATE TABLE u AS SELECT rowtime, k, CAST(NULL AS INTEGER) AS n, CAST(NULL AS INTEGER) AS m, "
                 "CAST(NULL AS VARCHAR) AS c, CAST(NULL AS BOOLEAN) AS b FROM s")  # fmt: skip
    for table in "su":
        query, calls, nullable = _planned(filled, OF_RELATIONS[form], table)
        assert len(calls) > 30
        found = _nulls([tuple(row) for row in filled.table(query).collect()], calls)
        assert _wrong(found, nullable) == []
        compared = 0
        for call in calls:
            try:
                expected = duck.execute(OF_RELATIONS[form].replace("{t}", table).replace("{}", call)).fetchall()
            except duckdb.Error:
                continue
            compared += 1
            if not call.startswith(EMPTY_ARRAYS):
                assert found[call] == sum(row[0] is None for row in expected), call
        assert compared > 15


@pytest.mark.parametrize("form", OF_STREAMS)
def test_streams(filled: Session, form: str) -> None:
    for table in "su":
        query, calls, nullable = _planned(filled, OF_STREAMS[form], table)
        assert len(calls) > 15
        running = filled.submit(query)
        values = ROWS.replace("('2015-02-15", "(TIMESTAMP '2015-02-16")
        if table == "s":
            filled.sql(f"INSERT INTO s (rowtime, k, n, m, c, b) VALUES {values}")
        else:
            listed = f"(VALUES {values}) AS x (rowtime, k, n, m, c, b)"
            filled.sql(f"INSERT INTO u (rowtime, k) SELECT rowtime, k FROM {listed}")
        filled.sql(f"INSERT INTO {table} (rowtime, k, n, m, c, b) VALUES {values.replace('02-16', '02-17')}")
        rows = [tuple(row) for row in drain(running)]
        running.stop()
        assert len(rows) >= 2
        assert _wrong(_nulls(rows, calls), nullable) == []
