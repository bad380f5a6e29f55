"""Damaged logs: every reader and writer says what is wrong, with the file and what can still be read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from tests.unit.streams.conftest import column, opened

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams import retention
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.tail import Tail
from rowtime.tables import tables

Make = Callable[..., StreamLog]
ALL = {"history": "all"}


def append(log: StreamLog, *seconds: int) -> None:
    for second in seconds:
        log.submit(WriteRequest(rows=log.table([[second * 1_000_000, second]])))


def numbers(log: StreamLog) -> list[int]:
    return [row[1] for rows in Tail(log).since(None) for row in rows]


def empty(path: Path) -> None:
    path.write_bytes(b"")


def without_add(path: Path) -> None:
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def other_state(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(rb"\"entered\":4", rb"\"entered\":3"))


@pytest.mark.parametrize("damage", [empty, without_add, cut, other_state, os.remove])
def test_no_reader_or_writer_passes_over_a_damaged_commit(
    make: Make, store: Store, damage: Callable[[Path], None]
) -> None:
    log = make(options=ALL)
    append(log, *range(1, 8))
    path = log.delta.path(4)
    before = path.read_bytes()
    damage(path)
    assert not path.exists() or path.read_bytes() != before
    doors = {
        "latest rows": lambda log: Tail(log).last(10),
        "rows from a time on": numbers,
        "insert": lambda log: append(log, 8),
        "state": lambda log: log.state(),
        "clean-up": lambda log: retention.clean(log, eager=True),
        "mark": lambda log: log.mark(),
    }
    for name, door in doors.items():
        with pytest.raises(RowtimeError) as caught:
            door(opened(store))
        assert caught.value.code == "RT0605", name
        assert f"'{path}'" in str(caught.value), name
        assert "versions 0 to 3 can be read" in str(caught.value), name
    path.write_bytes(before)
    assert numbers(opened(store)) == list(range(1, 8))


def test_rows_before_the_damage_are_given_out(make: Make, store: Store) -> None:
    log = make(options=ALL)
    append(log, 1, 2, 3, 4)
    empty(log.delta.path(3))
    found = Tail(opened(store)).since(None)
    assert [row[1] for rows in (next(found), next(found)) for row in rows] == [1, 2]
    with pytest.raises(RowtimeError, match="is empty; versions 0 to 2 can be read"):
        next(found)
    log.delta.path(3).unlink()
    with pytest.raises(RowtimeError, match="is missing; versions 0 to 2 can be read"):
        next(Tail(opened(store)).since(None))


def test_the_newest_commits_are_lost(make: Make, store: Store) -> None:
    """Without these commits the log looks as if they had never been written, and new commits would take their place."""
    log = make()
    append(log, 1, 2, 3)
    log.delta.path(3).unlink()
    for door in (lambda log: append(log, 4), numbers, lambda log: log.state()):
        with pytest.raises(RowtimeError, match=r"00003\.json' is missing; versions 0 to 2 can be read"):
            door(opened(store))
    log.delta.path(2).unlink()
    with pytest.raises(RowtimeError, match=r"00002\.json' is missing; versions 0 to 1 can be read"):
        append(log, 4)


def test_the_newest_commits_are_lost_with_the_head(make: Make, store: Store) -> None:
    log = make(options=ALL)
    append(log, 1, 2, 3)
    whole = (log.folder / "_head").read_bytes()
    for version in (3, 2):
        log.delta.path(version).unlink()
    # A process that has seen them knows.
    with pytest.raises(RowtimeError, match=r"00002\.json' is missing; versions 0 to 1 can be read"):
        append(log, 4)
    for damage in (None, b"", whole[:10]):
        (log.folder / "_head").unlink(missing_ok=True) if damage is None else (log.folder / "_head").write_bytes(damage)
        for door in (lambda log: append(log, 4), numbers, lambda log: log.state()):
            with pytest.raises(RowtimeError, match=r"RT0605.*_head' is missing; versions 0 to 1 can be read"):
                door(opened(store))


def test_an_older_copy_of_a_log_whose_reader_has_read_further(make: Make, store: Store) -> None:
    log = make(options=ALL)
    append(log, 1)
    older = (log.folder / "_head").read_bytes()
    append(log, 2, 3)
    log.lease("pump", 4, None)
    for version in (3, 2):
        log.delta.path(version).rename(store.warehouse / f"{version}")
    (log.folder / "_head").write_bytes(older)
    for door in (lambda log: append(log, 4), numbers, lambda log: log.state()):
        with pytest.raises(RowtimeError, match=r"RT0605.*00002\.json' is missing; versions 0 to 1 can be read"):
            door(opened(store))
    for version in (3, 2):
        (store.warehouse / f"{version}").rename(log.delta.path(version))
    append(opened(store), 4)
    assert numbers(opened(store)) == [1, 2, 3, 4]


def test_what_may_be_left_of_lost_commits_is_not_deleted(make: Make, store: Store) -> None:
    """Logs of earlier builds may have no head. Then a lost commit looks like one that was never made."""
    log = make(column("ROWTIME", "TIMESTAMP(3)"), column("n"), options=ALL)
    append(log, 1, 2)
    log.attach("other")
    append(log, 3, 4)
    store.set_note(log.entry.id, "log", True)
    before = sorted(path.name for path in log.folder.rglob("*.parquet")) + [
        path.name for path in (log.folder / "_held").iterdir()
    ]
    assert before
    newest = log.delta.latest()
    commit, head = log.delta.path(newest).read_bytes(), (log.folder / "_head").read_bytes()
    log.delta.path(newest).unlink()
    for name, lost in (("with its head", "_head"), ("with its checksum file", f"_delta_log/{newest:020d}.crc")):
        (log.folder / lost).unlink()
        retention.tidy(opened(store)) if name == "with its head" else None
    now = sorted(path.name for path in log.folder.rglob("*.parquet")) + [
        path.name for path in (log.folder / "_held").iterdir()
    ]
    assert now == before
    log.delta.path(newest).write_bytes(commit)
    (log.folder / "_head").write_bytes(head)
    assert opened(store).state().held == 2


def test_remains_of_a_killed_commit_are_deleted(make: Make, store: Store) -> None:
    log = make(options=ALL)
    append(log, 1)
    left = [
        log.folder / f"part-{2:020d}-x.parquet",
        log.folder / "_delta_log" / f".{'a' * 32}.tmp",
        log.folder / "_held" / f".{'b' * 32}.tmp",
    ]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    retention.tidy(opened(store))
    assert [path for path in left if path.exists()] == []
    assert numbers(opened(store)) == [1]


def test_others_create_the_log_and_clean_up_meanwhile(
    make: Make, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, early = make(options=ALL), opened(store)
    link = os.link

    def after_others(draft: Path, path: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        append(early, 1)
        retention.tidy(early)
        assert not draft.exists()
        link(draft, path)

    monkeypatch.setattr(os, "link", after_others)
    append(late, 2)
    assert numbers(opened(store)) == [1, 2]


def test_the_whole_log_is_lost(make: Make, store: Store) -> None:
    log = make()
    append(log, 1)
    os.rename(log.folder, log.folder.with_suffix(".away"))
    for door in (lambda log: append(log, 4), numbers, lambda log: log.state()):
        with pytest.raises(RowtimeError, match="is missing; no earlier version can be read"):
            door(opened(store))
    os.rename(log.folder.with_suffix(".away"), log.folder)
    assert numbers(opened(store)) == [1]


@pytest.mark.parametrize(
    ("damage", "said"), [(empty, "bytes instead of"), (cut, "bytes instead of"), (os.remove, "is missing")]
)
def test_data_files(make: Make, store: Store, damage: Callable[[Path], None], said: str) -> None:
    log = make(options=ALL)
    append(log, 1, 2, 3)
    path = log.folder / log.delta.commit_of(2).added[0].name
    damage(path)
    found = Tail(opened(store)).since(None)
    assert [row[1] for row in next(found)] == [1]
    with pytest.raises(RowtimeError, match="RT0605") as caught:
        next(found)
    assert f"'{path}'" in str(caught.value)
    assert said in str(caught.value)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [empty, cut, flip, os.remove])
def test_side_files(make: Make, store: Store, damage: Callable[[Path], None]) -> None:
    log = make()
    log.attach("slow")
    log.submit(WriteRequest(rows=log.table([[1_000_000, 1]]), producer="fast"))
    assert log.state().held == 1
    (path,) = (log.folder / "_held").iterdir()
    damage(path)
    with pytest.raises(RowtimeError, match="RT0605") as caught:
        append(opened(store), 2)
    assert f"'{path}'" in str(caught.value)


def test_a_damaged_lease_keeps_everything(make: Make) -> None:
    log = make()
    append(log, 1, 2, 3)
    log.lease("reader", 1, None)
    (path,) = (log.folder / "_readers").iterdir()
    empty(path)
    assert log.clean().files == 0
    log.lease("reader", 3, None)
    assert log.clean().files == 2


def test_logs_of_earlier_builds(make: Make, store: Store) -> None:
    """They have no checksums and no head; a commit without its rows is still found."""
    log = make(options=ALL)
    append(log, 1, 2, 3)
    (log.folder / "_head").unlink()
    store.set_note(log.entry.id, "log", True)
    for version in log.delta.versions():
        path = log.delta.path(version)
        actions = [json.loads(line) for line in path.read_bytes().splitlines()]
        for action in actions:
            action.get("commitInfo", {}).pop("rowtimeChecksum", None)
            action.get("add", {}).pop("tags", None)
        path.write_text("".join(json.dumps(action) + "\n" for action in actions))
    append(opened(store), 4)
    assert numbers(opened(store)) == [1, 2, 3, 4]
    without_add(log.delta.path(2))
    with pytest.raises(RowtimeError, match="has no add action"):
        append(opened(store), 5)


@pytest.mark.parametrize("lost", [0, 1, 40])
def test_any_commit_that_must_be_there(make: Make, store: Store, lost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contents of the newest commit are checked; the others must have their files."""
    monkeypatch.setattr("rowtime.streams.logtable._CHECKED_AT_FIRST", 3)
    log = make(options=ALL)
    append(log, *range(1, 51))
    log.delta.path(lost).unlink()
    with pytest.raises(RowtimeError, match=rf"RT0605: .*{lost:05}\.json' is missing"):
        opened(store).state()
    with pytest.raises(RowtimeError, match=rf"RT0605: .*{lost:05}\.json' is missing"):
        append(opened(store), 51)


