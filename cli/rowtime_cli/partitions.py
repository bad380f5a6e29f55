"""`--partitions`: the number of partitions for the queries of a command."""

from __future__ import annotations

from rowtime.errors import RowtimeError
from rowtime_cli.faults import WrongCommandLine


def partitions(text: str | None) -> int | None:
    """Returns the number, or None if the option is not set. Raises WrongCommandLine RT0625 if it is not a number of
    partitions."""
    if text is None:
        return None
    from rowtime.runtime.checkpoint.partitions import parse_partitions

    try:
        return parse_partitions(text, "--partitions")
    except RowtimeError as fault:
        raise WrongCommandLine(fault.diagnostics[0]) from None
