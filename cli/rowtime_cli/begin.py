"""Where to begin to read: the option --from of several commands."""

from __future__ import annotations

from rowtime_cli.faults import WrongCommandLine


def begin_millis(text: str) -> int | None:
    """Returns the ROWTIME in --from, in milliseconds since 1970; None for `earliest`."""
    from rowtime.errors import Diagnostic
    from rowtime.types.times import parse_begin

    try:
        return parse_begin(text)
    except ValueError:
        message = f"--from takes 'earliest' or a timestamp, not '{text}'"
        raise WrongCommandLine(Diagnostic(code="RT0623", message=message, hint="2006-09-11 12:05:00")) from None
