"""Checks that the saved state of a query still matches its plan, after a definition has changed.

Spark finds state by the position of its operator among the stateful operators. So two plans match if their stateful
nodes have the same signatures in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rowtime.plan.nodes import Node, op


def signature(plan: Node) -> list[str]:
    """Returns the signatures of the stateful nodes, sources first."""
    return [signed for _, signed in _stateful(plan)]


def mismatched_state(recorded: Sequence[str], plan: Node) -> str | None:
    """Returns the first node whose state, recorded as `signature`, does not match the plan, such as `aggregate H,
    COUNT`, or that another version of rowtime has written it; None if all match."""
    present = list(_stateful(plan))
    for index, (node, signed) in enumerate(present):
        found = recorded[index] if index < len(recorded) else None
        if found == signed:
            continue
        if found is not None and _without_layout(found) == _without_layout(signed):
            return "it was written by another version of rowtime"
        return f"{op(node).replace('_', ' ')} {', '.join(field.name for field in node.fields)}"
    if len(recorded) > len(present):
        return str(json.loads(recorded[len(present)])["op"]).replace("_", " ") + ", which is no longer there"
    return None


def _without_layout(signature: str) -> dict[str, object]:
    """Returns a signature without the version of its state's layout."""
    return {name: part for name, part in json.loads(signature).items() if name != "layout"}


def _stateful(node: Node) -> Iterator[tuple[Node, str]]:
    for child in node.inputs:
        yield from _stateful(child)
    if node.signature is not None:
        yield node, node.signature
