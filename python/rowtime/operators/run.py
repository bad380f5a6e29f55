"""Runs the operators that the planner has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class, java_list
from rowtime.operators.call import call_with_spec, spec_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OPERATORS_CLASS = "io.rowtime.execution.Operators"


def run(
    spec: Mapping[str, Any],
    inputs: Sequence[DataFrame],
    *,
    ordered: bool,
    bounds: Sequence[DataFrame | None] = (),
    expressions: Sequence[str] = (),
) -> DataFrame:
    """Returns the rows that an operator makes, in its own columns. `spec` is the record of the operator as the planner
    wrote it; `inputs` have the columns that it names; `ordered`: the rows of the result must be in order of ROWTIME.

    For a join, `bounds` are those of each input's own source, as `TranslationContext.bounds` returns them (None: the
    input goes by the query's watermark). `expressions` are what the operator evaluates itself, as Spark SQL over the
    columns of all inputs.

    No column of `inputs` may carry Spark's event-time tag. A stream needs the RocksDB state store. Raises RowtimeError
    (RT0999) if Java cannot read the spec: the jars and this package differ.
    """
    from pyspark.sql import DataFrame

    spark = inputs[0].sparkSession
    given, own = (java_list(spark, [None if rows is None else rows._jdf for rows in of]) for of in (inputs, bounds))
    text = spec_text(spec)
    evaluated = java_list(spark, expressions)
    made = call_with_spec(lambda: java_class(spark, OPERATORS_CLASS).run(text, ordered, given, own, evaluated))
    return DataFrame(made, spark)
