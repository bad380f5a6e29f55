"""The signatures of random pairs of queries, without running them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from generated.changed_queries import pair

_COLUMNS = [("ROWTIME", "TIMESTAMP(3)"), ("A", "INTEGER"), ("B", "INTEGER"), ("X", "INTEGER"), ("Y", "INTEGER")]


@pytest.fixture(scope="module")
def catalog() -> str:
    columns = [{"name": name, "type": type, "nullable": False} for name, type in _COLUMNS]
    streams = [{"name": name, "kind": "STREAM", "columns": columns} for name in ("S", "R")]
    return json.dumps({"version": 1, "objects": streams, "lateness": []})


def _state(planner: Any, catalog: str, sql: str) -> tuple[list[str], list[str]]:
    reply = json.loads(planner.plan(catalog, json.dumps({"sql": sql, "line": 1, "column": 1})))
    assert reply["statement"] is not None, (sql, reply["diagnostics"])
    return _signed(reply["statement"]["plan"])


def _signed(node: dict[str, Any]) -> tuple[list[str], list[str]]:
    below = [_signed(child) for child in node["inputs"]]
    signatures = [signed for found, _ in below for signed in found]
    sources = [source for _, found in below for source in found]
    own = [] if node["signature"] is None else [node["signature"]]
    return signatures + own, sources + ([node["identity"]] if node["op"] == "scan" else [])


def test_equal_signatures_mean_equal_queries(planner: Any, catalog: str) -> None:
    streams = {"s": "s", "r": "r"}
    seen: dict[bool, int] = {True: 0, False: 0}
    for number in range(400):
        first, second = pair(random.Random(f"plan {number}"))
        one, two = (_state(planner, catalog, query.text(streams)) for query in (first, second))
        # What is above the operators with state is not in their signatures.
        parts = [(query.kind, *(part for part in query.parts if part[0] != "above")) for query in (first, second)]
        seen[parts[0] == parts[1]] += 1
        if parts[0] == parts[1]:
            assert one == two, (number, first.text(streams), second.text(streams))
        elif one == two and one[0]:
            # Only columns that no operator stores may differ, and what is counted if it is never NULL.
            changed = {a[0] for a, b in zip(parts[0][1:], parts[1][1:], strict=True) if a != b}
            unread = {"arg"} if ("call", "COUNT(~)") in first.parts else set()
            if first.kind not in ("group", "session", "hop"):
                unread = {"arg", "key"}
            assert changed <= unread, (number, first.text(streams), second.text(streams))
    assert min(seen.values()) > 100
