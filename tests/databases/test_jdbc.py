"""Connector 'jdbc' against PostgreSQL and SQLite: tables as relations, and as targets."""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PASSWORD, Postgres
from queries import entry_of

from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import RowtimeError
from rowtime.foreign.targets import last_batch, write_batch
from rowtime.runtime.relation import Relation
from rowtime.session import Session

COLUMNS = (
    'id INT NOT NULL, name VARCHAR, price DECIMAL(8, 2), ratio DOUBLE, ok BOOLEAN, "at" TIMESTAMP(3), "day" DATE, '
    '"time" TIME(3), b VARBINARY'
)
# In the time zone of this process, St John's, the clock went from 2:00 to 3:00 in that night.
GAP = dt.datetime(2015, 3, 8, 2, 30)
ROW = (1, "it's", Decimal("1.50"), 0.1, True, GAP, dt.date(2015, 3, 8), dt.time(10, 11, 12), b"\x0a\xff")
EMPTY = (2, *[None] * 8)
VALUES = (
    "(1, 'it''s', 1.5, 0.1, TRUE, TIMESTAMP '2015-03-08 02:30:00', DATE '2015-03-08', TIME '10:11:12', X'0aff'), "
    "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
)


def read(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return [tuple(bytes(v) if isinstance(v, bytearray) else v for v in row) for row in found.tuples()]


def fault(rt: Session, sql: str) -> tuple[str, str]:
    with pytest.raises(RowtimeError) as found:
        read(rt, sql)
    text = "\n".join(f"{d.message}\n{d.hint}" for d in found.value.diagnostics)
    assert PASSWORD not in text and "\tat " not in text and "Traceback" not in text and "Exception" not in text
    return found.value.code, text


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stamp", ["TIMESTAMP", "TIMESTAMPTZ"])
def test_postgres_values(rt: Session, postgres: Postgres, stamp: str) -> None:
    """Times are in UTC, though this machine, the server and the user's session have three other time zones."""
    postgres.run(
        f"DROP TABLE IF EXISTS types; CREATE TABLE types (b BYTEA, id INT, name TEXT, price NUMERIC, ratio FLOAT8, "
        f'ok BOOLEAN, at {stamp}, day DATE, "time" TIME, more TEXT)'
    )
    rt.sql(f"CREATE FOREIGN TABLE types ({COLUMNS}) OPTIONS ({postgres.options}, table 'types')")
    before = rt.spark.conf.get("spark.sql.session.timeZone")
    rt.spark.conf.set("spark.sql.session.timeZone", "America/Lima")
    try:
        rt.sql(f"INSERT INTO types VALUES {VALUES}")
        assert postgres.run("SELECT at, day, time, price, ok, encode(b, 'hex') FROM types ORDER BY id") == [
            f"2015-03-08 02:30:00{'+00' if stamp == 'TIMESTAMPTZ' else ''}|2015-03-08|10:11:12|1.50|t|0aff",
            "|||||",
        ]
        assert read(rt, "SELECT * FROM types ORDER BY id") == [ROW, EMPTY]
        near = "\"at\" BETWEEN TIMESTAMP '2015-03-08 02:29:59' AND TIMESTAMP '2015-03-08 02:30:01'"
        assert read(rt, f"SELECT id FROM types WHERE {near}") == [(1,)]
        found = rt.sql(f"SELECT id FROM types WHERE {near}")
        assert isinstance(found, Relation)
        assert [tuple(row) for row in found.to_df().collect()] == [(1,)]
    finally:
        rt.spark.conf.set("spark.sql.session.timeZone", before)


def test_filters_and_columns_go_to_the_database(rt: Session, postgres: Postgres) -> None:
    postgres.run("DROP TABLE IF EXISTS far; CREATE TABLE far (id INT, name TEXT, at TIMESTAMP, nobody TEXT)")
    postgres.run(
        "INSERT INTO far SELECT n, 'n' || n, TIMESTAMP '2024-05-01' + n * INTERVAL '1 hour' "
        "FROM generate_series(1, 99) n"
    )
    rt.sql(
        'CREATE FOREIGN TABLE far (id INT, name VARCHAR, "at" TIMESTAMP(3)) '
        f"OPTIONS ({postgres.options}, table 'far', "
        "partition_column 'ID', lower_bound '0', upper_bound '100', num_partitions '2', fetch_size '10')"
    )
    sql = "SELECT name FROM far WHERE id > 7 AND \"at\" < TIMESTAMP '2024-05-01 10:00:00' AND name LIKE 'n%'"
    assert sorted(read(rt, sql)) == [("n8",), ("n9",)]
    planned = rt.runtime.launcher
    with planned.relational_session() as session:
        statement = rt._plan(sql).statement
        assert statement.plan is not None
        text = planned.relational(statement.plan, session).df._jdf.queryExecution().executedPlan().toString()
    pushed = text.split("PushedFilters: ")[1]
    for part in ("GreaterThan(id,7", "LessThan(at,2024-05-01", "StringStartsWith(name,n)"):
        assert part in pushed
    assert "nobody" not in text and PASSWORD not in text


def test_a_batch_is_one_transaction_and_counts_once(rt: Session, postgres: Postgres) -> None:
    postgres.run(
        'DROP TABLE IF EXISTS goal, my_batches; CREATE TABLE goal ("N" INT PRIMARY KEY, at TIMESTAMPTZ, u UUID)'
    )
    rt.sql(
        'CREATE FOREIGN TABLE goal (n INT, "at" TIMESTAMP(3), u VARCHAR) '
        f"OPTIONS ({postgres.options}, table 'goal', batches_table 'my_batches')"
    )
    entry = entry_of(rt, "GOAL")
    rows = rt.spark.sql("SELECT CAST(id AS INT) AS N, timestamp_millis(id) AS at, uuid() AS U FROM range(3)")
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == 3
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == rows.count()
    assert write_batch(rt.spark, entry, rows, batch=2, writer="p1") == rows.count()
    # The second half is refused, and nothing of the batch is stored.
    with pytest.raises(RowtimeError) as found:
        write_batch(rt.spark, entry, rows.selectExpr("CASE N WHEN 2 THEN 1 ELSE N + 10 END AS N"), batch=4, writer="p1")
    assert found.value.code == "RT0545" and "duplicate key" in str(found.value)
    # The same if Spark fails.
    with pytest.raises(Exception, match="is not to be"):
        write_batch(
            rt.spark, entry, rows.selectExpr("CAST(raise_error('is not to be') AS INT) AS N"), batch=4, writer="p1"
        )
    assert write_batch(rt.spark, entry, rows.limit(0), batch=4, writer="p1") == 0
    assert write_batch(rt.spark, entry, rows.selectExpr("N + 20 AS N"), batch=0, writer="p2") == 3
    assert postgres.run('SELECT count(*), sum("N"), count(u) FROM goal') == ["6|66|3"]
    assert postgres.run("SELECT * FROM my_batches ORDER BY writer") == ["p1|4", "p2|0"]


def test_a_checkpoint_that_is_older_than_its_table(
    rt: Session, lite: tuple[str, sqlite3.Connection], tmp_path: Path
) -> None:
    options, database = lite
    database.execute("CREATE TABLE goal (n INTEGER)")
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    rt.sql(f"CREATE FOREIGN TABLE goal (n INTEGER) OPTIONS ({options}, table 'goal')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO goal SELECT STREAM n FROM a")

    def feed(numbers: range) -> list[tuple[int]]:
        for n in numbers:
            rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:{n:02}', {n})")
            rt.runtime.settle([])
        return database.execute("SELECT n FROM goal ORDER BY n").fetchall()

    feed(range(2))
    rt.runtime.kill_pumps()
    folder = rt.runtime.registry.folder(entry_of(rt, "P"))
    shutil.copytree(folder, tmp_path / "older")
    rt.runtime.restart_pumps()
    assert feed(range(2, 5)) == [(n,) for n in range(5)]
    rt.runtime.kill_pumps()
    folder.rename(tmp_path / "newer")
    (tmp_path / "older").rename(folder)
    rt.runtime.restart_pumps()
    assert feed(range(5, 7)) == [(n,) for n in range(5)]
    assert "RT0607: Pump 'P' cannot continue from its checkpoint" in str(rt.pumps[0].error)
    rt.runtime.kill_pumps()
    shutil.rmtree(folder)
    (tmp_path / "newer").rename(folder)
    # Now the table is the older one.
    kept = database.execute("SELECT writer, batch FROM rowtime_batches ORDER BY writer").fetchall()
    assert [name.endswith("#content") for name, _ in kept] == [False, True]
    database.execute("UPDATE rowtime_batches SET batch = 1 WHERE writer NOT LIKE '%#content'")
    database.execute("DELETE FROM rowtime_batches WHERE writer LIKE '%#content'")
    rt.runtime.restart_pumps()
    assert feed(range(0)) == [(n,) for n in range(5)]
    assert "RT0607: Pump 'P' has written micro-batch" in str(rt.pumps[0].error)
    rt.runtime.kill_pumps()
    database.execute("DELETE FROM rowtime_batches")
    database.executemany("INSERT INTO rowtime_batches (writer, batch) VALUES (?, ?)", kept)
    rt.runtime.restart_pumps()
    assert feed(range(7, 8)) == [(n,) for n in range(8)]
    # Another writer has written its next batch.
    entry, rows = entry_of(rt, "GOAL"), rt.spark.range(1).selectExpr("CAST(id AS INT) AS N")
    assert write_batch(rt.spark, entry, rows, batch=1, writer="q", content=5) == 1
    assert write_batch(rt.spark, entry, rows, batch=1, writer="q", content=5) == rows.count()
    with pytest.raises(RowtimeError, match="RT0607: Micro-batch 1 cannot be written"):
        write_batch(rt.spark, entry, rows, batch=1, writer="q", content=6)
    assert last_batch(rt.spark, entry, "q", tmp_path) == LastBatch(SentBatch(1, 5))


def test_a_pump_goes_on_where_it_was(rt: Session, postgres: Postgres) -> None:
    postgres.run("DROP TABLE IF EXISTS sums; CREATE TABLE sums (rowtime TIMESTAMP, s BIGINT)")
    rt.sql("CREATE STREAM orders (n INT)")
    rt.sql(f"CREATE FOREIGN STREAM sums (s BIGINT) OPTIONS ({postgres.options}, table 'sums')")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO sums SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s "
        "FROM orders GROUP BY FLOOR(rowtime TO HOUR)"
    )
    for hour in range(10, 14):
        rt.sql(f"INSERT INTO orders (rowtime, n) VALUES (TIMESTAMP '2024-05-01 {hour}:00:00', {hour})")
        rt.runtime.settle([])
        if hour == 11:
            rt.runtime.kill_pumps()
            rt.runtime.restart_pumps()
    assert postgres.run("SELECT * FROM sums ORDER BY 1") == [f"2024-05-01 {h}:00:00|{h}" for h in (10, 11, 12)]
    assert fault(rt, "SELECT STREAM * FROM sums")[0] == "RT0548"


