"""What a RESET would lose, or write again, said before anything changes: the rows that a pump has read and whose
results are not in its target yet, and those that it has not read."""

from __future__ import annotations

import contextlib

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError, error, format_count
from rowtime.lexical.identifiers import identifier
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.planner import Feeding
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.runtime.checkpoint.start_offsets import log_entries, read_offsets
from rowtime.runtime.launch.folders import generation
from rowtime.runtime.pump import offset_effects
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump.resets import Reset
from rowtime.runtime.pump.status import read_report
from rowtime.types import times

_COUNTED = frozenset({"aggregate"})
"""The operators whose state is empty if it has no entries; others may keep rows elsewhere."""


def check(registry: PumpRegistry, entry: Entry, reset: Reset, statement: Feeding) -> list[str]:
    """Checks what the RESET of a pump, which will run `statement`, would do. Returns what it drops, in words.

    Raises RowtimeError RT0517 if rows would be lost, unless the RESET says DROP STATE, and RT0518 if rows may be
    written that the target has already, or a table has results that change, unless it says ALLOW DUPLICATES."""
    plan = statement.plan
    assert plan is not None
    state = _state(registry, entry)
    has_run = _has_run(registry, entry)
    if has_run and not reset.allow_duplicates:
        _require_no_results(registry, entry, statement)
    begin = reset.begins(statement)
    if begin == "NOW":
        lost = [*state, *_unread(registry, entry, plan)]
        _require(entry, reset, lost)
        return lost
    if begin == "POSITION":
        if has_run:
            foreign = _foreign(registry, plan)
            _require(
                entry, reset, [f"the position in foreign stream '{name}', which is in the state" for name in foreign]
            )
        return state
    if begin == "OFFSETS":
        return _from_offsets(registry, entry, reset, statement, state)
    if begin == "EARLIEST" and state:
        _require(entry, reset, _cleaned(registry, entry, plan))
    if has_run and not reset.allow_duplicates and not _keeps_result(registry, statement):
        raise error(
            "RT0518",
            f"Pump '{entry.name}' would read rows again whose results are in its target: they would be written twice, "
            "or be late there",
            hint="RESET KEEP POSITION drops the state, and goes on from its position; RESET "
            f"{'FROM EARLIEST' if begin == 'EARLIEST' else 'FROM TIMESTAMP …'} ALLOW DUPLICATES reads them again",
        )
    return state


def _from_offsets(
    registry: PumpRegistry, entry: Entry, reset: Reset, statement: Feeding, state: list[str]
) -> list[str]:
    assert statement.plan is not None
    found = offset_effects.effects(registry, entry, reset, statement.plan)
    lost = [*([] if found.whole and found.again else state), *found.skipped]
    _require(entry, reset, lost)
    has_run = _has_run(registry, entry)
    if has_run and found.again and not reset.allow_duplicates and not _keeps_result(registry, statement):
        raise error(
            "RT0518",
            f"Pump '{entry.name}' would read again {' and '.join(found.again)}: results that its target has already "
            "would be written twice, or be late there",
            hint="FROM OFFSETS … ALLOW DUPLICATES reads them again; SHOW PUMPS has the present POSITION",
        )
    return lost or state


def _keeps_result(registry: PumpRegistry, statement: Feeding) -> bool:
    """Returns whether a table has a result that changes, or its changes: its rows belong to the state of the pump."""
    target = statement.target
    if target is None or target.mode == "upsert":
        return target is not None
    entry = registry.store.get(target.name)
    return target.meaning is not None and entry is not None and entry.kind == "TABLE"


