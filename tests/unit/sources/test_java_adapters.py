"""Connector 'java': the adapters of java/examples, values of all types, and what goes wrong."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from queries import drain, drained_by_minute, entry_of, start_query

from rowtime.errors import RowtimeError
from rowtime.foreign.targets import write_batch
from rowtime.runtime.relation import Relation
from rowtime.session import Session
from rowtime.sparksql import settings
from rowtime.translate import SETTINGS

AVERAGES = (
    "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, room, AVG(celsius) AS celsius FROM readings "
    "GROUP BY FLOOR(rowtime TO HOUR), room"
)


def append(file: Path, *lines: str) -> None:
    with file.open("a") as out:
        for line in lines:
            at = line if line.startswith("bound") else f"2024-05-01T{line}"
            out.write(at + "\n")


def rows_in(folder: Path) -> list[str]:
    return sorted(line for file in folder.glob("*.rows") for line in file.read_text().splitlines())


def test_the_examples(rt: Session, tmp_path: Path) -> None:
    """Rows and bounds go from one adapter through a pump to another, with restarts in the middle."""
    log, folder = tmp_path / "log", tmp_path / "averages"
    append(log, "09:00:00Z,north,1")
    rt.sql(
        "CREATE FOREIGN STREAM readings (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, room VARCHAR(20), "
        f"celsius DOUBLE) OPTIONS (connector 'java', class 'adapters.SensorLog', file '{log}')"
    )
    rt.sql(
        "CREATE FOREIGN STREAM averages (room VARCHAR(20), celsius DOUBLE) "
        f"OPTIONS (connector 'java', class 'adapters.BatchFiles', folder '{folder}')"
    )
    query, hours = start_query(rt, "SELECT STREAM rowtime, celsius FROM readings"), start_query(rt, AVERAGES)
    rt.sql(f"CREATE PUMP p STARTED AS INSERT INTO averages {AVERAGES}")
    append(log, "10:10:00Z,north,10", "10:20:00Z,north,20")
    # From now on, and not what was there before; the lateness keeps the hour open.
    assert (drained_by_minute(query), drained_by_minute(hours)) == ([("10:10", 10.0), ("10:20", 20.0)], [])
    append(log, "bound,2024-05-01T11:00:00Z")
    assert (drained_by_minute(query), drained_by_minute(hours)) == ([], [("10:00", "north", 15.0)])
    rt.runtime.settle([])
    append(log, "11:10:00Z,south,5")
    for each in (query, hours):
        each.kill()
    append(log, "10:59:00Z,late,0", "11:20:00Z,south,7")
    for each in (query, hours):
        each.restart()
    rt.sql("ALTER PUMP p STOP")
    append(log, "bound,2024-05-01T12:00:00Z")
    rt.sql("ALTER PUMP p START")
    assert drained_by_minute(query) == [("11:10", 5.0), ("11:20", 7.0)]
    assert drained_by_minute(hours) == [("11:00", "south", 6.0)]
    assert query.progress.late == {"READINGS": 1}
    rt.runtime.settle([])
    assert [pump.error for pump in rt.pumps] == [None]
    assert rows_in(folder) == ["2024-05-01T10:00:00Z,north,15.0", "2024-05-01T11:00:00Z,south,6.0"]
    [bound] = folder.glob("*.bound")
    assert bound.read_text() == "2024-05-01T12:00:00Z\n"
    # A line whose end has not been written is not read.
    with log.open("a") as out:
        out.write("2024-05-01T12:10:00Z,no")
    assert drain(query) == []
    with log.open("a") as out:
        out.write("rth,3\n")
    assert drained_by_minute(query) == [("12:10", 3.0)]


def test_a_batch_that_is_repeated_counts_once(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    rt.sql(f"CREATE FOREIGN TABLE t (n INT) OPTIONS (connector 'java', class 'adapters.BatchFiles', folder '{folder}')")
    frame = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    for number in (7, 7, 8):
        with settings.applied(rt.spark, SETTINGS):
            count = write_batch(
                rt.spark, entry_of(rt, "T"), frame, number, "pump", bound=lambda: 1_000, folder=tmp_path / "own"
            )
        assert count == 3
    assert rows_in(folder) == ["0", "0", "1", "1", "2", "2"]
    assert (folder / "pump.bound").read_text() == "1970-01-01T00:00:01Z\n"
    rt.sql("INSERT INTO t VALUES (5), (6)")
    assert rows_in(folder)[-2:] == ["5", "6"]


TYPES = (
    "i INTEGER, l BIGINT, s SMALLINT, ti TINYINT, d DOUBLE, r REAL, dc DECIMAL(8, 2), c CHAR(4), v VARCHAR(3), "
    "b BINARY(2), bo BOOLEAN, da DATE, t TIME, ts TIMESTAMP(3), "
    "a INTEGER ARRAY, m MAP<VARCHAR, INTEGER>, ro ROW(x INTEGER, y VARCHAR)"
)


def test_types(rt: Session, tmp_path: Path) -> None:
    file = tmp_path / "out"
    options = f"OPTIONS (connector 'java', class 'examples.TestAdapter', does 'types', file '{file}')"
    rt.sql(f"CREATE FOREIGN TABLE t ({TYPES}) {options}")
    found = rt.sql("SELECT i, l, s, ti, d, r, dc, c, v, b, bo, da, t, ts, a, m, ro FROM t")
    assert isinstance(found, Relation)
    one, two = found.tuples()
    assert one[:13] == (
        1, 2, 3, 4, 1.5, 2.5, Decimal("1.01"), "ab  ", "abc", b"\x01\x00", True, dt.date(2024, 5, 1),
        dt.time(10, 11, 12),
    )  # fmt: skip
    assert one[13] == dt.datetime(2024, 5, 1, 10, 11, 12, 345_000)
    assert (one[14], one[15], tuple(one[16])) == ([1, None], {"k": 1}, (7, "z"))
    assert two == (None,) * 17
    rt.sql("INSERT INTO t SELECT * FROM t")
    lines = file.read_text().splitlines()
    assert lines == [
        "insert|1|2|3|4|1.5|2.5|1.01|ab  |abc|[1, 0]|true|2024-05-01|10:11:12|2024-05-01T10:11:12.345Z|"
        "[1, null]|{k=1}|[7, z]",
        "insert" + "|null" * 17,
    ]


def test_parts_of_values_have_the_form_of_their_types(rt: Session) -> None:
    rt.sql(
        "CREATE FOREIGN TABLE t (a VARCHAR(3) ARRAY, m MAP<CHAR(2), BINARY(2)>, "
        "r ROW(t TIMESTAMP(3), texts CHAR(2) ARRAY)) "
        "OPTIONS (connector 'java', class 'examples.TestAdapter', does 'parts')"
    )
    found = rt.sql("SELECT a, m, r FROM t")
    assert isinstance(found, Relation)
    (texts, codes, row), nothing = found.tuples()
    assert (texts, codes) == (["ab ", None], {"k ": b"\x01\x00"})
    assert tuple(row) == (dt.datetime(2024, 5, 1, 10, 11, 12, 345_000), ["x "])
    assert nothing == (None, None, None)


def test_what_goes_wrong(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_TEST", "hunter2hunter2")
    ours = "class 'examples.TestAdapter', token_env 'TOKEN_OF_TEST', does"
    failed = "Adapter 'examples.TestAdapter' failed: "
    cases = [
        ("n INT", "class 'no.such.Thing'", "RT0546", "The adapter no.such.Thing of the foreign table 'T0' cannot be"),
        ("n INT", "class 'java.lang.String'", "RT0546", "does not implement io.rowtime.api.SourceAdapter"),
        ("n INT", "class 'adapters.BatchFiles', folder 'x'", "RT0546", "does not implement"),
        ("n INT", "folder 'x'", "RT0521", "needs the option class"),
        ("n INT", "class 'adapters.SensorLog'", "RT0547", "it needs the option file"),
        ("n INT", f"{ours} 'fail in open'", "RT0547", f"{failed}IllegalStateException: broken in open with ***"),
        ("n INT", f"{ours} 'fail in latest'", "RT0547", f"{failed}IllegalStateException: broken in latest with ***"),
        ("n INT", f"{ours} 'fail in read'", "RT0547", f"{failed}IllegalStateException: broken in read with ***"),
        ("n INT", f"{ours} 'no position'", "RT0547", "initialPosition returns null"),
        ("n INT", f"{ours} 'nothing'", "RT0547", "read returns null instead of a row or a bound"),
        ("n INT", f"{ours} 'few'", "RT0547", "a row of 0 values for 1 columns"),
        ("n INT", f"{ours} 'text'", "RT0547", "column N: the value x of class String does not fit"),
        ("n INT", f"{ours} 'large'", "RT0547", "column N: the value 1099511627776 of class Long does not fit"),
        ("n INT", f"{ours} 'overflow'", "RT0547", f"{failed}StackOverflowError"),
        ("n INT", f"{ours} 'late'", "RT0547", "NumberFormatException"),
        ("v VARCHAR(2)", f"{ours} 'long'", "RT0547", "column V: a value of 3 characters, where 2 fit"),
        ("v VARCHAR(2) ARRAY", f"{ours} 'long within'", "RT0547", "column V: a value of 3 characters, where 2 fit"),
    ]  # fmt: skip
    for number, (columns, options, code, says) in enumerate(cases):
        with pytest.raises(RowtimeError) as found:  # noqa: PT012
            rt.sql(f"CREATE FOREIGN TABLE t{number} ({columns}) OPTIONS (connector 'java', {options})")
            rt.sql(f"SELECT * FROM t{number}").rows()  # type: ignore[union-attr]
        text = found.value.diagnostics[0].message
        assert (found.value.code, says in text) == (code, True), (options, text)
        assert "\n" not in text and "\tat " not in text and "hunter2" not in text, text
    for method in ("initial", "latest"):
        rt.sql(f"CREATE FOREIGN STREAM s_{method} (n INT) OPTIONS (connector 'java', {ours} 'fail in {method}')")
        with pytest.raises(RowtimeError) as found:
            drain(start_query(rt, f"SELECT STREAM rowtime, n FROM s_{method}"))
        assert (found.value.code, f"broken in {method}" in str(found.value)) == ("RT0547", True), str(found.value)
    rt.sql(f"CREATE FOREIGN TABLE goal (n INT) OPTIONS (connector 'java', {ours} 'fail in write')")
    rt.sql(f"CREATE FOREIGN TABLE other (n INT) OPTIONS (connector 'java', {ours} 'take')")
    for statement, code, says in (
        ("INSERT INTO goal VALUES (1)", "RT0547", "broken in write"),
        # Not the adapter's fault.
        ("INSERT INTO other SELECT 1 / (n - n) FROM (VALUES (1), (2)) AS t (n) WHERE n > RAND() - 1", "RT0510", "zero"),
    ):
        with pytest.raises(RowtimeError) as found:
            rt.sql(statement)
        assert (found.value.code, says in str(found.value)) == (code, True), str(found.value)
