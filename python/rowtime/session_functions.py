"""The statements by which a session registers functions in Python that live as long as its process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rowtime.functions import keep
from rowtime.lexical.identifiers import quoted


def scalar_function(
    name: str, function: Callable[..., object], args: Sequence[str], returns: str, *, deterministic: bool
) -> str:
    """Returns the CREATE FUNCTION of a scalar function; `name` is as the catalog has it."""
    return _create(name, function, args, returns, deterministic, "")


def table_function(
    name: str,
    function: Callable[..., object],
    args: Sequence[str],
    returns: Mapping[str, str],
    options: Mapping[str, str | None],
    *,
    deterministic: bool,
) -> str:
    """Returns the CREATE FUNCTION of a table function, with those of the options that have a value."""
    columns = ", ".join(f"{column} {type_}" for column, type_ in returns.items())
    given = ", ".join(f"{key} '{value}'" for key, value in options.items() if value is not None)
    return _create(name, function, args, f"TABLE ({columns})", deterministic, f"OPTIONS ({given}) " if given else "")


def _create(
    name: str, function: Callable[..., object], args: Sequence[str], returns: str, deterministic: bool, options: str
) -> str:
    parameters = ", ".join(f'"A{number}" {type_}' for number, type_ in enumerate(args, 1))
    promise = "DETERMINISTIC" if deterministic else "NOT DETERMINISTIC"
    return (
        f"CREATE OR REPLACE FUNCTION {quoted(name)} ({parameters}) RETURNS {returns} LANGUAGE PYTHON {promise} "
        f"{options}AS '{keep(function)}'"
    )
