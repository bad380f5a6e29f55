"""The names under which pumps are attached to streams, as readers and as producers."""

from __future__ import annotations

from rowtime.catalog.changes import Entry

_PREFIX = "pump:"


def attachment_of(pump: Entry) -> str:
    return _PREFIX + pump.id


def pump_of(attachment: str) -> str | None:
    """Returns the id of the pump that is attached under that name, or None for any other reader or producer."""
    return attachment.removeprefix(_PREFIX) if attachment.startswith(_PREFIX) else None
