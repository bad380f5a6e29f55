"""Late rows made known: ALL_TRACE, late streams, and counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from tests.unit.streams.conftest import column, opened, rowtime

from rowtime.catalog.store import Store
from rowtime.catalog.system import ALL_TRACE
from rowtime.streams import trace
from rowtime.streams.log import StreamLog, WriteRequest

Make = Callable[..., StreamLog]


def insert(log: StreamLog, *rows: tuple[Any, ...], **more: Any) -> Any:
    values = [[None if row[0] is None else row[0] * 1_000_000, *row[1:]] for row in rows]
    return log.submit(WriteRequest(rows=log.table(values), **more))


def content(log: StreamLog) -> list[dict[str, Any]]:
    found = []
    if log.version():
        for file in DeltaTable(str(log.folder)).file_uris():
            found += pq.read_table(file.removeprefix("file://")).to_pylist()
    return [row for row in sorted(found, key=lambda row: row["_seq"]) if not row["_control"]]


def told(store: Store) -> list[tuple[Any, ...]]:
    return [(r["STREAM"], r["LEVEL"], r["LATE_ROWS"], r["PRODUCER"]) for r in content(opened(store, ALL_TRACE))]


def test_powers_of_ten(make: Make, store: Store) -> None:
    log, other = make(), make(name="T")
    insert(log, (100, 0), producer="P")
    for count in (1, 5, 7, 80, 1, 5, 901):
        insert(log, *[(1, n) for n in range(count)], producer="P")
    insert(other, (100, 0), (1, 0))
    assert log.state().late == 1000
    assert log.state().producers["P"].rejected == 1000
    assert told(store) == [*[("S", "WARNING", n, "P") for n in (1, 10, 100, 1000)], ("T", "WARNING", 1, None)]
    first = content(opened(store, ALL_TRACE))[0]
    assert first["TRACER"] == "laterow"
    assert first["MESSAGE"] == "Row rejected by 'S' as late, number 1: ROWTIME 1970-01-01 00:00:01.000, n 0"


@pytest.mark.parametrize("how", ["environment", "file"])
def test_finest(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "environment":
        monkeypatch.setenv("ROWTIME_TRACE", "laterow=FINEST")
    else:
        (store.warehouse / "trace.properties").write_text("# levels\nlaterow = finest\n")
    log = make()
    insert(log, (100, 0), *[(1, n) for n in range(12)])
    levels = [level for _, level, _, _ in told(store)]
    assert levels == ["WARNING", *["FINEST"] * 8, "WARNING", "FINEST", "FINEST"]


def test_what_a_dead_process_has_left_is_told_once(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    log = make()
    insert(log, (100, 0))

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trace, "_to_trace", dies)
        with pytest.raises(KeyboardInterrupt):
            insert(log, (1, 1))
    assert told(store) == []
    again = opened(store)
    insert(again, (200, 2))
    again.forward_rejected()
    assert told(store) == [("S", "WARNING", 1, None)]
    # Nobody but the target knows in this one.
    opened(store).forward_rejected()
    assert len(told(store)) == 1
    insert(again, (300, 2))
    assert again.state().outgoing == ()
    assert not list((again.folder / "_held").iterdir())


def test_late_stream(make: Make, store: Store) -> None:
    late = make(
        column("REASON", "VARCHAR"),
        column("STREAM", "VARCHAR"),
        column("PRODUCER", "VARCHAR"),
        column("REJECTED_ROWTIME", "TIMESTAMP(3)"),
        column("n", "BIGINT"),
        column("other", "INTEGER"),
        name="LATE",
    )
    log = make(rowtime(), column("n"), column("x", "INTEGER", monotonic="INCREASING"), options={"late_stream": "late"})
    insert(log, (10, 1, 5), (9, 2, 6), (11, 3, 4), producer="P")
    insert(log, (9, 4, 9))
    found = [
        (r["REASON"], r["STREAM"], r["PRODUCER"], r["REJECTED_ROWTIME"].timestamp(), r["n"], r["other"])
        for r in content(late)
    ]
    assert found == [
        ("late", "S", "P", 9.0, 2, None),
        ("not monotonic", "S", "P", 11.0, 3, None),
        ("late", "S", None, 9.0, 4, None),
    ]
    assert log.state().rejected == {"late": 2, "not monotonic": 1}
    assert all(r["ROWTIME"].timestamp() > 1_000_000_000 for r in content(late))
    assert [n for _, _, n, _ in told(store)] == [1]


def test_a_row_rejected_long_after_its_producer_has_left(make: Make) -> None:
    log = make(rowtime(watermarkValue={"millis": 5000}), column("n"), column("x", "INTEGER", monotonic="INCREASING"))
    insert(log, (10, 1, 9), producer="P")
    insert(log, (11, 1, 8), producer="P", detach=True)
    done = insert(log, (20, 3, 10))
    assert [(r.row["x"], r.reason, r.producer) for r in done.rejected] == [(8, "not monotonic", "P")]
    assert done.taken == 1


def test_a_late_stream_of_an_older_catalog_that_is_the_stream_itself(make: Make, store: Store) -> None:
    """Catalogs may contain what CREATE refuses now. A row is rejected once, not repeatedly."""
    log = make(rowtime(), column("n", monotonic="INCREASING"), options={"late_stream": "S"})
    insert(log, (10, 5), (11, 4))
    version = log.version()
    log.forward_rejected()
    assert log.version() == version
    assert log.state().rejected == {"not monotonic": 1}
    assert trace.fault_of(log) == "its late_stream leads back to it: S -> S"
    assert content(opened(store, ALL_TRACE))[0]["MESSAGE"].endswith(
        "n 4; kept nowhere: its late_stream leads back to it: S -> S"
    )


def test_a_circle_of_late_streams_of_an_older_catalog(make: Make, store: Store) -> None:
    monotonic = column("n", monotonic="INCREASING")
    one = make(rowtime(), monotonic, options={"late_stream": "TWO"}, name="ONE")
    two = make(rowtime(), monotonic, options={"late_stream": "ONE"}, name="TWO")
    outside = make(rowtime(), monotonic, options={"late_stream": "ONE"}, name="OUTSIDE")
    insert(two, (10, 5))
    insert(outside, (10, 5), (11, 4), (12, 3))
    assert [row["n"] for row in content(one)] == [4]
    assert (one.state().late, two.state().late, outside.state().late) == (1, 0, 2)
    assert trace.fault_of(one) == "its late_stream leads back to it: ONE -> TWO -> ONE"
    assert trace.fault_of(outside) is None


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ({"name": "T", "kind": "TABLE"}, "its late_stream 'T' is a table without a log"),
        ({"name": "OTHER"}, "its late_stream 'T' does not exist"),
        ({"name": "T", "columns": (column("n", "DATE"),)}, "column 'n' of its late_stream 'T' cannot hold its values"),
    ],
)
def test_rows_that_an_older_catalog_sends_nowhere(make: Make, store: Store, target: dict[str, Any], why: str) -> None:
    make(*target.pop("columns", (column("n", "BIGINT"),)), **target)
    log = make(column("n", "DOUBLE"), options={"late_stream": "T"})
    insert(log, (10, 5.0), (9, 4.5))
    assert log.state().late == 1
    assert content(opened(store, ALL_TRACE))[0]["MESSAGE"].endswith(f"; kept nowhere: {why}")


def test_a_late_stream_that_is_full_does_not_fail_the_insert(make: Make, store: Store) -> None:
    late = make(column("n"), name="LATE", options={"held_rows": "1"})
    late.attach("slow")
    insert(late, (10, 1), producer="quick")
    log = make(options={"late_stream": "LATE"})
    done = insert(log, (10, 1), (9, 2))
    assert (done.taken, done.rejections) == (1, 1)
    assert getattr(log.forward_fault, "code", None) == "RT0505"
    late.detach("slow")
    log.forward_rejected()
    assert [row["n"] for row in content(late)] == [1]
    late.detach("quick")
    assert sorted(row["n"] for row in content(late)) == [1, 2]
