"""Whether what a query has remembered still fits its plan, after a definition has changed.

Spark finds state by the place of its operator among the operators with state. So two plans fit where their nodes with
state have the same signatures in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rowtime.plan.nodes import Node, op


def signature(plan: Node) -> list[str]:
    """The signatures of the nodes that remember something, sources first."""
    return [signed for _, signed in _stateful(plan)]


def unfit(recorded: Sequence[str], plan: Node) -> str | None:
    """The first node whose state, recorded as `signature`, does not fit the plan, such as `aggregate H, COUNT`, or
    that another version of rowtime has written it; None if all fits."""
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
    """A signature without the number of the layout that its state has."""
    return {name: part for name, part in json.loads(signature).items() if name != "layout"}


def _stateful(node: Node) -> Iterator[tuple[Node, str]]:
    for child in node.inputs:
        yield from _stateful(child)
    if node.signature is not None:
        yield node, node.signature
