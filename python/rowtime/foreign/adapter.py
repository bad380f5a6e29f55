"""Connector 'python': sources and targets that are written in Python, and that send and receive rowtime bounds.

    OPTIONS (connector 'python', class 'rowtime.adapters.webhook:Webhook', port '8080')

`rowtime.adapters` describes adapters. All options except rowtime's own belong to the adapter.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import error
from rowtime.foreign.connectors import BatchRequest, ForeignRead, ForeignWrite
from rowtime.foreign.fields import NOT_FITTING
from rowtime.foreign.options import Options
from rowtime.functions import pickle_by_value
from rowtime.plan.types import quote_name
from rowtime.sparksql.sessions import active
from rowtime.storage.smallfiles import write_whole
from rowtime.types.columns import Column, spark_expression, stored_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowtime.adapters.wire import AdapterSource


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of an adapter under the stored names of its columns, and for a stream the column SENT_BOUND: a
    TIMESTAMP in rows that are only bounds. Raises RowtimeError RT0521, RT0542, and RT0546 if there is no such adapter;
    an error in the adapter is an error of the query (RT0547)."""
    spark, options, columns, reader = of.query.spark, of.options, of.columns, of.reader
    made = _register(spark, options)
    schema = ", ".join(f"{quote_name(c.name)} {type}" for c, type in _wire(options, columns))
    own = {"bad_rows": str(of.bad_rows), "folder": str(of.own_folder)}
    if reader is not None:
        own |= {"reader": reader, "start": start_of(options, of.earliest)}
    source_options = _source_options(made.adapter, options, columns, own)
    if reader is not None:
        source_options["rowtime.beginning"] = recorded_position(
            of.reader_start_file, lambda: _initial_offset(made, source_options)
        )
    source: Any = spark.read if reader is None else spark.readStream
    source = source.format(made.name()).options(**source_options)
    with active(spark):
        found: DataFrame = source.schema(f"{schema}, {_bound_column()} BIGINT").load()
    taken = [f"{_restoring_sql(c)} AS `{c.stored}`" for c in columns]
    if reader is None:
        return found.filter(f"{_bound_column()} IS NULL").selectExpr(*taken)
    return found.selectExpr(*taken, f"timestamp_micros({_bound_column()}) AS {SENT_BOUND}")


