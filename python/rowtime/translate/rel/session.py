"""Session: each row with the start and the end of its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.plan.nodes import Session
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, shift, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


_START, _END = "rowtime_start", "rowtime_end"


@translates(Session)
def translate_session(node: Session, inputs: list[Translated], context: TranslationContext) -> Translated:
    """Translates SESSION over a relation."""
    (rows,) = inputs
    names = names_of(node)
    width = len(rows.columns)
    out = _with_sessions(node, rows)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    columns += [plain(keep(_START), names[width]), plain(keep(_END), names[width + 1])]
    hidden = [rows.seq] if rows.seq is not None else []
    return Translated(out.select(*columns, *(keep(c) for c in hidden)), names, None, rows.seq)


def _with_sessions(node: Session, rows: Translated) -> DataFrame:
    from pyspark.sql import Window, functions

    time = rows.columns[node.time]
    keys = [keep(rows.columns[key]) for key in node.keys]
    begins, number = internal(node, "begins"), internal(node, "number")
    before = functions.lag(keep(time)).over(Window.partitionBy(*keys).orderBy(keep(time)))
    # If there is no row before it, NULL is not true.
    joins = before >= spark_column(cast(shift(column(time), -node.gap), TIMESTAMP))
    numbered = rows.df.withColumn(begins, functions.when(joins, 0).otherwise(1)).withColumn(
        number, functions.sum(begins).over(Window.partitionBy(*keys).orderBy(keep(time)))
    )
    session = Window.partitionBy(*keys, keep(number))
    latest = functions.max(keep(time)).over(session)
    timed = numbered.withColumn(_START, functions.min(keep(time)).over(session)).withColumn(_END, latest)
    return timed.withColumn(_END, spark_column(cast(shift(column(_END), node.gap), TIMESTAMP)))
