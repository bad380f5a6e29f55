"""What of the catalog a statement sends to the planner, and that the planner knows the same catalog as Python."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rowtime.catalog.changes import CatalogState
from rowtime.catalog.memory import MemoryCatalog
from rowtime.jvm.catalogs import SentCatalogs
from rowtime.jvm.jpype import JpypePlanner
from rowtime.planner import plan


class Recorded:
    """The planner service; records the length of each catalog that it gets."""

    def __init__(self, planner: Any) -> None:
        self._service = planner._service
        self.lengths: list[int] = []

    def plan(self, catalog: str, request: str) -> Any:
        self.lengths.append(len(catalog))
        return self._service.plan(catalog, request)


@pytest.fixture
def recorded(planner: Any) -> Recorded:
    return Recorded(planner)


@pytest.fixture
def fresh(recorded: Recorded) -> JpypePlanner:
    """A planner that has not been sent anything."""
    return JpypePlanner(recorded)


def run(planner: JpypePlanner, catalog: MemoryCatalog, sql: str) -> None:
    planned = plan(planner, catalog.snapshot(), sql)
    catalog.commit(planned.statement.changes, planned.catalog_version)


def table(name: str, column: str = "N") -> dict[str, Any]:
    columns = [{"name": column, "type": "INTEGER", "nullable": True}]
    definition = {"name": name, "kind": "TABLE", "columns": columns, "uses": [], "sql": f"CREATE TABLE {name}"}
    return {"action": "create", "object": definition, "replace": True}


def test_a_statement_sends_what_has_changed(recorded: Recorded, fresh: JpypePlanner) -> None:
    catalog = MemoryCatalog()
    catalog.commit([table(f"T{i}") for i in range(1_000)])
    run(fresh, catalog, "CREATE TABLE a (n INTEGER)")
    assert [length > 50_000 for length in recorded.lengths] == [False, True]
    recorded.lengths.clear()
    run(fresh, catalog, "CREATE TABLE b (n INTEGER)")
    plan(fresh, catalog.snapshot(), "SELECT * FROM a, b, t999")
    plan(fresh, catalog.snapshot(), "SELECT * FROM a")
    # An editor makes a catalog for each check.
    copy = MemoryCatalog(catalog.state)
    plan(fresh, copy.snapshot(), "SELECT * FROM b")
    run(fresh, copy, "DROP TABLE b")
    plan(fresh, copy.snapshot(), "SELECT * FROM a")
    assert len(recorded.lengths) == 6
    assert max(recorded.lengths) < 1_000


def test_catalogs_that_take_turns(fresh: JpypePlanner) -> None:
    one, other = MemoryCatalog(), MemoryCatalog()
    run(fresh, one, "CREATE TABLE t (a INTEGER)")
    run(fresh, other, "CREATE TABLE t (b INTEGER)")
    for _ in range(2):
        for catalog, name in ((one, "A"), (other, "B")):
            assert [f.name for f in plan(fresh, catalog.snapshot(), "SELECT * FROM t").statement.fields or ()] == [name]


def test_the_planner_may_have_forgotten(recorded: Recorded, fresh: JpypePlanner) -> None:
    first = MemoryCatalog()
    run(fresh, first, "CREATE TABLE t (a INTEGER)")
    plan(fresh, first.snapshot(), "SELECT a FROM t")
    for i in range(20):
        plan(JpypePlanner(recorded), MemoryCatalog(CatalogState(i)).snapshot(), "SELECT 1")
    recorded.lengths.clear()
    plan(fresh, first.snapshot(), "SELECT a FROM t")
    assert len(recorded.lengths) == 2
    run(fresh, first, "CREATE TABLE u (a INTEGER)")
    plan(fresh, first.snapshot(), "SELECT t.a FROM t, u")


def as_received(known: dict[str, list[Any]], text: str) -> list[Any]:
    """Returns the objects and LATENESS of a catalog as the planner reads them, with those that it has by their keys."""
    catalog = json.loads(text)
    base, late = known.get(catalog.get("base"), ({}, []))
    objects = {name: each for name, each in base.items() if name not in catalog.get("removed", ())}
    objects.update((each["name"], each) for each in catalog.get("objects", ()))
    return [objects, catalog.get("lateness", late)]


@pytest.mark.parametrize("seed", range(20))
def test_changes_lead_to_the_same_catalog(seed: int) -> None:
    chosen = random.Random(seed)
    catalog, sent, known = MemoryCatalog(), SentCatalogs(), dict[str, list[Any]]()
    wholes = 0
    for _ in range(60):
        names = [entry.name for entry in catalog.entries()]
        for _ in range(chosen.choice((1, 1, 1, 3, 120))):
            fresh = table(f"T{chosen.randrange(40)}", chosen.choice("AB"))
            late = {"action": "lateness", "view": "V", "column": chosen.choice("AB"), "value": chosen.choice("12")}
            drop = {"action": "drop", "names": [chosen.choice(names or ["NONE"])]}
            change = chosen.choice((fresh, fresh, late, drop))
            if change is not drop or catalog.get(drop["names"][0]):
                catalog.commit([change])
        snapshot = catalog.snapshot()

        def send(text: str, key: str = snapshot.key) -> str:
            nonlocal wholes
            asked = json.loads(text)
            wholes += "objects" in asked and "base" not in asked
            if "objects" in asked and ("base" not in asked or asked["base"] in known):
                known[key] = as_received(known, text)
            return "" if key in known else '{"unknownCatalog":true}'

        sent.request(send, snapshot)
        objects, late = known[snapshot.key]
        whole = json.loads(snapshot.text)
        assert (list(objects.values()), late) == (whole["objects"], whole["lateness"])
    assert wholes < 30
