"""Where a query ends to read a source, because it is part of a takeover; and how far it has read it.

A place in a log is a version: that of the first commit that is not read. A place in a topic is the next offset of each
partition, by its number as text.
"""

from __future__ import annotations

from collections.abc import Mapping

from rowtime.catalog.changes import Entry

Place = int | dict[str, int]


def is_topic(entry: Entry) -> bool:
    """Returns whether a source is a topic: two queries can read it up to the same offsets."""
    return entry.kind == "FOREIGN STREAM" and entry.options.get("connector", "").lower() == "kafka"


def log_end(place: Place | None) -> int | None:
    """Returns the version of a place in a log."""
    return place if isinstance(place, int) else None


def topic_end(place: Place | None) -> Mapping[str, int] | None:
    """Returns the offsets of a place in a topic."""
    return place if isinstance(place, dict) else None


def is_behind(read: Place | None, end: Place) -> bool:
    """Returns whether a query that has read up to the first place has not reached the second."""
    if isinstance(end, int):
        return (log_end(read) or 0) < end
    offsets = topic_end(read) or {}
    return any(offsets.get(partition, 0) < offset for partition, offset in end.items())


def further(one: Place, other: Place) -> Place:
    """Returns the first place that is behind neither of the two."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: max(one.get(key, 0), other.get(key, 0)) for key in sorted(one.keys() | other.keys(), key=int)}
    return max(log_end(one) or 0, log_end(other) or 0)