@pytest.fixture
def entry(store: Store) -> Entry:
    """Makes a plain table."""
    columns = [{"name": "n", "type": "INTEGER", "nullable": True}]
    definition = {"name": "T", "kind": "TABLE", "columns": columns, "options": {}, "primaryKey": []}
    store.commit([{"action": "create", "object": definition}])
    found = store.get("T")
    assert found is not None
    return found


ROWS = pa.table({"n": pa.array([1], pa.int32())})


def test_the_newest_commits_of_a_plain_table_are_lost(
    store: Store, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        tables.append(store, entry, ROWS)
    assert tables.commit_result(store, entry, tables.open_table(store, entry), ROWS, replaces=True)
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    assert tables.sweep(store, entry) == 3
    log = tables.folder(store, entry) / "_delta_log"
    for version in (4, 3):
        (log / f"{version:020d}.json").unlink()
        said = rf"RT0605: The table 'T' is .*{version:05}\.json' is missing; versions 0 to {version - 1} can be read"
        for door in (tables.open_table, lambda *of: tables.append(*of, ROWS)):
            with pytest.raises(RowtimeError, match=said):
                door(store, entry)


def test_the_newest_commit_of_a_plain_table_is_lost_with_its_head(
    store: Store, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        tables.append(store, entry, ROWS)
    folder = tables.folder(store, entry)
    (folder / "_delta_log" / f"{3:020d}.json").unlink()
    (folder / "_head").unlink()
    for door in (tables.open_table, lambda *of: tables.append(*of, ROWS)):
        with pytest.raises(RowtimeError, match=r"RT0605: The table 'T' is .*_head' is missing; versions 0 to 2 can be"):
            door(store, entry)
    # A table of an earlier build, which may have no head.
    store.set_note(entry.id, "table", True)
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    before = sorted(folder.glob("*.parquet"))
    assert (tables.open_table(store, entry).count(), tables.sweep(store, entry)) == (2, 0)
    assert (len(before), sorted(folder.glob("*.parquet"))) == (3, before)


def test_the_commits_of_a_plain_table_behind_its_checkpoint_are_lost(store: Store, entry: Entry) -> None:
    tables.append(store, entry, ROWS)
    tables.open_table(store, entry).create_checkpoint()
    tables.append(store, entry, ROWS)
    (tables.folder(store, entry) / "_delta_log" / f"{2:020d}.json").unlink()
    with pytest.raises(RowtimeError, match=r"RT0605: The table 'T' is .*00002\.json' is missing"):
        tables.open_table(store, entry)


def test_a_whole_plain_table_is_lost(store: Store, entry: Entry) -> None:
    tables.append(store, entry, ROWS)
    folder = tables.folder(store, entry)
    os.rename(folder, folder.with_suffix(".away"))
    for door in (tables.open_table, lambda *of: tables.append(*of, ROWS)):
        with pytest.raises(RowtimeError, match=r"RT0605: The table 'T' is .* is missing; no earlier version"):
            door(store, entry)
    os.rename(folder.with_suffix(".away"), folder)
    assert tables.open_table(store, entry).count() == 1


def test_the_head_of_a_plain_table_never_goes_back(store: Store, entry: Entry) -> None:
    """Of two processes that write at the same time, the first may be the last to record its commit."""
    for _ in range(3):
        tables.append(store, entry, ROWS)
    (tables.folder(store, entry) / "_delta_log" / f"{3:020d}.json").rename(store.warehouse / "away")
    tables.delta_log(store, entry).keep_library(1)
    with pytest.raises(RowtimeError, match="RT0605"):
        tables.open_table(store, entry)


@pytest.mark.parametrize("damage", [empty, without_add, cut, os.remove])
def test_plain_tables(store: Store, entry: Entry, damage: Callable[[Path], None]) -> None:
    """Delta's library reads what is left of a table, without an error."""
    rows = ROWS
    for _ in range(3):
        tables.append(store, entry, rows)
    path = tables.folder(store, entry) / "_delta_log" / f"{2:020d}.json"
    before = path.read_bytes()
    damage(path)
    with pytest.raises(RowtimeError, match=r"RT0605: The table 'T' is .* 0 to 1 can be read") as caught:
        tables.append(store, entry, rows)
    assert f"'{path}'" in str(caught.value)
    path.write_bytes(before)
    tables.append(store, entry, rows)
    assert tables.open_table(store, entry).count() == 4
    # Behind a checkpoint nobody needs it.
    tables.open_table(store, entry).create_checkpoint()
    path.unlink()
    tables.append(store, entry, rows)
    assert tables.open_table(store, entry).count() == 5