# --- SQLite ----------------------------------------------------------------------------------------------------------


def test_sqlite_values(rt: Session, lite: tuple[str, sqlite3.Connection]) -> None:
    options, there = lite
    there.execute(
        "CREATE TABLE types (b BLOB, ID INTEGER, name TEXT, price NUMERIC, ratio REAL, ok BOOLEAN, at TIMESTAMP, "
        "day DATE, time TEXT)"
    )
    rt.sql(f"CREATE FOREIGN TABLE types ({COLUMNS}) OPTIONS ({options}, table 'types')")
    rt.sql(f"INSERT INTO types VALUES {VALUES}")
    assert there.execute("SELECT at, day, time, price, ok FROM types ORDER BY id").fetchall() == [
        ("2015-03-08 02:30:00.000", "2015-03-08", "10:11:12.000", 1.5, 1),
        (None,) * 5,
    ]
    # Other programs write times in other forms.
    there.execute("INSERT INTO types (id, at, day) VALUES (3, 1425781800000, 1425781800000)")
    there.execute("INSERT INTO types (id, at) VALUES (4, '2015-03-08T02:30:00Z')")
    assert read(rt, "SELECT * FROM types WHERE id < 3 ORDER BY id") == [ROW, EMPTY]
    assert read(
        rt, 'SELECT "at", "day" FROM types WHERE id > 2 AND "at" < TIMESTAMP \'2015-03-08 02:31:00\' ORDER BY id'
    ) == [
        (GAP, dt.date(2015, 3, 8)),
        (GAP, None),
    ]
    assert read(rt, "SELECT id FROM types WHERE ok AND price > 1 AND name LIKE 'it%'") == [(1,)]


