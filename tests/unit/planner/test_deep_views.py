"""Views over views: a limit of their levels, and of their number, each time that they are read."""

from __future__ import annotations

import copy
import time

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import RowtimeError
from rowtime.jvm import Planner
from rowtime.jvm.jpype import planner
from rowtime.planner import plan

TWICE = {
    "a join": "SELECT a.id, a.x + b.x AS x FROM v0 AS a JOIN v0 AS b ON a.id = b.id",
    "a union": "SELECT id, x FROM v0 UNION ALL SELECT id, x FROM v0",
    "a sub-query": "SELECT id, x FROM v0 WHERE x > (SELECT MAX(x) FROM v0)",
}
ONCE = {"columns": "SELECT id, x FROM v0", "a filter": "SELECT id, x + 1 AS x FROM v0 WHERE id > 7"}


@pytest.fixture(scope="module")
def service() -> Planner:
    return planner()


def views(service: Planner, body: str, levels: int) -> MemoryCatalog:
    """Returns a catalog with the table V0, and the views V1, V2 …, each of which reads the one before it."""
    catalog = MemoryCatalog()
    catalog.commit(plan(service, catalog.snapshot(), "CREATE TABLE v0 (id INTEGER, x INTEGER)").statement.changes)
    (first,) = plan(service, catalog.snapshot(), f"CREATE VIEW v1 AS {body}").statement.changes
    catalog.commit([first])
    for level in range(2, levels + 1):
        change = copy.deepcopy(first)
        made = change["object"]
        made["name"], made["uses"] = f"V{level}", [f"V{level - 1}"]
        made["query"] = made["query"].replace("V0", f"V{level - 1}")
        catalog.commit([change])
    return catalog


@pytest.mark.parametrize("body", TWICE)
def test_views_that_read_others_twice(service: Planner, body: str) -> None:
    catalog = views(service, TWICE[body], 30)
    begin = time.monotonic()
    for sql in ("SELECT * FROM v30", "SELECT STREAM * FROM v30", "CREATE VIEW w AS SELECT * FROM v30"):
        with pytest.raises(RowtimeError) as caught:
            plan(service, catalog.snapshot(), sql)
        if "STREAM" not in sql:
            assert caught.value.code == "RT0421"
            assert "read more than 1,000 views in all" in str(caught.value)
    assert time.monotonic() - begin < 60
    assert plan(service, catalog.snapshot(), "SELECT * FROM v6").statement.plan is not None


@pytest.mark.parametrize("body", ONCE)
def test_levels_of_views(service: Planner, body: str) -> None:
    catalog = views(service, ONCE[body], 500)
    begin = time.monotonic()
    assert plan(service, catalog.snapshot(), "SELECT * FROM v100").statement.plan is not None
    for level in (101, 500):
        with pytest.raises(RowtimeError, match=r"RT0421: The views .* over more than 100 levels"):
            plan(service, catalog.snapshot(), f"SELECT * FROM v{level}")
    assert time.monotonic() - begin < 60
