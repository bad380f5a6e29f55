"""Whether what a query has remembered still fits its plan, after a definition has changed.

Spark finds state by the place of its operator among the operators with state, and reads it by the columns it was
written with. So two plans fit where their nodes with state are the same ones in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from rowtime.plan.nodes import Aggregate, Lateness, Node, Sort, Union, Window


def signature(plan: Node) -> list[str]:
    """The nodes of a streaming plan that remember something, sources first: what each keeps, as JSON text."""
    return [msgspec.json.encode(_kept(node)).decode() for node in _stateful(plan)]


def unfit(recorded: Sequence[str], plan: Node) -> str | None:
    """The first node whose state, recorded as `signature`, does not fit the plan, such as `aggregate H, COUNT`; None
    where all fits."""
    present = list(_stateful(plan))
    for index, node in enumerate(present):
        if index >= len(recorded) or recorded[index] != msgspec.json.encode(_kept(node)).decode():
            return _name(node)
    if len(recorded) > len(present):
        return str(msgspec.json.decode(recorded[len(present)])["op"]) + ", which is no longer there"
    return None


def _stateful(node: Node) -> Iterator[Node]:
    for child in node.inputs:
        yield from _stateful(child)
    if node.streaming and isinstance(node, Aggregate | Union | Sort | Lateness | Window):
        yield node


def _kept(node: Node) -> dict[str, object]:
    kept: dict[str, object] = {"op": type(node).__name__.lower(), "columns": _columns(node.inputs[0])}
    if isinstance(node, Aggregate):
        # the keys and the partial results, not the rows
        kept |= {"columns": [_columns(node.inputs[0])[key] for key in node.keys], "calls": node.calls}
        kept |= {"closes": node.closes}
    elif isinstance(node, Lateness):
        kept |= {"columns": [_columns(node.inputs[0])[column.index] for column in node.columns]}
    elif isinstance(node, Window):
        kept |= {"partition": node.partition, "order": node.order, "frame": node.frame, "calls": node.calls}
    return kept


def _columns(node: Node) -> list[str]:
    return [field.type for field in node.fields]


def _name(node: Node) -> str:
    return f"{type(node).__name__.lower()} {', '.join(field.name for field in node.fields)}"
