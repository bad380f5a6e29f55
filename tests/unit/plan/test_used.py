from __future__ import annotations

import copy
from typing import Any

from plan_samples import SCAN, TIME, UNITS, node, ref

from rowtime.plan.codec import decode_plan
from rowtime.plan.used import used_fields


def used(plan: dict[str, Any]) -> dict[int, frozenset[int]]:
    return used_fields(decode_plan(plan))


def scan() -> dict[str, Any]:
    return copy.deepcopy(SCAN)


def test_what_a_projection_and_the_conditions_below_it_read_is_used() -> None:
    condition = {"kind": "call", "op": ">", "type": "BOOLEAN", "nullable": False, "args": [ref(1), ref(1)]}
    below = node("filter", [scan()], [TIME, UNITS], condition=condition)
    plan = node("project", [below], [TIME], exprs=[ref(0, "TIMESTAMP(3)")])
    assert used(plan) == {SCAN["id"]: frozenset({0, 1})}
    assert used(node("project", [scan()], [UNITS], exprs=[ref(1)])) == {SCAN["id"]: frozenset({1})}


def test_without_a_projection_all_may_be_used() -> None:
    condition = {"kind": "call", "op": ">", "type": "BOOLEAN", "nullable": False, "args": [ref(1), ref(1)]}
    assert used(node("filter", [scan()], [TIME, UNITS], condition=condition)) == {}
    union = node("union", [scan(), scan()], [TIME, UNITS], all=True, closes=ref(0, "TIMESTAMP(3)"))
    assert used(node("project", [union], [UNITS], exprs=[ref(1)])) == {}
