"""In which order the rows of a streaming window come, and whether they wait."""

from __future__ import annotations

from rowtime.plan.nodes import Window
from rowtime.translate.result import Translated


def time_field(window: Window, rows: Translated) -> int | None:
    """The field that orders the rows of a window as they come; None where that is ROWTIME, or no field does: those wait
    for whole partitions, as others over the same partitions can as well."""
    if window.time is None or rows.columns[window.time.index] == rows.rowtime:
        return None
    return window.time.index


def waits(window: Window) -> bool:
    """Whether a row may have to wait for later ones."""
    upper = window.frame.upper
    peers = upper.kind == "PRECEDING" and not window.frame.rows and upper.offset is not None and not upper.offset.value
    return (
        peers
        or upper.kind.endswith("FOLLOWING")
        or window.time is None
        or len(window.order) > 1
        or any(call.function in ("LEAD", "PERCENT_RANK", "CUME_DIST", "NTILE") for call in window.calls)
    )


def waits_for_rows(window: Window) -> bool:
    """Whether a row waits for so many later ones of its partition, however late they are."""
    following = window.frame.rows and window.frame.upper.kind == "FOLLOWING"
    return following or any(call.function == "LEAD" for call in window.calls)
