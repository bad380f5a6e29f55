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


def test_each_call_of_a_java_function_that_is_not_deterministic_has_a_value_of_its_own(rt):
    """Spark computes equal calls with equal arguments once if it is not told."""
    rt.sql("CREATE FUNCTION dice () RETURNS DOUBLE LANGUAGE JAVA NOT DETERMINISTIC AS 'java.lang.Math:random'")
    rt.sql("CREATE FUNCTION bits (n INTEGER) RETURNS INTEGER LANGUAGE JAVA AS 'java.lang.Integer:bitCount'")
    rows = rt.sql("SELECT dice() AS a, dice() AS b, bits(n) AS n FROM (VALUES (1), (-2)) AS t (n)").rows()
    assert len({value for a, b, _ in rows for value in (a, b)}) == 4
    assert sorted(n for _, _, n in rows) == [1, 31]


@pytest.mark.parametrize(
    ("sql", "calls"),
    [
        ("SELECT draw(n) AS a, draw(n) AS b FROM t", 2),
        ("SELECT NULLIF(draw(n), 0) AS a FROM t", 1),
        ("SELECT COALESCE(draw(n), draw(n), 0) AS a FROM t", 1),
        ("SELECT COALESCE(NULLIF(draw(n), n), 0) AS a FROM t WHERE draw(n) BETWEEN 0 AND 1000000", 2),
        ("SELECT CASE draw(n) WHEN -1 THEN 1 WHEN -2 THEN 2 ELSE 3 END AS a FROM t", 1),
        ("SELECT CASE WHEN n <> 2 THEN NULLIF(draw(12 / (n - 2)), 0) END AS a FROM t", 2 / 3),
        ("SELECT n FROM t WHERE draw(n) IN (-1, -2, -3)", 1),
        ("SELECT SUM(draw(n)) AS a, MAX(draw(n)) AS b, COUNT(*) FILTER (WHERE draw(n) > 0) AS c FROM t", 3),
        ("SELECT draw(n) AS a, COUNT(*) AS c FROM t GROUP BY draw(n)", 1),
        ("SELECT a, a + 1 AS b FROM (SELECT draw(n) AS a FROM t) WHERE a > 0", 1),
        ("SELECT t.n FROM t JOIN t AS u ON draw(t.n) = u.n", 1),
        ("SELECT t.n FROM t LEFT JOIN t AS u ON draw(t.n) BETWEEN u.n AND u.n + 1", 1),
        ("SELECT t.n FROM t FULL JOIN t AS u ON draw(t.n) = draw(u.n)", 2),
        ("SELECT t.n FROM t JOIN t AS u ON draw(t.n + u.n) > 0", 3),
        ("SELECT t.n FROM t JOIN t AS u ON t.n = u.n AND draw(t.n + u.n) > 0", 1),
        ("SELECT n FROM t WHERE draw(n) IN (SELECT n FROM t)", 1),
        ("SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS u WHERE u.n = draw(t.n))", 1),
    ],
)
def test_a_call_of_a_function_that_is_not_deterministic_is_made_once_for_a_row(rt, sql: str, calls: float):
    rt.sql("CREATE FUNCTION draw (n INTEGER) RETURNS INTEGER LANGUAGE JAVA NOT DETERMINISTIC AS 'examples.Drawn:next'")
    rt.sql("CREATE FUNCTION drawn () RETURNS INTEGER LANGUAGE JAVA NOT DETERMINISTIC AS 'examples.Drawn:count'")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("INSERT INTO t VALUES (1), (2), (3)")

    def drawn() -> int:
        return rt.sql("SELECT drawn() AS n FROM (VALUES (1)) AS t (n)").rows()[0][0]

    before = drawn()
    rt.sql(sql).rows()
    assert drawn() - before == 3 * calls


def test_a_module_beside_the_script_reaches_the_workers(rt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "beside_the_script.py").write_text("FACTOR = 3\n\ndef times(n):\n    return n * FACTOR\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    rt.sql("CREATE FUNCTION times (n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'beside_the_script:times'")
    assert rt.sql("SELECT times(14) AS n").rows() == [(42,)]
