"""Foreign streams and tables over files, with records that are no rows."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from queries import drain

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session

ORDERS = "CREATE FOREIGN STREAM orders (productId INTEGER, units INTEGER) OPTIONS (connector 'files', {options})"
HOURS = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(units) AS u FROM orders GROUP BY FLOOR(rowtime TO HOUR)"


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    folder = tmp_path / "in box"
    folder.mkdir()
    return folder


def drop(inbox: Path, name: str, *lines: str) -> None:
    """Writes a file that appears whole, as if a program had moved it there."""
    half = inbox.parent / name
    half.write_text("\n".join(lines) + "\n")
    half.rename(inbox / name)


def create(rt: Session, inbox: Path, more: str = "format 'json'") -> None:
    rt.sql(ORDERS.format(options=f"path '{inbox}', {more}"))


def at(hour: int, minute: int = 0, second: int = 0) -> dt.datetime:
    return dt.datetime(2015, 2, 15, hour, minute, second)


def test_json_in_a_folder_that_grows(rt: Session, inbox: Path, tmp_path: Path) -> None:
    create(rt, inbox)
    drop(
        inbox,
        "a.json",
        '{"rowtime": "2015-02-15T10:17:05Z", "productId": 10, "units": 1}',
        '{"ROWTIME": "2015-02-15 10:17:00", "PRODUCTID": 30, "units": "4", "other": {"x": 1}}',
        "{broken",
        "",
        '{"rowtime": "2015-02-15 10:18:00", "units": "abc"}',
        '{"rowtime": null, "units": 3}',
        '{"rowtime": "2015-02-15 10:18:00", "units": 3000000000}',
    )
    rows = rt.sql("SELECT STREAM * FROM orders")
    hours = rt.sql(HOURS)
    assert drain(rows) == [(at(10, 17), 30, 4), (at(10, 17, 5), 10, 1)]
    assert drain(hours) == []
    drop(inbox, "b.json", '{"rowtime": "2015-02-15 11:00:00"}', "[]")
    assert drain(rows) == [(at(11), None, None)]
    assert drain(hours) == [(at(10), 5)]
    assert isinstance(rows, Query)
    assert rows.progress.bad_rows == 5
    aside = [
        json.loads(line)
        for file in sorted((tmp_path / "warehouse" / "bad_rows").rglob("*.jsonl"))
        if file.parent.name == rows.checkpoint.name
        for line in file.read_text().splitlines()
    ]
    assert {bad["record"]: bad["reason"].split(" (column")[0] for bad in aside} == {
        "{broken": "broken JSON: Unexpected character ('b' (code 98)): was expecting double-quote to start field name",
        '{"rowtime": "2015-02-15 10:18:00", "units": "abc"}': "UNITS: 'abc' is not an INTEGER",
        '{"rowtime": null, "units": 3}': "ROWTIME: NULL in a column that is NOT NULL",
        '{"rowtime": "2015-02-15 10:18:00", "units": 3000000000}': "UNITS: '3000000000' does not fit in INTEGER",
        "[]": "not a JSON object",
    }
    assert all(bad["file"].endswith(".json") for bad in aside)


def test_bad_rows_count_once(rt: Session, inbox: Path) -> None:
    """Two scans of one stream in a query, and a batch that runs twice, count invalid records once."""
    create(rt, inbox)
    query = rt.sql(
        "SELECT STREAM rowtime, units FROM orders WHERE units = 1 UNION ALL "
        "SELECT STREAM rowtime, units FROM orders WHERE units = 2"
    )
    drop(inbox, "a.json", '{"rowtime": "2015-02-15 10:00:00", "units": 1}', "?", "??")
    assert drain(query) == [(at(10), 1)]
    assert isinstance(query, Query)
    assert query.progress.bad_rows == 2


def test_csv_goes_by_its_header(rt: Session, inbox: Path) -> None:
    create(rt, inbox, "format 'csv', delimiter ';'")
    drop(inbox, "a.csv", "units;ROWTIME;note;productid", '4;2015-02-15 10:17:00;"a;b";30', ";2015-02-15 10:18:00;;7")
    drop(inbox, "b.csv", "rowtime;productId;units", "2015-02-15 10:19:00;1;2", "2015-02-15 10:20:00;1")
    query = rt.sql("SELECT STREAM * FROM orders")
    assert drain(query) == [(at(10, 17), 30, 4), (at(10, 18), 7, None), (at(10, 19), 1, 2)]
    assert isinstance(query, Query)
    assert query.progress.bad_rows == 1


def test_csv_without_a_header(rt: Session, inbox: Path) -> None:
    drop(inbox, "a.csv", "1,x", '2,"y ""z"""', "3,")
    rt.sql(
        "CREATE FOREIGN TABLE t (id INTEGER, name VARCHAR) OPTIONS (connector 'files', "
        f"path '{inbox}', format 'csv', header 'false')"
    )
    found = rt.sql("SELECT * FROM t ORDER BY id")
    assert isinstance(found, Relation)
    assert [tuple(r) for r in found] == [(1, "x"), (2, 'y "z"'), (3, None)]


