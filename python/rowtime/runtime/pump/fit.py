"""Judges, before CREATE OR REPLACE PUMP or VIEW changes anything, what becomes of the pump, or of those that read the
view."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

from rowtime.catalog.changes import STARTED, Change, Entry, is_pump, pump_state
from rowtime.errors import Diagnostic, RowtimeError, error
from rowtime.locks import is_free
from rowtime.plan.state import signature
from rowtime.runtime.checkpoint.start_offsets import held_sources
from rowtime.runtime.launch.folders import generation
from rowtime.runtime.pump import reset_effects, restored_saves
from rowtime.runtime.pump import skips as pump_skips
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump.resets import Reset, reset_in
from rowtime.runtime.pump.status import FAILED, read_status
from rowtime.types import times

NOTICE = "RT0519"
_SECONDS_TO_START = 10.0
"""Seconds in which a process that has begun to start a pump has recorded the signature of its state."""


def verdict(registry: PumpRegistry, change: Change) -> str | None:
    """Returns what becomes of the state and the position of the pump that a change replaces or resets, or which row it
    steps over; None if it does none of these.

    Raises RowtimeError RT0516 if the pump cannot continue with its new query, RT0607 if its checkpoint is damaged,
    RT0517 if a RESET would lose rows, RT0518 if it may write rows again, RT0561 if there is no row to step over,
    and RT0562 if a pump cannot take over from another.
    """
    if pump_takeover.is_requested(change):
        return pump_takeover.verdict(registry, change)
    if change.get("skip"):
        return pump_skips.verdict(registry.store, change)
    reset = reset_in(change)
    if change["action"] == "pump":
        old = registry.store.get(change["name"])
        return None if old is None or reset is None else _restarted(registry, old, old, reset)
    if change["action"] != "create" or not is_pump(change["object"]) or not change.get("replace"):
        return None
    old = registry.store.get(change["object"]["name"])
    if old is None or not old.is_pump:
        return None
    if reset is not None:
        return _restarted(registry, old, Entry(old.id, old.since, change["object"]), reset)
    _await_signature(registry, old)
    if not registry.signatures.has_run(old):
        return f"{old.label} has not run yet: it has no state that would have to fit"
    replaced = Entry(old.id, old.since, change["object"] | {"generation": generation(old)})
    statement = registry.statement(replaced)
    registry.signatures.check(replaced, statement, replaced=True)
    assert statement.plan is not None
    has_state = signature(statement.plan) or held_sources(statement.plan)
    kept = "its position and state" if has_state else "its position; it has no state"
    return f"{old.label} continues from {kept}"


class _TriedOut(Exception):
    """Ends a transaction without its changes."""


def replanned(registry: PumpRegistry, changes: Sequence[Change]) -> list[str]:
    """Returns what becomes of the running pumps that read views which `changes` replace: they go on with the new
    queries. Raises RowtimeError RT0516 if one of them cannot."""
    of_views = [change for change in changes if change["action"] == "replan" and "view" in change]
    views = {name: change["view"] for change in of_views for name in change["names"]}
    pumps = [entry for name in views if (entry := registry.store.get(name)) is not None]
    running = [entry for entry in pumps if entry.is_materialized_view or pump_state(entry.definition) == STARTED]
    if not running:
        return []
    for entry in running:
        _await_signature(registry, entry)
    said = []
    with contextlib.suppress(_TriedOut), registry.store.transaction():
        registry.store.commit(changes)
        for entry in running:
            said.append(_goes_on(registry, entry, views[entry.name]))
        raise _TriedOut
    return said


def _goes_on(registry: PumpRegistry, entry: Entry, view: str) -> str:
    """Says what becomes of a pump, in a transaction in which a view has its new query."""
    used = f"View '{view}' is read by {entry.kind.lower()} '{entry.name}'"
    try:
        reason = registry.signatures.mismatch(entry, registry.statement(entry))
    except RowtimeError as fault:
        message = f"{used}, which could not go on: {fault.diagnostics[0].message}"
        raise error("RT0516", message, hint=_first(entry)) from fault
    if reason is not None:
        raise error("RT0516", f"{used}, whose saved state would not fit: {reason}", hint=_first(entry))
    return f"{entry.label} goes on with the new query of view '{view}'"


def _first(entry: Entry) -> str:
    """Returns what to do before what the pump reads is replaced."""
    if entry.is_materialized_view:
        return f"DROP MATERIALIZED VIEW {entry.name} first, and create it again afterwards"
    stop, start = f"ALTER PUMP {entry.name} STOP", f"ALTER PUMP {entry.name} START RESET …"
    return f"{stop} first; afterwards, {start} says where it starts with new state"


def as_lines(refused: Diagnostic) -> list[str]:
    """Returns an error of a statement as lines of its EXPLAIN."""
    hint = [] if refused.hint is None else [f"  hint: {refused.hint}"]
    return [f"{refused.code}: {refused.message}", *hint]


def _restarted(registry: PumpRegistry, old: Entry, new: Entry, reset: Reset) -> str:
    statement = registry.statement(new)
    if reset.begin == "SAVE":
        return restored_saves.verdict(registry, old, new, reset, statement)
    dropped = reset_effects.check(registry, old, reset, statement)
    begin = reset.begins(statement)
    if begin == "POSITION":
        begins = "continues from its position"
    elif begin == "TIMESTAMP" and reset.since is not None:
        begins = f"reads rows of its sources from {times.text(reset.since)} on again"
    elif begin == "OFFSETS":
        begins = f"reads its sources from {', '.join(f'{name} => {place}' for name, place in reset.offsets.items())} on"
    elif begin == "EARLIEST":
        begins = "reads all rows again that its sources still have"
    else:
        begins = "starts with the rows that arrive from now on"
    return f"{old.label} drops {' and '.join(dropped) or 'nothing'}, and {begins}"


def _await_signature(registry: PumpRegistry, entry: Entry) -> None:
    """Waits while a process is starting a pump for the first time: what state it creates is known in a moment."""
    lock = registry.store.folder(entry.id, "pumps") / "lock"
    last = time.monotonic() + _SECONDS_TO_START
    while pump_state(entry.definition) == STARTED and not registry.signatures.has_run(entry) and not is_free(lock):
        if read_status(registry.store, entry).state == FAILED:
            # It fails before it has any state.
            return
        if time.monotonic() > last:
            raise error(
                "RT0516",
                f"Whether pump '{entry.name}' fits its new query cannot be known: a process is just starting it",
                hint="Run the statement again",
            )
        time.sleep(0.05)
