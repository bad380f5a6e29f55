"""Checks what the planner claims of the rows of a node, by an operator after it.

The structs are those of the record `io.rowtime.operator.spec.ClaimsSpec`, which Java reads strictly. Columns are given
by their names; times and distances are in microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rowtime.jvm.py4j import java_class
from rowtime.operators.call import call_with_spec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CLAIMS_CLASS = "io.rowtime.claims.Claims"


class _Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True):
    pass


class ClaimedColumn(_Part, frozen=True):
    """A column, and its name in SQL."""

    column: str
    name: str


class WatermarkLimit(_Part, frozen=True):
    """A TIMESTAMP in the watermark's domain that is later than the watermarks of all earlier micro-batches; `claim`
    says what it means for a row otherwise."""

    column: str
    claim: str


class ClaimedOrder(_Part, frozen=True):
    """The order of a column from one micro-batch to the next. `strict`: a value of an earlier micro-batch does not
    occur again; `disorder`: by how much a value may be behind those of earlier ones (microseconds for a time)."""

    column: str
    decreasing: bool
    strict: bool
    disorder: int


class UniqueRows(_Part, frozen=True):
    """At most this many `rows` have the same values in the columns."""

    columns: list[str]
    rows: int


class ConstantValue(_Part, frozen=True):
    """A column, or one of the limits, has one value in all rows that are equal in the columns `of`. Messages call it
    `name`."""

    column: str
    name: str
    of: list[str]


class ClaimsSpec(_Part, tag_field="operator", tag="claims", frozen=True):
    """What the planner claims of the rows of a node, which the message calls `node`. `query` identifies the query, also
    after a restart; `checkpoint` is Spark's folder with its offsets (None: a relation). `rowtime` is the column with
    the ROWTIME of the result, which is not before a bound that the query has announced (None: these are not the rows of
    the result). No value of the columns `required` is NULL."""

    query: str
    checkpoint: str | None
    node: str
    rowtime: str | None
    columns: list[ClaimedColumn]
    required: list[str]
    limits: list[WatermarkLimit]
    orders: list[ClaimedOrder]
    unique: list[UniqueRows]
    constants: list[ConstantValue]


def check(rows: DataFrame, spec: ClaimsSpec) -> DataFrame:
    """Returns the rows, which fail the query with RT0998 if they violate a claim."""
    from pyspark.sql import DataFrame

    spark, text = rows.sparkSession, msgspec.json.encode(spec).decode()
    return DataFrame(call_with_spec(lambda: java_class(spark, CLAIMS_CLASS).check(rows._jdf, text)), spark)