def test_a_batch_counts_once_in_sqlite(rt: Session, lite: tuple[str, sqlite3.Connection]) -> None:
    options, there = lite
    there.execute("CREATE TABLE goal (n INTEGER PRIMARY KEY)")
    rt.sql(f"CREATE FOREIGN TABLE goal (n INT) OPTIONS ({options}, table 'goal')")
    entry = entry_of(rt, "GOAL")
    rows = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == 3
    assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == rows.count()
    with pytest.raises(RowtimeError) as found:
        write_batch(rt.spark, entry, rows.selectExpr("N + 2 AS N").orderBy("N", ascending=False), batch=1, writer="p1")
    assert found.value.code == "RT0545"
    assert write_batch(rt.spark, entry, rows.selectExpr("N + 3 AS N"), batch=1, writer="p1") == 3
    assert there.execute("SELECT COUNT(*), SUM(n) FROM goal").fetchall() == [(6, 15)]
    assert there.execute("SELECT * FROM rowtime_batches").fetchall() == [("p1", 1)]


# --- errors ----------------------------------------------------------------------------------------------------------


def test_what_is_wrong_is_said(rt: Session, postgres: Postgres, drivers: dict[str, Path]) -> None:
    postgres.run("DROP TABLE IF EXISTS few; CREATE TABLE few (n INT NOT NULL)")
    few = postgres.options + ", table 'few'"
    cases = [
        (few.replace(PASSWORD, "wrong"), "n INT", "RT0544", 'password authentication failed for user "me"'),
        (few.replace(f":{postgres.port}/", ":1/"), "n INT", "RT0544", "refused"),
        (few.replace("/postgres'", "/nowhere'"), "n INT", "RT0544", 'database "nowhere" does not exist'),
        (few.replace("jdbc:postgresql:", "postgresql:"), "n INT", "RT0544", "not a JDBC URL"),
        (few.replace("'few'", "'many'"), "n INT", "RT0540", "'many'"),
        (few, "m INT", "RT0542", "no field for column M"),
        (few, "n INT ARRAY", "RT0542", "JDBC has no such type"),
        (few + ", driver 'no.such.Driver'", "n INT", "RT0543", "no.such.Driver"),
        (few.replace("postgresql-", "nothing-"), "n INT", "RT0543", "is not a file"),
        (few.replace("jdbc:postgresql:", "jdbc:unheard:"), "n INT", "RT0543", "needs the option driver"),
        (few.replace("jdbc:postgresql:", "jdbc:h2:"), "n INT", "RT0543", "org.h2.Driver"),
        (few.replace(f"password '{PASSWORD}'", "password_env 'NOT_SET'"), "n INT", "RT0522", "no such variable"),
        (few + ", partition_column 'n'", "n INT", "RT0522", "together"),
    ]
    for number, (options, columns, code, says) in enumerate(cases):
        rt.sql(f"CREATE FOREIGN TABLE t{number} ({columns}) OPTIONS ({options})")
        value = "ARRAY[1]" if "ARRAY" in columns else "1"
        for sql in (f"SELECT * FROM t{number}", f"INSERT INTO t{number} VALUES ({value})"):
            found, text = fault(rt, sql)
            assert (found, says in text) == (code, True), (options, sql, found, text)
    for more, code, says in (
        (", tabel 'x'", "RT0523", "unknown option tabel"),
        (", password_env 'X'", "RT0522", "both password and password_env"),
    ):
        found, text = fault(rt, f"CREATE FOREIGN TABLE few (n INT) OPTIONS ({few}{more})")
        assert (found, says in text) == (code, True), text
    rt.sql(f"CREATE FOREIGN TABLE few (n INT) OPTIONS ({few})")
    code, text = fault(rt, "INSERT INTO few VALUES (NULL)")
    assert code == "RT0545" and "null value" in text
    postgres.run("INSERT INTO few VALUES (7)")
    rt.sql(f"CREATE FOREIGN TABLE words (n DATE) OPTIONS ({few})")
    code, text = fault(rt, "SELECT * FROM words")
    assert code == "RT0545" and "cannot cast type integer to date" in text


