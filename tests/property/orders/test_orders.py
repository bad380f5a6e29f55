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
        planned = planning.statement(f"SELECT STREAM * FROM {below}")
        assert planned is not None
        top = Operator.of(planned["plan"])
        for number, (arriving, watermark) in enumerate(cases.steps(source == "Late")):
            try:
                top.step({source.upper(): arriving}, watermark)
            except AssertionError as wrong:
                raise AssertionError(f"{wrong} in step {number} of\n" + "\n".join(texts)) from wrong
        rows += top.claims.rows
    assert rows > _EACH, "hardly any row has come out"
