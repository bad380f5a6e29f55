"""Folders that the catalog does not know: named, and deleted only where they are provably of no use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rowtime import notices
from rowtime.catalog.store import Store
from rowtime.catalog.unknown import draft, keep, remove_folder, sweep_folders, unknown_folders, warn_of_unknown_folders
from rowtime.runtime.launch.folders import sweep
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime_cli.checks import unknown_data


def stream(store: Store, name: str) -> StreamLog:
    columns = [
        {"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False},
        {"name": "N", "type": "INTEGER", "nullable": True},
    ]
    definition = {"name": name, "kind": "STREAM", "columns": columns, "options": {"history": "all"}, "primaryKey": []}
    store.commit([{"action": "create", "object": definition}])
    entry = store.get(name)
    assert entry is not None
    log = StreamLog(store, entry)
    log.submit(WriteRequest(rows=log.table([[1_000_000, 1]])))
    return log


def test_an_older_catalog_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = tmp_path / "warehouse"
    with Store(warehouse) as store:
        stream(store, "A")
    shutil.copy(warehouse / "catalog.db", tmp_path / "older")
    with Store(warehouse) as store:
        newer = stream(store, "B").folder
    shutil.copy(warehouse / "catalog.db", tmp_path / "newer")
    shutil.copy(tmp_path / "older", warehouse / "catalog.db")
    said: list[str] = []
    monkeypatch.setattr(notices, "on_warning", said.append)
    with Store(warehouse) as store:
        assert [entry.name for entry in store.entries() if entry.kind == "STREAM"].count("B") == 0
        assert sweep_folders(store) == 0
        (found,) = unknown_folders(store)
        assert (found.path, found.columns) == (newer, ("ROWTIME", "N"))
        warn_of_unknown_folders(store)
    assert len(said) == 1
    assert said[0].startswith("warning RT0630: ")
    assert f"'streams/{newer.name}'" in said[0]
    (shown,) = unknown_data(warehouse)
    assert (shown.outcome, str(newer) in shown.text, "ROWTIME, N" in shown.text) == ("warning", True, True)
    # The later catalog finds everything again.
    shutil.copy(tmp_path / "newer", warehouse / "catalog.db")
    with Store(warehouse) as store:
        entry = store.get("B")
        assert entry is not None
        assert StreamLog(store, entry).state().entered == 1
        assert unknown_folders(store) == []
    assert list(unknown_data(warehouse)) == []


def test_what_is_of_no_use_is_deleted(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        log = stream(store, "A")
        never_committed = store.folder("a" * 32, "tables")
        (never_committed / "_delta_log").mkdir(parents=True)
        with pytest.raises(IsADirectoryError), draft(never_committed):
            (never_committed / "_delta_log").write_bytes(b"x")
        half_deleted = store.folder("b" * 32 + ".gone", "streams")
        half_deleted.mkdir(parents=True)
        complete = store.folder("c" * 32, "tables")
        with draft(complete):
            (complete / "part-0.parquet").write_bytes(b"x")
        keep(complete)
        assert sweep_folders(store) == 2
        assert [path.exists() for path in (never_committed, half_deleted, complete, log.folder)] == [
            False,
            False,
            True,
            True,
        ]
        remove_folder(complete)
        remove_folder(complete)
        assert unknown_folders(store) == []


def test_a_draft_is_left_alone_while_it_is_written(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        folder = store.folder("a" * 32, "tables")
        with draft(folder):
            assert sweep_folders(store) == 0
            assert folder.exists()
        assert sweep_folders(store) == 1
        assert not folder.exists()


def test_a_process_was_killed_right_after_it_created_a_table(tmp_path: Path) -> None:
    columns = [{"name": "N", "type": "INTEGER", "nullable": True}]
    definition = {"name": "T", "kind": "TABLE", "columns": columns, "options": {}, "primaryKey": []}
    with Store(tmp_path) as store:
        store.commit([{"action": "create", "object": definition}])
        entry = store.get("T")
        assert entry is not None
        folder = store.folder(entry.id, "tables")
        with draft(folder):
            (folder / "part-0.parquet").write_bytes(b"x")
        assert sweep_folders(store) == 0
        assert [file.name for file in folder.iterdir()] == ["part-0.parquet"]


def test_folders_of_users_stay(tmp_path: Path) -> None:
    """A warehouse may be in a folder that has its own `tables` and `queries`."""
    with Store(tmp_path) as store:
        stream(store, "A")
        mine = [tmp_path / "tables" / "orders", tmp_path / "queries" / "daily", tmp_path / "streams" / "x.gone"]
        for path in mine:
            path.mkdir(parents=True)
            (path / "a.parquet").write_bytes(b"x")
        assert (sweep_folders(store), sweep(tmp_path), unknown_folders(store)) == (0, 0, [])
        assert all((path / "a.parquet").exists() for path in mine)
