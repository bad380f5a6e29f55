"""Relational plans on Spark, against DuckDB over the same rows."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from pyspark.errors import PySparkException

from rowtime.plan.codec import decode_plan
from rowtime.plan.nodes import Scan
from rowtime.plan.types import parse_type
from rowtime.translate import Translated, translate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TABLES = {
    "EMP": (
        "id INTEGER NOT NULL, dept INTEGER, name VARCHAR(10), salary DECIMAL(10, 2), hired TIMESTAMP, born DATE",
        """(1, 10, 'ann', 100.50, TIMESTAMP '2015-01-01 10:00:00', DATE '1980-01-01'),
           (2, 10, 'bob', 200.00, TIMESTAMP '2015-01-01 10:30:00', DATE '1980-01-03'),
           (3, 20, 'cyd', 200.00, TIMESTAMP '2015-01-01 12:00:00', DATE '1980-01-04'),
           (4, NULL, 'dan', NULL, TIMESTAMP '2015-01-01 12:00:00', NULL),
           (5, 20, NULL, 50.25, NULL, DATE '1980-01-10'),
           (6, 40, 'eve', 300.75, TIMESTAMP '2015-01-02 00:00:00', DATE '1980-01-10')""",
    ),
    "DEPT": (
        "dept INTEGER NOT NULL, title VARCHAR(10)",
        "(10, 'sales'), (20, 'ops'), (30, 'lab'), (30, 'lab')",
    ),
}

QUERIES = [
    "SELECT * FROM emp",
    "SELECT id, salary * 2 FROM emp WHERE salary > 100",
    "SELECT id FROM emp WHERE NOT (salary > 100)",
    "SELECT e.id, d.title FROM emp e JOIN dept d ON e.dept = d.dept",
    "SELECT e.id, d.title FROM emp e LEFT JOIN dept d ON e.dept = d.dept",
    "SELECT e.id, d.title FROM emp e RIGHT JOIN dept d ON e.dept = d.dept AND e.id > 1",
    "SELECT e.id, d.title FROM emp e FULL JOIN dept d ON e.dept = d.dept",
    "SELECT e.id, d.title FROM emp e CROSS JOIN dept d",
    "SELECT a.id, b.id FROM emp a JOIN emp b ON a.dept = b.dept AND a.id < b.id",
    "SELECT id FROM emp WHERE dept IN (SELECT dept FROM dept)",
    "SELECT id FROM emp WHERE dept NOT IN (SELECT dept FROM dept)",
    "SELECT id FROM emp e WHERE EXISTS (SELECT 1 FROM dept d WHERE d.dept = e.dept AND d.title = 'ops')",
    "SELECT id FROM emp e WHERE NOT EXISTS (SELECT 1 FROM dept d WHERE d.dept = e.dept)",
    "SELECT id, (SELECT MAX(dept) FROM dept) FROM emp",
    "SELECT id FROM emp e WHERE salary > (SELECT AVG(salary) FROM emp f WHERE f.dept = e.dept)",
    "SELECT dept FROM emp UNION SELECT dept FROM dept",
    "SELECT dept FROM emp UNION ALL SELECT dept FROM dept",
    "SELECT id, 1.5 FROM emp UNION ALL SELECT dept, 2.25 FROM dept",
    "SELECT dept FROM emp INTERSECT SELECT dept FROM dept",
    "SELECT dept FROM emp EXCEPT SELECT dept FROM dept",
    "SELECT dept FROM dept INTERSECT ALL SELECT dept FROM emp",
    "SELECT dept FROM dept EXCEPT ALL SELECT dept FROM emp",
    "SELECT DISTINCT dept FROM emp",
    "SELECT dept, COUNT(*), COUNT(salary), SUM(salary), MIN(name), MAX(salary) FROM emp GROUP BY dept",
    "SELECT COUNT(*), SUM(salary), COUNT(DISTINCT dept), SUM(DISTINCT salary) FROM emp",
    "SELECT COUNT(*) FROM emp WHERE id > 100",
    "SELECT dept, SUM(salary) FILTER (WHERE id > 1), COUNT(*) FILTER (WHERE name IS NULL) FROM emp GROUP BY dept",
    "SELECT dept, COUNT(DISTINCT salary) FILTER (WHERE id > 1) FROM emp GROUP BY dept",
    "SELECT dept, SUM(id) FROM emp GROUP BY dept HAVING SUM(id) > 3",
    (
        "SELECT CAST(STDDEV_POP(CAST(id AS DOUBLE)) AS DECIMAL(10, 4)), CAST(VAR_SAMP(CAST(id AS DOUBLE)) AS "
        "DECIMAL(10, 4)) FROM emp"
    ),
    "SELECT FLOOR(hired TO HOUR), COUNT(*) FROM emp GROUP BY FLOOR(hired TO HOUR)",
    "SELECT * FROM (VALUES (1, 'a', 1.5), (2, NULL, 2.25)) AS t (a, b, c)",
    "SELECT a + 1 FROM (VALUES (1), (2), (NULL)) AS t (a) WHERE a IS NOT NULL",
    (
        "WITH big AS (SELECT * FROM emp WHERE salary >= 200) SELECT b.id, d.title FROM big b JOIN dept d ON "
        "b.dept = d.dept"
    ),
    "SELECT id, SUM(id) OVER (PARTITION BY dept ORDER BY id) FROM emp",
    "SELECT id, SUM(id) OVER (PARTITION BY dept) FROM emp",
    "SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM emp",
    "SELECT id, SUM(id) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM emp",
    (
        "SELECT id, COUNT(*) OVER (ORDER BY hired RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) "
        "FROM emp WHERE hired IS NOT NULL"
    ),
    (
        "SELECT id, COUNT(*) OVER (ORDER BY hired RANGE BETWEEN CURRENT ROW AND INTERVAL '90' MINUTE "
        "FOLLOWING) FROM emp WHERE hired IS NOT NULL"
    ),
    (
        "SELECT id, COUNT(*) OVER (ORDER BY born RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND CURRENT ROW) "
        "FROM emp WHERE born IS NOT NULL"
    ),
    (
        "SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC), RANK() OVER (ORDER BY salary NULLS LAST), "
        "DENSE_RANK() OVER (ORDER BY salary NULLS LAST) FROM emp"
    ),
    (
        "SELECT id, LAG(id) OVER (ORDER BY id), LEAD(id, 2) OVER (ORDER BY id), LAG(id, 1, 0) OVER "
        "(PARTITION BY dept ORDER BY id) FROM emp"
    ),
    (
        "SELECT id, FIRST_VALUE(name) OVER (PARTITION BY dept ORDER BY id), LAST_VALUE(id) OVER (PARTITION "
        "BY dept ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM emp"
    ),
    (
        "SELECT id, NTILE(2) OVER (ORDER BY id), NTH_VALUE(id, 2) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED "
        "PRECEDING AND UNBOUNDED FOLLOWING) FROM emp"
    ),
    "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 20) SELECT n, n * n FROM r",
    (
        "WITH RECURSIVE r (id, n) AS (SELECT id, 0 FROM emp UNION SELECT e.id, r.n + 1 FROM r JOIN emp AS e ON e.id = "
        "r.id + 1 WHERE r.n < 3) SELECT id, n FROM r"
    ),
    "SELECT id, MAX(salary) OVER w, MIN(salary) OVER w FROM emp WINDOW w AS (PARTITION BY dept ORDER BY id)",
]

ORDERED = [
    "SELECT id, salary FROM emp ORDER BY salary DESC NULLS LAST, id",
    "SELECT id, salary FROM emp ORDER BY salary NULLS FIRST, id DESC",
    "SELECT id FROM emp ORDER BY id LIMIT 2",
    "SELECT id FROM emp ORDER BY id DESC OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
    "SELECT id FROM emp ORDER BY id OFFSET 4 ROWS",
    "SELECT dept, COUNT(*) AS c FROM emp GROUP BY dept ORDER BY c DESC, dept NULLS LAST",
]


class Tables:
    """A translation context over the tables above."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark

    ordered = False
    checks_claims = False

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    def scan(self, node: Scan) -> Translated:
        names = [f"s{node.id}_{i}" for i in range(len(node.fields))]
        rows = f"SELECT * FROM VALUES {TABLES[node.source][1]} AS T ({', '.join(names)})"
        casts = [f"CAST({n} AS {parse_type(f.type).spark()}) AS {n}" for f, n in zip(node.fields, names, strict=True)]
        return Translated(self.spark.sql(rows).selectExpr(*casts), tuple(names))


