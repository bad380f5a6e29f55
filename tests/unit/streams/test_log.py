"""The log of a stream: what is in it after steps, by one instance and by several."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from sharing import submit_together
from tests.unit.streams.conftest import column, opened, rowtime

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams.log import StreamLog, WriteRequest

Make = Callable[..., StreamLog]


def insert(log: StreamLog, *rows: tuple[Any, ...], **more: Any) -> Any:
    """Returns rows whose first value is a ROWTIME in seconds."""
    values = [[None if row[0] is None else row[0] * 1_000_000, *row[1:]] for row in rows]
    return log.submit(WriteRequest(rows=log.table(values) if values else None, **more))


def rows(log: StreamLog) -> list[tuple[object, ...]]:
    """Returns (n, control, ROWTIME in seconds) of all rows of the log, in order of row number."""
    found = []
    for file in DeltaTable(str(log.folder)).file_uris():
        found += pq.read_table(file.removeprefix("file://")).to_pylist()
    found.sort(key=lambda row: row["_seq"])
    return [(r["n"], r["_control"], r["ROWTIME"] and r["ROWTIME"].timestamp()) for r in found]


def test_every_commit_ends_with_the_bound(make: Make) -> None:
    log = make()
    assert log.bound is None
    done = insert(log, (1, 1), (0.5, 2), (2, 3))
    assert [(r.row, r.reason, r.producer) for r in done.rejected] == [({"ROWTIME": 500_000, "n": 2}, "late", None)]
    assert done.taken == 2
    log.submit(WriteRequest(bound=5000))
    assert insert(log, (5, 4)).taken == 1
    assert rows(log) == [
        (1, False, 1),
        (3, False, 2),
        (None, True, 2),
        (None, True, 5),
        (4, False, 5),
        (None, True, 5),
    ]
    state = log.state()
    assert (state.late, state.rejected, state.entered, state.first) == (1, {"late": 1}, 3, 1000)


def test_no_bound_before_the_first_row(make: Make) -> None:
    log = make()
    log.submit(WriteRequest(bound=9000))
    log.mark()
    assert log.bound is None
    assert rows(log)[-1] == (None, True, None)


def test_what_changes_nothing_is_no_commit(make: Make) -> None:
    log = make()
    insert(log, (1, 1), producer="P")
    version = log.version()
    insert(log, producer="P", bound=1000)
    promised = log.version()
    for _ in range(3):
        insert(log, producer="P", bound=1000)
        log.detach("Q")
    assert log.version() == promised == version + 1
    assert log.mark() == promised + 1


def test_readers_share_a_mark_until_the_next_commit(make: Make, store: Store) -> None:
    log = make()
    insert(log, (1, 1))
    mark = log.mark()
    assert log.mark("one", 60) == log.mark("other", 60) == mark == log.version()
    # A reader that has read the mark gets the bound from another one.
    assert log.mark(least=mark) == mark
    assert log.mark(least=mark + 1) == mark + 1 == log.mark()
    insert(log, (2, 2))
    assert log.mark() == mark + 3
    # Another process has committed.
    insert(opened(store), (3, 3))
    assert log.mark() == mark + 5
    assert log.state().bound == 3000


def test_what_another_instance_wrote_is_seen(make: Make, store: Store) -> None:
    one = make()
    other = opened(store)
    insert(one, (1, 1))
    assert len(insert(other, (0.5, 2), (1.5, 3)).rejected) == 1
    assert one.state() == other.state()
    assert one.bound == 1500
    assert one.state_at(1).bound == 1000
    assert one.bounds(1) == {"ROWTIME": 1000}


def test_held_rows_outlive_their_instance(make: Make, store: Store) -> None:
    log = make()
    insert(log, (1, 0), producer="slow")
    for n in range(1, 40):
        insert(log, (n, n), producer="fast")
    assert (log.state().held, log.bound) == (38, 1000)
    # As many files as a binary number has digits, not one a commit.
    assert len(log.state().holding) < 8
    again = opened(store)
    insert(again, producer="slow", bound=20_500)
    assert (again.state().held, again.bound) == (19, 20_500)
    once_more = opened(store)
    once_more.detach("slow")
    assert once_more.state().held == 0
    assert [n for n, control, _ in rows(once_more) if not control] == list(range(40))
    assert not list((log.folder / "_held").iterdir())


def test_checksums_are_those_of_the_table(make: Make) -> None:
    log = make()
    for second in range(5):
        insert(log, (second, second))
    for _ in range(2):
        version = log.version()
        found = json.loads((log.folder / "_delta_log" / f"{version:020d}.crc").read_text())
        sizes = [Path(f.removeprefix("file://")).stat().st_size for f in DeltaTable(str(log.folder)).file_uris()]
        assert (found["numFiles"], found["tableSizeBytes"]) == (len(sizes), sum(sizes))
        log.clean()


def test_a_batch_is_written_once(make: Make) -> None:
    log = make()
    assert insert(log, (1, 1), producer="pump:1", batch=0).taken == 1
    again = insert(log, (1, 1), producer="pump:1", batch=0)
    assert (again.taken, again.repeated, log.version()) == (1, True, 1)
    log.detach("pump:1")
    # Its place outlives its attachment.
    assert insert(log, (1, 1), producer="pump:1", batch=0).repeated
    assert insert(log, (2, 2), producer="pump:1", batch=1).taken == 1
    assert log.state().producers["pump:1"].batch == 1
    assert insert(log, (3, 3), producer="pump:1", batch=0, forget=True).taken == 1


def test_a_step_that_fails_leaves_the_others_alone(make: Make) -> None:
    log = make()
    insert(log, (10, 1), producer="P")
    done = submit_together(
        log,
        [
            WriteRequest(rows=log.table([[11_000_000, 2]]), producer="P"),
            WriteRequest(rows=log.table([[12_000_000, 3]]), producer="P", bound=9000),
            WriteRequest(producer="P", bound=12_000),
        ],
    )
    assert isinstance(done[1], RowtimeError) and done[1].code == "RT0501"
    assert "cannot go back from 1970-01-01 00:00:12.000 to 1970-01-01 00:00:09.000" in str(done[1])
    assert log.version() == 2
    assert [n for n, control, _ in rows(log) if not control] == [1, 2]
    assert log.bound == 12_000


def test_threads_share_commits(make: Make) -> None:
    log = make()
    start = threading.Barrier(8)

    def feed(number: int) -> None:
        start.wait()
        for i in range(25):
            insert(log, (i, number), producer=f"P{number}")

    threads = [threading.Thread(target=feed, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        log.detach(f"P{n}")
    state = log.state()
    assert (state.entered + state.late, state.held) == (200, 0)
    assert state.version < 208
    seconds = [at for _, control, at in rows(log) if not control]
    assert seconds == sorted(seconds)  # type: ignore[type-var]


def test_rows_before_1970_are_rows(make: Make) -> None:
    log = make()
    insert(log, (-62_135_596_800, 1), (-1, 2), (1, 3))
    assert log.bound == 1000
    assert log.state().first == -62_135_596_800_000


def test_a_dropped_log_is_not_made_again(make: Make, store: Store) -> None:
    log = make()
    insert(log, (1, 1))
    store.commit([{"action": "drop", "names": ["S"]}])
    shutil.rmtree(log.folder)
    with pytest.raises(RowtimeError, match="RT0312"):
        insert(log, (2, 2))
    assert not log.folder.exists()


def test_late_rows_of_those_who_have_left_stay_counted(make: Make) -> None:
    log = make()
    insert(log, (10, 1), (9, 2), (8, 3), producer="P", detach=True)
    insert(log, (11, 1), (9, 2), producer="P")
    assert log.state().producers["P"].rejected == 3
    log.detach("P")
    insert(log, (12, 1), producer="Q", detach=True)
    assert log.state().departed == {"P": 3}


def test_when_all_have_left_what_is_held_enters(make: Make) -> None:
    log = make()
    insert(log, (5, 1), producer="P")
    insert(log, (9, 2), producer="Q", detach=True)
    assert (log.state().held, log.bound) == (1, 5000)
    log.detach("P")
    # The stream remembers its bound.
    assert (log.state().held, log.bound) == (0, 9000)
    assert insert(log, (8, 3)).taken == 0


def test_too_many_rows_held(make: Make) -> None:
    log = make(options={"held_rows": "3"})
    insert(log, (1, 1), producer="slow")
    insert(log, (2, 2), (3, 3), (4, 4), producer="fast")
    with pytest.raises(RowtimeError, match=r"RT0505.*'slow', which is at 1970-01-01 00:00:01.000"):
        insert(log, (5, 5), producer="fast")
    assert log.state().held == 3
    insert(log, producer="slow", bound=3000)
    assert insert(log, (5, 5), producer="fast").taken == 1


def test_columns_that_do_not_fit(make: Make) -> None:
    log = make()
    with pytest.raises(RowtimeError, match="RT0502"):
        log.submit(WriteRequest(rows=pa.table({"n": [1]})))
    with pytest.raises(RowtimeError, match="RT0502"):
        log.submit(WriteRequest(rows=pa.table({"ROWTIME": [1], "n": ["x"]})))
    wider = pa.table({"n": pa.array([7], pa.int64()), "ROWTIME": pa.array([1_000_000], pa.timestamp("us", "UTC"))})
    assert log.submit(WriteRequest(rows=wider)).taken == 1


def test_a_commit_of_somebody_else_is_judged_again(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    log = make()
    insert(log, (1, 1))
    intruder = StreamLog(log.store, log.entry)
    original = log.delta.commit
    calls = []

    def slow(*given: Any) -> None:
        if not calls:
            calls.append(1)
            # Somebody whom the lock does not hold.
            monkeypatch.setattr(intruder, "exclusive", _open)
            insert(intruder, (5, 5))
        original(*given)

    monkeypatch.setattr(log.delta, "commit", slow)
    done = insert(log, (4, 4), (6, 6))
    assert [r.row["n"] for r in done.rejected] == [4]
    assert [n for n, control, _ in rows(log) if not control] == [1, 5, 6]


def _open() -> Any:
    import contextlib

    return contextlib.nullcontext()


def test_other_columns_order(make: Make) -> None:
    log = make(
        rowtime(latenessValue={"millis": 2000}),
        column("d", "DATE", latenessValue={"millis": 86_400_000}),
        column("x", "DECIMAL(6, 2)", monotonic="INCREASING"),
    )
    from datetime import date
    from decimal import Decimal

    one = insert(log, (10, date(2020, 1, 5), Decimal("1.50")), (9, None, None), (11, None, Decimal("1.49")))
    assert [(r.row["x"], r.reason) for r in one.rejected] == [(Decimal("1.49"), "not monotonic")]
    two = insert(log, (9, date(2020, 1, 4), Decimal("1.50")), (9, date(2020, 1, 3), Decimal("2")), (8.9, None, None))
    assert [(r.row["ROWTIME"] / 1e6, r.reason) for r in two.rejected] == [(8.9, "late"), (9, "late")]
    assert log.bounds(log.version()) == {
        "ROWTIME": 9000,
        "d": 18_265 * 86_400_000,
        "x": 1,
    }
    last = pq.read_table(log.folder / log.delta.actions(log.version())[1]["add"]["path"]).to_pylist()[-1]
    assert (last["d"], last["x"], last["_control"]) == (date(2020, 1, 4), Decimal("1.50"), True)


def test_a_million_rows_at_once(make: Make) -> None:
    log = make()
    count = 1_000_000
    micros = np.arange(count) * 1000
    micros[500_000] = 7000
    table = pa.Table.from_arrays(
        [pa.array(micros).cast(log.stored.field(0).type), pa.array(np.arange(count, dtype=np.int32))],
        schema=log.stored,
    )
    done = log.submit(WriteRequest(rows=table))
    assert (done.taken, done.rejections, log.bound) == (count - 1, 1, 999_999)


def test_two_instances_open_a_new_log_at_once(make: Make, store: Store) -> None:
    make()
    logs = [opened(store) for _ in range(4)]
    threads = [threading.Thread(target=insert, args=(log, (1, n))) for n, log in enumerate(logs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(n for n, control, _ in rows(logs[0]) if not control) == [0, 1, 2, 3]  # type: ignore[type-var]
