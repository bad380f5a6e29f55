"""Union. Streams merge by ROWTIME, unless nothing needs the order: a row waits until the bound of all of them has
reached it."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.nodes import Union
from rowtime.sparksql.expressions import BIGINT, cast, column, null, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import conform_columns, internal, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.held import held_until, release_column
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@translates(Union)
def translate_union(node: Union, inputs: list[Translated], context: TranslationContext) -> Translated:
    names = names_of(node)
    if not node.streaming:
        together = _concatenate(
            [rows.df.select(*conform_columns(node, i, rows.columns)) for i, rows in enumerate(inputs)]
        )
        return Translated(together if node.all else together.distinct(), names)
    if not node.all:
        raise error("RT0999", "The plan has a streaming UNION DISTINCT, which should be a GROUP BY on a UNION ALL")
    return _streams(node, inputs)


def _streams(node: Union, inputs: list[Translated]) -> Translated:
    names = names_of(node)
    index = node.rowtime_index
    timed = index is None and all(rows.rowtime is not None for rows in inputs)
    arrived = any(rows.seq is not None for rows in inputs)
    rowtime = names[index] if index is not None else internal(node, "rowtime") if timed else None
    seq = internal(node, "seq") if arrived else None
    change = internal(node, "change") if any(rows.change is not None for rows in inputs) else None
    release = internal(node, "release")
    branches = []
    for i, rows in enumerate(inputs):
        conformed = conform_columns(node, i, rows.columns)
        columns = [conformed[i] for i in node.stored[0]]
        if timed and rowtime is not None and rows.rowtime is not None:
            columns.append(plain(spark_column(column(rows.rowtime)), rowtime))
        if seq is not None:
            arrival = column(rows.seq) if rows.seq is not None else null(BIGINT)
            columns.append(plain(spark_column(cast(arrival, BIGINT)), seq))
        if change is not None:
            # A row that is never retracted is added once.
            added = column(rows.change) if rows.change is not None else number(1)
            columns.append(plain(spark_column(cast(added, BIGINT)), change))
        if node.merges:
            # By the clock of the union, the least of the branches': no branch may still have an earlier row.
            columns.append(release_column(node.steps, _release_time(node, rows), release))
        branches.append(rows.df.select(*columns))
    together = _concatenate(branches)
    return Translated(held_until(together, release) if node.merges else together, names, rowtime, seq, change=change)


def _release_time(node: Union, rows: Translated) -> exp.Expression:
    """Returns the time of `closes`; if ROWTIME is not among the fields, so that `closes` cannot state it, ROWTIME
    itself."""
    if node.closes is not None:
        return to_expression(node.closes, Scope(rows.columns))
    if rows.rowtime is None:
        raise error("RT0999", "The plan has a streaming union without a time at which its rows are released")
    return column(rows.rowtime)


def _concatenate(frames: list[DataFrame]) -> DataFrame:
    return reduce(lambda one, other: one.unionAll(other), frames)
