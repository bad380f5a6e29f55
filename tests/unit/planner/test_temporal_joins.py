"""Joins with versions: whose versions are told apart by what, and what is known of the result."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes


@pytest.fixture
def versions(planning: Planning) -> Planning:
    planning.plan("CREATE STREAM prices (x DECIMAL(10, 2) PRIMARY KEY, name VARCHAR(3), ts TIMESTAMP(3) NOT NULL)")
    planning.plan("CREATE STREAM asks (i INTEGER, d DECIMAL(12, 2), name VARCHAR(8), seqno INTEGER NOT NULL MONOTONIC)")
    return planning


def temporal(planning: Planning, condition: str, time: str = "a.rowtime") -> dict:
    sql = f"SELECT STREAM a.rowtime, a.i FROM asks AS a JOIN prices FOR SYSTEM_TIME AS OF {time} AS p ON {condition}"
    (found,) = nodes(planning.plan(sql)["plan"], "temporal_join")
    return found


def test_the_primary_key_in_a_wider_type_is_the_key(versions: Planning) -> None:
    join = temporal(versions, "p.x = a.d AND p.name = a.name")
    assert (len(join["leftKeys"]), join["identity"]) == (1, [])
    assert join["condition"] is not None


@pytest.mark.parametrize("condition", ["CAST(p.x AS INTEGER) = a.i", "p.name = a.name", "TRUE"])
def test_else_versions_are_told_apart_by_the_primary_key(versions: Planning, condition: str) -> None:
    join = temporal(versions, condition)
    assert (join["identity"], join["oneTask"]) == ([1], True)


def test_versions_with_a_part_of_the_primary_key_in_common_are_in_one_task_each(planning: Planning) -> None:
    planning.plan("CREATE STREAM prices (x INTEGER, y INTEGER, name VARCHAR(3), PRIMARY KEY (x, y))")
    planning.plan("CREATE STREAM asks (i INTEGER, name VARCHAR(3))")
    join = temporal(planning, "p.y = a.i AND p.name = a.name")
    assert (len(join["rightKeys"]), join["identity"], join["oneTask"]) == (1, [1, 2], False)
    assert join["condition"] is not None


@pytest.mark.parametrize(
    ("time", "shift"),
    [
        ("a.rowtime", 0),
        ("rowtime", 0),
        ("a.rowtime - INTERVAL '1' HOUR", -3_600_000),
        ("a.rowtime + INTERVAL '5' SECOND", 5000),
    ],
)
def test_the_time_is_so_long_after_rowtime(versions: Planning, time: str, shift: int) -> None:
    join = temporal(versions, "p.x = a.d", time)
    assert join["shift"] == shift
    # The rows, or their versions, have to be so much further than the others for the join to be as far as the rows.
    clocks = [sum(step["millis"] for step in node["clock"]) for node in (join, *join["inputs"])]
    assert clocks == [max(-shift, 0), max(-shift, 0), max(shift, 0)]


def test_an_order_of_arrival_ends_at_the_join(versions: Planning) -> None:
    fields = temporal(versions, "p.x = a.d")["fields"]
    assert {field["name"]: field["monotonicity"] for field in fields} == {
        "ROWTIME": "INCREASING", "I": "NOT_MONOTONIC", "D": "NOT_MONOTONIC", "NAME": "NOT_MONOTONIC", "SEQNO": "NOT_MONOTONIC",
        "ROWTIME0": "NOT_MONOTONIC", "X": "NOT_MONOTONIC", "NAME0": "NOT_MONOTONIC", "TS": "NOT_MONOTONIC",
    }  # fmt: skip
