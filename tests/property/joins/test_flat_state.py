"""The state of joins of streams is as large as their windows and keys ask, however long they have run."""

from __future__ import annotations

import datetime as dt

import pytest

from rowtime.runtime.launch.progress import Progress
from rowtime.runtime.query.query import Query
from rowtime.session import Session

STEPS = 4
START = dt.datetime(2024, 5, 1)
KEYS = 4
SELECTED = "SELECT STREAM s.rowtime, s.n, v.n AS m FROM s LEFT JOIN v"
WITHIN = f"{SELECTED} ON v.k = s.k AND v.rowtime BETWEEN s.rowtime - INTERVAL {{0}} AND s.rowtime + INTERVAL {{0}}"
JOINS = {
    "interval": WITHIN.format("'10' SECOND"),
    "temporal": f"{SELECTED} FOR SYSTEM_TIME AS OF s.rowtime ON v.k = s.k",
    # Longer than the test: its state grows.
    "all": WITHIN.format("'1' HOUR"),
}


@pytest.mark.usefixtures("interpreted")
def test_state_stays_flat(session: Session) -> None:
    session.sql("CREATE STREAM s (n INTEGER, k INTEGER)")
    session.sql("CREATE STREAM v (n INTEGER, k INTEGER PRIMARY KEY)")
    queries: dict[str, Query] = {}
    for name, sql in JOINS.items():
        query = session.sql(sql)
        assert isinstance(query, Query)
        queries[name] = query
    progress: dict[int, dict[str, Progress]] = {}
    with session.producer("S") as lefts, session.producer("V") as rights:
        for step in range(1, 4 * STEPS + 1):
            # A row a second for ten seconds, as many as the window of the join is long.
            rows = [(START + dt.timedelta(seconds=10 * step + n), n, n % KEYS) for n in range(10)]
            lefts.insert(rows)
            rights.insert(rows)
            session.runtime.settle([*queries.values()])
            if step in (STEPS, 4 * STEPS):
                progress[step] = {name: query.progress for name, query in queries.items()}
    for query in queries.values():
        query.stop()
    soon, late = progress[STEPS], progress[4 * STEPS]
    assert late["all"].state_rows > 2 * soon["all"].state_rows
    for name in ("interval", "temporal"):
        assert 0 < late[name].state_rows <= soon[name].state_rows, name
        assert late[name].state_bytes <= 1.1 * soon[name].state_bytes, name
