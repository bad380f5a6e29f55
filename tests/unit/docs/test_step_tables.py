"""The step tables of the pages about joins say what their scripts say."""

from __future__ import annotations

from pathlib import Path

import pytest
import step_tables

DOCS = Path(__file__).parents[3] / "docs"
JOINS = ("joins", "outer_joins", "lookup_joins", "temporal_joins", "asof_joins")


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_tables_are_those_of_their_scripts(page: Path) -> None:
    for script, table in step_tables.tables(page.read_text()):
        assert table == step_tables.table(script)


@pytest.mark.parametrize("name", JOINS)
def test_each_kind_of_join_has_one(name: str) -> None:
    assert list(step_tables.tables((DOCS / f"{name}.md").read_text()))


def test_what_a_table_shows() -> None:
    script = """CREATE STREAM a (n INTEGER, s VARCHAR(9));
CREATE TABLE t (n INTEGER);
SELECT STREAM n FROM a;
-- Step 1: rows.
!producer P
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'x, (y)'),
  (TIMESTAMP '2024-05-01 10:01:00', 2, NULL);
--> 1 | 1 |
-- Step 2
!bound a '2024-05-01 11:00:00'
UPDATE t SET n = 2
WHERE n = 1;
--> 1 | 2 | y
"""
    assert step_tables.table(script) == (
        "| step | a | t | rows out |\n| --- | --- | --- | --- |\n"
        "| 1 | 10:00:00 1 x, (y)<br>10:01:00 2 NULL | | 1 NULL |\n"
        "| 2 | bound 11:00:00 | `UPDATE t SET n = 2 WHERE n = 1` | 2 y |\n"
    )
