"""Registers the user-defined functions that a plan calls with the Spark session."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.functions import find, wire_type, worker
from rowtime.jvm.py4j import java_class, java_list
from rowtime.plan.nodes import Node, TableFunction
from rowtime.plan.operators import function_calls, nodes
from rowtime.plan.rex import FunctionCall
from rowtime.plan.types import parse_type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA_FUNCTION = "io.rowtime.functions.JavaFunction"
TABLE_FUNCTIONS = "io.rowtime.operator.process.TableFunctions"


def spark_name(call: FunctionCall) -> str:
    """Returns Spark's name of the function; another definition under the same name in SQL has another."""
    types = [getattr(a, "type", "ANY") for a in call.args]
    definition = repr((call.name, call.language, call.body, call.deterministic, types, call.type))
    return f"rowtime_user_{hashlib.sha256(definition.encode()).hexdigest()[:16]}"


def register_functions(plan: Node, spark: SparkSession) -> None:
    """Registers every function that is called anywhere in the plan with the session.

    Raises RowtimeError RT0319 if one cannot be loaded.
    """
    for name, call in {spark_name(c): c for c in function_calls(plan)}.items():
        if call.language == "PYTHON":
            _python(name, call, spark)
        else:
            _java(name, call, spark)
    for function in {node.table_function: None for node in nodes(plan)}:
        if function is not None:
            _over_table(function, spark)


def _python(name: str, call: FunctionCall, spark: SparkSession) -> None:
    from pyspark.sql import functions

    types = tuple(parse_type(getattr(a, "type", "ANY")) for a in call.args)
    result = parse_type(call.type)
    if any(t.is_year_month for t in (*types, result)):
        raise error(
            "RT0999", f"The planner should have refused: intervals of months in the Python function '{call.name}'"
        )
    run = worker(call.name, find(call.name, call.body), types, result)
    # PySpark needs pandas to transfer batches of columns; without it, it transfers rows.
    arrow = importlib.util.find_spec("pandas") is not None
    made = functions.udf(run, wire_type(result), useArrow=arrow)
    spark.udf.register(name, made if call.deterministic else made.asNondeterministic())


def _java(name: str, call: FunctionCall, spark: SparkSession) -> None:
    with _loading(call.name):
        java_class(spark, JAVA_FUNCTION).register(
            spark._jsparkSession,
            name,
            call.name,
            call.body,
            len(call.args),
            parse_type(call.type).spark(),
            call.deterministic,
        )


def _over_table(function: TableFunction, spark: SparkSession) -> None:
    from pyspark import cloudpickle

    functions = java_class(spark, TABLE_FUNCTIONS)
    if function.language == "JAVA":
        with _loading(function.name):
            functions.checkJava(function.body)
        return
    code = b64encode(cloudpickle.dumps(find(function.name, function.body))).decode()  # type: ignore[no-untyped-call]
    command = [spark.sparkContext.pythonExec, "-m", "rowtime.processing.worker"]
    path = os.pathsep.join(folder for folder in sys.path if folder)
    functions.registerPython(function.body, java_list(spark, command), path, code)


@contextmanager
def _loading(function: str) -> Iterator[None]:
    """Reports that Java cannot load the function."""
    from pyspark.errors import IllegalArgumentException

    try:
        yield
    except IllegalArgumentException as fault:
        raise error(
            "RT0319",
            f"The function '{function}' cannot be loaded: {str(fault).strip().splitlines()[0]}",
            hint="Add its jar to spark.jars",
        ) from fault
