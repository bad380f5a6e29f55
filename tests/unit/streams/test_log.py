"""The log of a stream: what is in it after appends, by one process and after a crash of it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams.log import StreamLog
from rowtime.streams.producer import Producer

STREAM = {
    "name": "S",
    "kind": "STREAM",
    "columns": [
        {"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False},
        {"name": "n", "type": "INTEGER", "nullable": True},
    ],
    "options": {},
    "primaryKey": [],
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    store.commit([{"action": "create", "object": STREAM}])
    return store


def log(store: Store) -> StreamLog:
    entry = store.get("S")
    assert entry is not None
    return StreamLog(store, entry)


def rows(stream: StreamLog) -> list[tuple[object, ...]]:
    found = []
    for file in DeltaTable(str(stream.folder)).file_uris():
        found += pq.read_table(file.removeprefix("file://")).to_pylist()
    return sorted(
        ((r["_seq"], r["n"], r["_control"], r["_bound"] and int(r["_bound"].timestamp() * 1000)) for r in found),
        key=lambda r: r[0],
    )


def test_every_commit_ends_with_the_bound(store: Store) -> None:
    stream = log(store)
    assert stream.bound is None
    assert stream.append([[1_000_000, 1], [500_000, 2], [2_000_000, 3]]).rejected == [(1, "late")]
    stream.advance(5000)
    stream.advance(4000)
    assert stream.append([[5_000_000, 4]]).entered == 1
    assert rows(stream) == [
        (1, 1, False, None),
        (2, 3, False, None),
        (3, None, True, 2000),
        (4, None, True, 5000),
        (5, 4, False, None),
        (6, None, True, 5000),
    ]
    assert stream.state().late == 1
    assert stream.state().first == 1000


def test_no_bound_before_the_first_row(store: Store) -> None:
    stream = log(store)
    stream.advance(9000)
    stream.mark()
    assert stream.bound is None
    assert rows(stream) == [(1, None, True, None)]


def test_what_another_instance_wrote_is_seen(store: Store) -> None:
    one, other = log(store), log(store)
    one.append([[1_000_000, 1]])
    assert other.append([[500_000, 2], [1_500_000, 3]]).rejected == [(0, "late")]
    assert one.state() == other.state()
    assert one.bound == 1500


def test_a_commit_that_was_not_written_down_is_found_again(store: Store) -> None:
    stream = log(store)
    stream.append([[1_000_000, 1]])
    before = store.note(stream.entry.id, "log")
    stream.append([[3_000_000, 2], [2_000_000, 3]])
    after = stream.state()
    # The process has died between the commit and the note of it; so has what it took from the sequence.
    store.set_note(stream.entry.id, "log", before)
    with store.exclusive() as db:
        db.execute("UPDATE sequence SET next = 3 WHERE name = 'row'")
    again = log(store)
    assert again.state() == after
    again.append([[3_000_000, 4]])
    numbers = [row[0] for row in rows(again)]
    assert numbers == sorted(set(numbers))
    assert again.state().late == 1


def test_checksums_are_those_of_the_table(store: Store) -> None:
    stream = log(store)
    for second in range(3):
        stream.append([[second * 1_000_000, second]])
    version = stream.state().version
    found = json.loads((stream.folder / "_delta_log" / f"{version:020d}.crc").read_text())
    sizes = [Path(f.removeprefix("file://")).stat().st_size for f in DeltaTable(str(stream.folder)).file_uris()]
    assert (found["numFiles"], found["tableSizeBytes"]) == (len(sizes), sum(sizes))


def test_producers(store: Store) -> None:
    one, other = Producer(log(store)), Producer(log(store))
    one.set_rowtime_bound("1970-01-01 00:00:10")
    # Nothing has entered: the bound binds only its producer.
    assert other.insert([("1970-01-01 00:00:05", 1)]).entered == 1
    assert one.insert([{"rowtime": "1970-01-01 00:00:09", "N": 2}]).rejected == [
        ({"ROWTIME": 9_000_000, "n": 2}, "late")
    ]
    assert one.insert([{"ROWTIME": "1970-01-01 00:00:10", "n": 3}]).entered == 1
    with pytest.raises(RowtimeError) as fault:
        other.set_rowtime_bound("1970-01-01 00:00:09")
    assert fault.value.code == "RT0501"
    other.set_rowtime_bound("1970-01-01 00:00:10", strict=True)
    assert len(other.insert([("1970-01-01 00:00:10", 4)]).rejected) == 1
    with pytest.raises(RowtimeError, match="n: 'x' is not an INTEGER"):
        one.insert([("1970-01-01 00:01:00", 5), ("1970-01-01 00:01:00", "x")])
    with pytest.raises(RowtimeError, match="there is no column 'm'"):
        one.insert([{"m": 5}])
    with pytest.raises(RowtimeError, match="3 values for 2 columns"):
        one.insert([(None, 5, 6)])
    one.close()
    with pytest.raises(RowtimeError) as closed:
        one.insert([(None, 5)])
    assert closed.value.code == "RT0503"
    assert one.stream == "S"


def test_rows_before_1970_are_refused_and_not_lost(store: Store) -> None:
    stream = log(store)
    with pytest.raises(RowtimeError, match=r"RT0900.*ROWTIME 1969-12-31 23:59:59\.999"):
        stream.append([[1000, 1], [-1000, 2]])
    assert rows(stream) == []
