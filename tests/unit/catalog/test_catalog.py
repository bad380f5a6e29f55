"""The catalog, in each database: changes, versions, conflicts, and what the runtime keeps beside the objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from catalog_changes import create, thing

from rowtime.catalog.changes import apply
from rowtime.catalog.database import Changes, NoteChange, Outdated, StateChange
from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.snapshot import Snapshot
from rowtime.catalog.store import Store
from rowtime.catalog.system import is_system, system_objects
from rowtime.errors import RowtimeError

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "w")


@pytest.fixture(params=["store", "memory"])
def catalog(request: pytest.FixtureRequest) -> Store | MemoryCatalog:
    return request.getfixturevalue("store") if request.param == "store" else MemoryCatalog()


def names(catalog: Store | MemoryCatalog) -> list[str]:
    return [entry.name for entry in catalog.entries() if not is_system(entry.definition)]


SYSTEM = [definition for _, definition in system_objects()]


def content(snapshot: Snapshot) -> dict[str, Any]:
    """Returns all that the planner gets, without the key that it is known by."""
    return {name: part for name, part in json.loads(snapshot.text).items() if name != "key"}


def test_a_snapshot_gives_objects_back_as_they_came(catalog: Store | MemoryCatalog) -> None:
    assert content(catalog.snapshot()) == {"version": 0, "objects": SYSTEM, "lateness": []}
    odd = thing('odd; "name" ../../x', options={"connector": "files"}, extra=[1, None, "é"])
    catalog.commit([create("ORDERS"), {"action": "create", "object": odd, "replace": False}], 0)
    catalog.commit([{"action": "lateness", "view": "V", "column": "C", "value": "INTERVAL '1' HOUR"}], 1)
    snapshot = catalog.snapshot()
    assert snapshot.version == 2
    assert content(snapshot) == {
        "version": 2,
        "objects": [*SYSTEM, thing("ORDERS"), odd],
        "lateness": [{"view": "V", "column": "C", "value": "INTERVAL '1' HOUR"}],
    }
    assert catalog.snapshot() is snapshot


def test_a_change_of_an_old_version_is_refused_and_changes_nothing(catalog: Store | MemoryCatalog) -> None:
    catalog.commit([create("A")], 0)
    with pytest.raises(RowtimeError) as raised:
        catalog.commit([create("B")], 0)
    assert raised.value.code == "RT0390"
    assert raised.value.diagnostics[0].hint
    assert (catalog.snapshot().version, names(catalog)) == (1, ["A"])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([create("B"), create("A")], "RT0302"),
        ([create("B"), {"action": "drop", "names": ["B", "C"]}], "RT0312"),
        ([create("B"), {"action": "pump", "name": "C", "verb": "START"}], "RT0312"),
        ([create("B"), {"action": "rename"}], "RT0391"),
    ],
)
def test_changes_are_applied_all_or_none(catalog: Store | MemoryCatalog, changes: list[Any], code: str) -> None:
    catalog.commit([create("A")])
    with pytest.raises(RowtimeError) as raised:
        catalog.commit(changes)
    assert raised.value.code == code
    assert (catalog.snapshot().version, names(catalog)) == (1, ["A"])


def test_dropping_a_view_drops_its_lateness(catalog: Store | MemoryCatalog) -> None:
    late = [{"action": "lateness", "view": view, "column": "C", "value": "1"} for view in ("V", "W")]
    catalog.commit([create("V", "VIEW"), create("W", "VIEW"), *late])
    catalog.commit([{"action": "drop", "names": ["V"]}])
    assert names(catalog) == ["W"]
    assert [entry["view"] for entry in json.loads(catalog.snapshot().text)["lateness"]] == ["W"]


def test_replacing_keeps_the_data_only_where_the_columns_stay(catalog: Store | MemoryCatalog) -> None:
    catalog.commit([create("A"), create("B")])
    first = catalog.get("A")
    assert first is not None
    catalog.commit([create("A", replace=True, options={"history": "all"})])
    same = catalog.get("A")
    assert same is not None
    assert (same.id, same.since, same.definition["options"]) == (first.id, 2, {"history": "all"})
    columns = [{"name": "X", "type": "INTEGER", "nullable": True}]
    catalog.commit([create("A", replace=True, columns=columns)])
    changed = catalog.get("A")
    assert changed is not None
    assert (changed.id, changed.definition["columns"]) == (first.id, columns)
    catalog.commit([{**create("A", replace=True, columns=columns), "fresh": True}])
    other = catalog.get("A")
    assert other is not None
    assert other.id != first.id
    assert names(catalog) == ["B", "A"]


def pump(catalog: Store | MemoryCatalog) -> tuple[Any, ...]:
    entry = catalog.get("P")
    assert entry is not None
    return tuple(entry.definition[key] for key in ("state", "started", "generation"))


def test_pumps_start_and_stop(catalog: Store | MemoryCatalog) -> None:
    catalog.commit([create("P", "PUMP", started=False)])
    assert pump(catalog) == ("STOPPED", False, 0)
    verbs = ["START", "PAUSE", "RESUME", "PAUSE", "START", "STOP"]
    states = ["STARTED", "PAUSED", "STARTED", "PAUSED", "STARTED", "STOPPED"]
    for verb, state in zip(verbs, states, strict=True):
        catalog.commit([{"action": "pump", "name": "P", "verb": verb, "reset": False}])
        assert pump(catalog) == (state, state == "STARTED", 0)
    for verb in ("PAUSE", "RESUME"):
        with pytest.raises(RowtimeError) as raised:
            catalog.commit([{"action": "pump", "name": "P", "verb": verb}])
        assert (raised.value.code, raised.value.diagnostics[0].hint) == ("RT0392", "ALTER PUMP P START")


def test_a_pump_that_is_reset_is_of_the_next_generation(catalog: Store | MemoryCatalog) -> None:
    catalog.commit([create("P", "PUMP", started=True)])
    before = catalog.get("P")
    catalog.commit([{"action": "pump", "name": "P", "verb": "START", "reset": True}])
    assert pump(catalog) == ("STARTED", True, 1)
    catalog.commit([{**create("P", "PUMP", replace=True, started=True), "reset": True}])
    assert pump(catalog) == ("STARTED", True, 2)
    catalog.commit([create("P", "PUMP", replace=True, started=False)])
    assert pump(catalog) == ("STOPPED", False, 2)
    after = catalog.get("P")
    assert before is not None
    assert after is not None
    assert before.id == after.id


def test_a_memory_catalog_on_top_of_a_store_leaves_it_alone(store: Store) -> None:
    store.commit([create("A")])
    scratch = MemoryCatalog(store.state())
    scratch.commit([{"action": "drop", "names": ["A"]}, create("B")], 1)
    assert (names(scratch), names(store)) == (["B"], ["A"])


def test_a_store_is_the_same_after_it_was_closed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.commit([create("B"), create("A"), {"action": "lateness", "view": "V", "column": "C", "value": "1"}])
        before = store.state()
        entries = store.entries()
    with Store(tmp_path) as store:
        assert (store.state(), store.entries()) == (before, entries)
    with Store(tmp_path, read_only=True) as store:
        assert store.state() == before


def test_notes_go_with_their_object_and_its_folder_is_listed_as_dropped(store: Store) -> None:
    store.commit([create("A")])
    entry = store.get("A")
    assert entry is not None
    store.set_note(entry.id, "bound", {"strict": True, "at": 12})
    assert store.note(entry.id, "bound") == {"strict": True, "at": 12}
    assert store.note(entry.id, "bound") == {"strict": True, "at": 12}
    assert store.note(entry.id, "other", 7) == 7
    assert store.snapshot().version == 1
    store.commit([{"action": "drop", "names": ["A"]}])
    assert store.note(entry.id, "bound") is None
    assert store.dropped() == [entry.id]
    store.forget(entry.id)
    assert store.dropped() == []


def test_a_note_can_be_taken_back(store: Store) -> None:
    store.set_note("x", "k", [1])
    store.set_note("x", "k", None)
    assert store.note("x", "k") is None


def test_what_fails_under_the_lock_is_undone_whole(store: Store) -> None:
    store.commit([create("A")])

    def append() -> None:
        with store.transaction():
            store.set_note("x", "k", 1)
            store.commit([create("B")])
            assert names(store) == ["A", "B"]
            assert '"B"' in store.snapshot().text
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        append()
    assert (names(store), store.note("x", "k")) == (["A"], None)
    assert '"B"' not in store.snapshot().text
    assert store.commit([create("B")], 1) == 2


def test_a_note_that_others_change_meanwhile_is_computed_again(store: Store) -> None:
    other = Store(store.warehouse)
    store.set_note("x", "k", 1)
    seen = []

    def add(before: int | None) -> int:
        seen.append(before)
        return (before or 0) + 10

    assert store.update_note("x", "k", add) == 11
    assert store.update_note("y", "k", add) == 10
    assert store.update_note("y", "k", lambda _: None) is None
    assert (other.note("x", "k"), other.note("y", "k"), seen) == (11, None, [1, None])


def test_a_change_that_is_outdated_is_not_written(store: Store) -> None:
    store.commit([create("A")])
    state = store.state()
    store.commit([create("B")])
    store.set_note("x", "k", 1)
    old = apply(state, [create("C")])
    for changes in (
        Changes(StateChange(state, old), (NoteChange("x", "k", "2"),)),
        Changes(None, (NoteChange("y", "k", "1"), NoteChange("x", "k", "2", is_conditional=True))),
        Changes(None, (NoteChange("y", "k", "1"), NoteChange("x", "k", "2", is_conditional=True, expected="7"))),
        Changes(None, (NoteChange("y", "k", "1"), NoteChange("x", "k", None, is_conditional=True, expected="7"))),
        Changes(None, (NoteChange("y", "k", "1"), NoteChange("x", "k", None, is_conditional=True))),
    ):
        with pytest.raises(Outdated):
            store._database.write(changes)
    assert (names(store), store.note("x", "k"), store.note("y", "k")) == (["A", "B"], 1, None)


def test_folders_are_named_by_ids(store: Store) -> None:
    store.commit([create("../../etc")])
    entry = store.get("../../etc")
    assert entry is not None
    assert entry.id.isalnum()
    assert store.folder(entry.id).parent == store.warehouse / "data"


def test_a_missing_catalog_is_not_made_by_reading(tmp_path: Path) -> None:
    assert not Store.exists(tmp_path)
    with pytest.raises(RowtimeError) as raised:
        Store(tmp_path, read_only=True)
    assert raised.value.code == "RT0601"
    assert list(tmp_path.iterdir()) == []


def test_state_of_nothing() -> None:
    assert MemoryCatalog().snapshot().version == 0


@pytest.mark.parametrize("location", ["s3://bucket/warehouse", "hdfs://host:8020/warehouse", "file:///warehouse"])
def test_a_uri_is_no_folder(location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RowtimeError) as caught:
        Store(location)
    assert caught.value.code == "RT0601"
    assert "it is a URI, and a warehouse is a folder" in str(caught.value)
    assert not list(tmp_path.iterdir())
