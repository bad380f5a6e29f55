"""What the planner claims about the order of rows, against the rows themselves: random views one above the other, over
streams in order and with LATENESS, are run step by step by the plan's own word. No bound, order, disorder, or end of a
group may be contradicted by a row that comes later."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from .cases import STREAMS, Cases
from .operators import Operator

CASES = {"seed": (10, 500)}
_EACH = 12


class Planning:
    def __init__(self, planner: Any) -> None:
        self._planner = planner
        self._catalog: dict[str, Any] = {"version": 0, "objects": [], "lateness": []}

    def statement(self, sql: str) -> dict[str, Any] | None:
        """Returns the planned statement, which counts for those that follow; None if it is refused."""
        request = {"sql": sql, "line": 1, "column": 1}
        planned = json.loads(self._planner.plan(json.dumps(self._catalog), json.dumps(request)))["statement"]
        for change in (planned or {}).get("changes", []):
            self._catalog["version"] += 1
            self._catalog["objects"].append(change["object"])
        return planned


def test_no_row_contradicts_the_planner(planner: Any, seed: int) -> None:
    random = Random(seed)
    rows = 0
    for _ in range(_EACH):
        cases, planning = Cases(random), Planning(planner)
        for create in STREAMS.format(late=cases.late).strip().split(";\n"):
            assert planning.statement(create) is not None
        source = random.choice(["Exact", "Late"])
        below, texts = source, [f"LATENESS {cases.late} s: {source}"]
        for level in range(random.randint(1, 4)):
            text = cases.statement(below)
            if planning.statement(f"CREATE VIEW v{level} AS {text}") is None:
                continue
            found = planning.statement(f"SELECT STREAM * FROM v{level}")
            if found is None or found["notSupported"]:
                continue
            below = f"v{level}"
            texts.append(f"{below}: {text}")
        rows += _rows(planning, below, source, cases.steps(source == "Late"), texts)
    assert rows > _EACH, "hardly any row has come out"


def test_groups_of_a_window_that_are_complete_before_it(planner: Any) -> None:
    planning = Planning(planner)
    texts = [
        "CREATE STREAM Exact (k INTEGER NOT NULL)",
        "CREATE VIEW v AS "
        "SELECT rowtime, k FROM Exact UNION ALL SELECT FLOOR(rowtime TO SECOND) AS rowtime, k FROM Exact",
        "CREATE VIEW w AS SELECT window_start AS a, rowtime, COUNT(*) AS n FROM "
        "TABLE(HOP(TABLE v, DESCRIPTOR(rowtime), INTERVAL '20' SECOND, INTERVAL '30' SECOND)) "
        "GROUP BY window_start, rowtime",
    ]
    for text in texts:
        assert planning.statement(text) is not None
    steps: list[tuple[list[list[object]], int]] = [([[time, 1]], time) for time in (1_500, 9_200, 31_000)]
    assert _rows(planning, "w", "Exact", [*steps, ([], 10**6)], texts) == 9


def _rows(
    planning: Planning, view: str, source: str, steps: list[tuple[list[list[object]], int]], texts: list[str]
) -> int:
    """Returns the number of rows that come out of a view, all of which are as the planner says."""
    planned = planning.statement(f"SELECT STREAM * FROM {view}")
    assert planned is not None
    top = Operator.of(planned["plan"])
    for number, (arriving, watermark) in enumerate(steps):
        try:
            top.step({source.upper(): arriving}, watermark)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong} in step {number} of\n" + "\n".join(texts)) from wrong
    return top.claims.rows
