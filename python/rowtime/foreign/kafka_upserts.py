"""Format 'upsert-json': a record replaces the earlier ones with its key, and one without a value deletes them.

The key of a record is a JSON object of the columns of the PRIMARY KEY, and its value one of all columns. Keys are
compared by their bytes within a partition, as Kafka does when it compacts a topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.foreign.connectors import DELETED, OP
from rowtime.foreign.formats import RecordFormat
from rowtime.foreign.options import Options
from rowtime.foreign.records import RecordField
from rowtime.plan.types import quote_name
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME = "upsert-json"
NO_KEY = "CASE WHEN key IS NULL THEN 'a record without a key' END"
"""Spark SQL over the columns of Spark's Kafka source for the reason why a record cannot be read; NULL if it can."""


CHANGE = "CASE WHEN deletes THEN 3 ELSE 2 END"
"""Spark SQL over the columns of `changes` for the kind of a change, as TO_CHANGELOG numbers them."""


def are_changes(options: Options, columns: Sequence[Column]) -> bool:
    """Returns whether a stream has the changes of the rows of its topic: the columns of a changelog instead of the rows
    with their key."""
    if options.choice("format", "json") != NAME or options.primary_key:
        return False
    return {"OP", "PAYLOAD"} <= {column.name for column in columns}


def changes(records: DataFrame) -> DataFrame:
    """Returns the records, those that delete a row with their key as the value; `deletes` tells them apart."""
    others = [name for name in records.columns if name != "value"]
    return records.selectExpr(*others, "coalesce(value, key) AS value", "value IS NULL AS deletes")


def record_key(options: Options, format: RecordFormat, fields: Sequence[RecordField]) -> str:
    """Returns Spark SQL for the key of a record whose value has `fields`. Raises RowtimeError RT0529 if the value lacks
    a column of the key; the planner has refused that already, unless a variable or a file contains an option."""
    by_name = {field.column.name: field for field in fields}
    missing = [name for name in options.primary_key if name not in by_name]
    if missing or not options.primary_key:
        raise options.fault(
            f"has format '{NAME}', which needs a PRIMARY KEY of columns of the record's value"
            + (f": {', '.join(missing)} is not one" if missing else ""),
            "RT0529",
        )
    return format.value([by_name[name] for name in options.primary_key])


def tombstones(value: str) -> str:
    """Returns Spark SQL for the value of a record, which is NULL if the row is deleted (see `ForeignWrite`)."""
    return f"CASE WHEN {quote_name(OP)} = {DELETED} THEN CAST(NULL AS BINARY) ELSE {value} END"


def latest(records: DataFrame) -> DataFrame:
    """Returns the last record of each key, unless it deletes the key; and all records without a key. `records` has the
    columns of Spark's Kafka source."""
    numbered = records.selectExpr("*", "row_number() OVER (PARTITION BY partition, key ORDER BY offset DESC) AS newest")
    return numbered.where("key IS NULL OR (newest = 1 AND value IS NOT NULL)").drop("newest")
