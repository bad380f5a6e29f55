"""GROUP BY a time that DATE_FORMAT has made text."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), t TIMESTAMP(3), v INTEGER)")
    return planning


def query(key: str) -> str:
    return f"SELECT STREAM {key} AS d, k, COUNT(*) AS c FROM s WHERE v > 1 GROUP BY {key}, k HAVING COUNT(*) > 1"


@pytest.mark.parametrize(
    ("pattern", "retention"),
    [
        ("yyyy", "PT8784H"),
        ("yyyy-MM", "PT744H"),
        ("yyyyMMdd", "PT24H"),
        ("yyyy-MM-dd HH", "PT1H"),
        ("HH:mm, dd.MM.yyyy", "PT1M"),
        ("yyyy-MM-dd''T''HH:mm:ss", "PT1S"),
    ],
)
def test_a_group_is_complete_after_the_unit_that_its_text_stands_for(
    planning: Planning, pattern: str, retention: str
) -> None:
    statement = planning.plan(query(f"DATE_FORMAT(rowtime + INTERVAL '1' MINUTE, '{pattern}')"))
    assert statement["notSupported"] == []
    node = statement["plan"]
    while node["op"] != "aggregate":
        (node,) = node["inputs"]
    assert (node["state"]["bound"], node["state"]["retention"]) == ("window", retention)


@pytest.mark.parametrize(
    "key",
    [
        # Two digits of a year, a month without its year, a day of a year, and what stands for something else.
        "DATE_FORMAT(rowtime, 'yy-MM')",
        "DATE_FORMAT(rowtime, 'MM-dd')",
        "DATE_FORMAT(rowtime, 'yyyy-dd')",
        "DATE_FORMAT(rowtime, 'yyyy-MM-dd hh')",
        "DATE_FORMAT(rowtime, 'yyyy-MMM-dd')",
        "DATE_FORMAT(rowtime, 'yyyy-M')",
        "DATE_FORMAT(rowtime, 'yyyy[-MM]')",
        "DATE_FORMAT(rowtime, '''yyyy''')",
        "DATE_FORMAT(rowtime, k)",
        # A time that says nothing of later ones.
        "DATE_FORMAT(t, 'yyyy-MM-dd')",
    ],
)
def test_other_texts_say_nothing_of_when_a_group_is_complete(planning: Planning, key: str) -> None:
    assert [error["code"] for error in planning.errors(query(key))] == ["RT0201"]
