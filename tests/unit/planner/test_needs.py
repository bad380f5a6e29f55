"""What a plan needs of the engine. `explain` and the launcher read the same field of the plan, so they agree."""

from __future__ import annotations

from typing import Any

import pytest
from planned import Planning

from rowtime.explain import facts
from rowtime.explain.settings import settings
from rowtime.plan.codec import decode_plan
from rowtime.plan.operators import needs_order, needs_state_store, needs_watermark
from rowtime.sparksql.settings import streaming_settings

FILES = "OPTIONS (connector 'files', path '/orders', format 'json')"
CASES = [
    ("SELECT STREAM * FROM Orders", False, False),
    ("SELECT STREAM FLOOR(rowtime TO HOUR), COUNT(*) FROM Orders GROUP BY FLOOR(rowtime TO HOUR)", True, False),
    ("SELECT STREAM rowtime, SUM(units) OVER (ORDER BY rowtime ROWS 2 PRECEDING) FROM Orders", True, True),
    ("SELECT STREAM * FROM Orders ORDER BY FLOOR(rowtime TO HOUR)", True, True),
    ("SELECT STREAM * FROM At_once", False, False),
    ("SELECT STREAM units FROM Waiting WHERE units > 3", True, True),
    ("SELECT STREAM w.units FROM Waiting w JOIN Products p ON p.productId = w.units", True, True),
]


@pytest.fixture
def schema(planning: Planning) -> Planning:
    planning.plan(f"CREATE FOREIGN STREAM At_once (rowtime TIMESTAMP NOT NULL, units INTEGER) {FILES}")
    planning.plan(
        "CREATE FOREIGN STREAM Waiting "
        f"(rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '1' MINUTE, units INTEGER) {FILES}"
    )
    return planning


@pytest.mark.parametrize(("sql", "watermark", "state_store"), CASES)
def test_explain_and_run_read_the_same_needs(schema: Planning, sql: str, watermark: bool, state_store: bool) -> None:
    planned: dict[str, Any] = schema.reply(sql)["statement"]
    plan = decode_plan(planned["plan"])
    assert (needs_watermark(plan), needs_state_store(plan)) == (watermark, state_store)
    assert facts.needs(planned["plan"], "WATERMARK") == watermark
    assert any(line.startswith("waits for") for line in facts.remarks(planned)) == watermark
    assert facts.needs(planned["plan"], "ORDER") == needs_order(plan)
    shown = settings(planned)
    partitions = next(line.split("=")[1] for line in shown if line.startswith("spark.sql.shuffle.partitions="))
    used = streaming_settings(int(partitions), operators=needs_state_store(plan), local=True)
    assert shown == [f"{key}={value}" for key, value in sorted(used.items())]


@pytest.mark.parametrize(("sql", "watermark", "state_store"), CASES)
def test_a_node_that_needs_a_state_says_what_it_holds(
    schema: Planning, sql: str, watermark: bool, state_store: bool
) -> None:
    plan: dict[str, Any] = schema.plan(sql)["plan"]
    holding = [node for node in facts.nodes(plan) if {"WATERMARK", "STATE_STORE"} & {*node["needs"]}]
    assert bool(holding) == (watermark or state_store)
    assert [node["op"] for node in holding if node["state"]["bound"] == "none"] == []


def test_a_foreign_stream_says_which_rows_it_holds(schema: Planning) -> None:
    schema.plan(
        "CREATE FOREIGN STREAM Counted "
        f"(rowtime TIMESTAMP NOT NULL LATENESS INTERVAL '5' MINUTE, number INTEGER LATENESS 3) {FILES}"
    )
    states = [schema.plan(f"SELECT STREAM * FROM {name}")["plan"] for name in ("At_once", "Waiting", "Counted")]
    found = [next(node for node in facts.nodes(plan) if node["op"] == "scan")["state"] for plan in states]
    assert [(state["bound"], state.get("retention"), state["why"]) for state in found] == [
        ("none", None, "handles each row separately"),
        (
            "window",
            "PT1M",
            "a row waits until the bound of 'ROWTIME', which stays PT1M behind the latest row, reaches it",
        ),
        ("constant", None, "the largest value of each column with LATENESS"),
    ]
