"""What a version of a table changes of an earlier one, against the rows of both; without Spark."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta.batches import SentBatch
from rowtime.delta.commits import DataFile
from rowtime.delta.files import names_of
from rowtime.errors import RowtimeError
from rowtime.tables import compaction, tables, upserts
from rowtime.tables.change_feed import ChangeFeed, FileChange
from rowtime.types.columns import schema_of

Rows = Counter[tuple[int, int]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def entry(store: Store) -> Entry:
    columns = [{"name": name, "type": "INTEGER", "nullable": True} for name in ("K", "V")]
    definition = {"name": "T", "kind": "TABLE", "columns": columns, "options": {}, "primaryKey": ["K"]}
    store.commit([{"action": "create", "object": definition}])
    found = store.get("T")
    assert found is not None
    return found


class Changed:
    """A table that changes in all ways, and the rows of its versions."""

    def __init__(self, store: Store, entry: Entry) -> None:
        self.store, self.entry = store, entry
        self.schema = schema_of(tables.table_columns(entry))
        self.folder = tables.folder(store, entry)
        self.versions: dict[int, Rows] = {}
        self.batch = 0
        tables.open_table(store, entry)
        self.note()

    def arrow(self, rows: list[tuple[int, int]]) -> pa.Table:
        return pa.Table.from_pylist([{"K": k, "V": v} for k, v in rows], schema=self.schema)

    def note(self) -> None:
        table = DeltaTable(str(self.folder))
        rows = pa.table(table.scan()).to_pylist()
        self.versions[int(table.version())] = Counter((row["K"], row["V"]) for row in rows)

    def upsert(self, rows: dict[int, int], deleted: Collection[int] = ()) -> None:
        """A step of a pump; its compaction, if there is one, is a version of its own."""
        gone = pa.table({"K": pa.array(sorted(deleted), pa.int32())})
        upserts.apply(
            self.store, self.entry, ["K"], self.arrow(list(rows.items())), gone, "P", SentBatch(self.batch, None)
        )
        self.batch += 1
        self.note()

    def insert(self, rows: list[tuple[int, int]]) -> None:
        tables.append(self.store, self.entry, self.arrow(rows))
        self.note()

    def rewrite(self, rows: Rows) -> None:
        """What UPDATE, DELETE and MERGE do: all files become one."""
        table = tables.open_table(self.store, self.entry)
        assert tables.commit_result(self.store, self.entry, table, self.arrow(list(rows.elements())), replaces=True)
        self.note()

    def of(self, found: dict[str, list[FileChange]]) -> Rows:
        log, total = tables.delta_log(self.store, self.entry), Rows()

        def rows(file: DataFile | None) -> Rows:
            read = [] if file is None else log.read(file).to_pylist()
            return Counter((row["K"], row["V"]) for row in read)

        for change in (change for changes in found.values() for change in changes):
            total.update(rows(change.after))
            total.subtract(rows(change.before))
        return Counter({row: times for row, times in total.items() if times})


def difference(before: Rows, after: Rows) -> Rows:
    total = Rows(after)
    total.subtract(before)
    return Counter({row: times for row, times in total.items() if times})


def test_the_changes_of_a_table_are_the_difference_of_its_versions(
    store: Store, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps of pumps with deletion vectors and compactions, insertions, statements that replace all files, and files
    that have come and gone in between, some of which no longer exist."""
    monkeypatch.setattr(compaction, "_SMALLEST", 2)
    monkeypatch.setattr(compaction, "_LEVEL", 3)
    made, random_ = Changed(store, entry), random.Random(5)
    followed, position, read = ChangeFeed(store, entry), 0, Rows()
    for step in range(60):
        rows = made.versions[max(made.versions)]
        match random_.choice(["upsert", "upsert", "upsert", "insert", "rewrite"]):
            case "upsert":
                keys = random_.sample(range(12), 4)
                made.upsert({k: random_.randrange(9) for k in keys[:3]}, {keys[3]})
            case "insert":
                made.insert([(random_.randrange(100, 104), step)])
            case "rewrite":
                made.rewrite(Counter({row: n for row, n in rows.items() if row[0] != random_.randrange(12)}))
        if random_.random() < 0.5:
            # One that follows the table, and one that begins at this step.
            newest = followed.newest()
            found = made.of(followed.between(position, newest))
            assert found == difference(read, made.versions[newest])
            position, read = newest, made.versions[newest]
            old = random_.choice(list(made.versions))
            assert made.of(ChangeFeed(store, entry).between(old, newest)) == difference(made.versions[old], read)
    assert made.of(ChangeFeed(store, entry).between(None, position)) == read
    log, first = tables.delta_log(store, entry), min(made.versions)
    added = (action["add"] for version in log.versions() for action in log.actions(version) if "add" in action)
    assert not all(add["dataChange"] for add in added), "there was no compaction"
    # Between two versions, files come and go that only those between need.
    kept = {name for version in (first, position) for name in names_of(log, tables.files(log, version))}
    for file in (*made.folder.glob("*.parquet"), *made.folder.glob("*.bin")):
        if file.name not in kept:
            file.unlink()
    assert made.of(ChangeFeed(store, entry).between(first, position)) == read


def test_commits_that_move_rows_change_nothing(store: Store, entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "_SMALLEST", 1)
    monkeypatch.setattr(compaction, "_LEVEL", 2)
    made = Changed(store, entry)
    made.upsert({1: 1})
    step = max(made.versions)
    made.upsert({2: 2})
    newest = max(made.versions)
    assert newest == step + 2, "the second step has been compacted"
    feed = ChangeFeed(store, entry)
    assert made.of(feed.between(step, newest - 1)) == Counter({(2, 2): 1})
    assert feed.between(newest - 1, newest) == {}
    assert feed.text(newest - 1, newest) == "0 each\n"


def test_a_table_that_has_lost_what_is_needed_says_so(store: Store, entry: Entry) -> None:
    made = Changed(store, entry)
    made.insert([(1, 1), (2, 2)])
    begin = max(made.versions)
    made.rewrite(Counter({(1, 1): 1}))
    log = tables.delta_log(store, entry)
    (file,) = tables.files(log, begin)
    (made.folder / file.name).unlink()
    with pytest.raises(RowtimeError, match=r"RT0520.*changes of table 'T' up to version 1"):
        ChangeFeed(store, entry).between(begin, begin + 1)
    # Without its commits, the version is unknown.
    log.path(begin).unlink()
    with pytest.raises(RowtimeError, match="RT0520"):
        ChangeFeed(store, entry).between(begin, begin + 1)
    store.commit([{"action": "drop", "names": ["T"]}])
    with pytest.raises(RowtimeError, match="RT0312"):
        ChangeFeed(store, entry).newest()
