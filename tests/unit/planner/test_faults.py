"""What the planner cannot plan, and what it fails at: a code and plain words, no name of a class."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.snapshot import Snapshot
from rowtime.errors import RowtimeError
from rowtime.explain.analysis import analyze
from rowtime.jvm.jpype import JpypePlanner
from rowtime.planner import plan

from .conftest import Planning

SCHEMA = """CREATE STREAM s (name VARCHAR(10), price DECIMAL(19, 4));
CREATE STREAM r (name VARCHAR(10)); CREATE TABLE t (n INTEGER);
"""


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ("SELECT STREAM AVG(price * NULL) OVER (RANGE INTERVAL '1' HOUR PRECEDING) / 2 AS a FROM s", "RT0113", (3, 27)),
        ("SELECT * FROM t FOR SYSTEM_TIME AS OF TIMESTAMP (SELECT 1)", "RT0125", (3, 15)),
        ("SELECT STREAM CASE WHEN price, price THEN 1 ELSE 2 END AS a FROM s", "RT0113", (3, 15)),
    ],
)
def test_what_calcite_fails_at(planner: JpypePlanner, query: str, code: str, place: tuple[int, int]) -> None:
    found = analyze(SCHEMA + query, MemoryCatalog(), planner).diagnostics
    assert [diagnostic.code for diagnostic in found if diagnostic.is_error] == [code]
    assert (found[0].line, found[0].column) == place


@pytest.mark.parametrize("literal", [r"U&'\0061bc'", "U&''", "_UTF16'abc'", "_UTF8'abc'", "N'abc'"])
def test_text_has_one_character_set(planner: JpypePlanner, literal: str) -> None:
    query = f"SELECT STREAM {literal} AS name, rowtime FROM s UNION ALL SELECT STREAM name, rowtime FROM r"
    assert analyze(SCHEMA + query, MemoryCatalog(), planner).diagnostics == []
    compared = f"SELECT STREAM name FROM r WHERE name = {literal} OR name LIKE {literal}"
    assert analyze(SCHEMA + compared, MemoryCatalog(), planner).diagnostics == []


def test_a_fault_of_the_planner(planner: JpypePlanner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWTIME_WAREHOUSE", str(tmp_path))
    columns = [{"name": "A", "type": "NO TYPE (", "nullable": True}]
    table = Entry("1", 1, {"name": "T", "kind": "TABLE", "columns": columns})
    damaged = Snapshot(CatalogState(1, {"T": table}))
    with pytest.raises(RowtimeError) as caught:
        plan(planner, damaged, "SELECT * FROM t")
    (found,) = caught.value.diagnostics
    log = tmp_path / "errors.log"
    assert (found.code, found.message) == ("RT0999", "The planner cannot handle this statement")
    assert found.hint == (
        f"This is a bug in rowtime, not an error in your SQL. Please report it with the statement, together with '{log}'"
    )
    assert re.search(r"Exception.*\n\s+at io\.rowtime\.", log.read_text())


@pytest.mark.parametrize("condition", ["IN (1, 2)", "NOT IN (1, 2)", "IN (1, 2, NULL)", "IN (CAST(1 AS BIGINT), 2)"])
def test_the_list_of_in_is_none_of_these(planning: Planning, condition: str) -> None:
    planning.plan(f"SELECT STREAM rowtime, units {condition} AS x FROM Orders WHERE units {condition}")
