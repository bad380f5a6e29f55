"""Pumps that insert the changes of random results, replaced by pumps of a slightly different query: what has the same
signature has the same rows in DuckDB. Otherwise rows would be taken back that were never inserted."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import duckdb
from planned import Planning

from .changelogs import CHANGES, COLUMNS, LIVE, RECENT, ROWS, STREAM, VIEWS, Query, _change, _row, query

SOURCES = [STREAM, STREAM, ROWS, RECENT, LIVE]
EDITS = [
    (r"\bDESC\b", ""), (r"NULLS FIRST", "NULLS LAST"), (r"NULLS LAST", "NULLS FIRST"), (r"\bSUM\(", "MIN("),
    (r"\bMIN\(", "MAX("), (r"\bMAX\(", "MIN("), (r"COUNT\(\*\)", "COUNT(*) + 1"), (r"\((SUM|COUNT)\(DISTINCT ", r"\1("),
    (r"\bINNER JOIN", "LEFT JOIN"), (r"\bLEFT JOIN", "RIGHT JOIN"), (r"\bRIGHT JOIN", "FULL JOIN"),
    (r"NOT EXISTS", "EXISTS"), (r"UNION ALL", "UNION"), (r"UNION(?! ALL)", "UNION ALL"), (r"EXCEPT ALL", "EXCEPT"),
    (r"EXCEPT(?! ALL)", "INTERSECT"), (r"INTERSECT ALL", "INTERSECT"), (r"\bROW_NUMBER", "RANK"),
    (r"\bRANK", "DENSE_RANK"), (r"n <= \d", "n <= 4"), (r"n = ", "n <= "), (r"BETWEEN 2 AND", "BETWEEN 1 AND"),
    (r" > 1\b", " > 2"), (r" > 2\b", " >= 2"), (r" < 4", " < 3"), (r"IS NOT NULL", "IS NULL"), (r"\bc0\b", "c1"),
    (r"\bc1\b", "c0"), (r"\bc2\b", "c1"), (r"\bl\.v\b", "l.g"), (r"\br\.g\b", "r.v"), (r"\bg\b", "v"), (r"\bv\b", "g"),
    (r"1 PRECEDING", "2 PRECEDING"), (r"UNBOUNDED FOLLOWING", "1 FOLLOWING"), (r", 7\)", ", 8)"),
    (r"FIRST_VALUE", "LAST_VALUE"), (r" \* 2 \+ 1", " * 2 + 2"), (r"PARTITION BY c0", "PARTITION BY c1"),
    (r" WHERE ", " WHERE NOT "), (r"l\.v < r\.v", "l.v <= r.v"),
]  # fmt: skip
"""What is replaced once, at a random place, and by what."""
SAMPLES = 6


def edited(sql: str, chance: random.Random) -> str:
    """Returns a query with one difference."""
    pattern, by = chance.choice([edit for edit in EDITS if re.search(edit[0], sql)])
    place = chance.choice(list(re.finditer(pattern, sql)))
    return sql[: place.start()] + place.expand(by) + sql[place.end() :]


def signature(planning: Planning, of: Query) -> tuple[Any, ...] | None:
    """Returns what is recorded of a pump with the changes of a query; None if it cannot run, or its rows are final."""
    sql = of.sql.replace("{}", of.source.stream)
    try:
        fields = planning.plan(f"SELECT * FROM ({sql}) AS q")["fields"]
        listed = ", ".join(f"{field['name']} {field['type']}" for field in fields)
        planning.plan(f"CREATE OR REPLACE TABLE changes (op TINYINT, {listed})")
        values = ", ".join(f"payload.{field['name']}" for field in fields)
        made = planning.plan(f"INSERT INTO changes SELECT STREAM op, {values} FROM TO_CHANGELOG(({sql}))")
    except AssertionError:
        return None
    meaning = made["target"].get("meaning")
    return None if made["notSupported"] or meaning is None else (meaning, *_signatures(made["plan"]))


def _signatures(node: dict[str, Any]) -> list[str]:
    found = [each for child in node["inputs"] for each in _signatures(child)]
    return [*found, node["signature"]] if node["signature"] else found


def rows_differ(duck: duckdb.DuckDBPyConnection, queries: list[Query], chance: random.Random) -> bool:
    """Returns whether two queries have other rows for some random input."""
    for _ in range(SAMPLES):
        for name in ("s", "c"):
            duck.execute(f"DELETE FROM {name}")
            for minute in range(4):
                numbers = range(100 * minute, 100 * minute + 8)
                rows = [_row(chance, minute) if name == "s" else _change(chance, minute, n) for n in numbers]
                duck.execute(f"INSERT INTO {name} VALUES {', '.join(rows)}")
        found = [Counter(duck.execute(each.sql.replace("{}", each.source.table)).fetchall()) for each in queries]
        if found[0] != found[1]:
            return True
    return False


def test_a_pump_of_changes_is_replaced_only_by_one_of_the_same_result(planner: Any, thorough: bool) -> None:
    planning, duck, chance = Planning(planner), duckdb.connect(), random.Random(1)
    for name, columns in (("s", COLUMNS), ("c", CHANGES)):
        planning.plan(f"CREATE STREAM {name} (rowtime TIMESTAMP NOT NULL, {columns}) OPTIONS (history 'all')")
        duck.execute(f"CREATE TABLE {name} (rowtime TIMESTAMP, {columns})")
    for view in VIEWS:
        duck.execute(view)
    same = other = 0
    for _ in range(3000 if thorough else 60):
        first = replace(query(chance), source=chance.choice(SOURCES))
        recorded = signature(planning, first)
        for _ in range(0 if recorded is None else 5):
            second = replace(first, sql=edited(first.sql, chance))
            found = signature(planning, second)
            if found is None:
                continue
            if found != recorded:
                other += 1
                continue
            same += 1
            assert not rows_differ(duck, [first, second], chance), f"{first.sql}\n{second.sql}"
    assert same > 0
    assert other > 0
