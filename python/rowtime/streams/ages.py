"""Ages by the system clock, as far as it can be believed.

What is deleted by its age may be in use if the clock was set in between: a lease that is a second old looks an hour old
once the clock is an hour ahead. Each process that uses a folder therefore compares the system clock with one that is
never set, that of the machine since its start, and records in the folder when the two diverged. No age is then greater
than the time since. After a restart of the machine no process is left that could use anything, and all ages count.
"""

from __future__ import annotations

import math
import time
from functools import cache
from pathlib import Path

import msgspec

from rowtime.decoding import Decoder
from rowtime.storage.smallfiles import replace_whole

OWNERS = "owners"
"""The folder of a warehouse with the signs of life of its processes."""
FILE = "clock.json"
_TOLERANCE = 5.0
"""Seconds by which the clocks may diverge: the system clock is also adjusted slowly, by less than that in an hour."""


class _Record(msgspec.Struct, frozen=True):
    """`boot` is the current start of the machine, `ahead` by how many seconds the system clock was ahead of the time
    since then, and `set` when the clock was last set, in seconds since the start; None: not known to have been set."""

    boot: str
    ahead: float
    set: float | None = None


_decoder = Decoder(_Record)


class Ages:
    """The ages of what is in a folder, or below it. May be used from any thread and process."""

    def __init__(self, folder: Path) -> None:
        """The folder, or the one that it is in, must exist."""
        self._file = folder / FILE

    def watch(self) -> None:
        """Notices whether the clock was set. A process that has something in the folder whose age counts calls this
        often."""
        self.believed()

    def age(self, stamp: float) -> float:
        """Returns how many seconds ago a time (in seconds since 1970) was, at most those for which the clock has not
        been set."""
        return min(time.time() - stamp, self.believed())

    def believed(self) -> float:
        """Returns for how many seconds the clock has not been set; infinity if it never was, as far as is known."""
        try:
            return self._believed()
        except OSError:
            # It can neither be read nor recorded: on a full disk, for example.
            return 0.0

    def _believed(self) -> float:
        now = time.monotonic()
        boot, ahead = _boot(), time.time() - now
        known = self._read()
        if known is None or known.boot != boot:
            known = self._record(_Record(boot, ahead))
        elif abs(ahead - known.ahead) > _TOLERANCE:
            known = self._record(_Record(boot, ahead, now))
        return math.inf if known.set is None else max(now - known.set, 0.0)

    def _read(self) -> _Record | None:
        try:
            return _decoder.decode(self._file.read_bytes())
        except (FileNotFoundError, msgspec.MsgspecError):
            return None

    def _record(self, found: _Record) -> _Record:
        try:
            replace_whole(self._file, msgspec.json.encode(found))
        except FileNotFoundError:
            # Without its parents: a warehouse that was deleted is not created again.
            self._file.parent.mkdir(exist_ok=True)
            replace_whole(self._file, msgspec.json.encode(found))
        return found


def ages_in(warehouse: Path) -> Ages:
    """Returns the ages of what is in a warehouse."""
    return Ages(warehouse / OWNERS)


@cache
def _boot() -> str:
    """Returns a name of the current start of the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        # Elsewhere the time since the start goes back when the machine starts, which looks as if the clock was set.
        return ""