def test_passwords_are_not_shown(rt: Session, postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    rt.sql(f"CREATE FOREIGN TABLE a (n INT) OPTIONS ({postgres.options}, table 'a')")
    rt.sql(
        f"CREATE FOREIGN TABLE b (n INT) WITH ('connector' = 'jdbc', 'table' = 'b', "
        f"'url' = '{postgres.url}?password={PASSWORD}')"
    )
    rt.sql(
        "CREATE FOREIGN TABLE c (n INT) OPTIONS (connector 'jdbc', url 'jdbc:sqlite:x', password 12345, table 'x12345')"
    )
    for sql in ("SHOW TABLES", "SHOW FOREIGN TABLES", "DESCRIBE a", "EXPLAIN PLAN FOR SELECT * FROM a"):
        text = repr(read(rt, sql))
        assert PASSWORD not in text and "password 12345" not in text
    assert read(rt, "SHOW TABLES LIKE 'A'")[0][2].count("'***'") == 1
    assert "'table' 'x12345'" in read(rt, "SHOW TABLES LIKE 'C'")[0][2].lower()
    monkeypatch.setenv("MY_PASSWORD", PASSWORD)
    postgres.run("DROP TABLE IF EXISTS single; CREATE TABLE single (n INT); INSERT INTO single VALUES (1)")
    options = postgres.options.replace(f"password '{PASSWORD}'", "password_env 'MY_PASSWORD'")
    rt.sql(f"CREATE FOREIGN TABLE single (n INT) OPTIONS ({options}, table 'public.single')")
    assert read(rt, "SELECT n FROM single") == [(1,)]
