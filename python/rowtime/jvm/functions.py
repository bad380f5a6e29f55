"""SQL functions that Spark lacks, or that have another meaning there: rowtime's own, by their names in Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FUNCTIONS_CLASS = "io.rowtime.functions.Functions"

AVERAGE = "rowtime_average"
"""AVERAGE(total BIGINT or DECIMAL, count BIGINT, precision, scale): DECIMAL(precision, scale), rounded half up; NULL if
there are no values."""

COMPUTED = "rowtime_computed"
"""COMPUTED(expression, result, arguments, value …): the result that Calcite computes from the values. The first three
are text literals, see `rowtime.translate.rex.computed`."""

IN_LIST = "rowtime_in_list"
"""IN_LIST(list, types, value …): IN with constants; the first two are text literals, see
`rowtime.translate.rex.in_list`."""

LIKE = "rowtime_like"
"""LIKE(text, pattern, escape): LIKE, in a time that does not grow with the number of `%`; `escape` is empty if there is
none."""

ILIKE = "rowtime_ilike"
"""ILIKE(text, pattern, escape): LIKE that ignores the case of ASCII letters."""

SEARCHED = "rowtime_searched"
"""SEARCHED(text, regex, flags, position, function): the text. Fails if a search with the regular expression would take
too long."""

JSON_PATH = "rowtime_json_path"
"""JSON_PATH(path, document, function): the path. Fails if matching the document's values with its regular expressions
would take too long."""

LOCAL_REACHED = "rowtime_local_reached"
"""LOCAL_REACHED(local TIMESTAMP, zone): the least TIMESTAMP from which on no clock of the zone shows an earlier
time."""

CLOCK_REACHED = "rowtime_clock_reached"
"""CLOCK_REACHED(time TIMESTAMP, clock): the least watermark of Spark's at which a clock of the plan, as JSON, reaches
the time."""

NUMBER_KEY = "rowtime_number_key"
"""NUMBER_KEY(approximate number): the same number, with one form of zero and of NaN."""

ORDERED_MAP = "rowtime_ordered_map"
"""ORDERED_MAP(map): the same map with its entries in the order of their keys."""

NUMBER_TEXT = "rowtime_number_text"
"""NUMBER_TEXT(text): the same number for Spark to cast to DECIMAL, which would take hours for `1e-300000000`."""

SIMILAR = "rowtime_similar"
"""SIMILAR(text, pattern, escape): SIMILAR TO of standard SQL; `escape` is empty if there is none."""


def register(spark: SparkSession) -> None:
    """Registers the functions with a session. Raises RowtimeError RT0613 and RT0614, see `java_class`."""
    java_class(spark, FUNCTIONS_CLASS).register(spark._jsparkSession)
