"""`rowtime serve --no-code`: clients may use what the catalog has, but name no code and no files of the server.

A function, an adapter, a JDBC driver or a setting of a client library names a class or a module, which runs as the user
of the server. A path, or an option whose value is in a file or a variable, names what that user can read or write. What
is not known to name neither is refused.
"""

from __future__ import annotations

from typing import Any

from rowtime.errors import RowtimeError, error
from rowtime.lexical.words import words
from rowtime.planner import Define, Explain, Planned

_RECORDS = words("connector format delimiter header start rowtime idle_timeout max_records_per_batch")
_SAFE = {
    "kafka": words(
        "servers topic key key_in_value headers partition offset timestamp fail_on_data_loss avro_schema"
        " avro_framing avro_schema_id avro_registry avro_registry_user avro_registry_password avro_subject"
    ),
    "socket": words("host port"),
    "rate": words("rows_per_second ramp_up_time"),
}
"""Options that name neither code nor files, by the connectors that clients may use."""


def refuse_code(planned: Planned) -> None:
    """Raises RowtimeError RT0635 if a statement would create an object that names code or local files."""
    statement = planned.statement
    for change in statement.changes if isinstance(statement, Define | Explain) else ():
        made = change.get("object")
        if isinstance(made, dict):
            _check(made)


def _check(made: dict[str, Any]) -> None:
    kind = str(made.get("kind", ""))
    if kind == "FUNCTION":
        raise _refused("CREATE FUNCTION, which names code")
    if not kind.startswith("FOREIGN"):
        return
    options = {name.lower(): str(value) for name, value in (made.get("options") or {}).items()}
    connector = options.get("connector", "").lower()
    if connector not in _SAFE:
        raise _refused(f"the connector '{connector}', which names code or local files")
    for name in sorted(options.keys() - {*_SAFE[connector], *_RECORDS}):
        raise _refused(f"the option {name}, which can name code or local files")


def _refused(what: str) -> RowtimeError:
    return error(
        "RT0635",
        f"This server (--no-code) does not take {what}",
        hint="Who runs the server can run the statement there, with rowtime run; clients can use the object then",
    )
