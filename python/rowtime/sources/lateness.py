"""LATENESS on the ROWTIME of a foreign stream, as the delay of Spark's watermark."""

from __future__ import annotations

import re

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.streams.log import ROWTIME

_UNITS = {"MILLISECOND": 1, "SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 604_800_000}
_INTERVAL = re.compile(r"\s*INTERVAL\s+'?\s*(\d+(?:\.\d+)?)\s*'?\s+([A-Z]+?)S?(?:\s*\(\d+\))?\s*\Z", re.IGNORECASE)


def delay_millis(entry: Entry) -> int:
    """The delay in milliseconds; 0 where no LATENESS is declared. Raises RowtimeError RT0900 where it is not a plain
    interval such as INTERVAL '1' HOUR."""
    for column in entry.definition["columns"]:
        declared = column.get("lateness")
        if column["name"] == ROWTIME and declared:
            match = _INTERVAL.match(declared)
            unit = match.group(2).upper() if match else ""
            if match is None or unit not in _UNITS:
                raise error("RT0900", f"not supported yet: LATENESS {declared} on '{entry.name}'")
            return int(float(match.group(1)) * _UNITS[unit])
    return 0
