"""Rows as Arrow tables and pandas frames."""

from __future__ import annotations

import datetime as dt
import sys
from decimal import Decimal

import pyarrow as pa
import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session

FIRST = dt.datetime(2006, 9, 11, 10, 30, 0, 250_000)


def test_a_relation_as_arrow(rt: Session) -> None:
    found = rt.sql(
        "SELECT 1 AS n, CAST(2.50 AS DECIMAL(10, 2)) AS price, TIMESTAMP '2006-09-11 10:30:00.25' AS t, "
        "DATE '2006-09-11' AS d, TIME '10:30:00' AS tm, INTERVAL '36' HOUR AS i, INTERVAL '2' YEAR AS m, "
        "ARRAY[1, 2] AS a, MAP['k', TIMESTAMP '2006-09-11 10:30:00.25'] AS mp, "
        "X'0aff' AS b, CAST(NULL AS VARCHAR) AS v, TRUE AS n"
    )
    assert isinstance(found, Relation)
    table = found.to_arrow()
    assert table.schema.names == ["N", "PRICE", "T", "D", "TM", "I", "M", "A", "MP", "B", "V", "N0"]
    assert [table.schema.field(name).type for name in ("N", "PRICE", "T", "I", "MP")] == [
        pa.int32(),
        pa.decimal128(10, 2),
        pa.timestamp("us"),
        pa.duration("us"),
        pa.map_(pa.string(), pa.timestamp("us")),
    ]
    (row,) = table.to_pylist()
    assert (row["N"], row["PRICE"], row["T"], row["N0"]) == (1, Decimal("2.50"), FIRST, True)
    assert (row["D"], row["TM"]) == (FIRST.date(), dt.time(10, 30))
    assert (row["I"], row["M"]) == (dt.timedelta(hours=36), 24)
    assert (row["A"], row["MP"], row["B"], row["V"]) == ([1, 2], [("k", FIRST)], b"\x0a\xff", None)


def test_rows_of_rows(rt: Session) -> None:
    found = rt.sql("SELECT ROW(1, ROW('x', DATE '2006-09-11')) AS r FROM (VALUES (1)) AS t (n) UNION ALL SELECT NULL")
    assert isinstance(found, Relation)
    first, second = sorted(found.to_arrow().to_pylist(), key=str, reverse=True)
    assert next(iter(first["R"].values())) == 1
    assert list(list(first["R"].values())[1].values()) == ["x", dt.date(2006, 9, 11)]
    assert second["R"] is None


def test_an_answer_without_rows_keeps_its_columns(rt: Session) -> None:
    shown = rt.sql("SHOW STREAMS")
    assert isinstance(shown, Relation)
    assert shown.to_arrow().num_rows == 0
    assert shown.to_arrow().schema.names == [field.name for field in shown.fields]


def test_what_has_come_out_of_a_query(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.sql("SELECT STREAM rowtime, n FROM a")
    assert isinstance(query, Query)
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:30:00.25', 7)")
    query.process_all_available()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pandas", None)
        with pytest.raises(RowtimeError, match="RT0616"):
            query.to_pandas()
    assert query.to_arrow().to_pylist() == [{"ROWTIME": FIRST, "N": 7}]
    assert query.to_arrow().num_rows == 0


def test_pandas_where_it_is_installed(rt: Session) -> None:
    pytest.importorskip("pandas")
    found = rt.sql("SELECT 1 AS n, TIMESTAMP '2006-09-11 10:30:00.25' AS t")
    assert isinstance(found, Relation)
    frame = found.to_pandas()
    assert list(frame.columns) == ["N", "T"]
    assert frame["T"][0].to_pydatetime() == FIRST