@pytest.fixture
def query(session: SparkSession, catalog: Any) -> Callable[[str], DataFrame]:
    for name, (columns, _) in TABLES.items():
        catalog.ddl(f"CREATE TABLE {name} ({columns})")

    def run(sql: str) -> DataFrame:
        statement = catalog.plan(sql)
        translated = translate(decode_plan(statement["plan"]), Tables(session))
        return translated.visible([f"C{i}" for i in range(len(statement["fields"]))])

    return run


@pytest.fixture(scope="module")
def duck() -> Any:
    connection = duckdb.connect()
    for name, (columns, rows) in TABLES.items():
        connection.execute(f"CREATE TABLE {name} ({columns})")
        connection.execute(f"INSERT INTO {name} VALUES {rows}")
    return connection


def _duck_rows(duck: Any, sql: str) -> list[tuple[Any, ...]]:
    sql = sql.replace("FLOOR(hired TO HOUR)", "DATE_TRUNC('hour', hired)")
    return [_plain(row) for row in duck.execute(sql).fetchall()]


def _spark_rows(df: DataFrame) -> list[tuple[Any, ...]]:
    # as text where Python would bring its own time zone into it
    shown = [
        f"CAST({f.name} AS STRING) AS {f.name}" if f.dataType.typeName() == "timestamp" else f.name
        for f in df.schema.fields
    ]
    return [_plain(tuple(row)) for row in df.selectExpr(*shown).collect()]


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        v.normalize() if isinstance(v, Decimal) else str(v) if isinstance(v, datetime.datetime) else v for v in row
    )


