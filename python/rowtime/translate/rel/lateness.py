"""Lateness: LATENESS on the columns of a view, checked in the query that reads it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from rowtime.plan.nodes import Lateness
from rowtime.plan.types import parse_type
from rowtime.sparksql.result import Translated
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates


@translates(Lateness, of_one_row=True)
def translate_lateness(node: Lateness, inputs: list[Translated], context: TranslationContext) -> Translated:
    from rowtime.operators.lateness import filter_late, late_by, view_folders

    (rows,) = inputs
    by = [
        late_by(rows.columns[c.index], parse_type(node.fields[c.index].type), Decimal(str(c.lateness.value)))
        for c in node.columns
    ]
    clock = next((i for i, c in enumerate(node.columns) if node.fields[c.index].name == node.bound), None)
    # The node's fields come first, so that late rows are shown under their names.
    visible = set(rows.columns)
    shown = rows.df.select(*rows.columns, *[c for c in rows.df.columns if c not in visible])
    names = [field.name for field in node.fields]
    return replace(
        rows,
        df=filter_late(
            shown, by, names, view_folders(context.folder, node.state_name), clock=clock, clocked=clock is not None
        ),
    )
