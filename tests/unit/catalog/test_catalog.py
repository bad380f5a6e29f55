"""The catalog: changes, versions, conflicts, and what the runtime keeps beside the objects."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from rowtime.catalog.changes import apply
from rowtime.catalog.database import Changes, NoteChange, Outdated, StateChange
from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.schema import VERSION
from rowtime.catalog.snapshot import Snapshot
from rowtime.catalog.store import Store
from rowtime.catalog.system import is_system, system_objects
from rowtime.errors import RowtimeError
from rowtime.version import __version__


def thing(name: str, kind: str = "STREAM", **more: Any) -> dict[str, Any]:
    columns = [{"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False}]
    return {"name": name, "kind": kind, "columns": columns, "primaryKey": [], "options": {}, "query": None, **more}


def create(name: str, kind: str = "STREAM", *, replace: bool = False, **more: Any) -> dict[str, Any]:
    return {"action": "create", "object": thing(name, kind, **more), "replace": replace}


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


def test_system_objects_are_in_every_catalog(store: Store) -> None:
    """A warehouse that was created without the standard schemas has them too."""
    assert [e.name for e in store.entries()] == ["SYS_BOOT.MGMT.ALL_TRACE", "SYS_BOOT.MGMT.SAVED_TRACE"]
    store.commit([create("A")])
    store.close()
    with sqlite3.connect(store.warehouse / "catalog.db") as db:
        db.execute("DELETE FROM object WHERE since = 0")
    with Store(store.warehouse) as again:
        assert [e.name for e in again.entries()] == ["A", "SYS_BOOT.MGMT.ALL_TRACE", "SYS_BOOT.MGMT.SAVED_TRACE"]
        assert again.snapshot().version == 2
        assert {e.id for e in again.entries()} >= {"all_trace", "saved_trace"}


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


@pytest.mark.parametrize(
    "content", [b"this is not a database at all, but it is long enough", b"SQLite format 3\0" + b"x" * 200]
)
def test_a_file_that_is_no_catalog(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "catalog.db").write_bytes(content)
    with pytest.raises(RowtimeError) as raised:
        Store(tmp_path)
    assert raised.value.code == "RT0602"


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "catalog.db") as db:
        db.execute("CREATE TABLE mine (x)")
    with pytest.raises(RowtimeError) as raised:
        Store(tmp_path)
    assert raised.value.code == "RT0602"
    with sqlite3.connect(tmp_path / "catalog.db") as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


def test_a_catalog_of_a_later_version(tmp_path: Path) -> None:
    import sqlite3

    Store(tmp_path).close()
    for change in ("PRAGMA user_version = 99", "UPDATE format SET number = 99, version = '7.1.0' WHERE part = 'logs'"):
        with sqlite3.connect(tmp_path / "catalog.db") as db:
            db.execute(change)
        for read_only in (False, True):
            with pytest.raises(RowtimeError) as raised:
                Store(tmp_path, read_only=read_only)
            assert raised.value.code == "RT0603"
        with sqlite3.connect(tmp_path / "catalog.db") as db:
            assert db.execute("PRAGMA user_version").fetchone() != (VERSION,) or change.startswith("UPDATE")
            db.execute(f"PRAGMA user_version = {VERSION}")
    # It names the version that has written that part, and has left it as it was.
    assert "rowtime 7.1.0: the format of its logs is number 99" in raised.value.diagnostics[0].message
    assert "rowtime>=7.1.0" in (raised.value.diagnostics[0].hint or "")
    with sqlite3.connect(tmp_path / "catalog.db") as db:
        assert db.execute("SELECT number, version FROM format WHERE part = 'logs'").fetchone() == (99, "7.1.0")


def test_a_warehouse_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RowtimeError) as raised:
        Store(tmp_path / "file" / "w")
    assert raised.value.code == "RT0601"
    assert raised.value.diagnostics[0].hint


def test_a_missing_catalog_is_not_made_by_reading(tmp_path: Path) -> None:
    assert not Store.exists(tmp_path)
    with pytest.raises(RowtimeError) as raised:
        Store(tmp_path, read_only=True)
    assert raised.value.code == "RT0601"
    assert list(tmp_path.iterdir()) == []


def test_state_of_nothing() -> None:
    assert MemoryCatalog().snapshot().version == 0


def test_catalogs_of_version_1_get_checksums(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.commit([create("S")])
        store.set_note("x", "key", [1, "é"])
    db = sqlite3.connect(tmp_path / "catalog.db")
    for table in ("object", "lateness", "note"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
    db.execute("DROP TABLE format")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    for read_only in (True, False, True):
        with Store(tmp_path, read_only=read_only) as store:
            assert store.get("S") is not None
            assert store.note("x", "key") == [1, "é"]
    with Store(tmp_path) as store:
        store.set_note("x", "key", 2)
    db = sqlite3.connect(tmp_path / "catalog.db")
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert db.execute("SELECT version FROM format WHERE part = 'pumps'").fetchone() == (__version__,)
    db.execute("UPDATE object SET definition = replace(definition, 'STREAM', 'STREEM') WHERE name = 'S'")
    db.commit()
    db.close()
    with Store(tmp_path) as store, pytest.raises(RowtimeError, match="'object' does not match its checksum"):
        store.get("S")


def test_a_lost_catalog_is_not_made_anew_over_data(tmp_path: Path) -> None:
    Store(tmp_path).close()
    (tmp_path / "streams" / "x").mkdir(parents=True)
    (tmp_path / "catalog.db").unlink()
    for _ in range(2):
        with pytest.raises(RowtimeError, match="is missing or empty") as caught:
            Store(tmp_path)
        assert caught.value.code == "RT0602"


def test_connections_of_threads_that_have_ended_are_closed(tmp_path: Path) -> None:
    """Each query of a pump has a thread: after five hundred of them, the process could open no more files."""
    with Store(tmp_path) as store:
        for _ in range(10):
            reader = threading.Thread(target=store.snapshot)
            reader.start()
            reader.join()
        # That of this thread, and of the latest.
        assert len(store._database._connections) == 2
        assert store.snapshot().version == 0


@pytest.mark.parametrize(
    ("name", "sign"),
    [("a%20b", "%20"), ("a%2Fb", "%2F"), ("100%25", "%25"), ("a?b", "?"), ("a*", "*"), ("a[b", "["), ("{a,b}", "{")],
)
def test_a_path_that_reads_as_another_is_refused(tmp_path: Path, name: str, sign: str) -> None:
    """Delta's library takes %20 for an escaped space, and Spark a? for each name of two letters that begins with a."""
    with pytest.raises(RowtimeError) as caught:
        Store(tmp_path / name / "w")
    assert caught.value.code == "RT0601"
    assert f"its path contains '{sign}'" in str(caught.value)
    assert "Rename that folder" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b", "é", "100%", "a%b#c", "a]}"])
def test_other_paths_are_not(tmp_path: Path, name: str) -> None:
    Store(tmp_path / name / "w").close()


@pytest.mark.parametrize("location", ["s3://bucket/warehouse", "hdfs://host:8020/warehouse", "file:///warehouse"])
def test_a_uri_is_no_folder(location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RowtimeError) as caught:
        Store(location)
    assert caught.value.code == "RT0601"
    assert "it is a URI, and a warehouse is a folder" in str(caught.value)
    assert not list(tmp_path.iterdir())