def _sorted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: [(v is None, str(v)) for v in row])


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_gives_the_rows_that_duckdb_gives(sql, query, duck):
    assert _sorted(_spark_rows(query(sql))) == _sorted(_duck_rows(duck, sql))


@pytest.mark.parametrize(
    ("slide", "size", "offset"),
    [(3600, 10800, 0), (3600, 7007, 0), (1800, 1800, 600), (3600, 600, 0), (60, 3600, 30), (7, 700, 3)],
)
def test_hop_gives_each_row_to_all_of_its_windows(slide, size, offset, query, duck):
    lengths = f"INTERVAL '{slide}' SECOND(5), INTERVAL '{size}' SECOND(5), TIME '00:{offset // 60:02}:{offset % 60:02}'"
    sql = f"SELECT HOP_START(hired, {lengths}), HOP_END(hired, {lengths}), dept, COUNT(*), SUM(salary) FROM emp "
    rows = query(f"{sql} GROUP BY HOP(hired, {lengths}), dept")
    windows = (
        f"SELECT epoch_ms((w * {slide} + {offset})::BIGINT * 1000) AS s FROM generate_series("
        f"epoch(TIMESTAMP '2014-12-31')::BIGINT // {slide}, epoch(TIMESTAMP '2015-01-03')::BIGINT // {slide}) AS t (w)"
    )
    expected = duck.execute(
        f"SELECT s, s + INTERVAL {size} SECOND, dept, COUNT(*), SUM(salary) FROM emp JOIN ({windows}) "
        f"ON hired >= s AND hired < s + INTERVAL {size} SECOND GROUP BY ALL"
    ).fetchall()
    assert _sorted(_spark_rows(rows)) == _sorted([_plain(row) for row in expected])


