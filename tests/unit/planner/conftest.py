"""The schema of the tests of the planner."""

from __future__ import annotations

from typing import Any

import pytest
from planned import Planning

ORDERS = """
CREATE STREAM Orders (productId INTEGER, orderId INTEGER MONOTONIC, units INTEGER, price DECIMAL(10, 2)) OPTIONS (history 'all');
CREATE STREAM Shipments (orderId INTEGER, weight DOUBLE);
CREATE TABLE Products (rowtime TIMESTAMP, productId INTEGER, name VARCHAR);
CREATE TABLE Readings (taken TIMESTAMP NOT NULL LATENESS INTERVAL '10' MINUTE, sensor INTEGER, level DOUBLE);
"""


@pytest.fixture
def planning(planner: Any) -> Planning:
    """The seed's schema: streams Orders (with history) and Shipments, table Products, table Readings with LATENESS."""
    result = Planning(planner)
    for statement in ORDERS.strip().split(";\n"):
        result.plan(statement.rstrip(";"))
    return result


def nodes(plan: dict[str, Any], op: str) -> list[dict[str, Any]]:
    """Returns all nodes of a kind, from the result to the sources."""
    found = [plan] if plan["op"] == op else []
    for child in plan["inputs"]:
        found += nodes(child, op)
    return found
