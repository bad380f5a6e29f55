"""What cannot run yet is said by the planner, and so by validate and explain."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Planning

HOURLY = "FLOOR(rowtime TO HOUR)"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT JSON_ARRAYAGG(units) FROM Orders", "the aggregate function JSON_ARRAYAGG_ABSENT_ON_NULL"),
        (
            f"SELECT STREAM {HOURLY}, ARRAY_CONCAT_AGG(ARRAY[units]) FROM Orders GROUP BY {HOURLY}",
            "the aggregate function ARRAY_CONCAT_AGG",
        ),
        (
            f"SELECT STREAM {HOURLY}, COLLECT(DISTINCT units) FROM Orders GROUP BY {HOURLY}",
            "COLLECT(DISTINCT …) in a stream or a window",
        ),
        # Spark would count repeated values as often as they come.
        (
            f"SELECT STREAM {HOURLY}, MEDIAN(DISTINCT units), MODE(units) FROM Orders GROUP BY {HOURLY}",
            "MEDIAN(DISTINCT …) in a stream or a window",
        ),
        (
            "SELECT STDDEV(DISTINCT units) OVER (PARTITION BY productId) FROM Orders",
            "STDDEV(DISTINCT …) in a stream or a window",
        ),
        ("SELECT STREAM BIT_AND(units) OVER (ORDER BY rowtime) FROM Orders", "BIT_AND OVER on a stream"),
    ],
)
def test_aggregate_functions(planning: Planning, sql: str, reason: str) -> None:
    statement = planning.plan(sql)
    assert statement["notSupported"] == [reason]


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT m FROM r WHERE m = MAP['a', 1]", "comparing values of type MAP"),
        ("SELECT STREAM m FROM r WHERE m IS DISTINCT FROM MAP['a', 1]", "comparing values of type MAP"),
        ("SELECT m FROM r WHERE ROW(m, 1) = ROW(m, 2)", "comparing values of type MAP"),
        ("SELECT x.m FROM r AS x JOIN r AS y ON ARRAY[x.m] = ARRAY[y.m]", "comparing values of type MAP"),
        ("SELECT units FROM r ORDER BY m", "ORDER BY a MAP"),
        ("SELECT RANK() OVER (ORDER BY m) FROM r", "OVER in order of a MAP"),
        ("SELECT COUNT(*) OVER (PARTITION BY m ORDER BY units) FROM r", "PARTITION BY a MAP in OVER of a relation"),
        ("SELECT m FROM r UNION SELECT m FROM r", "UNION of rows with a MAP in a relation"),
        ("SELECT m FROM r EXCEPT ALL SELECT m FROM r", "EXCEPT of rows with a MAP in a relation"),
        ("SELECT MAX(m) FROM r", "MAX of a MAP"),
        # Spark would count equal ones with their entries in another order apart.
        ("SELECT COUNT(DISTINCT m) FROM r", "COUNT(DISTINCT …) of a MAP"),
    ],
)
def test_maps_are_not_compared(planning: Planning, sql: str, reason: str) -> None:
    rows = "(SELECT rowtime, units, MAP['a', units] AS m FROM Orders)"
    assert planning.plan(sql.replace(" r", f" {rows}"))["notSupported"] == [reason]


BEHIND = "ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT FLOOR(rowtime TO ISOYEAR) FROM Orders", "FLOOR TO ISOYEAR"),
        ("SELECT EXTRACT(QUARTER FROM INTERVAL '3' YEAR)", "EXTRACT(QUARTER FROM …) of an interval of months"),
        ("SELECT CAST('8f9b2c1e-0000-0000-0000-000000000000' AS UUID)", "the type UUID"),
        (
            f"SELECT STREAM COUNT(*) OVER (ORDER BY orderId ROWS 1 PRECEDING) AS c FROM "
            f"(SELECT rowtime, orderId, COUNT(*) OVER (PARTITION BY productId {BEHIND}) AS d FROM Counted)",
            "OVER by a column other than ROWTIME above an OVER whose rows wait",
        ),
        (
            f"SELECT STREAM COUNT(*) OVER (PARTITION BY productId {BEHIND}) AS c, "
            f"COUNT(*) OVER (PARTITION BY productId ORDER BY orderId {BEHIND}) AS d FROM Counted",
            "OVER by a column other than ROWTIME above an OVER whose rows wait",
        ),
    ],
)
def test_expressions_types_and_orders(planning: Planning, sql: str, reason: str) -> None:
    planning.plan("CREATE STREAM Counted (productId INTEGER, orderId BIGINT NOT NULL MONOTONIC)")
    assert reason in planning.plan(sql)["notSupported"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT STREAM COUNT(*) OVER (ORDER BY orderId ROWS 1 PRECEDING) AS c FROM Counted",
        "SELECT STREAM COUNT(*) OVER (ORDER BY orderId ROWS 1 PRECEDING) AS c, COUNT(*) OVER (ROWS 2 PRECEDING) AS d FROM Counted",
        "SELECT CAST((rowtime - TIMESTAMP '2020-01-01 00:00:00') HOUR AS INTEGER), FLOOR(rowtime TO WEEK) FROM Orders",
        "SELECT EXTRACT(EPOCH FROM rowtime), EXTRACT(DAY FROM INTERVAL '3' DAY), CAST(NULL AS INTERVAL YEAR) FROM Orders",
    ],
)
def test_and_their_relatives_run(planning: Planning, sql: str) -> None:
    planning.plan("CREATE STREAM Counted (productId INTEGER, orderId BIGINT NOT NULL MONOTONIC)")
    assert planning.plan(sql)["notSupported"] == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT productId, COLLECT(DISTINCT units), STDDEV(DISTINCT units) FROM Orders GROUP BY productId",
        f"SELECT STREAM {HOURLY}, LOGICAL_AND(units > 1), SUM(DISTINCT units), ANY_VALUE(units) FROM Orders GROUP BY {HOURLY}",
        "SELECT BIT_AND(units) OVER (PARTITION BY productId), MODE(units) OVER (PARTITION BY productId) FROM Orders",
    ],
)
def test_and_what_runs_is_not_refused(planning: Planning, sql: str) -> None:
    assert planning.plan(sql)["notSupported"] == []


@pytest.mark.parametrize("into", ["Early", "Late", "Kept"])
def test_rows_that_wait_for_others_and_a_stream_that_would_reject_them(planning: Planning, into: str) -> None:
    planning.plan("CREATE STREAM Early (c INTEGER)")
    planning.plan("CREATE STREAM Late (ROWTIME TIMESTAMP NOT NULL LATENESS INTERVAL '1' HOUR, c INTEGER)")
    planning.plan("CREATE TABLE Kept (ROWTIME TIMESTAMP, c INTEGER)")
    over = "SUM(units) OVER (PARTITION BY productId ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)"
    refused = planning.plan(f"INSERT INTO {into} SELECT STREAM rowtime, {over} AS c FROM Orders")["notSupported"]
    assert [why.startswith("LEAD or ROWS … FOLLOWING") for why in refused] == [True] * (into == "Early")
    alone = planning.plan(
        f"INSERT INTO {into} SELECT STREAM rowtime, {over.replace('PARTITION BY productId', '')} AS c FROM Orders"
    )
    assert alone["notSupported"] == []


@pytest.mark.parametrize("into", ["Early", "Late", "Kept"])
@pytest.mark.parametrize(
    ("windows", "overlap"),
    [("TUMBLE({}, INTERVAL '30' MINUTE)", False), ("HOP({}, INTERVAL '10' MINUTE, INTERVAL '30' MINUTE)", True)],
)
@pytest.mark.parametrize(
    "text",
    [
        "SELECT STREAM rowtime, units FROM {} QUALIFY ROW_NUMBER() OVER (PARTITION BY window_end ORDER BY units) <= 2",
        "SELECT STREAM rowtime, units FROM (SELECT * FROM {} QUALIFY RANK() OVER (PARTITION BY window_start ORDER BY units) <= 2) AS q WHERE units > 1",
        "SELECT STREAM rowtime, ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO DAY) ORDER BY window_start, units) AS c FROM {}",
        "SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY window_start RANGE INTERVAL '10' MINUTE PRECEDING) AS c FROM {}",
        "SELECT STREAM rowtime, SUM(units) OVER (PARTITION BY window_end ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS c FROM {}",
    ],
)
def test_rows_of_overlapping_windows_and_a_stream_that_would_reject_them(
    planning: Planning, text: str, windows: str, overlap: bool, into: str
) -> None:
    planning.plan("CREATE STREAM Early (c BIGINT)")
    planning.plan("CREATE STREAM Late (ROWTIME TIMESTAMP NOT NULL LATENESS INTERVAL '1' HOUR, c BIGINT)")
    planning.plan("CREATE TABLE Kept (ROWTIME TIMESTAMP, c BIGINT)")
    query = text.format(f"TABLE({windows.format('TABLE Orders, DESCRIPTOR(rowtime)')})")
    refused = planning.plan(f"INSERT INTO {into} {query}")["notSupported"]
    assert [why.startswith("rows of overlapping windows") for why in refused] == [True] * (overlap and into == "Early")
    fields = planning.plan(query)["fields"]
    assert ("disorder" in fields[0]) is overlap


def test_rows_of_overlapping_windows_that_an_operator_above_puts_in_order(planning: Planning) -> None:
    planning.plan("CREATE STREAM Early (c BIGINT)")
    hops = "TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE, INTERVAL '30' MINUTE))"
    best = f"SELECT * FROM {hops} QUALIFY ROW_NUMBER() OVER (PARTITION BY window_end ORDER BY units) <= 2"
    first = "QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY units) = 1"
    insert = f"INSERT INTO Early SELECT STREAM rowtime, units FROM ({best}) AS q"
    assert planning.plan(insert)["notSupported"]
    assert planning.plan(f"{insert} {first}")["notSupported"] == []


@pytest.mark.parametrize("connector", ["files", "delta"])
@pytest.mark.parametrize("path", ["s3://bucket/orders", "/data/2024-*", "/data/{a,b}"])
def test_only_a_local_folder_is_written_to(planning: Planning, connector: str, path: str) -> None:
    format = ", format 'json'" if connector == "files" else ""
    for name, where in (("There", path), ("Here", "/data/orders")):
        planning.plan(
            f"CREATE FOREIGN TABLE {name} (c INTEGER) OPTIONS (connector '{connector}', path '{where}'{format})"
        )
    code, message, at = planning.error("INSERT INTO There VALUES (1)")
    assert (code, at) == ("RT0527", "There")
    assert f"'{path}' is not a local folder" in message
    assert planning.plan("INSERT INTO Here VALUES (1)")["notSupported"] == []


@pytest.mark.parametrize(
    ("condition", "at", "said"),
    [
        ("name SIMILAR TO '[a'", "'[a'", "The SIMILAR TO pattern '[a' has an unclosed bracket"),
        ("name NOT SIMILAR TO 'a!' ESCAPE '!'", "'a!'", "ends in its escape character"),
        ("name SIMILAR TO '[[:nothing:]]'", "'[[:nothing:]]'", "has an unknown character class"),
        ("name SIMILAR TO '*a'", "'*a'", "is not well-formed"),
        ("name SIMILAR TO 'a' ESCAPE '!!'", "'!!'", "The ESCAPE of a SIMILAR TO must be one character, not '!!'"),
        ("name LIKE 'a' ESCAPE ''", "''", "The ESCAPE of a LIKE must be one character, not ''"),
        ("name NOT LIKE 'a!b' ESCAPE '!'", "'a!b'", "has its escape character '!' before neither %, _ nor another one"),
        ("name LIKE 'a%!' ESCAPE '!'", "'a%!'", "has its escape character"),
    ],
)
def test_malformed_patterns(planning: Planning, condition: str, at: str, said: str) -> None:
    for sql in (
        f"SELECT * FROM Products WHERE {condition}",
        f"SELECT CASE WHEN {condition} THEN 1 END AS x FROM Products",
    ):
        code, message, place = planning.error(sql)
        assert (code, place) == ("RT0104", at)
        assert said in message
    planning.plan(
        "SELECT * FROM Products WHERE name LIKE '!%!!_' ESCAPE '!' AND name SIMILAR TO '(a|b)+[[:digit:]!]]*' ESCAPE '!'"
    )


def test_only_the_planner_says_what_cannot_run() -> None:
    """What `explain` calls runnable is not refused later: Python raises RT0900 only for what the planner reported."""
    package = Path(__file__).parents[3] / "python" / "rowtime"
    raises = [str(f.relative_to(package)) for f in package.rglob("*.py") if '"RT0900"' in f.read_text(encoding="utf-8")]
    assert raises == ["planner.py"]
