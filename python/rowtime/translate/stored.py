"""The order in which operators store columns: the plan's, so that a SELECT with its columns in another order finds its
state again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from rowtime.plan.calls import CallResult, OperatorCalls
from rowtime.plan.nodes import Aggregate, GroupAggregate, HopAggregate, Node, SessionAggregate
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import keep

if TYPE_CHECKING:
    from rowtime.translate.context import TranslationContext
    from rowtime.translate.registry import Translator

_GROUP_BY = (Aggregate, GroupAggregate, SessionAggregate, HopAggregate)
_OF_INPUTS = ("session", "sort", "process", "window", "top_n")


def in_stored_order(
    translator: Translator, node: Node, inputs: list[Translated], context: TranslationContext
) -> Translated:
    """Translates a node with state whose columns are stored in the order of the plan."""
    if isinstance(node, _GROUP_BY) and node.stored:
        return _grouped(translator, node, inputs, context)
    if node.stored and type(node).__struct_config__.tag in _OF_INPUTS:
        inputs = [_ordered(rows, order) for rows, order in zip(inputs, node.stored, strict=True)]
    return translator(node, inputs, context)


def _ordered(rows: Translated, order: Sequence[int]) -> Translated:
    fields = [rows.columns[i] for i in order]
    names = dict.fromkeys([*fields, *rows.df.columns])
    return rows if list(names) == rows.df.columns else replace(rows, df=rows.df.select(*map(keep, names)))


def _grouped(
    translator: Translator,
    node: Aggregate | GroupAggregate | SessionAggregate | HopAggregate,
    inputs: list[Translated],
    context: TranslationContext,
) -> Translated:
    """Translates a GROUP BY as one whose keys and calls have the stored order, and returns its columns in the order of
    the node."""
    keys, calls = node.stored
    order = [*keys, *(len(keys) + i for i in calls)]
    if order == sorted(order):
        return translator(node, inputs, context)
    changed = msgspec.structs.replace(
        node,
        keys=[node.keys[i] for i in keys],
        calls=[node.calls[i] for i in calls],
        fields=[node.fields[i] for i in order],
    )
    if not isinstance(changed, Aggregate):
        changed = msgspec.structs.replace(changed, operator=_computed(changed.operator, calls))
    found = translator(changed, inputs, context)
    names = dict(zip(order, found.columns, strict=True))
    return replace(found, columns=tuple(names[i] for i in range(len(order))))


def _computed(operator: OperatorCalls, order: Sequence[int]) -> OperatorCalls:
    """Returns the calls of an operator in the order in which the results need them."""
    results = [operator.results[i] for i in order]
    used = list(dict.fromkeys([i for result in results for i in result.calls] + list(range(len(operator.calls)))))
    numbers = {old: new for new, old in enumerate(used)}
    return OperatorCalls(
        calls=[operator.calls[i] for i in used],
        results=[CallResult(kind=result.kind, calls=[numbers[i] for i in result.calls]) for result in results],
    )
