"""Spark's reader of a log: versions follow one another without a gap, and old checkpoints go on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.session import Session
from rowtime.streams.log import StreamLog


def _insert(rt: Session, *numbers: int) -> None:
    for number in numbers:
        rt.sql(f"INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', {number})")


def _resume(query: Query) -> None:
    query.restart()
    query.process_all_available()


@pytest.fixture
def log(rt: Session) -> StreamLog:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    _insert(rt, 1)
    entry = rt.store.get("S")
    assert entry is not None
    return rt.runtime.log(entry)


@pytest.fixture
def query(rt: Session, log: StreamLog) -> Iterator[Query]:
    found = rt.sql("SELECT STREAM n FROM s")
    assert isinstance(found, Query)
    found.process_all_available()
    yield found
    found.stop()


def test_a_missing_commit_is_an_error_and_not_the_end(rt: Session, log: StreamLog, query: Query) -> None:
    query.kill()
    first = log.version() + 1
    _insert(rt, 2, 3)
    missing = log.delta.path(first)
    missing.unlink()
    with pytest.raises(RowtimeError) as caught:
        _resume(query)
    assert caught.value.code == "RT0605"
    assert f"The log of 'S' is damaged: the file '{missing}' is missing" in str(caught.value)


def _halves(content: bytes) -> dict[str, bytes]:
    """Damage to a commit, by the message that reports it."""
    old = json.loads(content.splitlines()[0])
    del old["commitInfo"]["rowtimeChecksum"]
    return {
        "is empty": b"",
        "does not match its checksum": content.splitlines(keepends=True)[0],
        "is incomplete": content[:20],
        r"has no add action": json.dumps(old).encode() + b"\n",
    }


def test_half_a_commit_is_an_error(rt: Session, log: StreamLog, query: Query) -> None:
    query.kill()
    _insert(rt, 2)
    path = log.delta.path(log.version())
    whole = path.read_bytes()
    for said, content in _halves(whole).items():
        path.write_bytes(content)
        with pytest.raises(RowtimeError, match=rf"The log of 'S' is damaged: the file '{path}' {said}") as caught:
            _resume(query)
        assert caught.value.code == "RT0605"
        query.kill()
    path.write_bytes(whole)
    _resume(query)
    assert [row["N"] for row in query.rows()] == [2]


def test_a_damaged_file_of_rows_is_an_error(rt: Session, log: StreamLog, query: Query) -> None:
    query.kill()
    _insert(rt, 2)
    path = log.folder / log.delta.commit_of(log.version()).added[0].name
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for said, content in {"does not match its checksum": bytes(flipped), "bytes instead of": whole[:-1]}.items():
        path.write_bytes(content)
        with pytest.raises(RowtimeError, match=rf"'{path}' .*{said}") as caught:
            _resume(query)
        assert caught.value.code == "RT0605"
        query.kill()
    path.unlink()
    with pytest.raises(RowtimeError, match=rf"RT0605: .*'{path}' is missing"):
        _resume(query)
    query.kill()
    path.write_bytes(whole)
    _resume(query)
    assert [row["N"] for row in query.rows()] == [2]


def test_a_checkpoint_of_deltas_own_source_goes_on(rt: Session, log: StreamLog, query: Query) -> None:
    _insert(rt, 2)
    query.process_all_available()
    query.kill()
    offsets = query.checkpoint / "spark" / "offsets"
    newest = max(offsets.iterdir(), key=lambda file: int(file.name) if file.name.isdigit() else -1)
    *head, place = newest.read_text().split("\n")
    known = json.loads(place)
    delta = {"sourceVersion": 1, "reservoirId": known["log"], "reservoirVersion": known["next"], "index": -1}
    newest.write_text("\n".join([*head, json.dumps({**delta, "isStartingVersion": False})]))
    _insert(rt, 3)
    _resume(query)
    assert [row["N"] for row in query.rows()] == [2, 3]
