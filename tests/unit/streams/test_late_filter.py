"""The check of rows as they enter a log, by the cases that generated code has to pass too (`LateRowPredicateTest`)."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.streams.conftest import column

from rowtime.streams.late_filter import LateRecordFilter
from rowtime.streams.rules import Distance, Rules
from rowtime.types.columns import arrow_type, columns
from rowtime.types.orders import ColumnOrder

CASES = json.loads((Path(__file__).parents[2] / "lateness_cases.json").read_text())
TYPES = {"at": "TIMESTAMP(3)", "price": "DECIMAL(18, 2)", "count": "INTEGER"}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_cases_of_both_engines(case: dict[str, Any]) -> None:
    rules = _rules(case)
    clocks: dict[str, Any] = {}
    last: dict[str, Any] = {}
    for number, step in enumerate(case["steps"]):
        late = LateRecordFilter(rules, clocks, last)
        _, kept = late.check(_table(step["rows"]))
        late.close()
        found = [index for index, good in enumerate(kept.tolist()) if good]
        assert found == step["kept"], f"step {number}"


def _rules(case: dict[str, Any]) -> Rules:
    orders = {name: ColumnOrder(columns([column(name, type)])[0]) for name, type in TYPES.items()}
    lateness = []
    if case["at"] is not None:
        lateness.append(Distance(orders["at"], orders["at"].distance({"millis": case["at"]}, up=False)))
    if case["price"] is not None:
        cents = str(Decimal(case["price"]) / 100)
        lateness.append(Distance(orders["price"], orders["price"].distance({"number": cents}, up=False)))
    falling = case["falling"]
    monotonic = () if falling is None else ((orders["count"], not falling),)
    return Rules("T", tuple(order.column for order in orders.values()), None, None, (), tuple(lateness), monotonic)


def _table(rows: list[list[int | None]]) -> pa.Table:
    at, price, count = zip(*rows, strict=True)
    values: dict[str, list[Any]] = {
        "at": [None if value is None else value * 1000 for value in at],
        "price": [None if value is None else Decimal(value) / 100 for value in price],
        "count": list(count),
    }
    types = {name: arrow_type(columns([column(name, type)])[0].type) for name, type in TYPES.items()}
    return pa.table({name: pa.array(values[name], types[name]) for name in TYPES})
