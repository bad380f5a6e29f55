"""Internal names of columns, and small helpers for all translators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class
from rowtime.plan.nodes import Node
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import column, spark_column
from rowtime.translate.rex.cast import convert

if TYPE_CHECKING:
    from pyspark.sql import Column

_COLUMNS = "io.rowtime.spark.Columns"


def internal(node: Node, what: object) -> str:
    """Returns a column name that no other node uses: node numbers are unique in a plan."""
    return f"n{node.id}_{what}"


def names_of(node: Node) -> tuple[str, ...]:
    """Returns the internal names of a node's fields."""
    return tuple(internal(node, i) for i in range(len(node.fields)))


def keep(name: str) -> Column:
    """Returns the column unchanged."""
    return spark_column(column(name))


def plain(value: Column, name: str) -> Column:
    """Returns the value under `name`, without any metadata: an event-time tag must not be passed on."""
    from pyspark.sql.classic.column import Column as ClassicColumn
    from pyspark.sql.utils import get_active_spark_context

    made: Column = ClassicColumn(java_class(get_active_spark_context(), _COLUMNS).plain(value._jc, name))
    return made


def conform_columns(node: Node, index: int, columns: Sequence[str]) -> list[Column]:
    """Returns the `columns` of an input of a node whose rows are those of its inputs, with the names of the node's
    fields, and converted to their types if the input has other types."""
    out = []
    fields = zip(columns, node.inputs[index].fields, node.fields, names_of(node), strict=True)
    for column_name, have, want, name in fields:
        value = convert(column(column_name), parse_type(have.type), parse_type(want.type))
        out.append(plain(spark_column(value), name))
    return out
