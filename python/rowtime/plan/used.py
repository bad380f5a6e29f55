"""Which fields of its sources a plan reads: what a source need not bring where Spark cannot see that by itself."""

from __future__ import annotations

from rowtime.plan.nodes import Aggregate, Filter, Node, Project, Scan
from rowtime.plan.rex import references


def used_fields(plan: Node) -> dict[int, frozenset[int]]:
    """The indexes of the fields that are read, by the number of the scan; scans of which all may be are left out."""
    found: dict[int, frozenset[int]] = {}
    _visit(plan, None, found)
    return found


def _visit(node: Node, above: frozenset[int] | None, found: dict[int, frozenset[int]]) -> None:
    """`above`: what is read of the node's own fields, None where that may be all."""
    below: frozenset[int] | None = None
    if isinstance(node, Scan):
        if above is not None:
            found[node.id] = above
        return
    if isinstance(node, Project):
        below = frozenset().union(*(references(rex) for rex in node.exprs))
    elif isinstance(node, Filter):
        below = None if above is None else above | references(node.condition)
    elif isinstance(node, Aggregate):
        read = {*node.keys, *(arg for call in node.calls for arg in call.args)}
        read |= {call.filter for call in node.calls if call.filter is not None}
        read |= {key.index for call in node.calls for key in call.order}
        below = frozenset(read) | (references(node.closes) if node.closes is not None else frozenset())
    for child in node.inputs:
        _visit(child, below, found)
