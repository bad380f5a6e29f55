"""Differences between databases that rowtime must know: their drivers, and how they treat dates and times.

Times are in UTC, whatever the time zones of the session, the server and this machine. Sessions are set to UTC if the
server has a time zone of its own. The database itself interprets a column without zone as UTC, because drivers convert
it to local time of this machine, in which an hour in spring may not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rowtime.plan.types import SqlType


@dataclass(frozen=True)
class DatabaseFamily:
    """A kind of database. `opening` is SQL that its sessions run first, `properties` are for its driver, `as_text`
    means that dates and times are stored as text, and `upserts` that an INSERT can replace rows (ON CONFLICT). `read`
    takes a quoted column, the name of its type in the database and the type that is wanted, and returns SQL and Spark's
    type in which the driver must fetch it."""

    driver: str
    read: Callable[[str, str, SqlType], tuple[str, str]]
    opening: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    as_text: bool = False
    upserts: bool = False


def family(url: str) -> DatabaseFamily | None:
    """Returns the kind of the database behind a JDBC URL; None if it can only be known from the driver."""
    return _FAMILIES.get(url.split(":")[1].lower())


def of_driver(driver: str) -> DatabaseFamily:
    """Returns a kind for a database of which only the driver is known."""
    return DatabaseFamily(driver, _plain)


def _plain(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.name == "TIMESTAMP":
        zoned = "WITH TIME ZONE" in type_name.upper()
        return column, "TIMESTAMP" if zoned else "TIMESTAMP_NTZ"
    # Drivers disagree on the meaning of TIME; its text is the same for all.
    return column, "STRING" if wanted.name == "TIME" else wanted.spark()


def _postgresql(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.name == "TIMESTAMP":
        if type_name in ("timestamp", "date"):
            return f"{column}::timestamp AT TIME ZONE 'UTC'", "TIMESTAMP"
        return column, "TIMESTAMP" if type_name == "timestamptz" else "STRING"
    if wanted.name in ("DATE", "TIME"):
        # An instant is converted in UTC, the zone of the session.
        return f"{column}::{wanted.name}" + ("::text" if wanted.name == "TIME" else ""), (
            "DATE" if wanted.name == "DATE" else "STRING"
        )
    if wanted.is_character and type_name not in ("text", "varchar", "bpchar", "name"):
        return f"{column}::text", "STRING"
    return column, wanted.spark()


def _sqlite(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.is_datetime:
        # Text in the format of SQLite's own functions, or milliseconds since 1970, which its driver writes.
        form = {"TIMESTAMP": "%Y-%m-%d %H:%M:%f", "DATE": "%Y-%m-%d", "TIME": "%H:%M:%f"}[wanted.name]
        of_number = f"strftime('{form}', {column} / 1000.0, 'unixepoch')"
        return f"CASE typeof({column}) WHEN 'text' THEN {column} ELSE {of_number} END", "STRING"
    return column, wanted.spark()


_FAMILIES = {
    "postgresql": DatabaseFamily(
        "org.postgresql.Driver",
        _postgresql,
        opening=("SET TIME ZONE 'UTC'",),
        # Text can be written to columns of any type that has a text form, such as uuid and jsonb.
        properties={"stringtype": "unspecified", "reWriteBatchedInserts": "true"},
        upserts=True,
    ),
    "sqlite": DatabaseFamily(
        "org.sqlite.JDBC", _sqlite, properties={"busy_timeout": "60000"}, as_text=True, upserts=True
    ),
    "mysql": DatabaseFamily("com.mysql.cj.jdbc.Driver", _plain, opening=("SET time_zone = '+00:00'",)),
    "mariadb": DatabaseFamily("org.mariadb.jdbc.Driver", _plain, opening=("SET time_zone = '+00:00'",)),
    "sqlserver": DatabaseFamily("com.microsoft.sqlserver.jdbc.SQLServerDriver", _plain),
    "oracle": DatabaseFamily("oracle.jdbc.OracleDriver", _plain, opening=("ALTER SESSION SET TIME_ZONE = '+00:00'",)),
    "h2": DatabaseFamily("org.h2.Driver", _plain),
    "duckdb": DatabaseFamily("org.duckdb.DuckDBDriver", _plain),
}