def _require_no_results(registry: PumpRegistry, entry: Entry, statement: Feeding) -> None:
    """Raises RowtimeError RT0518 if a table has results that the pump would replace by those of fewer rows, or would
    not know any more when they are gone."""
    target = None if statement.target is None else registry.store.get(statement.target.name)
    if target is None or not _keeps_result(registry, statement):
        return
    found = registry.has_results(target)
    if found is False:
        return
    where = f"DELETE FROM {identifier(target.name)}" if target.kind == "TABLE" else "where they are stored"
    hint = (
        f"Stop the pump and delete the rows ({where}): RESET FROM EARLIEST then makes them again; RESET … ALLOW "
        "DUPLICATES leaves them there"
    )
    raise error(
        "RT0518",
        f"{target.kind.capitalize()} '{target.name}' {'has' if found else 'may have'} results of pump '{entry.name}', "
        "which the pump would no longer know: some would stay although they have changed",
        hint=hint if found else f"{hint}. ALTER PUMP in a session, which has Spark, finds out whether there are any",
    )


def _require(entry: Entry, reset: Reset, lost: list[str]) -> None:
    if lost and not reset.drop_state:
        raise error(
            "RT0517",
            f"RESET of pump '{entry.name}' would lose {' and '.join(lost)}",
            hint="RESET KEEP POSITION drops the state, and loses no row that was not read; RESET FROM EARLIEST reads "
            "rows again; RESET … DROP STATE loses them",
        )


def _state(registry: PumpRegistry, entry: Entry) -> list[str]:
    """Returns what the saved state of a pump holds, in words; empty if it holds nothing."""
    operators = registry.signatures.saved_operators(entry)
    if operators == [] or not _has_completed(registry, entry):
        return []
    report = read_report(registry.store, entry)
    count = report.state_rows
    if count == 0 and operators is not None and set(operators) <= _COUNTED:
        return []
    since = "" if report.rowtime is None else f", of the time from {report.rowtime.replace('T', ' ')} on"
    held = f"{count:,} {'entry' if count == 1 else 'entries'} of its state" if count else "its state"
    return [held + since]


def _unread(registry: PumpRegistry, entry: Entry, plan: Node) -> list[str]:
    """Returns the rows that a pump has not read yet, in words, for each source."""
    places = registry.places(entry)
    sources = {name: registry.store.get(name) for name in places}
    known = {name: source for name, source in sources.items() if source is not None}
    with contextlib.suppress(RowtimeError):
        # RESET is also the way out if the checkpoint is damaged.
        places = places | read_offsets(known, registry.log, registry.folder(entry))
    found = []
    for name, source in known.items():
        log = registry.log(source)
        now, version = log.state(), places[name]
        read = log.state_at(version - 1) if 0 < version <= now.version else None
        count = now.entered - (0 if read is None else read.entered) if version <= now.version else 0
        if count > 0:
            until = "" if now.bound is None else f", up to {times.text(now.bound)}"
            found.append(f"{format_count(count, 'row')} of '{name}' that it has not read{until}")
    if _has_run(registry, entry):
        found += [f"the rows of foreign stream '{name}' that it has not read" for name in _foreign(registry, plan)]
    return found


def _foreign(registry: PumpRegistry, plan: Node) -> list[str]:
    """Returns the sources whose position only the checkpoint knows."""
    return sorted(
        {scan.source for scan in stream_scans(plan) if scan.mode == "stream"} - set(log_entries(plan, registry.store))
    )


def _cleaned(registry: PumpRegistry, entry: Entry, plan: Node) -> list[str]:
    """Returns the sources that no longer have all their rows, in words: what the state holds may be among them."""
    sources = log_entries(plan, registry.store).values()
    return [f"rows that '{source.name}' no longer has" for source in sources if registry.log(source).state().cleaned]


def _has_run(registry: PumpRegistry, entry: Entry) -> bool:
    """Returns whether the pump may have written something, also before an earlier reset."""
    return generation(entry) > 0 or _has_completed(registry, entry)


def _has_completed(registry: PumpRegistry, entry: Entry) -> bool:
    try:
        return OffsetLog(registry.folder(entry) / "spark").latest_completed() is not None
    except RowtimeError:
        return True
