"""The work around a change of the catalog that starts, stops or drops pumps, in whatever process the change is made:
one that runs pumps, or a command without Spark."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from rowtime import notices
from rowtime.catalog.changes import STARTED, STOPPED, Change, Entry, is_pump, pump_state
from rowtime.runtime.launch.folders import Lock
from rowtime.runtime.pump import saves as pump_saves
from rowtime.runtime.pump import skips as pump_skips
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.fit import NOTICE, replanned, verdict
from rowtime.runtime.pump.registry import PumpRegistration, PumpRegistry


def _nothing() -> None:
    pass


@contextlib.contextmanager
def changing(
    registry: PumpRegistry, changes: Sequence[Change], follow: Callable[[], None] = _nothing
) -> Iterator[None]:
    """Encloses the commit of `changes`: checks pumps that will start; afterwards registers them at their start offsets,
    makes this process `follow` the catalog, and does the work of the process of a pump for pumps that no process runs.

    Raises RowtimeError RT0516, before anything changes, if the saved state of a pump does not match its query. Says
    what becomes of a pump that is replaced.
    """
    touched = {c["name"] for c in changes if c["action"] == "pump"}
    touched |= {c["object"]["name"] for c in changes if c["action"] == "create" and is_pump(c["object"])}
    touched |= {name for c in changes if c["action"] == "replan" for name in c["names"]}
    names = {name for c in changes if c["action"] == "drop" for name in c["names"]}
    dropped = [registry.registration(entry) for entry in _pumps(registry, names)]
    for change in changes:
        if change["action"] == "pump" and change["verb"].upper() in ("START", "RESUME") and not change.get("reset"):
            for entry in _pumps(registry, {change["name"]}):
                registry.signatures.check(entry, registry.statement(entry))
    saves = [change for change in changes if change["action"] == "pump" and change.get("save")]
    for change in saves:
        pump_saves.check(registry, change)
    said = [found for found in (verdict(registry, change) for change in changes) if found is not None]
    said += replanned(registry, changes)
    yield
    for text in said:
        notices.tell(NOTICE, text)
    for entry in _pumps(registry, touched):
        if pump_state(entry.definition) == STARTED:
            registry.register(entry, registry.statement(entry))
    if touched or dropped:
        follow()
    for change in saves:
        for entry in _pumps(registry, {change["name"]}):
            pump_saves.finish(registry, entry, change)
    for change in changes:
        if pump_takeover.is_requested(change):
            pump_takeover.finish(registry, change, follow)
    for entry in _pumps(registry, touched):
        if pump_state(entry.definition) == STOPPED:
            _unless_run(registry, entry, registry.detach, registry.registration(entry))
    for registration in dropped:
        _unless_run(registry, registration.entry, registry.unregister, registration)


def resolved(registry: PumpRegistry, change: Change) -> Change:
    """Returns a change as the catalog takes it, with what only the runtime knows: the row to step over, or the versions
    up to which pumps read. Raises RowtimeError RT0561."""
    if pump_takeover.is_requested(change):
        return pump_takeover.requested(registry, change)
    return pump_skips.requested(registry.store, change) if change.get("skip") else change


def _pumps(registry: PumpRegistry, names: set[str]) -> list[Entry]:
    found = [registry.store.get(name) for name in sorted(names)]
    return [entry for entry in found if entry is not None and entry.is_pump]


def _unless_run(
    registry: PumpRegistry, entry: Entry, act: Callable[[PumpRegistration], None], registration: PumpRegistration
) -> None:
    lock = Lock(registry.store.folder(entry.id, "pumps") / "lock")
    if not lock.acquire():
        # The process that runs it notices within a second.
        return
    try:
        act(registration)
    finally:
        lock.release()
