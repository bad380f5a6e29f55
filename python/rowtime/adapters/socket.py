"""Connector 'socket': lines of text from a server, one record each.

    OPTIONS (connector 'socket', host 'localhost', port '9999', format 'csv')

A socket gives each line once. The lines of a batch are stored before the query reads them, so a batch that Spark
repeats is the same. Lines that the server sends while no query runs are lost, and so are lines that had arrived but
were in no batch yet when a query died.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.foreign.connectors import ForeignRead
from rowtime.foreign.formats import RecordFormat, rowtime_field
from rowtime.foreign.options import Options
from rowtime.foreign.records import RecordField, typed_records
from rowtime.jvm.py4j import java_class, java_message
from rowtime.numerals import natural
from rowtime.plan.types import quote_text
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SOURCE = "io.rowtime.socket.SocketSource"
CONNECTIONS_CLASS = "io.rowtime.socket.OpenConnections"


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of the lines, with the columns under their stored names, in their SQL types. The lines of
    batches are stored in the query's folder.

    Options: host; port; format, json (the default), csv or raw; delimiter; rowtime, the field that fills ROWTIME, or
    timestamp, the time at which the line arrived; max_records_per_batch. Raises RowtimeError RT0521 … RT0523, RT0529,
    and RT0526 if nobody answers.
    """
    spark, options, columns, opened = of.query.spark, of.options, of.columns, of.query.opened
    folder = of.query.folder / "sockets" / of.id
    host, port = options.text("host"), _port(options)
    name = options.choice("format", "json")
    rowtime = rowtime_field(options, name)
    sources = {c.name: rowtime if c.name == ROWTIME else c.name for c in columns}
    fields = [RecordField(source, c) for c in columns if (source := sources[c.name]) is not None]
    format = RecordFormat.of(spark, options, name, fields)
    most = options.number("max_records_per_batch")
    options.finish()
    if name == "raw":
        sources[fields[0].column.name] = None
    if options.name not in opened:
        reader = spark.readStream.format(SOURCE).option("host", host).option("port", port)
        reader = reader.option("connection", _connection_id(spark, options, host, port))
        reader = reader.option("folder", folder.absolute().as_uri())
        opened[options.name] = (reader if most is None else reader.option("most", most)).load()
    lines = opened[options.name].selectExpr(
        "value", f"{quote_text(f'{host}:{port}')} AS file", "number", "trouble", "arrived"
    )
    # Columns that no field fills: ROWTIME has the time of arrival, the column of a raw record the line.
    given = [-1 if sources[c.name] is not None else 4 if c.name == ROWTIME else 0 for c in columns]
    if name == "raw" and fields[0].column.type.is_binary:
        lines = lines.selectExpr("CAST(value AS BINARY) AS value", "file", "number", "trouble", "arrived")
    return typed_records(
        spark, lines, columns, [sources[c.name] for c in columns], of.bad_rows, format.layout(), given=given
    )


def _port(options: Options) -> int:
    text = options.text("port")
    port = natural(text)
    if port is None or not 0 < port < 1 << 16:
        raise options.fault(
            f"has port '{text}', which is not a port number", "RT0522", "Ports are numbers from 1 to 65535"
        )
    return port


def _connection_id(spark: SparkSession, options: Options, host: str, port: int) -> str:
    try:
        return str(java_class(spark, CONNECTIONS_CLASS).open(host, port))
    except Exception as fault:
        java = getattr(fault, "java_exception", None)
        if java is None or not str(java.getClass().getName()).startswith("java.net."):
            raise
        said = f"{host} is unknown" if "UnknownHost" in str(java.getClass().getName()) else java_message(fault)
        raise error(
            "RT0526",
            f"The {options.owner} cannot connect to {host}:{port}: {said}",
            hint="The server has to run before the query; for a first try: nc -lk <port>",
        ) from fault
