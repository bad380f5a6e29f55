"""Which tables a streaming query reads as streams of their changes, and which it looks up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, v INTEGER)")
    planning.plan("CREATE TABLE u (k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE TABLE timed (time_of TIMESTAMP(3) MONOTONIC, k VARCHAR(10))")
    planning.plan(
        "CREATE FOREIGN TABLE f (k VARCHAR(10)) OPTIONS (connector 'jdbc', url 'jdbc:sqlite:/a', \"table\" 'f')"
    )
    planning.plan("CREATE MATERIALIZED VIEW m AS SELECT k, COUNT(*) AS n FROM s GROUP BY k")
    planning.plan("CREATE VIEW counted AS SELECT v, COUNT(*) AS n FROM t GROUP BY v")
    return planning


def scans(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if plan["op"] == "scan":
        yield plan["source"], plan["mode"]
    for below in plan["inputs"]:
        yield from scans(below)


@pytest.mark.parametrize(
    ("query", "found", "key"),
    [
        ("t", ["T changes"], [0]),
        ("m", ["M changes"], [0]),
        ("u", ["U changes"], None),
        ("counted", ["T changes"], [0]),
        ("(SELECT k, v FROM t WHERE v > 0)", ["T changes"], [0]),
        ("(SELECT v, n FROM m JOIN t ON m.k = t.k)", ["M changes", "T changes"], None),
        ("(SELECT * FROM t WHERE EXISTS (SELECT * FROM m WHERE m.k = t.k))", ["T changes", "M changes"], [0]),
        ("(SELECT k FROM t UNION SELECT k FROM u)", ["T changes", "U changes"], [0]),
        ("(SELECT * FROM FROM_CHANGELOG(TO_CHANGELOG(t)))", ["T changes"], [0]),
        # Beside a stream, a table is looked up, unless the query asks for its changes.
        ("(SELECT s.k, COUNT(*) AS n FROM s JOIN t ON s.k = t.k GROUP BY s.k)", ["S stream", "T relation"], [0]),
        (
            "(SELECT s.k, COUNT(*) AS n FROM s JOIN FROM_CHANGELOG(TO_CHANGELOG(t)) AS t ON s.k = t.k GROUP BY s.k)",
            ["S stream", "T changes"],
            [0],
        ),
    ],
)
def test_what_to_changelog_reads(planning: Planning, query: str, found: list[str], key: list[int] | None) -> None:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG({query})")
    assert statement["notSupported"] == []
    assert [" ".join(scan) for scan in scans(statement["plan"])] == found
    changelog = statement["plan"]["inputs"][0]
    assert (changelog["op"], changelog["key"]) == ("to_changelog", key)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE MATERIALIZED VIEW w AS SELECT n, COUNT(*) AS c FROM m GROUP BY n",
        "CREATE PUMP p AS INSERT INTO t SELECT STREAM k, n FROM m",
        "INSERT INTO t SELECT STREAM k, n FROM m",
    ],
)
def test_a_table_that_is_kept_reads_changes(planning: Planning, statement: str) -> None:
    found = planning.plan(statement)
    assert found["notSupported"] == []
    assert list(scans(found["plan"])) == [("M", "changes")]
    assert found["target"]["mode"] == "upsert"


def test_a_plain_stream_looks_changes_up(planning: Planning) -> None:
    found = planning.plan("SELECT STREAM s.k, t.v FROM s JOIN FROM_CHANGELOG(TO_CHANGELOG(t)) AS t ON s.k = t.k")
    assert set(scans(found["plan"])) == {("S", "stream"), ("T", "relation")}


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("SELECT STREAM * FROM t", "RT0102", "Cannot convert table 'T' to a stream"),
        ("CREATE PUMP p AS INSERT INTO u SELECT STREAM k, v FROM t", "RT0102", "Cannot convert table 'T' to a stream"),
        (
            "SELECT STREAM * FROM FROM_CHANGELOG(TO_CHANGELOG(t))",
            "RT0102",
            "Cannot stream FROM_CHANGELOG of a table: its changes are not a stream",
        ),
        (
            "CREATE MATERIALIZED VIEW w AS SELECT k FROM t WHERE k IN (SELECT k FROM s)",
            "RT0102",
            "Cannot convert table 'T' to a stream",
        ),
        (
            "SELECT STREAM * FROM TO_CHANGELOG(timed)",
            "RT0102",
            "Cannot read the changes of table 'TIMED': no commits say which rows have been removed",
        ),
        (
            "CREATE MATERIALIZED VIEW w AS SELECT t.k FROM t JOIN f ON t.k = f.k",
            "RT0102",
            "Cannot read the changes of foreign table 'F': no commits say which rows have been removed",
        ),
        (
            "CREATE MATERIALIZED VIEW w AS SELECT * FROM (VALUES (1))",
            "RT0321",
            "A materialized view needs a query over streams, or over tables that change",
        ),
        ("CREATE MATERIALIZED VIEW w AS SELECT v FROM t", "RT0215", None),
    ],
)
def test_tables_whose_changes_cannot_be_read(
    planning: Planning, statement: str, code: str, message: str | None
) -> None:
    found = planning.error(statement)
    assert found[0] == code
    assert message is None or found[1] == message


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("CREATE MATERIALIZED VIEW w AS SELECT k FROM timed", "A pump copies its rows into a stream"),
        ("SELECT STREAM * FROM TO_CHANGELOG(timed)", "without TO_CHANGELOG"),
        ("CREATE MATERIALIZED VIEW w AS SELECT STREAM k FROM timed", "A pump copies its rows into a stream"),
    ],
)
def test_how_a_table_with_an_order_is_read(planning: Planning, statement: str, hint: str) -> None:
    (found,) = planning.errors(statement)
    assert found["code"] == "RT0102"
    assert hint in found["hint"]
