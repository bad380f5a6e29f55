"""Statements that are wrong in the ways of Flink, Spark, BigQuery and PostgreSQL users: place, reason, and the way out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from doc_examples import ROOT, examples

from rowtime.splitter import Statement, split

from .conftest import Planning

PAGE = "docs/other-dialects.md"

WRONG = [
    # dialect, statement with the place marked by « », code, reason, way out
    ("a slip", "«FORM» Orders", "RT0001", "cannot begin with 'FORM'", "A query begins with SELECT"),
    ("a slip", "SELECT STREAM * FORM «Orders»", "RT0001", "Unexpected 'Orders'", "Did you mean FROM instead of FORM?"),
    ("PostgreSQL", "SELECT name «->»> 'a' FROM Products", "RT0001", "Unexpected '->'", "JSON_VALUE(text, '$.path')"),
    ("PostgreSQL", "SELECT * FROM Products WHERE name «~» '^a'", "RT0002", "Unexpected '~'", "REGEXP_LIKE(text, 'pattern')"),
    ("PostgreSQL", "SELECT * FROM Products WHERE name «!»~ '^a'", "RT0002", "Unexpected '!'", "REGEXP_LIKE(text, 'pattern')"),
    ("PostgreSQL", "CREATE TABLE n (id «SERIAL»)", "RT0306", "Unknown type of column 'ID'", "Write INTEGER"),
    ("PostgreSQL", "CREATE TABLE n (j «JSONB»)", "RT0306", "Unknown type of column 'J'", "read it by JSON_VALUE"),
    ("PostgreSQL", "«GRANT» SELECT ON Orders TO bob", "RT0001", "cannot begin with 'GRANT'", "permissions of the warehouse's folder"),
    ("PostgreSQL", "CREATE «TEMPORARY» TABLE n (a INTEGER)", "RT0001", "Unexpected 'TEMPORARY'", "until it is dropped"),
    ("Flink", "CREATE STREAM n (ts TIMESTAMP(3), WATERMARK «FOR» ts AS ts - INTERVAL '5' SECOND)", "RT0001", "Unexpected 'FOR'",
     "LATENESS INTERVAL '5' SECOND"),
    ("Flink", "SHOW «CREATE» TABLE Products", "RT0001", "Unexpected 'CREATE'", "in its column DEFINITION"),
    ("Flink", "CREATE TABLE n (s «STRING»)", "RT0306", "Unknown type of column 'S'", "Write VARCHAR"),
    ("Flink", "CREATE FOREIGN STREAM n (a INTEGER) WITH ('connector' = 'kafka', 'topic' = 't', «'properties.bootstrap.servers' = 'b:1'»)",
     "RT0523", "unknown option properties.bootstrap.servers", "Its name here is servers"),
    ("Flink", "CREATE FOREIGN STREAM n (a INTEGER) WITH («'connector' = 'filesystem'», 'path' = 'x')", "RT0522",
     "has connector 'filesystem'", "Its name here is 'files'"),
    ("ksqlDB", "SELECT STREAM * FROM Orders EMIT «CHANGES»", "RT0001", "Unexpected 'CHANGES'", "SELECT STREAM is continuous"),
    ("ksqlDB", "SELECT units, COUNT(*) FROM Orders GROUP BY units «EMIT» CHANGES", "RT0001", "Unexpected 'EMIT'", "SELECT STREAM is continuous"),
    ("Spark", "SELECT STREAM «window»(rowtime, '1 hour'), COUNT(*) FROM Orders GROUP BY window(rowtime, '1 hour')", "RT0001",
     "Unexpected 'window'", "Group by FLOOR(ROWTIME TO HOUR)"),
    ("Spark", "SELECT * FROM Products WHERE name = «\"bob\"»", "RT0112", "Column 'bob' not found", "If it is text, write 'bob'"),
    ("Spark", "SELECT * FROM Products WHERE «\"nam\"» = 'bob'", "RT0112", "Column 'nam' not found", "Did you mean 'NAME'? If it is text,"),
    ("Spark", "CREATE TABLE n (id INTEGER) «USING» DELTA", "RT0001", "Unexpected 'USING'", "CREATE FOREIGN TABLE"),
    ("Spark", "CREATE TABLE n (id INTEGER) «PARTITIONED» BY (id)", "RT0001", "Unexpected 'PARTITIONED'", "partition_by is an option"),
    ("Spark", "«REFRESH» TABLE Products", "RT0001", "cannot begin with 'REFRESH'", "always have the newest rows"),
    ("BigQuery", "CREATE TABLE n (ts «DATETIME»)", "RT0001", "Unexpected 'DATETIME'", "Write TIMESTAMP(3)"),
    ("BigQuery", "CREATE TABLE n (i «INT64»)", "RT0306", "Unknown type of column 'I'", "Write BIGINT"),
    ("BigQuery", "SELECT SAFE_CAST(name AS «STRING») FROM Products", "RT0110", "Unknown identifier 'STRING'", "Write VARCHAR"),
    ("BigQuery", "SELECT units AS u, COUNT(*) AS c FROM Orders GROUP BY «u»", "RT0112", "Column 'U' not found",
     "The name U is given to the result; here, write the expression: UNITS"),
    ("BigQuery", "SELECT units, COUNT(*) AS c FROM Orders GROUP BY units HAVING «c» > 1", "RT0112", "Column 'C' not found",
     "here, write the expression: COUNT(*)"),
    ("MySQL", "SELECT units FROM Orders «LIMIT 5, 10»", "RT0001", "LIMIT takes one number", "LIMIT count OFFSET start"),
    ("SQL Server", "SELECT TOP «5» units FROM Orders", "RT0001", "Unexpected '5'", "Write LIMIT 5 at the end"),
    ("PostgreSQL", "SELECT STREAM FLOOR(rowtime TO «HOURS») AS h FROM Orders", "RT0110", "'HOURS' is not a valid time frame", "Write HOUR"),
    ("PostgreSQL", "SELECT * FROM Orders WHERE rowtime < NOW() - INTERVAL «'1 hour 30 minutes'»", "RT0001", "Unexpected '1 hour 30 minutes'",
     "Write INTERVAL '1' HOUR + INTERVAL '30' MINUTE"),
    ("PostgreSQL", "SELECT rowtime + «'2 days'»::INTERVAL FROM Orders", "RT0001", "Unexpected '2 days'", "Write INTERVAL '2' DAY"),
    ("PostgreSQL", "SELECT name «#»>> '{a}' FROM Products", "RT0002", "Unexpected '#'", "JSON_VALUE(text, '$.path')"),
    ("PostgreSQL", "SELECT name FROM Products WHERE name «ISNULL»", "RT0001", "Unexpected 'ISNULL'", "Write IS NULL"),
    ("PostgreSQL", "SELECT productId, «unnest»(ARRAY[1]) FROM Products", "RT0001", "Unexpected 'unnest'", "CROSS JOIN UNNEST(array)"),
    ("PostgreSQL", "CREATE TABLE n (a INT«[»])", "RT0001", "Unexpected '['", "Write INTEGER ARRAY"),
    ("PostgreSQL", "CREATE TABLE n (a INT, b INT «GENERATED» ALWAYS AS IDENTITY)", "RT0001", "Unexpected 'GENERATED'", "rows are not numbered"),
    ("PostgreSQL", "CREATE TABLE n (a INT «CHECK» (a > 0))", "RT0001", "Unexpected 'CHECK'", "only types and NOT NULL are checked"),
    ("PostgreSQL", "ALTER TABLE Products «RENAME» TO Things", "RT0001", "Unexpected 'RENAME'", "An object keeps its name"),
    ("PostgreSQL", "DROP TABLE Products«,» Readings", "RT0001", "Unexpected ','", "Write a DROP for each object"),
    ("PostgreSQL", "«COMMENT» ON TABLE Products IS 'x'", "RT0001", "cannot begin with 'COMMENT'", "a comment of the script"),
    ("Flink", "SELECT * FROM TABLE(«CUMULATE(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)»)", "RT0114",
     "'CUMULATE' is not a table function", "running totals"),
    ("Flink", "CREATE FOREIGN STREAM n (id INT, t TIMESTAMP(3) «METADATA» FROM 'timestamp') WITH ('connector' = 'kafka')", "RT0001",
     "Unexpected 'METADATA'", "partition, offset, timestamp, key or headers"),
    ("Flink", "CREATE TABLE n «LIKE» Products", "RT0001", "Unexpected 'LIKE'", "CREATE TABLE name AS SELECT * FROM other"),
    ("Flink", "«STOP» JOB 'x'", "RT0001", "cannot begin with 'STOP'", "ALTER PUMP name STOP"),
    ("Flink", "«ADD» JAR '/x.jar'", "RT0001", "cannot begin with 'ADD'", "spark.jars"),
    ("Spark", "CREATE TABLE n (a INT) «TBLPROPERTIES» ('a' = 'b')", "RT0001", "Unexpected 'TBLPROPERTIES'", "OPTIONS (name 'value')"),
    ("Spark", "CREATE TABLE n (a INT) «LOCATION» '/x'", "RT0001", "Unexpected 'LOCATION'", "CREATE FOREIGN TABLE"),
    ("Spark", "CREATE TABLE n (a INT «COMMENT» 'x')", "RT0001", "Unexpected 'COMMENT'", "write a comment"),
    ("Spark", "ALTER TABLE Products «SET» TBLPROPERTIES ('a' = 'b')", "RT0001", "Expected OPTIONS", "Write SET OPTIONS (name 'value')"),
    ("Spark", "SELECT * FROM Products «DISTRIBUTE» BY name", "RT0001", "Unexpected 'DISTRIBUTE'", "ORDER BY sorts the result"),
    ("Spark", "CREATE TABLE n (m MAP<«STRING», INT>)", "RT0306", "Unknown type of column 'M'", "Write VARCHAR"),
    ("Spark", "SHOW «COLUMNS» FROM Products", "RT0001", "Unexpected 'COLUMNS'", "Write DESCRIBE name"),
    ("Spark", "SELECT units FROM Orders WHERE «!» units", "RT0002", "Unexpected '!'", "NOT for negation"),
    ("BigQuery", "SELECT name FROM Products WHERE name IN «UNNEST»(ARRAY['a'])", "RT0001", "Unexpected 'UNNEST'", "ARRAY_CONTAINS(array, value)"),
    ("BigQuery", "SELECT «STRUCT(1, 2)» FROM Products", "RT0114", "No match found", "ROW(a, b)"),
    ("BigQuery", "SELECT * FROM Orders «|»> WHERE units > 1", "RT0001", "Unexpected '|'", "come in the order SELECT, FROM, WHERE"),
    ("BigQuery", "SELECT «@»x FROM Products", "RT0002", "Unexpected '@'", "A parameter is written ?"),
    ("Snowflake", "SELECT DATEADD(hour«,» 1, rowtime) FROM Orders", "RT0001", "Unexpected ','", "TIMESTAMPADD(DAY, 1, ts)"),
    ("Snowflake", "CREATE «TASK» n SCHEDULE = '1 minute' AS SELECT 1", "RT0001", "Unexpected 'TASK'", "Write CREATE PUMP"),
    ("Materialize", "CREATE «SINK» n FROM Orders INTO KAFKA CONNECTION k (TOPIC 't') FORMAT JSON", "RT0001", "Unexpected 'SINK'", "a foreign stream or table, and a pump"),
    ("Materialize", "«SUBSCRIBE» Orders", "RT0001", "cannot begin with 'SUBSCRIBE'", "SELECT STREAM * FROM name"),
    ("ksqlDB", "CREATE STREAM n (id INT «KEY», name VARCHAR) WITH (KAFKA_TOPIC = 's')", "RT0001", "Unexpected 'KEY'", "key 'ID'"),
    ("a slip", "SELECT * FROM Products WHERE productId IN (1, 2,«)»", "RT0001", "Unexpected ')'", "Remove the comma before )"),
    ("PostgreSQL", "«SELECT STREAM COUNT(*) FROM Orders»", "RT0201", "at least one monotonic expression", "Group by a monotonic time"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "marked", "code", "reason", "way_out"), WRONG, ids=[case[1] for case in WRONG])
def test_a_habit_from_elsewhere(
    planning: Planning, dialect: str, marked: str, code: str, reason: str, way_out: str
) -> None:
    assert dialect
    (place,) = re.findall("«(.*)»", marked)
    (found,) = planning.errors(marked.replace("«", "").replace("»", ""))
    assert (found["code"], found["at"], found["column"]) == (code, place, marked.index("«") + 1)
    assert reason in found["message"]
    assert way_out in (found["hint"] or "")


@pytest.mark.parametrize("place", [place for place in examples("sql") if place.startswith(PAGE)])
def test_the_page_says_what_the_planner_says(planner: Any, place: str) -> None:
    """Each error, its hint included; that the other statements run is the matter of the tests of the documentation."""
    script = examples("sql")[place]
    planning = Planning(planner)
    found = []
    for step in split(script).steps:
        assert isinstance(step, Statement)
        reply = planning.reply(step.text, step.line, step.column)
        found += [d for d in reply["diagnostics"] if d["severity"] == "error"]
    said = re.findall(r"^--! (\d+):(\d+) (RT\d+) (.*)\n-- hint: (.*)$", script, re.MULTILINE)
    assert [(str(d["line"]), str(d["column"]), d["code"], d["message"], d["hint"]) for d in found] == said


def test_the_page_has_twenty_statements() -> None:
    assert len(re.findall("^-- hint: ", Path(ROOT / PAGE).read_text(), re.MULTILINE)) > 20


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CURRENT_TIMESTAMP() AS t, CURRENT_DATE() AS d, GETDATE() AS g FROM Orders",
        "SELECT IFF(units > 1, 'a', 'b') AS size FROM Orders",
        "SELECT productId FROM Products MINUS SELECT units FROM Orders",
        "SELECT FORMAT_TIMESTAMP('%Y', rowtime) AS y, PARSE_TIMESTAMP('%Y', '2024') AS t FROM Orders",
    ],
)
def test_what_works_as_it_is(planning: Planning, sql: str) -> None:
    assert planning.plan(sql)["notSupported"] == []


def test_an_aggregate_without_group_by_does_not_say_also(planning: Planning) -> None:
    for sql, also in (
        ("SELECT STREAM COUNT(*) FROM Orders", False),
        ("SELECT STREAM units, COUNT(*) FROM Orders GROUP BY units", True),
    ):
        (found,) = planning.errors(sql)
        assert ("also" in found["hint"].lower()) == also


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO HOUR) HAVING FALSE",
        "SELECT units, COUNT(*) AS c FROM Orders GROUP BY units HAVING FALSE",
        "SELECT COUNT(*) AS c FROM Orders HAVING FALSE",
    ],
)
def test_having_false_is_a_condition(planning: Planning, sql: str) -> None:
    planned = planning.plan(sql)
    assert not planned["notSupported"]
    assert '"op": "scan"' in str(planned["plan"]).replace("'", '"')


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DECODE(1) FROM Orders",
        "SELECT PERCENTILE_CONT(0.5) FROM Orders",
        "SELECT UNIX_TIMESTAMP(1, 2) FROM Orders",
        "SELECT HOP(rowtime) FROM Orders GROUP BY HOP(rowtime)",
        "SELECT STREAM TUMBLE_START(units, INTERVAL '1' HOUR) FROM Orders GROUP BY TUMBLE(units, INTERVAL '1' HOUR)",
        "SELECT STREAM SESSION_START(units, INTERVAL '1' HOUR) FROM Orders GROUP BY SESSION(units, INTERVAL '1' HOUR)",
    ],
)
def test_no_internal_name_is_shown(planning: Planning, sql: str) -> None:
    for found in planning.errors(sql):
        assert not re.search(r"\$[A-Z]", f"{found['message']} {found['hint']}"), found


def test_hop_by_the_rowtime_of_a_join(planning: Planning) -> None:
    planned = planning.plan(
        "SELECT STREAM HOP_START(rowtime, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) AS h, COUNT(*) AS c FROM Orders AS o JOIN "
        "Shipments OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS s ON o.orderId = s.orderId "
        "GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)"
    )
    assert planned["notSupported"] == []
