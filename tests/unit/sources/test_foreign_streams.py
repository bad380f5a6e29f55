"""Foreign streams whose rows come out of order, or not at all for a while. A file is a micro-batch, and so a step."""

from __future__ import annotations

import datetime as dt
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from queries import drained_by_minute, start_query

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.session import Session

DAY = "2015-02-15 "


class Inbox:
    """A foreign stream over a folder of JSON files."""

    def __init__(self, rt: Session, folder: Path, columns: str, options: str = "") -> None:
        self.name = folder.name
        self.folder = folder
        self.files = 0
        folder.mkdir()
        rt.sql(
            f"CREATE FOREIGN STREAM {self.name} ({columns}) "
            f"OPTIONS (connector 'files', path '{folder}', format 'json'{options})"
        )

    def drop(self, *rows: tuple[str, Any]) -> None:
        """Writes one file of rows, each with a time of day and the value of N."""
        self.files += 1
        half = self.folder.parent / f"{self.name}.half"
        lines = [{"ROWTIME": time if "-" in time else DAY + time, "N": n} for time, n in rows]
        half.write_text("".join(json.dumps(line) + "\n" for line in lines))
        half.rename(self.folder / f"{self.files:03}.json")


def late_rows(rt: Session, name: str, query: Query) -> int:
    entry = rt.store.get(name.upper())
    assert entry is not None
    return rt.runtime.launcher.foreign.late_row_count(entry, query.checkpoint.name)


