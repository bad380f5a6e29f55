"""Checks that the saved state of a query still matches its plan, after a definition has changed.

Spark finds state by the position of its operator among the stateful operators. So two plans match if their stateful
nodes have the same signatures in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rowtime.plan.nodes import Node, op
from rowtime.plan.operators import stream_scans

_TABLE = "table"
"""The part of a signature that names the table of results that change."""
OTHER_VERSION = "it was written by another version of rowtime"


def signature(plan: Node) -> list[str]:
    """Returns the signatures of the stateful nodes, sources first."""
    return [signed for _, signed in _stateful(plan)]


def operators(recorded: Sequence[str]) -> list[str]:
    """Returns the names of the stateful operators whose state was recorded as `signature`."""
    return [str(json.loads(signed)["op"]) for signed in recorded]


def sources(plan: Node) -> list[tuple[str, str]]:
    """Returns the name and the identity of each source through which rows arrive, in the order in which Spark numbers
    its sources."""
    return [(scan.source, scan.identity) for scan in stream_scans(plan)]


def functions(plan: Node) -> list[str]:
    """Returns the code of the user-defined functions that saved state depends on: `PYTHON module:function`, `JAVA
    package.Class:method`."""
    return sorted({code for signed in signature(plan) for code in json.loads(signed)["functions"]})


def mismatched_state(recorded: Sequence[str], plan: Node, *, adopted: bool = False) -> str | None:
    """Returns the first node whose state, recorded as `signature`, does not match the plan, with what differs, such as
    `aggregate H, C: GROUP BY A.N instead of A.M`; or that another version of rowtime has written the state; None
    if all match. `adopted`: the table of results that change may have had another name."""
    present = list(_stateful(plan))
    before = [json.loads(signed) for signed in recorded]
    for index, (node, signed) in enumerate(present):
        found, now = (before[index] if index < len(before) else None), json.loads(signed)
        if adopted and found is not None and _TABLE in found["parts"] and _TABLE in now["parts"]:
            found["parts"][_TABLE] = now["parts"][_TABLE]
        if found == now:
            continue
        if found is not None and _version(found, now) != _version(now, found):
            return OTHER_VERSION
        name = f"{op(node).replace('_', ' ')} {', '.join(field.name for field in node.fields)}"
        return name if found is None else f"{name}: {_difference(found, now)}"
    if len(recorded) > len(present):
        return str(before[len(present)]["op"]).replace("_", " ") + ", which is no longer there"
    return None


def _version(signed: dict[str, Any], other: dict[str, Any]) -> tuple[object, object]:
    """Returns the versions of the signature's normal form and, of one operator, of the layout of its state."""
    return signed.get("form"), signed.get("layout") if signed["op"] == other["op"] else None


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    if before["op"] != now["op"]:
        return f"the state is of another operator, {before['op'].replace('_', ' ')}"
    for word, text in now["parts"].items():
        was = before["parts"].get(word)
        if was != text:
            return f"{word} {text or 'none'} instead of {was or 'none'}"
    return "it calls other functions"


def _stateful(node: Node) -> Iterator[tuple[Node, str]]:
    for child in node.inputs:
        yield from _stateful(child)
    if node.signature is not None:
        yield node, node.signature
