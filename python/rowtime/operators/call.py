"""Calls rowtime's operators in Spark's JVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class, java_message
from rowtime.operators.specs import Spec, encode
from rowtime.plan.codec import mismatch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_INVALID = "io.rowtime.operator.spec.InvalidSpecException"


def call(operators: str, method: str, spec: Spec, *inputs: DataFrame | None) -> DataFrame:
    """Calls a method of the Java class `operators` with DataFrames and a spec, and returns its result.

    Raises RowtimeError (RT0999) if Java cannot read the spec: the jars and this package differ.
    """
    made = call_or_none(operators, method, spec, *inputs)
    assert made is not None, "an operator gives rows"
    return made


def call_or_none(operators: str, method: str, spec: Spec, *inputs: DataFrame | None) -> DataFrame | None:
    """Like `call`, for a method that may return null."""
    from pyspark.sql import DataFrame

    spark = next(rows.sparkSession for rows in inputs if rows is not None)
    run = getattr(java_class(spark, operators), method)
    made = call_with_spec(lambda: run(*(None if rows is None else rows._jdf for rows in inputs), encode(spec)))
    return None if made is None else DataFrame(made, spark)


def call_with_spec(run: Callable[[], Any]) -> Any:
    """Returns the result of a call of Java that reads a spec. Raises RowtimeError (RT0999) if Java cannot read it."""
    from py4j.protocol import Py4JJavaError

    try:
        return run()
    except Py4JJavaError as fault:
        if fault.java_exception.getClass().getName() != _INVALID:
            raise
        raise mismatch(java_message(fault)) from fault
