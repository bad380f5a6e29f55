"""The catalog in a file of the warehouse: its file, damage to it, and earlier and later versions of it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from catalog_changes import create

from rowtime.catalog.schema import VERSION
from rowtime.catalog.sqlite import SqliteDatabase
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.version import __version__


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "w")


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
        assert isinstance(store._database, SqliteDatabase)
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