def test_sessions_are_told_apart_by_the_gap(query):
    # 10:00 and 10:30 are an hour from nothing; the two at 12:00 are one session of all departments
    session = "SESSION(hired, INTERVAL '31' MINUTE)"
    rows = query(
        f"SELECT {session.replace('SESSION', 'SESSION_START')}, {session.replace('SESSION', 'SESSION_END')}, COUNT(*), "
        f"SUM(salary) FROM emp GROUP BY {session}"
    )
    assert _sorted(_spark_rows(rows)) == [
        ("2015-01-01 10:00:00", "2015-01-01 11:01:00", 2, Decimal("300.5")),
        ("2015-01-01 12:00:00", "2015-01-01 12:31:00", 2, Decimal("2E+2")),
        ("2015-01-02 00:00:00", "2015-01-02 00:31:00", 1, Decimal("300.75")),
    ]


@pytest.mark.parametrize("sql", ORDERED)
def test_an_ordered_query_gives_them_in_order(sql, query, duck):
    assert _spark_rows(query(sql)) == _duck_rows(duck, sql)


def test_averages_of_exact_numbers_are_exact(query):
    rows = query("SELECT AVG(id), AVG(salary), AVG(CAST(id AS BIGINT)), AVG(CAST(id AS TINYINT)) FROM emp").collect()
    assert [str(v) for v in rows[0]] == ["3.500000", "170.300000", "3.500000", "3.500000"]
    assert query("SELECT AVG(id) FROM emp WHERE id > 100").collect()[0][0] is None


def test_types_are_those_of_the_plan(query):
    df = query(
        "SELECT COUNT(*), SUM(id), SUM(salary), SUM(CAST(id AS DOUBLE)), MIN(hired), id / 2 FROM emp GROUP BY id"
    )
    assert [f.dataType.simpleString() for f in df.schema.fields] == [
        "bigint",
        "bigint",
        "decimal(38,2)",
        "double",
        "timestamp",
        "int",
    ]


def test_a_sub_query_for_one_value_gives_one(query):
    assert query("SELECT (SELECT id FROM emp WHERE id = 3) FROM dept").collect()[0][0] == 3
    with pytest.raises(PySparkException, match="more than one row"):
        query("SELECT (SELECT id FROM emp) FROM dept").collect()


def test_count_distinct_over_a_window(query):
    rows = _spark_rows(query("SELECT id, COUNT(DISTINCT salary) OVER (ORDER BY id) FROM emp"))
    assert sorted(rows) == [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 4)]


def test_an_empty_values_has_its_types(query):
    df = query("SELECT * FROM (VALUES (1, 'a')) AS t (a, b) WHERE FALSE")
    assert df.collect() == []
    assert [f.dataType.simpleString() for f in df.schema.fields] == ["int", "string"]


def test_regressions_over_a_window_pass_over_pairs_with_a_null(query):
    known = "(1.0, 2.0), (2.0, 5.0), (4.0, 1.0)"
    halves = "(CAST(NULL AS DOUBLE), 100.0), (3.0, CAST(NULL AS DOUBLE))"
    pairs = f"(VALUES {known}, {halves}) AS t (a, b)"
    ((grouped,),) = _spark_rows(query(f"SELECT REGR_SXX(a, b) FROM {pairs}"))
    assert grouped == pytest.approx(26 / 3)  # of 2, 5 and 1: 30 - 64 / 3
    whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
    over = _spark_rows(query(f"SELECT REGR_SXX(a, b) OVER (ORDER BY 0 {whole}) FROM {pairs}"))
    assert [row[0] for row in over] == [pytest.approx(grouped)] * 5
