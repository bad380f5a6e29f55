"""`--partitions`: into how many partitions the queries of a command shuffle their rows."""

from __future__ import annotations

from rowtime.errors import RowtimeError
from rowtime_cli.faults import WrongCommandLine


def partitions(text: str | None) -> int | None:
    """The number, or None if none is given. Raises WrongCommandLine RT0625 if it is not one."""
    if text is None:
        return None
    from rowtime.runtime.partitions import parse_partitions

    try:
        return parse_partitions(text, "--partitions")
    except RowtimeError as fault:
        raise WrongCommandLine(fault.diagnostics[0]) from None
