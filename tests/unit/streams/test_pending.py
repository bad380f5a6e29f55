"""LATENESS and WATERMARK, on tables and on streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow.parquet as pq
from tests.unit.streams.conftest import column, opened, rowtime

from rowtime.catalog.store import Store
from rowtime.streams.log import CONTROL, StreamLog, WriteRequest
from rowtime.types.times import parse_micros

Make = Callable[..., StreamLog]
HOUR = 3_600_000


def content(log: StreamLog) -> list[tuple[Any, ...]]:
    """Returns the rows in order, with timestamps in seconds."""
    found = []
    for version in range(1, log.version() + 1):
        (added,) = (action["add"] for action in log.delta.actions(version) if "add" in action)
        found += [row for row in pq.read_table(log.folder / added["path"]).to_pylist() if not row[CONTROL]]
    return [
        tuple(v.timestamp() if hasattr(v, "timestamp") else v for k, v in row.items() if not k.startswith("_"))
        for row in found
    ]


def at(clock: str) -> int:
    return parse_micros(f"2020-01-01 {clock}")


def pickup(make: Make) -> StreamLog:
    return make(
        column("when", "TIMESTAMP(3)", latenessValue={"millis": HOUR}), column("location", "VARCHAR"), kind="TABLE"
    )


ROWS = [
    [at("00:00:00"), "home"],
    [at("01:00:00"), "office"],
    [at("00:10:00"), "shop"],
    [at("02:00:00"), "home"],
    [at("00:20:00"), "friend"],
]


def test_pick_ups_in_one_step(make: Make) -> None:
    log = pickup(make)
    assert log.submit(WriteRequest(rows=log.table(ROWS))).taken == 5
    assert log.bounds(1) == {"when": at("01:00:00") // 1000}


def test_pick_ups_in_five_steps(make: Make) -> None:
    log = pickup(make)
    taken = [log.submit(WriteRequest(rows=log.table([row]))).taken for row in ROWS]
    assert taken == [1, 1, 1, 1, 0]
    assert [place for _, place in content(log)] == ["home", "office", "shop", "home"]
    # NULL is never late, and never moves the clock.
    assert log.submit(WriteRequest(rows=log.table([[None, "nowhere"]]))).taken == 1
    assert log.bounds(log.version()) == {"when": at("01:00:00") // 1000}


def test_any_of_several_columns_may_be_too_late(make: Make) -> None:
    log = make(
        column("a", latenessValue={"number": "2"}),
        column("b", "DOUBLE", latenessValue={"number": "0.5"}),
        kind="TABLE",
    )
    log.submit(WriteRequest(rows=log.table([[10, 1.0]])))
    done = log.submit(WriteRequest(rows=log.table([[8, 0.5], [7, 9.0], [None, 0.49], [99, None], [8, float("nan")]])))
    assert [row.row["a"] for row in done.rejected] == [7, None]
    # The rejected 9.0 has not moved the clock, the 99 has.
    assert log.submit(WriteRequest(rows=log.table([[97, 0.5], [96, None]]))).taken == 1
    assert log.bounds(log.version()) == {"a": 97, "b": 0}


def test_watermark_holds_rows_until_its_distance_is_met(make: Make, store: Store) -> None:
    log = make(column("t", watermarkValue={"number": "10"}), column("n"), kind="TABLE")
    log.submit(WriteRequest(rows=log.table([[5, 1], [3, 2], [None, 3], [5, 4]])))
    assert content(log) == [(None, 3)]
    log = opened(store)
    log.submit(WriteRequest(rows=log.table([[14, 5]])))
    assert content(log)[1:] == [(3, 2)]
    log.submit(WriteRequest(rows=log.table([[15, 6], [4, 7]])))
    assert content(log)[2:] == [(4, 7), (5, 1), (5, 4)]
    assert log.state().held == 2


def test_all_watermarks_have_to_be_met(make: Make) -> None:
    log = make(column("t", watermarkValue={"number": "1"}), column("u", watermarkValue={"number": "1"}), kind="TABLE")
    log.submit(WriteRequest(rows=log.table([[1, 10]])))
    log.submit(WriteRequest(rows=log.table([[5, 1]])))
    assert content(log) == []
    log.submit(WriteRequest(rows=log.table([[None, 11]])))
    # By the first column; the last row waits for u, the second for t.
    assert content(log) == [(1, 10)]
    log.submit(WriteRequest(rows=log.table([[6, None], [0, 0]])))
    assert content(log) == [(1, 10), (0, 0), (5, 1)]


def test_late_is_judged_on_release(make: Make) -> None:
    log = make(column("t", latenessValue={"number": "0"}, watermarkValue={"number": "5"}), column("n"), kind="TABLE")
    log.submit(WriteRequest(rows=log.table([[10, 1]])))
    log.submit(WriteRequest(rows=log.table([[15, 2]])))
    done = log.submit(WriteRequest(rows=log.table([[9, 3]])))
    # Released at once, as the clock is 15, and late, as 10 has gone before it.
    assert [(row.row["n"], row.reason) for row in done.rejected] == [(3, "late")]


def test_a_stream_is_sorted_on_entry(make: Make) -> None:
    log = make(rowtime(watermarkValue={"millis": 5000}), column("n"))

    def insert(*rows: tuple[int, int], **more: Any) -> Any:
        return log.submit(WriteRequest(rows=log.table([[s * 1_000_000, n] for s, n in rows]), producer="P", **more))

    insert((10, 1), (7, 2), (9, 3))
    assert (content(log), log.bound) == ([], None)
    insert((13, 4))
    # 7 and nothing else: the others may still be overtaken.
    assert content(log) == [(7, 2)]
    insert((8, 5), (15, 6))
    assert content(log)[1:] == [(8, 5), (9, 3), (10, 1)]
    assert log.bound == 10_000
    # A promise lets go what it covers.
    log.submit(WriteRequest(producer="P", bound=13_000))
    assert (content(log)[4:], log.bound) == ([(13, 4)], 13_000)
    late = insert((12, 7), (13, 8))
    assert [row.row["n"] for row in late.rejected] == [7]
    assert content(log)[5:] == [(13, 8)]
    # Its row goes on waiting when it has left, and another's row sets it free.
    log.detach("P")
    assert log.state().held == 1
    log.submit(WriteRequest(rows=log.table([[20_000_000, 9]])))
    assert content(log)[6:] == [(15, 6)]


def test_disorder_within_lateness(make: Make) -> None:
    log = make(rowtime(latenessValue={"millis": 5000}), column("n"))

    def insert(producer: str, *seconds: int) -> Any:
        return log.submit(WriteRequest(rows=log.table([[s * 1_000_000, s] for s in seconds]), producer=producer))

    assert insert("P", 10, 3, 12).taken == 3
    assert log.bound == 7000
    assert insert("Q", 7, 6, 20).taken == 2
    # Q has 15 as its bound, P 7: rows up to 12 may enter, and come as they arrived.
    assert [n for _, n in content(log)] == [10, 3, 12, 7]
    assert (log.state().held, log.bound) == (1, 7000)
    insert("P", 18)
    assert (log.state().held, log.bound) == (1, 13_000)
    log.detach("P")
    assert [n for _, n in content(log)][4:] == [18, 20]
    log.detach("Q")
    assert log.bound == 15_000
