"""Connector 'delta': tables as they are and were, streams of what is appended, and targets."""

from __future__ import annotations

import datetime as dt
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from queries import drain, entry_of, start_query

from rowtime.delta import log as deltalog
from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import RowtimeError
from rowtime.foreign import delta
from rowtime.foreign.targets import last_batch, write_batch
from rowtime.runtime.relation import Relation
from rowtime.session import Session

UTC = dt.timezone.utc
HOURS = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s FROM orders GROUP BY FLOOR(rowtime TO HOUR)"


def at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2015, 2, 15, hour, minute)


def add(folder: Path, *rows: tuple[dt.datetime, int], mode: Any = "append") -> None:
    times = pa.array([time.replace(tzinfo=UTC) for time, _ in rows], pa.timestamp("us", "UTC"))
    write_deltalake(folder, pa.table({"rowtime": times, "n": pa.array([n for _, n in rows], pa.int32())}), mode=mode)


def create(rt: Session, folder: Path, more: str = "", kind: str = "STREAM", columns: str = "n INT") -> None:
    rt.sql(f"CREATE FOREIGN {kind} orders ({columns}) OPTIONS (connector 'delta', path '{folder}'{more})")


def read(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return found.tuples()


def fault(rt: Session, sql: str) -> tuple[str, str]:
    with pytest.raises(RowtimeError) as found:
        read(rt, sql)
    assert "Traceback" not in str(found.value) and "\tat " not in str(found.value)
    return found.value.code, str(found.value)


def test_a_table_as_it_is_and_was(rt: Session, tmp_path: Path) -> None:
    """Fields come in another order, with other types and in other case; one of them is not a column of the stream."""
    folder = tmp_path / "orders"
    rows = pa.table({"price": [1.5], "more": ["x"], "Id": pa.array([7], pa.int32()), "at": pa.array([0], pa.date32())})
    write_deltalake(folder, rows)
    write_deltalake(folder, rows.set_column(2, "Id", pa.array([8], pa.int32())), mode="append")
    columns = 'id BIGINT, price DECIMAL(8, 2), "AT" TIMESTAMP(3)'
    create(rt, folder, kind="TABLE", columns=columns)
    assert read(rt, "SELECT * FROM orders ORDER BY id") == [
        (7, Decimal("1.50"), dt.datetime(1970, 1, 1)),
        (8, Decimal("1.50"), dt.datetime(1970, 1, 1)),
    ]
    rt.sql(f"CREATE FOREIGN TABLE older ({columns}) OPTIONS (connector 'delta', path '{folder}', version '0')")
    assert read(rt, "SELECT id FROM older") == [(7,)]
    [first] = [c for c in DeltaTable(folder).history() if c["version"] == 0]
    # Delta goes by the times of the files, which may be written a while after the time that is in them.
    seconds = first["timestamp"] / 1000
    os.utime(folder / "_delta_log" / f"{0:020}.json", (seconds, seconds))
    os.utime(folder / "_delta_log" / f"{1:020}.json", (seconds + 60, seconds + 60))
    when = dt.datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ", timespec="milliseconds")[:23]
    rt.sql(f"CREATE FOREIGN TABLE then_ ({columns}) OPTIONS (connector 'delta', path '{folder}', timestamp '{when}')")
    assert read(rt, "SELECT id FROM then_") == [(7,)]


@pytest.mark.parametrize(
    ("columns", "more", "code", "says"),
    [
        ("n INT", ", path '/no/such'", "RT0540", "there is no Delta table"),
        ("n INT", ", version '9'", "RT0541", "version 9"),
        ("n INT", ", timestamp '2001-01-01 00:00:00'", "RT0541", "2001-01-01"),
        ("n INT", ", version 'x'", "RT0522", "not a number"),
        ("n INT", ", timestamp 'now'", "RT0522", "not a time"),
        ("n INT", ", versoin '1'", "RT0523", "unknown option versoin"),
        ("m INT", "", "RT0542", "no field for column M"),
        ("n INT ARRAY", "", "RT0542", "whose field is int"),
        ("n TIME", "", "RT0542", "Delta Lake has no such type"),
    ],
)
def test_what_cannot_be_read(rt: Session, tmp_path: Path, columns: str, more: str, code: str, says: str) -> None:
    add(tmp_path / "orders", (at(10), 1))
    path = f"path '{tmp_path / 'orders'}'" if "path" not in more else more.removeprefix(", ")
    more = more if "path" not in more else ""
    created = f"CREATE FOREIGN TABLE orders ({columns}) OPTIONS (connector 'delta', {path}{more})"
    if code in ("RT0522", "RT0523"):
        found, text = fault(rt, created)
    else:
        rt.sql(created)
        found, text = fault(rt, "SELECT * FROM orders")
    assert found == code and says in text


def test_a_stream_of_what_is_appended_from_now_on(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    add(folder, (at(9), 1))
    add(folder, (at(9, 30), 2))
    create(rt, folder, columns="rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '30' MINUTE, n INT")
    query, hours = start_query(rt, "SELECT STREAM rowtime, n FROM orders"), start_query(rt, HOURS)
    add(folder, (at(10), 4), (at(9, 50), 8))
    assert drain(query) == [(at(9, 50), 8), (at(10), 4)]
    assert drain(hours) == []
    add(folder, (at(11), 16), (at(9, 29), 32), (at(9, 40), 64))
    assert drain(query) == [(at(9, 40), 64), (at(11), 16)]
    assert query.progress.late == {"ORDERS": 1}
    assert drain(hours) == [(at(9), 72)]
    for each in (query, hours):
        each.kill()
    add(folder, (at(11, 30), 128))
    for each in (query, hours):
        each.restart()
    assert drain(query) == [(at(11, 30), 128)]
    assert drain(hours) == [(at(10), 4)]


def test_a_stream_from_the_beginning(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    add(folder, (at(9), 1))
    add(folder, (at(10), 2))
    add(folder, (at(11), 4))
    create(rt, folder)
    everything = [(at(9), 1), (at(10), 2), (at(11), 4)]
    assert drain(start_query(rt, "SELECT STREAM /*+ FROM_EARLIEST */ rowtime, n FROM orders")) == everything
    rt.sql(f"CREATE FOREIGN STREAM later (n INT) OPTIONS (connector 'delta', path '{folder}', version '1')")
    assert drain(start_query(rt, "SELECT STREAM rowtime, n FROM later")) == everything[1:]


def test_a_query_that_died_before_its_first_batch(rt: Session, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "orders"
    add(folder, (at(9), 1))
    create(rt, folder)
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    query.kill()
    shutil.rmtree(query.checkpoint / "spark", ignore_errors=True)
    (query.checkpoint / "emitted").unlink(missing_ok=True)
    add(folder, (at(10), 2))
    query.restart()
    assert drain(query) == [(at(10), 2)]


def test_rows_that_change_stop_a_stream_unless_it_may_skip_them(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    add(folder, (at(9), 1), (at(9), 2))
    create(rt, folder)
    rt.sql(f"CREATE FOREIGN STREAM skipping (n INT) OPTIONS (connector 'delta', path '{folder}', skip_changes 'true')")
    skipping = start_query(rt, "SELECT STREAM rowtime, n FROM skipping")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    DeltaTable(folder).update(updates={"n": "3"}, predicate="n = 2")
    add(folder, (at(10), 4))
    assert drain(skipping) == [(at(10), 4)]
    with pytest.raises(RowtimeError) as found:
        drain(query)
    assert found.value.code == "RT0510" and "\tat " not in str(found.value)
    assert "skip_changes" in (found.value.diagnostics[0].hint or "")


def test_an_insert_makes_the_table_and_fills_it(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "goal"
    columns = (
        '"day" DATE, n INT NOT NULL, "text" VARCHAR, price DECIMAL(8, 2), "at" TIMESTAMP(3), b VARBINARY, ok BOOLEAN, '
        "tags VARCHAR ARRAY"
    )
    create(rt, folder, ", partition_by 'day'", "TABLE", columns)
    rt.sql(
        "INSERT INTO orders VALUES (DATE '2024-05-01', 7, 'it''s', 1.5, TIMESTAMP '2015-02-15 10:00:00.25', X'0aff', "
        "TRUE, ARRAY['a', 'b']), (NULL, 8, NULL, NULL, NULL, NULL, NULL, NULL)"
    )
    rt.sql("INSERT INTO orders (n) SELECT n + 2 FROM orders WHERE n = 7")
    assert DeltaTable(folder).metadata().partition_columns == ["day"]
    assert read(rt, "SELECT * FROM orders ORDER BY n") == [
        (dt.date(2024, 5, 1), 7, "it's", Decimal("1.50"), dt.datetime(2015, 2, 15, 10, 0, 0, 250000), b"\x0a\xff", True,
         ["a", "b"]),
        (None, 8, *[None] * 6),
        (None, 9, *[None] * 6),
    ]  # fmt: skip
    assert fault(rt, "INSERT INTO orders (n) SELECT CAST(NULL AS INT) FROM orders")[0] == "RT0502"
    # A table of somebody else's, with a field that has no column.
    other = tmp_path / "other"
    write_deltalake(other, pa.table({"more": ["x"], "N": pa.array([1], pa.int16())}))
    rt.sql(f"CREATE FOREIGN TABLE other (n INT) OPTIONS (connector 'delta', path '{other}')")
    rt.sql("INSERT INTO other VALUES (2)")
    assert sorted(DeltaTable(other).to_pyarrow_table().to_pylist(), key=lambda row: row["N"]) == [
        {"more": "x", "N": 1},
        {"more": None, "N": 2},
    ]
    assert fault(rt, "INSERT INTO other VALUES (70000)")[0] == "RT0502"


def test_fields_of_rows_go_by_their_names(rt: Session, tmp_path: Path) -> None:
    """They are in another order in the table, and in another case; also within arrays, maps and rows."""
    there = pa.struct([("b", pa.string()), ("More", pa.int32()), ("a", pa.string())])
    nested = pa.struct([("x", pa.int64()), ("parts", pa.list_(there))])
    values = [{"b": "b1", "More": 1, "a": "a1"}, None, {"b": None, "More": None, "a": "a3"}]
    rows = pa.table(
        {
            "id": pa.array([1, 2, 3], pa.int32()),
            "r": pa.array(values, there),
            "l": pa.array([[values[0], None], None, []], pa.list_(there)),
            "m": pa.array([[("k", values[0])], None, []], pa.map_(pa.string(), there)),
            "n": pa.array([{"x": 7, "parts": [values[0]]}, None, None], nested),
        }
    )
    folder = tmp_path / "t"
    write_deltalake(folder, rows)
    row = "ROW(a VARCHAR, b VARCHAR)"
    columns = f"id INT, r {row}, l {row} ARRAY, m MAP<VARCHAR, {row}>, n ROW(parts {row} ARRAY, x BIGINT)"
    create(rt, folder, kind="TABLE", columns=columns)
    found = [
        (1, ("a1", "b1"), [("a1", "b1"), None], {"k": ("a1", "b1")}, ([("a1", "b1")], 7)),
        (2, None, None, None, None),
        (3, ("a3", None), [], {}, None),
    ]
    assert read(rt, "SELECT * FROM orders ORDER BY id") == found
    rt.sql("INSERT INTO orders SELECT id + 10, r, l, m, n FROM orders")
    assert read(rt, "SELECT * FROM orders WHERE id > 10 ORDER BY id") == [(row[0] + 10, *row[1:]) for row in found]
    written = sorted(DeltaTable(folder).to_pyarrow_table().to_pylist(), key=lambda each: each["id"])
    assert written[3]["r"] == {"b": "b1", "More": None, "a": "a1"}
    rt.sql(
        f"CREATE FOREIGN TABLE other (id INT, r ROW(a VARCHAR, c VARCHAR)) OPTIONS (connector 'delta', path '{folder}')"
    )
    assert fault(rt, "SELECT r FROM other")[0] == "RT0542"
    with pytest.raises(RowtimeError, match="RT0542"):
        rt.sql("INSERT INTO other VALUES (1, ('a', 'c'))")


def test_a_batch_counts_once(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "goal"
    create(rt, folder, kind="TABLE")
    entry = entry_of(rt, "ORDERS")
    rows = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == 3
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == rows.count()
    assert write_batch(rt.spark, entry, rows.limit(0), batch=4, writer="p1") == 0
    assert write_batch(rt.spark, entry, rows, batch=4, writer="p1") == rows.count()
    assert write_batch(rt.spark, entry, rows, batch=3, writer="pump:2") == 3
    assert write_batch(rt.spark, entry, rows) == 3
    assert read(rt, "SELECT COUNT(*), SUM(n) FROM orders") == [(9, 9)]


def test_another_batch_of_the_same_number_is_refused(rt: Session, tmp_path: Path) -> None:
    create(rt, tmp_path / "goal", kind="TABLE")
    entry = entry_of(rt, "ORDERS")
    rows = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    assert last_batch(rt.spark, entry, "p1", tmp_path) == LastBatch()
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1", content=(1 << 63) - 1) == 3
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1", content=(1 << 63) - 1) == rows.count()
    for batch, content in ((3, 8), (2, 7)):
        with pytest.raises(RowtimeError, match=f"RT0607: Micro-batch {batch} cannot be written: the foreign table"):
            write_batch(rt.spark, entry, rows.limit(1), batch=batch, writer="p1", content=content)
    assert last_batch(rt.spark, entry, "p1", tmp_path) == LastBatch(SentBatch(3, (1 << 63) - 1))
    assert read(rt, "SELECT COUNT(*) FROM orders") == [(3,)]


def test_a_commit_is_durable_before_the_batch_counts(
    rt: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(deltalog, "sync", lambda path: synced.append(path.name))
    create(rt, tmp_path / "goal", kind="TABLE")
    write_batch(rt.spark, entry_of(rt, "ORDERS"), rt.spark.range(1).selectExpr("CAST(id AS INT) AS N"))
    (file,) = (tmp_path / "goal").glob("*.parquet")
    assert {file.name, f"{1:020d}.json", "goal", "_delta_log"} <= set(synced)


def test_a_pump_from_one_table_into_another(rt: Session, tmp_path: Path) -> None:
    source, goal = tmp_path / "orders", tmp_path / "goal"
    add(source, (at(9), 1))
    create(rt, source)
    rt.sql(f"CREATE FOREIGN STREAM goal (n INT) OPTIONS (connector 'delta', path '{goal}', rowtime 'eventTime')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO goal SELECT STREAM rowtime, n * 2 AS n FROM orders")
    add(source, (at(10), 2))
    rt.runtime.settle([])
    rt.runtime.kill_pumps()
    add(source, (at(11), 4))
    rt.runtime.restart_pumps()
    rt.runtime.settle([])
    table = DeltaTable(goal).to_pyarrow_table().sort_by("N").to_pylist()
    assert table == [
        {"eventTime": at(10).replace(tzinfo=UTC), "N": 4},
        {"eventTime": at(11).replace(tzinfo=UTC), "N": 8},
    ]


def test_rows_that_come_while_others_replace_the_table(
    rt: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program removes files between the opening of the table and the commit."""
    folder = tmp_path / "orders"
    create(rt, folder, kind="TABLE")
    rt.sql("INSERT INTO orders VALUES (1), (2)")
    real, waiting = delta.append_once, [lambda: DeltaTable(folder).delete("N = 1")]

    def stepped(*arguments: Any) -> int:
        if waiting:
            waiting.pop()()
        return real(*arguments)

    monkeypatch.setattr(delta, "append_once", stepped)
    rt.sql("INSERT INTO orders VALUES (3)")
    assert read(rt, "SELECT n FROM orders ORDER BY n") == [(2,), (3,)]
