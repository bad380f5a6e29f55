"""A client of `rowtime serve` by Python's DB-API 2.0 (PEP 249). It needs no Java and no Spark.

    import rowtime.dbapi
    with rowtime.dbapi.connect("rowtime://127.0.0.1:7655") as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT STREAM * FROM orders WHERE units > ?", [3])
        for row in cursor: ...

It speaks Avatica's protocol in JSON. Times are datetimes in UTC without a time zone.
"""

from __future__ import annotations

import datetime as dt

from rowtime.dbapi.connection import Connection, connect
from rowtime.dbapi.cursor import Cursor
from rowtime.dbapi.errors import (
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Timeout,
    Warning,
)
from rowtime.dbapi.values import BINARY, DATETIME, NUMBER, ROWID, STRING

apilevel = "2.0"
threadsafety = 2
paramstyle = "qmark"

Date, Time, Timestamp = dt.date, dt.time, dt.datetime
Binary = bytes


def DateFromTicks(ticks: float) -> dt.date:
    """The day of a number of seconds since 1970, in UTC."""
    return TimestampFromTicks(ticks).date()


def TimeFromTicks(ticks: float) -> dt.time:
    """The time of day of a number of seconds since 1970, in UTC."""
    return TimestampFromTicks(ticks).time()


def TimestampFromTicks(ticks: float) -> dt.datetime:
    """The instant of a number of seconds since 1970, in UTC without a time zone."""
    return dt.datetime(1970, 1, 1) + dt.timedelta(seconds=ticks)


__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Time",
    "TimeFromTicks",
    "Timeout",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]
