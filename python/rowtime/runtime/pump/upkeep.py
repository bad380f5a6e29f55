"""What a process does every second for the pumps and queries that it runs, and cannot do: the user is told, and it is
tried again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import Enum

from rowtime import notices
from rowtime.catalog.faults import GONE
from rowtime.errors import RowtimeError
from rowtime.runtime.faults import query_fault

HINDERED = "RT0534"
_ENDED = "RT0638"


class Work(Enum):
    """The parts of the upkeep. One that fails does not keep the others from being done."""

    CATALOG = "follow the catalog"
    POSITION = "record its position"
    MEETING = "end where its takeover begins"
    TAKEOVER = "go on with its takeover"
    SAVEPOINT = "make its savepoint"
    SPACE = "limit the space of skipped rows"
    QUERIES = "renew the leases of queries"
    DROPPED = "detach pumps that were dropped"


class Upkeep:
    """Encloses the upkeep of pumps and, under a label of its own, of all else. An error ends the part in which it
    occurs. It is shown when it occurs first, and is known until that part succeeds. Any thread may use it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Work], tuple[object, str]] = {}

    @contextlib.contextmanager
    def of(self, label: str, work: Work) -> Iterator[None]:
        """Encloses a part for what has this label, such as "Pump 'P'". RT0609 is raised: the warehouse is gone, and all
        work ends."""
        try:
            yield
        except Exception as fault:
            if isinstance(fault, RowtimeError) and fault.code == GONE:
                raise
            self._note(label, work, fault)
        else:
            self._known.pop((label, work), None)

    def error(self, label: str) -> str | None:
        """Returns what fails for a label, as a line with its code."""
        found = [said for (name, _), (_, said) in list(self._known.items()) if name == label]
        return f"error {HINDERED}: {found[0]}" if found else None

    def forget(self, label: str) -> None:
        """Forgets a pump that does not run here any more."""
        for key in [key for key in list(self._known) if key[0] == label]:
            self._known.pop(key, None)

    def _note(self, label: str, work: Work, fault: Exception) -> None:
        # The texts of errors that are not rowtime's may differ each time.
        kind = str(fault) if isinstance(fault, RowtimeError) else type(fault)
        before = self._known.get((label, work))
        if before is not None and before[0] == kind:
            return
        (found, *_) = query_fault(fault, "the attempt").diagnostics
        said = f"{label} cannot {work.value}, and tries it again: {found.message} ({found.code})"
        self._known[label, work] = (kind, said)
        # All statements, and the commands, say themselves that the JVM has ended.
        if found.code != _ENDED:
            notices.warn(HINDERED, said, found.hint)
