"""Walks a plan: its nodes, its scans, and what they need."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from rowtime.plan.nodes import Node, Scan
from rowtime.plan.rex import FunctionCall

_TIME = re.compile(r"\bTIME\(")


def nodes(plan: Node) -> Iterator[Node]:
    """Yields all nodes of a plan, outermost first."""
    yield plan
    for child in plan.inputs:
        yield from nodes(child)


def function_calls(part: object) -> Iterator[FunctionCall]:
    """Yields all calls of user-defined functions in the expressions of a plan, or of a part of one."""
    if isinstance(part, FunctionCall):
        yield part
    if isinstance(part, msgspec.Struct):
        for field in part.__struct_fields__:
            yield from function_calls(getattr(part, field))
    elif isinstance(part, (list, tuple)):
        for element in part:
            yield from function_calls(element)


def has_times(plan: Node) -> bool:
    """Returns whether a plan has values of the type TIME, also within others."""
    left: list[object] = [msgspec.to_builtins(plan)]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            text = part.get("type")
            if isinstance(text, str) and _TIME.search(text):
                return True
            left += part.values()
        elif isinstance(part, list):
            left += part
    return False


def scans(plan: Node) -> Iterator[Scan]:
    """Yields the scans of a plan, in the order of its text."""
    return (node for node in nodes(plan) if isinstance(node, Scan))


def stream_scans(plan: Node) -> list[Scan]:
    """Returns the scans through which rows arrive: of streams, and of the changes of tables."""
    return [node for node in scans(plan) if node.mode in ("stream", "changes")]


def reads_only_streams(plan: Node) -> bool:
    """Returns whether a plan reads no relation."""
    return all(node.streaming for node in nodes(plan))


def needs_state_store(plan: Node) -> bool:
    """Returns whether a plan runs operators of rowtime's own, which need the RocksDB state store."""
    return any("STATE_STORE" in node.needs for node in nodes(plan))


def needs_watermark(plan: Node) -> bool:
    """Returns whether rows of a plan wait for the bound of its sources, so that it needs their clock."""
    return any("WATERMARK" in node.needs for node in nodes(plan))


def needs_order(plan: Node) -> bool:
    """Returns whether rows must arrive in order from one micro-batch to the next, whatever the sink."""
    return any("ORDER" in node.needs for node in nodes(plan))


def longest_outage(plan: Node) -> float:
    """Returns how many seconds a query of that plan waits for systems that do not answer."""
    return max(node.outage for node in nodes(plan)) / 1000


def fallible_sources(plan: Node) -> frozenset[str]:
    """Returns the streams over whose rows expressions can fail, and the error names the row."""
    found = (getattr(node, "fallible", None) for node in nodes(plan))
    return frozenset(each.source for each in found if each is not None and each.source is not None)


def used_fields(plan: Node) -> dict[int, frozenset[int]]:
    """Returns the indexes of the fields that the plan reads of each source, by the number of its scan."""
    return {scan.id: frozenset(scan.reads[0]) for scan in scans(plan)}