def test_parquet(rt: Session, inbox: Path) -> None:
    create(rt, inbox, "format 'parquet', rowtime 'eventTime', max_files_per_batch '1'")
    frame = rt.spark.sql("SELECT 7 AS units, 1 AS productid, timestamp'2015-02-15 10:00:00' AS eventTime")
    frame.coalesce(1).write.mode("append").parquet(str(inbox))
    query = rt.sql("SELECT STREAM * FROM orders")
    assert drain(query) == [(at(10), 1, 7)]


def test_the_filter_does_not_stop_the_clock(rt: Session, inbox: Path) -> None:
    """A late row counts as late even if WHERE drops it."""
    create(rt, inbox)
    query = rt.sql(HOURS.replace("GROUP BY", "WHERE units > 3 GROUP BY"))
    drop(inbox, "a.json", '{"rowtime": "2015-02-15 10:00:00", "units": 4}')
    assert drain(query) == []
    drop(inbox, "b.json", '{"rowtime": "2015-02-15 11:00:00", "units": 1}')
    assert drain(query) == [(at(10), 4)]


def test_lateness_lets_rows_in_out_of_order(rt: Session, inbox: Path) -> None:
    rt.sql(
        "CREATE FOREIGN STREAM orders (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '30' MINUTE, units INTEGER) "
        f"OPTIONS (connector 'files', path '{inbox}', format 'json')"
    )
    query = rt.sql(HOURS)
    for number, (time, units) in enumerate([("10:50:00", 1), ("11:10:00", 2), ("10:55:00", 4), ("11:30:00", 8)]):
        drop(inbox, f"{number}.json", f'{{"rowtime": "2015-02-15 {time}", "units": {units}}}')
        got = drain(query)
        assert got == ([(at(10), 5)] if number == 3 else [])


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("path '/no/such/folder', format 'json'", "RT0524", "reads '/no/such/folder', which does not exist"),
        ("format 'json'", "RT0521", "needs the option path"),
        ("path '/tmp', format 'xml'", "RT0522", "has format 'xml'; known values are json, csv, parquet, debezium-json"),
        ("path '/tmp', format 'json', colour 'red'", "RT0523", "has an unknown option colour"),
        ("path '/tmp', format 'json', max_files_per_batch '0'", "RT0522", "has max_files_per_batch '0'"),
    ],
)
def test_options_that_are_wrong(rt: Session, options: str, code: str, message: str) -> None:
    with pytest.raises(RowtimeError) as fault:  # noqa: PT012
        rt.sql(ORDERS.format(options=options))
        rt.sql("SELECT STREAM * FROM orders")
    assert fault.value.code == code
    assert message in fault.value.diagnostics[0].message
