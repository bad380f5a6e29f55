"""Expressions that can fail for the values of a row: their errors name the row, or the row is set aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from rowtime.operators import row_faults
from rowtime.plan.nodes import Filter, Project
from rowtime.plan.rex import Rex
from rowtime.plan.rex_text import rex_text
from rowtime.sparksql.result import Translated
from rowtime.translate.context import TranslationContext

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_LONGEST = 200


def checked(
    computed: DataFrame, node: Filter | Project, exprs: Sequence[Rex], rows: Translated, context: TranslationContext
) -> DataFrame:
    """Returns what a `select` or `filter` of `rows` has `computed` by the expressions `exprs` of a node, with the
    handling of errors that the plan asks for."""
    fallible = node.fallible
    if fallible is None:
        return computed
    names = [field.name for field in node.inputs[0].fields]
    texts = {i: _shortened(rex_text(msgspec.to_builtins(exprs[i]), names)) for i in (*fallible.exprs, *fallible.nulls)}
    failing = {i: texts[i] for i in fallible.exprs}
    nulled = {i: texts[i] for i in fallible.nulls}
    if fallible.on_error == "SKIP":
        name = fallible.state_name
        assert name is not None, "the planner names what stores rows"
        if failing:
            computed = row_faults.set_aside(computed, failing, rows.columns, names, context.folder, name)
        if nulled:
            computed = row_faults.nulled(computed, nulled, rows.columns, names, context.folder, name)
        return computed
    skipped = context.skipped(fallible.source) if fallible.source is not None else ()
    if skipped and rows.position is not None:
        assert fallible.state_name is not None, "the planner names what may set rows aside"
        computed = row_faults.stepped_over(
            computed, failing, rows.columns, names, context.folder, fallible.state_name, rows.position, skipped
        )
    carried = {} if rows.rowtime is None else {"ROWTIME": rows.rowtime}
    position = None if fallible.source is None else rows.position
    return row_faults.named(computed, failing, rows.columns, names, carried, fallible.source, position)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
