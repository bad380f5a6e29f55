"""The order in which operators store columns: the plan's, so that a SELECT with its columns in another order finds its
state again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from rowtime.jvm.steps import applied, kept, select
from rowtime.plan.nodes import Node
from rowtime.sparksql.result import Translated


def in_stored_order(
    node: Node, inputs: list[Translated], translator: Callable[[Any, list[Translated]], Translated]
) -> Translated:
    """Translates a node so that its state has columns in the order of the plan."""
    if not node.stored or node.stores == "NOTHING":
        return translator(node, inputs)
    if node.stores == "GROUPS":
        return _grouped(node, inputs, translator)
    return translator(node, [_ordered(rows, order) for rows, order in zip(inputs, node.stored, strict=True)])


def _ordered(rows: Translated, order: Sequence[int]) -> Translated:
    fields = [rows.columns[i] for i in order]
    names = dict.fromkeys([*fields, *rows.df.columns])
    return rows if list(names) == rows.df.columns else replace(rows, df=applied(rows.df, select(*map(kept, names))))


def _grouped(
    node: Any, inputs: list[Translated], translator: Callable[[Any, list[Translated]], Translated]
) -> Translated:
    """Translates a GROUP BY as one whose keys and calls have the stored order, and returns its columns in the order of
    the node."""
    keys, calls = node.stored
    order = [*keys, *(len(keys) + i for i in calls)]
    if order == sorted(order):
        return translator(node, inputs)
    changed: dict[str, Any] = {
        "keys": [node.keys[i] for i in keys],
        "calls": [node.calls[i] for i in calls],
        "fields": [node.fields[i] for i in order],
    }
    found = translator(msgspec.structs.replace(node, **changed), inputs)
    names = dict(zip(order, found.columns, strict=True))
    return replace(found, columns=tuple(names[i] for i in range(len(order))))