def test_late_rows_of_a_query_without_state(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(
        rt, tmp_path / "pickups", "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1:00' HOUR TO MINUTE, n INT"
    )
    query = start_query(rt, "SELECT STREAM rowtime, n FROM pickups")
    inbox.drop(("10:00", 1), ("12:00", 2), ("10:30", 3))
    assert drained_by_minute(query) == [("10:00", 1), ("10:30", 3), ("12:00", 2)]
    inbox.drop(("10:59", 4), ("11:00", 5), ("12:30", 6), ("10:59", 7))
    assert drained_by_minute(query) == [("11:00", 5), ("12:30", 6)]
    query.kill()
    query.restart()
    inbox.drop(("11:29", 8), ("11:30", 9))
    assert drained_by_minute(query) == [("11:30", 9)]
    assert late_rows(rt, "pickups", query) == 3
    kept = [
        json.loads(line) for file in sorted(tmp_path.rglob("late/*.jsonl")) for line in file.read_text().splitlines()
    ]
    assert kept[0] == {"reason": "late", "row": {"ROWTIME": f"{DAY}10:59:00", "N": "4"}}
    assert [row["row"]["N"] for row in kept] == ["4", "7", "8"]


def test_late_rows_without_any_lateness(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(rt, tmp_path / "plain", "n INT")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM plain WHERE n > 1")
    inbox.drop(("10:05", 1))
    assert drained_by_minute(query) == []
    # Even a row that the query leaves out has set the bound.
    inbox.drop(("10:04", 2), ("10:05", 3))
    assert drained_by_minute(query) == [("10:05", 3)]
    assert late_rows(rt, "plain", query) == 1


def test_two_scans_count_a_late_row_once(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(rt, tmp_path / "twice", "n INT")
    query = start_query(
        rt, "SELECT STREAM rowtime, n FROM twice WHERE n < 5 UNION ALL SELECT STREAM rowtime, n FROM twice WHERE n > 3"
    )
    inbox.drop(("10:05", 1))
    assert drained_by_minute(query) == [("10:05", 1)]
    inbox.drop(("10:04", 4), ("10:06", 4))
    assert drained_by_minute(query) == [("10:06", 4), ("10:06", 4)]
    assert late_rows(rt, "twice", query) == 1


def test_lateness_of_other_columns(rt: Session, tmp_path: Path) -> None:
    """A row that is invalid by one column advances neither the clock of another one nor the bound."""
    inbox = Inbox(
        rt, tmp_path / "other", "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n DECIMAL(8, 2) LATENESS 10"
    )
    hours = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM other GROUP BY FLOOR(rowtime TO HOUR)"
    query = start_query(rt, hours)
    inbox.drop(("10:00", 100))
    assert drained_by_minute(query) == []
    inbox.drop(("19:00", 89.99), ("10:10", 90), ("10:20", None))
    assert drained_by_minute(query) == []
    inbox.drop(("10:30", 100.01), ("12:00", 100))
    assert drained_by_minute(query) == [("10:00", 4)]
    assert late_rows(rt, "other", query) == 1


def test_monotonic_columns(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(rt, tmp_path / "rising", "n INT MONOTONIC")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM rising")
    inbox.drop(("10:02", 3), ("10:00", 1), ("10:01", 5), ("10:03", None), ("10:04", 5))
    assert drained_by_minute(query) == [("10:00", 1), ("10:01", 5), ("10:03", None), ("10:04", 5)]
    inbox.drop(("10:05", 4), ("10:06", 6))
    assert drained_by_minute(query) == [("10:06", 6)]
    assert late_rows(rt, "rising", query) == 2


def test_watermark_sorts_on_entry(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(rt, tmp_path / "sorted", "rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '10' MINUTE, n INT")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM sorted")
    inbox.drop(("10:05", 1), ("10:00", 2))
    assert drained_by_minute(query) == []
    inbox.drop(("10:12", 3))
    assert drained_by_minute(query) == [("10:00", 2)]
    inbox.drop(("10:01", 4), ("10:03", 5), ("10:15", 6))
    assert drained_by_minute(query) == [("10:03", 5), ("10:05", 1)]
    query.kill()
    query.restart()
    inbox.drop(("10:30", 7))
    assert drained_by_minute(query) == [("10:12", 3), ("10:15", 6)]
    assert late_rows(rt, "sorted", query) == 1


def test_watermark_and_lateness_on_one_column(rt: Session, tmp_path: Path) -> None:
    columns = "rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '10' MINUTE LATENESS INTERVAL '5' MINUTE, n INT"
    inbox = Inbox(rt, tmp_path / "waiting", columns)
    query = start_query(rt, "SELECT STREAM rowtime, n FROM waiting")
    inbox.drop(("10:20", 1))
    assert drained_by_minute(query) == []
    inbox.drop(("10:04", 2), ("10:05", 3), ("10:10", 4), ("10:11", 5))
    # released: what is 10 minutes behind 10:20; too late: what is more than 5 minutes behind that
    assert drained_by_minute(query) == [("10:05", 3), ("10:10", 4)]
    assert late_rows(rt, "waiting", query) == 1


def test_a_union_goes_on_after_a_restart(rt: Session, tmp_path: Path) -> None:
    one, two = (Inbox(rt, tmp_path / name, "n INT") for name in ("first_in", "second_in"))
    query = start_query(rt, "SELECT STREAM rowtime, n FROM first_in UNION ALL SELECT STREAM rowtime, n FROM second_in")
    one.drop(("10:00", 1), ("10:06", 2))
    two.drop(("10:02", 3), ("10:10", 4))
    assert drained_by_minute(query) == [("10:00", 1), ("10:02", 3), ("10:06", 2)]
    query.kill()
    query.restart()
    # Only one of them brings a row; the bound of the other is known all the same.
    one.drop(("10:12", 5))
    assert drained_by_minute(query) == [("10:10", 4)]
    query.kill()
    query.restart()
    two.drop(("10:09", 6), ("10:20", 7))
    assert drained_by_minute(query) == [("10:12", 5)]
    assert late_rows(rt, "second_in", query) == 1


def test_the_clock_stands_in_for_a_quiet_stream(rt: Session, tmp_path: Path) -> None:
    busy = Inbox(rt, tmp_path / "busy", "n INT")
    quiet = Inbox(rt, tmp_path / "quiet", "n INT", ", idle_timeout '1 SECOND'")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM busy UNION ALL SELECT STREAM rowtime, n FROM quiet")
    busy.drop((f"{dt.datetime.now(dt.timezone.utc):%Y-%m-%d %H:%M:%S}", 1))
    waited = time.monotonic()
    rows: list[Any] = []
    while not rows and time.monotonic() - waited < 120:
        rows = query.rows()
        time.sleep(0.1)
    assert [row[1] for row in rows] == [1]
    assert time.monotonic() - waited > 1
    # By now the quiet stream has a bound, and an old row is late.
    quiet.drop(("10:00", 2))
    query.process_all_available()
    assert late_rows(rt, "quiet", query) == 1


def test_a_bad_idle_timeout(rt: Session, tmp_path: Path) -> None:
    with pytest.raises(RowtimeError) as fault:  # noqa: PT012
        Inbox(rt, tmp_path / "wrong", "n INT", ", idle_timeout 'soon'")
        rt.sql("SELECT STREAM * FROM wrong")
    assert fault.value.diagnostics[0].code == "RT0522"
    assert "idle_timeout 'soon', which is not a duration" in fault.value.diagnostics[0].message


def test_a_dataframe_with_a_watermark_of_its_own(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    df = rt.spark.readStream.schema("at TIMESTAMP, n INT").json(str(folder)).withWatermark("at", "1 hour")
    rt.register_stream("own", df, rowtime="at")
    query = start_query(
        rt, "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s FROM own GROUP BY FLOOR(rowtime TO HOUR)"
    )
    for number, (at, n) in enumerate([("10:00", 1), ("11:30", 2), ("10:40", 4), ("10:20", 8), ("12:00", 16)]):
        (folder / f"{number}.json").write_text(json.dumps({"at": f"{DAY}{at}:00", "n": n}))
        assert drained_by_minute(query) == ([("10:00", 5)] if number == 4 else [])
    assert late_rows(rt, "own", query) == 1


def test_rows_before_1970(rt: Session, tmp_path: Path) -> None:
    inbox = Inbox(rt, tmp_path / "old", "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT")
    query = start_query(
        rt, "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s FROM old GROUP BY FLOOR(rowtime TO HOUR)"
    )
    inbox.drop(("0004-02-29 10:00:00", 1), ("0004-02-29 10:30:00", 2))
    assert drained_by_minute(query) == []
    inbox.drop(("0004-02-29 09:29:59", 4), ("1969-12-31 23:30:00", 8))
    assert drained_by_minute(query) == [("10:00", 3)]
    inbox.drop(("1970-01-01 01:00:00", 16))
    assert drained_by_minute(query) == [("23:00", 8)]
    assert late_rows(rt, "old", query) == 1


def test_a_pump_brings_the_bound_along(rt: Session, tmp_path: Path) -> None:
    """From a foreign stream over a named one into a folder: rows continue with the bound, which dropped rows advance
    too."""
    inbox = Inbox(rt, tmp_path / "source", "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE, n INT")
    goal = tmp_path / "goal"
    rt.sql("CREATE STREAM middle (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE, n INT)")
    rt.sql(f"CREATE FOREIGN STREAM goal (n BIGINT) OPTIONS (connector 'files', path '{goal}', format 'json')")
    rt.sql(
        "CREATE PUMP sums STARTED AS INSERT INTO goal SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS n "
        "FROM middle GROUP BY FLOOR(rowtime TO HOUR)"
    )
    rt.sql("CREATE PUMP small STARTED AS INSERT INTO middle SELECT STREAM rowtime, n FROM source WHERE n < 100")
    inbox.drop(("10:00", 1), ("10:40", 2))
    rt.runtime.settle([])
    assert rt.rowtime_bound("middle") == dt.datetime(2015, 2, 15, 10, 30)
    inbox.drop(("10:20", 4), ("11:10", 100))
    rt.runtime.settle([])
    assert rt.rowtime_bound("middle") == dt.datetime(2015, 2, 15, 11, 0)
    written = [json.loads(line) for file in goal.glob("*.json") for line in file.read_text().splitlines()]
    assert written == [{"ROWTIME": "2015-02-15T10:00:00.000", "N": 3}]


def test_a_file_is_read_whatever_its_date(rt: Session, tmp_path: Path) -> None:
    """A copy may keep the date of its original, and a clock may have been set back."""
    inbox = Inbox(rt, tmp_path / "dated", "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM dated")
    inbox.drop(("10:00", 1))
    assert drained_by_minute(query) == [("10:00", 1)]
    for at in (0, time.time() - 30 * 86_400):
        half = tmp_path / "copies" / f"{at:.0f}.json"
        half.parent.mkdir(exist_ok=True)
        half.write_text(json.dumps({"ROWTIME": DAY + "10:01", "N": 2}) + "\n")
        os.utime(half, (at, at))
        half.rename(inbox.folder / half.name)
        assert drained_by_minute(query) == [("10:01", 2)]


def test_null_where_there_must_be_none(rt: Session, tmp_path: Path) -> None:
    """Parquet files may contain values that columns do not allow; a row without ROWTIME would stay in its window
    forever."""
    folder = tmp_path / "binary"
    folder.mkdir()
    rt.sql(
        "CREATE FOREIGN STREAM binary_rows (n INT NOT NULL, m INT) "
        f"OPTIONS (connector 'files', path '{folder}', format 'parquet')"
    )
    query = start_query(rt, "SELECT STREAM rowtime, m FROM binary_rows")
    rows = rt.spark.sql(
        "SELECT timestamp_millis(id * 60000) AS ROWTIME, nullif(CAST(id AS INT), 2) AS N, "
        "nullif(CAST(id AS INT), 3) AS M FROM range(4) UNION ALL SELECT NULL, 4, 4"
    )
    rows.coalesce(1).write.mode("append").parquet(str(folder))
    assert drained_by_minute(query) == [("00:00", 0), ("00:01", 1), ("00:03", None)]
    entry = rt.store.get("BINARY_ROWS")
    assert entry is not None
    assert query.progress.bad_rows == 2
    assert late_rows(rt, "binary_rows", query) == 0
    (kept,) = tmp_path.rglob("nulls/*.jsonl")
    assert sorted(json.loads(line)["reason"] for line in kept.read_text().splitlines()) == [
        "N: NULL in a column that is NOT NULL",
        "ROWTIME: NULL in a column that is NOT NULL",
    ]


def test_a_rowtime_of_a_typed_source_that_is_out_of_range(rt: Session, spark: Any, tmp_path: Path) -> None:
    """Parquet may contain any time: such a row is rejected, and the others continue."""
    folder, half = tmp_path / "typed", tmp_path / "half"
    folder.mkdir()
    rt.sql(f"CREATE FOREIGN STREAM typed (n INT) OPTIONS (connector 'files', path '{folder}', format 'parquet')")
    query = start_query(rt, "SELECT STREAM n FROM typed")
    spark.sql(
        "SELECT timestamp_millis(m) AS ROWTIME, n AS N FROM VALUES (1714521600000, 1), (1714521600000000, 2), "
        "(-70000000000000, 3), (1714521600001, 4) AS t (m, n)"
    ).coalesce(1).write.parquet(str(half))
    next(half.glob("*.parquet")).rename(folder / "1.parquet")
    query.process_all_available()
    assert [row.N for row in query.rows()] == [1, 4]
    assert query.progress.bad_rows == 2


@pytest.mark.parametrize("disorder", ["", "rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '5' MINUTE, "])
def test_what_stands_above_a_join_goes_by_the_bound_of_the_join(rt: Session, tmp_path: Path, disorder: str) -> None:
    orders = Inbox(rt, tmp_path / "placed", "n INT")
    trades = Inbox(rt, tmp_path / "traded", f"{disorder}n INT")
    query = start_query(
        rt,
        "SELECT STREAM FLOOR(o.rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM placed AS o JOIN traded AS t "
        "ON t.n = o.n AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR "
        "GROUP BY FLOOR(o.rowtime TO HOUR)",
    )
    orders.drop(("10:00", 1), ("10:30", 2))
    trades.drop(("10:15", 1), ("11:20", 2), ("12:05" if disorder else "12:00", 9))
    assert drained_by_minute(query) == []
    query.kill()
    query.restart()
    assert drained_by_minute(query) == []
    # The orders need be no further than the window that closes.
    orders.drop(("11:00", 3))
    assert drained_by_minute(query) == [("10:00", 2)]
    trades.drop(("12:00", 3), ("13:05", 5))
    assert drained_by_minute(query) == []
    orders.drop(("12:00", 4))
    assert drained_by_minute(query) == [("11:00", 1)]
