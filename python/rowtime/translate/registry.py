"""Registers the function that translates each plan node, and walks a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from rowtime.errors import error
from rowtime.plan.depth import deep
from rowtime.plan.nodes import Node
from rowtime.sparksql.sessions import active
from rowtime.translate import claims
from rowtime.translate.execution import execute
from rowtime.translate.functions import register_functions
from rowtime.translate.stored import in_stored_order

if TYPE_CHECKING:
    from rowtime.sparksql.result import Translated
    from rowtime.translate.context import TranslationContext

Translator = Callable[[Any, "list[Translated]", "TranslationContext"], "Translated"]
_F = TypeVar("_F", bound=Translator)

_translators: dict[type, Translator] = {}
_inputs: dict[type, Callable[[Any], list[Node]]] = {}
_of_one_row: set[type] = set()


def translates(
    node_class: type, inputs: Callable[[Any], list[Node]] | None = None, *, of_one_row: bool = False
) -> Callable[[_F], _F]:
    """Registers the decorated function as the translator of `node_class`.

    The function takes the node, its translated inputs and the context, and returns a `Translated`. `inputs` returns
    the inputs of the node that are translated, if the context reads the others. `of_one_row`: each row is computed from
    one row of the input, whose position it keeps.
    """

    def register(function: _F) -> _F:
        if node_class in _translators:
            raise ValueError(f"{node_class.__name__} has a translator already")
        _translators[node_class] = function
        if inputs is not None:
            _inputs[node_class] = inputs
        if of_one_row:
            _of_one_row.add(node_class)
        return function

    return register


def translate(node: Node, context: TranslationContext) -> Translated:
    """Builds the DataFrame of a plan, inputs first.

    Expressions depend on session settings while they are built: call this under `SETTINGS` (see
    `rowtime.sparksql.settings`). Raises RowtimeError RT0999 for a plan that the planner should have refused, RT0319 if
    a user-defined function cannot be loaded.
    """
    _load()
    with deep(), active(context.spark):
        register_functions(node, context.spark)
        rows = _translate(node, context).without_place()
        return claims.checked(node, rows, context) if context.checks_claims else rows


def _translate(node: Node, context: TranslationContext) -> Translated:
    if node.executed is not None:
        rows = execute(node, node.executed, [_input(node, i, context) for i in node.inputs], context)
        return replace(rows, in_order=node.is_in_order(ordered=context.ordered))
    translator = _translators.get(type(node))
    if translator is None:
        raise error("RT0999", f"The planner should have refused: {type(node).__name__.lower()}")
    below = _inputs.get(type(node))
    inputs = [_input(node, i, context) for i in (below(node) if below else node.inputs)]
    translated = in_stored_order(node, inputs, lambda changed, rows: translator(changed, rows, context))
    return replace(translated, in_order=node.is_in_order(ordered=context.ordered))


def _input(node: Node, below: Node, context: TranslationContext) -> Translated:
    rows = _translate(below, context)
    if type(node) not in _of_one_row:
        # Others may save what they are given.
        rows = rows.without_place()
    return claims.checked_input(node, below, rows, context) if context.checks_claims else rows


def _load() -> None:
    from rowtime.translate import rel  # noqa: F401  imports every translator
