"""Functions of the user's own from Python: values in and out, NULL, times, faults."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest

from rowtime.errors import RowtimeError
from rowtime.functions import find, keep, worker
from rowtime.plan.types import parse_type
from rowtime.runtime.faults import query_fault

STAMP = parse_type("TIMESTAMP(3)")
TIME = parse_type("TIME(3)")
INTEGER = parse_type("INTEGER")


def test_a_function_is_found_by_its_body():
    import math

    assert find("F", "math:gcd") is math.gcd
    assert find("F", "datetime:date.fromisoformat")("2015-02-15") == dt.date(2015, 2, 15)
    given = find("F", keep(len))
    assert given is len


@pytest.mark.parametrize("body", ["no_such_module:f", "math:no_such_function", "math:pi", "rowtime.functions:0"])
def test_what_is_not_there_is_named(body):
    with pytest.raises(RowtimeError, match="'F'") as refused:
        find("F", body)
    assert refused.value.code == "RT0319"


def test_times_are_in_utc():
    call = worker("F", lambda at, clock: dt.datetime.combine(at.date(), clock), (STAMP, TIME), STAMP)
    # 2015-02-15 10:24:45, and half past twelve
    assert call(1423995885000000, 45_000_000_000) == 1424003400000000
    assert call(-1_000_000, 0) == -86_400_000_000


def test_null_is_none_both_ways():
    call = worker("F", lambda at: at, (STAMP,), STAMP)
    assert call(None) is None


def test_results_take_the_type_that_was_declared():
    def returns(value, type_):
        return worker("F", lambda: value, (), parse_type(type_))()

    assert [returns(2, "DOUBLE"), type(returns(2, "DOUBLE"))] == [2.0, float]
    assert returns(2.0, "INTEGER") == 2
    assert returns(1.005, "DECIMAL(10, 2)") == Decimal("1.01")
    assert returns(Decimal("1" * 38), "DECIMAL(38, 0)") == Decimal("1" * 38)
    assert returns(7, "VARCHAR") == "7"
    assert returns(1, "BOOLEAN") is True
    with pytest.raises(RuntimeError, match=r"'F' failed: TypeError: 2\.5 is not a whole number"):
        returns(2.5, "INTEGER")


def test_a_fault_names_the_function():
    call = worker("RATIO", lambda a, b: a / b, (INTEGER, INTEGER), INTEGER)
    with pytest.raises(RuntimeError) as raised:
        call(1, 0)
    fault = query_fault(raised.value, "Query 1")
    assert fault.code == "RT0530"
    assert (
        fault.diagnostics[0].message == "Query 1 failed: Function 'RATIO' failed: ZeroDivisionError: division by zero"
    )


def test_registered_functions_are_called(rt):
    rt.register_function("twice", lambda n: None if n is None else 2 * n, args=["INTEGER"], returns="INTEGER")
    rt.register_function("day_after", lambda t: t + dt.timedelta(days=1), args=["TIMESTAMP(3)"], returns="TIMESTAMP(3)")
    rt.register_function("share", lambda d: d / 4, args=["DECIMAL(10, 2)"], returns="DECIMAL(10, 2)")
    sql = (
        "SELECT twice(21) AS a, twice(NULL) AS b, CAST(day_after(TIMESTAMP '2015-12-31 23:00:00') AS VARCHAR) AS c, "
        "share(10) AS d"
    )
    assert [tuple(row) for row in rt.table(sql).collect()] == [(42, None, "2016-01-01 23:00:00.000", Decimal("2.50"))]
    shown = rt.sql("SHOW FUNCTIONS").rows()
    assert [row[0] for row in shown] == ["TWICE", "DAY_AFTER", "SHARE"]


def test_a_fault_of_a_query_names_the_function(rt):
    rt.register_function("ratio", lambda a, b: a / b, args=["DOUBLE", "DOUBLE"], returns="DOUBLE")
    with pytest.raises(RowtimeError, match="Function 'RATIO' failed: ZeroDivisionError") as failed:
        rt.sql("SELECT ratio(1, x) FROM (VALUES (0)) AS t (x)").rows()
    assert failed.value.code == "RT0530"


def test_faults_of_java_functions_name_them_too(rt):
    rt.sql("CREATE FUNCTION parse (s VARCHAR) RETURNS INTEGER LANGUAGE JAVA AS 'java.lang.Integer:decode'")
    assert rt.sql("SELECT parse('0x10') AS n").rows() == [(16,)]
    with pytest.raises(RowtimeError, match="Function 'PARSE' failed: NumberFormatException"):
        rt.sql("SELECT parse(s) FROM (VALUES ('ten')) AS t (s)").rows()
    rt.sql("CREATE FUNCTION down (n INTEGER) RETURNS INTEGER LANGUAGE JAVA AS 'examples.Endless:down'")
    with pytest.raises(RowtimeError, match="Function 'DOWN' failed: StackOverflowError"):
        rt.sql("SELECT down(n) FROM (VALUES (1), (2)) AS t (n) WHERE n > RAND()").rows()
    # The JVM has outlived it.
    assert rt.sql("SELECT parse('7') AS n").rows() == [(7,)]
    rt.sql("CREATE FUNCTION nowhere (s VARCHAR) RETURNS INTEGER LANGUAGE JAVA AS 'no.such.Class'")
    with pytest.raises(RowtimeError, match=r"there is no class no\.such\.Class") as refused:
        rt.sql("SELECT nowhere('a')").rows()
    assert refused.value.code == "RT0319"


def test_a_module_beside_the_script_reaches_the_workers(rt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "beside_the_script.py").write_text("FACTOR = 3\n\ndef times(n):\n    return n * FACTOR\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    rt.sql("CREATE FUNCTION times (n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'beside_the_script:times'")
    assert rt.sql("SELECT times(14) AS n").rows() == [(42,)]
