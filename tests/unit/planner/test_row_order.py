"""In which order rows come to operators, from one micro-batch to the next, and what the plan says that follows."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning, nodes

LATE = "CREATE STREAM Late (rowtime TIMESTAMP LATENESS INTERVAL '10' SECOND, productId INTEGER, units INTEGER)"
HOUR = "FLOOR(rowtime TO HOUR)"
GROUPS = "SELECT STREAM {0} AS rowtime, productId, COUNT(DISTINCT units) AS units FROM {1} GROUP BY {0}, productId"
HOP = "HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '1' HOUR)"


@pytest.fixture
def late(planning: Planning) -> Planning:
    planning.plan(LATE)
    return planning


def arrival(node: dict[str, Any], field: str = "arrival") -> list[tuple[bool, int | None, bool]]:
    """Whether rows come out of order, how far, and whether results may come early: where the rows of the result have to
    be in order, and where not."""
    both = (node[field][case] for case in ("ordered", "unordered"))
    return [(case["disordered"], case["maxDisorder"], case["early"]) for case in both]


def test_groups_of_one_task_stay_in_order_and_those_of_several_where_it_is_asked_for(late: Planning) -> None:
    one = late.plan(f"SELECT STREAM {HOUR} AS rowtime, COUNT(DISTINCT units) AS c FROM Orders GROUP BY {HOUR}")["plan"]
    (group,) = nodes(one, "group_aggregate")
    assert (group["partition"], arrival(group)) == ([], [(False, 0, True), (False, 0, True)])
    assert group["inOrder"] == "ALWAYS"
    several = late.plan(GROUPS.format(HOUR, "Orders"))["plan"]
    (group,) = nodes(several, "group_aggregate")
    assert [group["inputs"][0]["fields"][i]["name"] for i in group["partition"]] == ["PRODUCTID"]
    assert arrival(group) == [(False, 0, False), (False, 0, True)]
    assert (group["inOrder"], several["inOrder"]) == ("ORDERED", "ORDERED")


def test_lateness_tells_how_far_rows_go_back(late: Planning) -> None:
    plan = late.plan("SELECT STREAM rowtime, COUNT(*) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS c FROM Late")["plan"]
    assert [scan["inOrder"] for scan in nodes(plan, "scan")] == ["NEVER"]
    (window,) = nodes(plan, "window")
    assert arrival(window["passes"][0]) == [(True, 10_000, True), (True, 10_000, True)]
    # one task gives all rows in order
    assert window["inOrder"] == "ALWAYS"


def test_panes_go_back_by_whole_panes(late: Planning) -> None:
    plan = late.plan(
        f"SELECT STREAM HOP_END(rowtime, INTERVAL '20' MINUTE, INTERVAL '1' HOUR) AS rowtime, "
        f"productId, SUM(units) AS s FROM Late GROUP BY {HOP}, productId"
    )["plan"]
    (hop,) = nodes(plan, "hop_aggregate")
    assert arrival(hop) == [(True, 1_200_000, False), (True, 1_200_000, True)]


def test_sessions_take_the_word_of_rows_that_are_rounded_for_less(late: Planning) -> None:
    sql = (
        "SELECT STREAM SESSION_END(rowtime, INTERVAL '5' MINUTE) AS rowtime, productId, SUM(units) AS s FROM {0} "
        "GROUP BY SESSION(rowtime, INTERVAL '5' MINUTE), productId"
    )
    (steady,) = nodes(late.plan(sql.format("Late"))["plan"], "session_aggregate")
    assert arrival(steady) == [(True, None, False), (True, 10_000, True)]
    minutes = "(SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, productId, units FROM Late)"
    (rounded,) = nodes(late.plan(sql.format(minutes))["plan"], "session_aggregate")
    assert arrival(rounded) == [(True, None, False), (True, 60_000, True)]


def test_what_has_been_mixed_below_proves_nothing_above(late: Planning) -> None:
    minutes = GROUPS.format("FLOOR(rowtime TO MINUTE)", "Orders")
    (hours, below) = nodes(late.plan(GROUPS.format(HOUR, f"({minutes})"))["plan"], "group_aggregate")
    assert arrival(below) == [(False, 0, False), (False, 0, True)]
    assert arrival(hours) == [(False, 0, False), (True, None, True)]
    joined = late.plan(
        f"SELECT STREAM a.rowtime, b.units FROM Late AS a JOIN ({minutes}) AS b ON a.productId = b.productId "
        "AND a.rowtime BETWEEN b.rowtime AND b.rowtime + INTERVAL '1' MINUTE"
    )["plan"]
    (join,) = nodes(joined, "interval_join")
    assert [case[:2] for case in arrival(join, "leftArrival")] == [(True, 10_000), (True, 10_000)]
    assert [case[:2] for case in arrival(join, "rightArrival")] == [(False, 0), (True, None)]
    assert join["inOrder"] == "ORDERED"


def test_rows_that_wait_in_a_pass_come_in_order_to_the_next(late: Planning) -> None:
    ahead = "RANGE BETWEEN CURRENT ROW AND INTERVAL '60' SECOND FOLLOWING"
    plan = late.plan(
        f"SELECT STREAM rowtime, COUNT(*) OVER (PARTITION BY productId {ahead}) AS a, "
        f"COUNT(*) OVER (PARTITION BY units {ahead}) AS b FROM Orders"
    )["plan"]
    first, last = (arrival(one) for one in nodes(plan, "window")[0]["passes"])
    assert first == [(True, None, False), (True, None, False)]
    assert last == [(True, None, False), (False, 0, True)]
    assert plan["inOrder"] == "ORDERED"
    (following,) = nodes(
        late.plan("SELECT STREAM rowtime, LEAD(units) OVER (PARTITION BY units) FROM Orders")["plan"], "window"
    )
    assert following["inOrder"] == "NEVER"
