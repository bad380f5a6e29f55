"""The earliest ROWTIME of a stream's history that a relational query needs, as the plan says it."""

from __future__ import annotations

from typing import Any

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.plan.codec import decode_plan
from rowtime.plan.operators import scans
from rowtime.planner import plan
from rowtime.types.times import parse_millis

TEN = "2015-02-15 10:00:00"
SETUP = (
    "CREATE STREAM s (n INTEGER) OPTIONS (history '24 HOURS')",
    "CREATE VIEW v (h, c) AS SELECT FLOOR(rowtime TO HOUR), COUNT(*) FROM s GROUP BY FLOOR(rowtime TO HOUR)",
    "CREATE VIEW w (b, c) AS SELECT SESSION_START(rowtime, INTERVAL '1' HOUR), COUNT(*) FROM s "
    "GROUP BY SESSION(rowtime, INTERVAL '1' HOUR)",
)
NEEDED: list[tuple[str, str | None]] = [
    ("SELECT * FROM s", None),
    ("SELECT * FROM s WHERE n > 3", None),
    (f"SELECT * FROM s WHERE rowtime >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM s WHERE rowtime > TIMESTAMP '{TEN}' AND n = 1", TEN),
    (f"SELECT * FROM s WHERE TIMESTAMP '{TEN}' <= rowtime", TEN),
    (f"SELECT * FROM s WHERE rowtime = TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM s WHERE rowtime BETWEEN TIMESTAMP '{TEN}' AND TIMESTAMP '2015-02-15 11:00:00'", TEN),
    (f"SELECT * FROM s WHERE rowtime < TIMESTAMP '{TEN}'", None),
    (f"SELECT * FROM s WHERE rowtime >= TIMESTAMP '{TEN}' OR n = 1", None),
    ("SELECT * FROM s WHERE rowtime + INTERVAL '1' HOUR >= TIMESTAMP '2015-02-15 11:00:00'", TEN),
    ("SELECT * FROM s WHERE rowtime - INTERVAL '1' HOUR >= TIMESTAMP '2015-02-15 09:00:00'", TEN),
    (f"SELECT * FROM v WHERE h >= TIMESTAMP '{TEN}'", TEN),
    ("SELECT * FROM v WHERE c > 1", None),
    (f"SELECT h FROM (SELECT h FROM v ORDER BY h) WHERE h >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT COUNT(*) FROM s WHERE rowtime >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM s WHERE FLOOR(rowtime TO DAY) >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM (SELECT * FROM s LIMIT 3) WHERE rowtime >= TIMESTAMP '{TEN}'", None),
    (
        f"SELECT * FROM (SELECT rowtime, SUM(n) OVER (ORDER BY rowtime) AS t FROM s) WHERE rowtime >= TIMESTAMP '{TEN}'",
        None,
    ),
    # A session that starts before the limit would start later without its first rows.
    (f"SELECT * FROM w WHERE b >= TIMESTAMP '{TEN}'", None),
]


def needs(planner: Any, sql: str) -> list[int | None]:
    """Returns the earliest ROWTIME that each scan of the query needs."""
    catalog = MemoryCatalog()
    for statement in SETUP:
        catalog.commit(plan(planner, catalog.snapshot(), statement).statement.changes)
    root = plan(planner, catalog.snapshot(), sql).statement.raw_plan
    assert root is not None
    return [scan.min_rowtime for scan in scans(decode_plan(root))]


@pytest.mark.parametrize(("sql", "needed"), NEEDED)
def test_one_scan(sql: str, needed: str | None, planner: Any) -> None:
    assert needs(planner, sql) == [None if needed is None else parse_millis(needed)]


def test_each_scan_has_its_own(planner: Any) -> None:
    branches = f"SELECT n FROM s WHERE rowtime >= TIMESTAMP '{TEN}' UNION ALL SELECT n FROM s"
    assert needs(planner, branches) == [parse_millis(TEN), None]
    joined = f"SELECT a.n FROM s AS a JOIN s AS b ON a.n = b.n WHERE b.rowtime >= TIMESTAMP '{TEN}'"
    assert needs(planner, joined) == [None, parse_millis(TEN)]


def test_of_a_stream_it_is_unset(planner: Any) -> None:
    assert needs(planner, f"SELECT STREAM n FROM s WHERE rowtime >= TIMESTAMP '{TEN}'") == [None]
