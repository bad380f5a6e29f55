"""ALTER PUMP … SAVE and DROP SAVE: savepoints are made by the process that runs the pump, between two of its queries;
if none runs it, by the process of the statement."""

from __future__ import annotations

import time

from rowtime import notices
from rowtime.catalog.changes import Change, Entry
from rowtime.delta.batches import recorded_rows
from rowtime.errors import error
from rowtime.locks import is_free
from rowtime.runtime.checkpoint import savepoints
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.runtime.checkpoint.savepoints import Savepoint
from rowtime.runtime.checkpoint.source_rows import by_source
from rowtime.runtime.checkpoint.start_offsets import read_offsets
from rowtime.runtime.launch.folders import Lock
from rowtime.runtime.pump.registry import PumpRegistry, save_reader
from rowtime.runtime.pump.status import read_report
from rowtime.runtime.target.written import WRITTEN
from rowtime.types import times

_NOTICE = "RT0519"
_PATIENCE = 60.0
"""Seconds in which the process that runs a pump has to make a savepoint."""


def check(registry: PumpRegistry, change: Change) -> None:
    """Raises RowtimeError RT0560, before anything changes, if a savepoint cannot be made or dropped."""
    entry = registry.store.get(change["name"])
    name = change.get("save")
    if entry is None or name is None:
        return
    if change["verb"] == "DROP_SAVE":
        savepoints.find(registry.store, entry, name)
        return
    if savepoints.exists(registry.store, entry, name):
        raise error(
            savepoints.UNKNOWN,
            f"{entry.label} already has a savepoint '{name}'",
            hint=f"Choose another name; or ALTER PUMP {entry.name} DROP SAVE '{name}'",
        )
    _completed(registry, entry)


def _completed(registry: PumpRegistry, entry: Entry) -> int:
    """Returns the last micro-batch of a pump that has begun. Raises RowtimeError RT0560 if none is complete."""
    log = OffsetLog(registry.folder(entry) / "spark")
    last = log.latest()
    if log.latest_completed() is None or last is None:
        raise error(
            savepoints.UNKNOWN, f"{entry.label} has not run yet: it has no state and no position that could be saved"
        )
    return last.batch


def is_requested(entry: Entry) -> bool:
    """Returns whether a savepoint of a pump was requested last."""
    return bool(entry.definition.get("saving"))


def make_requested(registry: PumpRegistry, entry: Entry) -> None:
    """Makes the savepoint that was requested of a pump, whose lock this process holds and which does not run."""
    name = str(entry.definition.get("saving"))
    if is_requested(entry) and not savepoints.exists(registry.store, entry, name):
        _make(registry, entry, name)


def _make(registry: PumpRegistry, entry: Entry, name: str) -> None:
    folder = registry.folder(entry)
    batch = _completed(registry, entry)
    sources = {source: registry.store.get(source) for source in registry.places(entry)}
    known = {source: found for source, found in sources.items() if found is not None}
    begun = {source: version for source, version in registry.places(entry).items() if source in known}
    places = begun | read_offsets(known, registry.log, folder)
    positions = {source: read.position for source, read in by_source(read_report(registry.store, entry).scans).items()}
    for source, version in places.items():
        # First: the rows behind it are kept for whoever continues from it.
        registry.log(known[source]).lease(save_reader(entry, name), version, None)
    save = Savepoint(
        name=name,
        made=times.now(),
        batch=batch,
        numbering=registry.numbering(entry),
        places=places,
        positions=positions | {source: {"version": version} for source, version in places.items()},
        taken=recorded_rows(folder / WRITTEN),
    )
    savepoints.write(registry.store, entry, save, folder)


def finish(registry: PumpRegistry, entry: Entry, change: Change) -> None:
    """Does what a statement about a savepoint says, once the catalog has it. Raises RowtimeError RT0560 if the process
    that runs the pump does not make it in time."""
    name = change["save"]
    if change["verb"] == "DROP_SAVE":
        registry.restore(entry)
        savepoints.remove(registry.store, entry, name)
        registry.release_save(entry, name)
        return
    _await(registry, entry, name)
    places = savepoints.find(registry.store, entry, name).positions
    said = ", ".join(f"'{source}' at {_shown(place)}" for source, place in sorted(places.items()))
    notices.tell(_NOTICE, f"{entry.label} is saved as '{name}', with its state, and its position: {said}")


def _shown(place: object) -> str:
    version = place.get("version") if isinstance(place, dict) else None
    return f"version {version}" if version is not None else str(place)


def _await(registry: PumpRegistry, entry: Entry, name: str) -> None:
    file = registry.store.folder(entry.id, "pumps") / "lock"
    last = time.monotonic() + _PATIENCE
    while not savepoints.exists(registry.store, entry, name):
        if is_free(file):
            lock = Lock(file)
            if lock.acquire():
                try:
                    make_requested(registry, entry)
                finally:
                    lock.release()
                continue
        if time.monotonic() > last:
            raise error(
                savepoints.UNKNOWN,
                f"The process that runs {entry.kind.lower()} '{entry.name}' has not made the savepoint '{name}' in "
                f"{_PATIENCE:.0f} seconds",
                hint="It is made as soon as the process answers; rowtime pump list shows it",
            )
        time.sleep(0.05)
