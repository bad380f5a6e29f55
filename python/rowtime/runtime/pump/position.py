"""How far a pump has read its sources."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError
from rowtime.foreign.options import Options
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.runtime.checkpoint.start_offsets import StartOffsets, read_offsets
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.streams.ends import Place


class PumpPosition:
    """The position of the pump `entry`."""

    def __init__(self, launcher: Launcher, registry: PumpRegistry, entry: Entry) -> None:
        self._launcher = launcher
        self._registry = registry
        self._entry = entry
        self.logs: dict[str, Entry] = {}
        """The sources that have a log, by name; the pump sets them when it starts."""
        self._recorded: StartOffsets = {}

    def offsets(self) -> StartOffsets:
        """Returns the offsets up to which it has read its logs; if its checkpoint is damaged, as far as is known."""
        try:
            return read_offsets(self.logs, self._launcher.log, self._registry.folder(self._entry))
        except RowtimeError:
            # The pump reports this when it starts; its status is reported regardless.
            return dict(self._recorded)

    def record(self, offsets: StartOffsets) -> None:
        """Reports to the sources how far they have been read."""
        moved = {name: version for name, version in offsets.items() if version != self._recorded.get(name)}
        if moved:
            self._registry.record_offsets(self._entry, moved)
            self._recorded |= moved

    def places(self, names: Iterable[str]) -> dict[str, Place]:
        """Returns the places up to which it has read these sources, logs and topics."""
        found: dict[str, Place] = dict(self.offsets())
        topics = {name: self._launcher.store.get(name) for name in names if name not in self.logs}
        if topics:
            with contextlib.suppress(RowtimeError):
                last = OffsetLog(self._registry.folder(self._entry) / "spark").latest_completed()
                read = {} if last is None else last.topics
                found |= {
                    name: dict(read.get(Options(entry).text("topic"), {}))
                    for name, entry in topics.items()
                    if entry is not None
                }
        return {name: found[name] for name in names if name in found}

    def lag(self, offsets: StartOffsets) -> float | None:
        """Returns how far it is behind its sources at these offsets, in seconds of ROWTIME; the most if there are
        several."""
        found = []
        for name, version in offsets.items():
            log = self._launcher.log(self.logs[name])
            latest, read = log.state().bound, log.state_at(max(version - 1, 0)).bound
            if latest is not None:
                first = log.state().first
                found.append((latest - (read if read is not None else first or latest)) / 1000)
        return max(found, default=None)