def write(of: ForeignWrite) -> int:
    """Passes the rows to an adapter, then the bound, once the rows have been computed. Returns the number of rows. The
    adapter must write a repeated batch only once. Raises RowtimeError as `read`."""
    from pyspark.sql import Observation, functions

    assert of.own_folder is not None
    options, columns = of.options, of.columns
    # Spark runs a streaming query in a session of its own, a clone of the user's from when the query began.
    spark = of.df.sparkSession
    made = _register(spark, options)
    filled = {column.name for column in of.given}
    values = [
        f"{_storing_sql(column) if column.name in filled else 'NULL'} AS {quote_name(column.name)}"
        for column in columns
    ]
    typed = [f"CAST({quote_name(c.name)} AS {type}) AS {quote_name(c.name)}" for c, type in _wire(options, columns)]
    own = {"folder": str(of.own_folder)}
    if of.writer is not None and of.batch is not None:
        own |= {"writer": of.writer, "batch": str(of.batch.number)}
    source_options = _source_options(made.adapter, options, columns, own)

    def send(these: DataFrame, bounds: str) -> None:
        wired = these.selectExpr(*typed, f"CAST({bounds} AS BIGINT) AS {_bound_column()}")
        with active(spark):
            wired.write.format(made.name()).options(**source_options).mode("append").save()

    counted = Observation()
    rows = of.df.selectExpr(*values).observe(counted, functions.count(functions.lit(1)).alias("n"))
    # Rows stay in their order in one task.
    send(rows.coalesce(1), "NULL")
    count = int(counted.get["n"])
    known = None if of.bound is None else of.bound()
    if known is not None and getattr(made.adapter, "takes_bounds", False):
        send(spark.range(1).selectExpr(*[f"NULL AS {quote_name(c.name)}" for c in columns]), f"{known * 1000}L")
    return count


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer, if the adapter can tell (`last_batch`). Raises RowtimeError as `read`,
    and RT0547 for an error in the adapter."""
    made = _register(of.spark, of.options)
    if not hasattr(made.adapter, "last_batch"):
        return LastBatch(is_known=False, can_tell=False)
    own = {"folder": str(of.own_folder), "writer": of.writer}
    try:
        number = made(_source_options(made.adapter, of.options, of.columns, own)).last_batch()
    except RuntimeError as fault:
        raise error("RT0547", str(fault), hint="The error is in the code of the adapter") from None
    return LastBatch(None if number is None else SentBatch(number))


SENT_BOUND = "_sent_bound"


def start_of(options: Options, earliest: bool) -> str:
    """Returns where a new query begins to read a stream: `latest` or `earliest`."""
    return "earliest" if earliest else options.choice("start", "latest")


def recorded_position(file: Path, initial: Callable[[], str]) -> str:
    """Returns the initial position of a query, and records it in `file`: the position when the query was opened, and
    not when its first batch runs, also after a restart before that."""
    if not file.exists():
        write_whole(file, initial().encode())
    return file.read_text()


def columns_as_json(columns: Sequence[Column]) -> str:
    """Returns the columns as JSON, in the form for adapters."""
    return json.dumps([{"name": c.name, "type": c.text, "nullable": c.nullable} for c in columns])


def options_of(options: Options, own: Iterable[str] = ()) -> dict[str, str]:
    """Returns the options of the adapter itself; values of options in `own` are not looked up."""
    return {name: value for name, value in options.all(own).items() if name not in ("connector", "class")}


def _bound_column() -> str:
    from rowtime.adapters.wire import BOUND

    return quote_name(BOUND)


def _register(spark: SparkSession, options: Options) -> type[AdapterSource]:
    """Registers the adapter's class with the session, wrapped to convert rows and bounds to Spark's form."""
    from pyspark.sql.datasource import DataSource

    from rowtime.adapters.wire import AdapterSource

    label = options.text("class")
    module, _, name = label.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as fault:
        raise error(
            "RT0546",
            f"The adapter {label} of the {options.owner} cannot be loaded: {type(fault).__name__}: {fault}",
            hint=f"Write module:Class; is '{module}' on PYTHONPATH?",
        ) from fault
    if not (isinstance(found, type) and issubclass(found, DataSource)):
        raise error("RT0546", f"The adapter {label} of the {options.owner} is not a pyspark.sql.datasource.DataSource")
    pickle_by_value(module)
    made: type[AdapterSource] = type("Adapter", (AdapterSource,), {"adapter": found, "label": label})
    spark.dataSource.register(made)
    return made


def _initial_offset(made: type[AdapterSource], source_options: Mapping[str, str]) -> str:
    from pyspark.sql.datasource import CaseInsensitiveDict
    from pyspark.sql.types import StructType

    return json.dumps(made(CaseInsensitiveDict(source_options)).streamReader(StructType()).initialOffset())


def _source_options(
    adapter: type, options: Options, columns: Sequence[Column], own: Mapping[str, str]
) -> dict[str, str]:
    from pyspark.sql.types import StructType

    schema = ", ".join(f"{quote_name(c.name)} {c.type.spark()}{'' if c.nullable else ' NOT NULL'}" for c in columns)
    own = {**own, "columns": columns_as_json(columns), "schema": StructType.fromDDL(schema).json()}
    theirs = options_of(options, getattr(adapter, "own_options", ()))
    return {**theirs, **{f"rowtime.{name}": value for name, value in own.items()}}


def _wire(options: Options, columns: Sequence[Column]) -> list[tuple[Column, str]]:
    from rowtime.adapters.wire import wire_type

    found = []
    for column in columns:
        type = wire_type(column.type)
        if type is None:
            raise options.fault(f"has column {column.name} {column.text}, which adapters do not support", NOT_FITTING)
        found.append((column, type))
    return found


def _restoring_sql(column: Column) -> str:
    if column.type.name == "TIMESTAMP":
        return f"timestamp_micros({quote_name(column.name)})"
    return spark_expression(column.name, column.type)


def _storing_sql(column: Column) -> str:
    if column.type.name == "TIMESTAMP":
        return f"unix_micros({quote_name(column.name)})"
    return stored_expression(quote_name(column.name), column.type)
