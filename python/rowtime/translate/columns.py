"""Internal names of columns, and the small steps that every translator needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.plan.nodes import Node
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, column, spark_column

if TYPE_CHECKING:
    from pyspark.sql import Column


def internal(node: Node, what: object) -> str:
    """A column name that no other node uses: node numbers are unique in a plan."""
    return f"n{node.id}_{what}"


def names_of(node: Node) -> tuple[str, ...]:
    """The internal names of a node's fields."""
    return tuple(internal(node, i) for i in range(len(node.fields)))


def keep(name: str) -> Column:
    """The column as it is."""
    return spark_column(column(name))


def plain(value: Column, name: str) -> Column:
    """The value under `name`, without any metadata: an event-time tag must not travel."""
    return value.alias(name, metadata={})


def conformed(node: Node, index: int, columns: Sequence[str]) -> list[Column]:
    """The `columns` of an input of a node whose rows are those of its inputs, with the names of its fields, and cast to
    their types where the input's are others."""
    out = []
    fields = zip(columns, node.inputs[index].fields, node.fields, names_of(node), strict=True)
    for column_name, have, want, name in fields:
        value = column(column_name)
        if parse_type(have.type).spark() != parse_type(want.type).spark():
            value = cast(value, parse_type(want.type))
        out.append(plain(spark_column(value), name))
    return out
