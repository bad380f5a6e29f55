"""What a plan is made of: its nodes, the scans that bring rows, and who does the work."""

from __future__ import annotations

from collections.abc import Iterator

from rowtime.plan.groups import operator_suits
from rowtime.plan.hops import hops
from rowtime.plan.nodes import Aggregate, Node, Scan, Sort, Union, Window


def nodes(plan: Node) -> Iterator[Node]:
    """All nodes of a plan, outermost first."""
    yield plan
    for child in plan.inputs:
        yield from nodes(child)


def stream_scans(plan: Node) -> list[Scan]:
    """The scans through which rows arrive."""
    return [node for node in nodes(plan) if isinstance(node, Scan) and node.mode == "stream"]


def has_operators(plan: Node) -> bool:
    """Whether a streaming plan runs operators of rowtime's own, which need the RocksDB state store."""
    return plan.streaming and any(_is_own(node) for node in nodes(plan))


def _is_own(node: Node) -> bool:
    return isinstance(node, Union | Sort | Window) or hops(node) is not None or operator_suits(node)


def has_state(plan: Node) -> bool:
    """Whether a streaming plan has nodes that wait for the bound."""
    return plan.streaming and any(isinstance(node, Union | Sort | Aggregate | Window) for node in nodes(plan))
