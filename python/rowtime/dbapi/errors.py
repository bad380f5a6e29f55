"""The exceptions of PEP 249, created from the server's answers."""

from __future__ import annotations

from typing import Any


class Warning(Exception):
    """Required by the DB-API; never raised."""


class Error(Exception):
    """Any error. `code` is that of the diagnostic (`RT0102`), `sqlstate` is JDBC's."""

    def __init__(self, message: str, code: str | None = None, sqlstate: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.sqlstate = sqlstate


class InterfaceError(Error):
    """The connection or the cursor is closed, or has no result."""


class DatabaseError(Error):
    """An error that the server reports."""


class DataError(DatabaseError):
    """Invalid rows or bounds."""


class OperationalError(DatabaseError):
    """The server cannot be reached, or refuses the connection, or the statement was cancelled."""


class Timeout(OperationalError):
    """No row has arrived within the cursor's `timeout`. The result is still open: fetch again."""


class IntegrityError(DatabaseError):
    """Required by the DB-API; never raised."""


class InternalError(DatabaseError):
    """An internal error of rowtime."""


class ProgrammingError(DatabaseError):
    """The statement is not valid."""


class NotSupportedError(DatabaseError):
    """The statement is valid, but cannot run."""


def error_of(answer: dict[str, Any]) -> Error:
    """Returns the exception for an answer that is an error."""
    message = str(answer.get("errorMessage", answer.get("error")))
    state = str(answer.get("sqlState", answer.get("state")) or "")
    code = message[:6] if message.startswith("RT0") else None
    kinds: dict[str, type[Error]] = {
        "42": ProgrammingError,
        "22": DataError,
        "08": OperationalError,
        "28": OperationalError,
        "0A": NotSupportedError,
        "HY008": OperationalError,
    }
    kind = InternalError if code == "RT0999" else kinds.get(state) or kinds.get(state[:2], DatabaseError)
    return kind(message, code, state)
