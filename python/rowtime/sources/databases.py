"""What databases differ in, as far as rowtime has to know it: drivers, and what they make of dates and times.

Times are UTC, whatever zone the session, the server and this machine have. Sessions are told so where the server has a
zone of its own; a column without zone is taken for UTC by the database itself, because drivers make it a time of this
machine, where an hour of the spring may not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rowtime.plan.types import SqlType


@dataclass(frozen=True)
class DatabaseFamily:
    """A kind of database. `opening` is SQL with which its sessions begin, `properties` are for its driver, `as_text`
    says that dates and times are kept as text. `read` makes SQL of a quoted column, the name of its type there and the
    type that is wanted, and Spark's type in which the driver has to fetch that."""

    driver: str
    read: Callable[[str, str, SqlType], tuple[str, str]]
    opening: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    as_text: bool = False


def family(url: str) -> DatabaseFamily | None:
    """The kind of the database behind a JDBC URL; None if only its driver is missing to know."""
    return _FAMILIES.get(url.split(":")[1].lower())


def of_driver(driver: str) -> DatabaseFamily:
    """A database of which only the driver is known."""
    return DatabaseFamily(driver, _plain)


def _plain(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.name == "TIMESTAMP":
        zoned = "WITH TIME ZONE" in type_name.upper()
        return column, "TIMESTAMP" if zoned else "TIMESTAMP_NTZ"
    # Drivers disagree on what a TIME is; its text is the same for all.
    return column, "STRING" if wanted.name == "TIME" else wanted.spark()


def _postgresql(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.name == "TIMESTAMP":
        if type_name in ("timestamp", "date"):
            return f"{column}::timestamp AT TIME ZONE 'UTC'", "TIMESTAMP"
        return column, "TIMESTAMP" if type_name == "timestamptz" else "STRING"
    if wanted.name in ("DATE", "TIME"):
        # Of an instant, in UTC: the zone of the session.
        return f"{column}::{wanted.name}" + ("::text" if wanted.name == "TIME" else ""), (
            "DATE" if wanted.name == "DATE" else "STRING"
        )
    if wanted.is_character and type_name not in ("text", "varchar", "bpchar", "name"):
        return f"{column}::text", "STRING"
    return column, wanted.spark()


def _sqlite(column: str, type_name: str, wanted: SqlType) -> tuple[str, str]:
    if wanted.is_datetime:
        # Text as SQLite's own functions have it, or milliseconds since 1970, which its driver writes.
        form = {"TIMESTAMP": "%Y-%m-%d %H:%M:%f", "DATE": "%Y-%m-%d", "TIME": "%H:%M:%f"}[wanted.name]
        of_number = f"strftime('{form}', {column} / 1000.0, 'unixepoch')"
        return f"CASE typeof({column}) WHEN 'text' THEN {column} ELSE {of_number} END", "STRING"
    return column, wanted.spark()


_FAMILIES = {
    "postgresql": DatabaseFamily(
        "org.postgresql.Driver",
        _postgresql,
        opening=("SET TIME ZONE 'UTC'",),
        # Text goes into columns of any type that has a form as text, such as uuid and jsonb.
        properties={"stringtype": "unspecified", "reWriteBatchedInserts": "true"},
    ),
    "sqlite": DatabaseFamily("org.sqlite.JDBC", _sqlite, properties={"busy_timeout": "60000"}, as_text=True),
    "mysql": DatabaseFamily("com.mysql.cj.jdbc.Driver", _plain, opening=("SET time_zone = '+00:00'",)),
    "mariadb": DatabaseFamily("org.mariadb.jdbc.Driver", _plain, opening=("SET time_zone = '+00:00'",)),
    "sqlserver": DatabaseFamily("com.microsoft.sqlserver.jdbc.SQLServerDriver", _plain),
    "oracle": DatabaseFamily("oracle.jdbc.OracleDriver", _plain, opening=("ALTER SESSION SET TIME_ZONE = '+00:00'",)),
    "h2": DatabaseFamily("org.h2.Driver", _plain),
    "duckdb": DatabaseFamily("org.duckdb.DuckDBDriver", _plain),
}
