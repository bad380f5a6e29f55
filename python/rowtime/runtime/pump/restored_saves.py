"""What START FROM SAVE does, said before anything changes, and settled when the earlier query has ended.

The rows between the savepoint and the position that the pump had are read again. Micro-batches keep their numbers if
the target has none that is later than the savepoint, so a target that has the last one of them already does not take
it again. Otherwise they get new numbers, and what the target has would be written twice: that has to be allowed.
"""

from __future__ import annotations

from pathlib import Path

from rowtime.catalog.changes import STARTED, Entry, pump_state
from rowtime.delta.batches import GENERATION, last_recorded, recorded_rows
from rowtime.errors import RowtimeError, error, format_count
from rowtime.locks import is_free
from rowtime.plan.operators import stream_scans
from rowtime.planner import Feeding
from rowtime.runtime.checkpoint import savepoints
from rowtime.runtime.checkpoint.offsets import OffsetLog, is_behind
from rowtime.runtime.checkpoint.savepoints import Savepoint
from rowtime.runtime.checkpoint.start_offsets import read_offsets
from rowtime.runtime.checkpoint.untold_rows import places_read
from rowtime.runtime.launch.folders import generation
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump.resets import Reset, reset_of
from rowtime.runtime.target.targets import Target
from rowtime.runtime.target.written import WRITTEN, content_of
from rowtime.types import times


def verdict(registry: PumpRegistry, old: Entry, new: Entry, reset: Reset, statement: Feeding) -> str:
    """Returns what becomes of a pump, `old`, that continues as `new` from a savepoint.

    Raises RowtimeError RT0560 if there is none of that name, or the pump runs; RT0516 if it does not fit the query;
    RT0518 if the target has rows that would be written again, or results of which the savepoint knows nothing."""
    save = savepoints.find(registry.store, old, reset.save or "")
    if pump_state(old.definition) == STARTED and not is_free(registry.store.folder(old.id, "pumps") / "lock"):
        raise error(
            savepoints.UNKNOWN,
            f"{old.label} runs: what it has written since the savepoint '{save.name}' can only be known when it has "
            "ended",
            hint=f"ALTER PUMP {old.name} STOP first",
        )
    registry.signatures.check(new, statement, folder=savepoints.checkpoint_of(registry.store, old, save.name))
    again = written_since(registry.folder(old), registry.numbering(old), save)
    if again == 0 and statement.mode == "realtime":
        # It has no record of what it has written, only of what it has read.
        again = None if _has_read_on(registry, old, save, statement) else 0
    if again != 0 and not _may_repeat(reset, statement):
        raise _repeated(old, save, again)
    if not reset.allow_duplicates and _upserts(statement):
        if _was_reset(registry, old, save):
            raise _other_results(old, save, statement)
        if _is_behind(registry, old, save, statement):
            raise _earlier_results(old, save, statement)
    read_again = _read_again(registry, old, save)
    return f"{old.label} continues from savepoint '{save.name}' of {times.text(save.made)} UTC{read_again}"


def settle(registry: PumpRegistry, entry: Entry, statement: Feeding, target: Target) -> None:
    """Settles how the micro-batches of a pump are numbered that continues from a savepoint; its earlier query has
    ended. Raises RowtimeError RT0518 if the target has rows that would be written again."""
    folder = registry.folder(entry)
    save = savepoints.restored(entry, folder)
    if save is None:
        return
    last = target.last_batch().batch
    first = save.numbering * GENERATION
    is_later = last is not None and last.number > first + save.batch
    if last is not None and last.number == first + save.batch and last.content is not None:
        planned = content_of(folder / "spark", save.batch)
        is_later = planned is not None and planned != last.content
    if not is_later:
        savepoints.number(folder, save.numbering)
        return
    earlier = registry.generation_folder(entry, generation(entry) - 1)
    again = written_since(earlier, savepoints.numbering(earlier, generation(entry) - 1), save)
    reset = reset_of(entry) or Reset()
    if again != 0 and not _may_repeat(reset, statement):
        raise _repeated(entry, save, again)
    # The record is about numbers of the earlier series.
    (folder / WRITTEN).unlink(missing_ok=True)
    savepoints.number(folder, generation(entry))


def written_since(folder: Path, numbering: int, save: Savepoint) -> int | None:
    """Returns how many rows the target of a pump, whose checkpoint is in `folder`, has taken since a savepoint; None if
    that is unknown: it was reset since then, or has been killed while it wrote."""
    if numbering != save.numbering:
        return None
    try:
        log = OffsetLog(folder / "spark")
        latest, completed = log.latest(), log.latest_completed()
    except RowtimeError:
        return None
    if latest is None or completed is None or latest.batch < save.batch:
        return None
    if latest.batch > max(completed.batch, save.batch, last_recorded(folder / WRITTEN)):
        return None
    return max(recorded_rows(folder / WRITTEN) - save.taken, 0)


def _may_repeat(reset: Reset, statement: Feeding) -> bool:
    """Returns whether rows may be written again: it was allowed, or they replace those that are there."""
    return reset.allow_duplicates or _upserts(statement)


def _upserts(statement: Feeding) -> bool:
    return statement.target is not None and statement.target.mode == "upsert"


def _was_reset(registry: PumpRegistry, entry: Entry, save: Savepoint) -> bool:
    """Returns whether the state of a pump no longer goes back to the state of which a savepoint is a copy."""
    saved = savepoints.checkpoint_of(registry.store, entry, save.name)
    return savepoints.origin(*_checkpoint(registry, entry)) != savepoints.origin(saved, save.numbering)


def _has_read_on(registry: PumpRegistry, entry: Entry, save: Savepoint, statement: Feeding) -> bool:
    """Returns whether a pump has read rows since a savepoint."""
    assert statement.plan is not None
    scans = stream_scans(statement.plan)
    saved = savepoints.checkpoint_of(registry.store, entry, save.name)
    return places_read(scans, _checkpoint(registry, entry)[0] / "spark") != places_read(scans, saved / "spark")


def _is_behind(registry: PumpRegistry, entry: Entry, save: Savepoint, statement: Feeding) -> bool:
    """Returns whether a pump that continues from an earlier savepoint has not read all that it had read at this one:
    its target goes through the values between them a second time."""
    if _restored_from(entry) in (None, save.name):
        return False
    assert statement.plan is not None
    scans = stream_scans(statement.plan)
    saved = savepoints.checkpoint_of(registry.store, entry, save.name)
    return is_behind(places_read(scans, _checkpoint(registry, entry)[0] / "spark"), places_read(scans, saved / "spark"))


def _checkpoint(registry: PumpRegistry, entry: Entry) -> tuple[Path, int]:
    """Returns the folder and the generation of the checkpoint from which a pump would continue now."""
    folder, name = registry.folder(entry), _restored_from(entry)
    if folder.exists() or name is None:
        return folder, generation(entry)
    # It has not run since.
    last = savepoints.find(registry.store, entry, name)
    return savepoints.checkpoint_of(registry.store, entry, name), last.numbering


def _restored_from(entry: Entry) -> str | None:
    """Returns the savepoint from which a pump was to continue last, if it was not reset since."""
    reset = reset_of(entry)
    return None if reset is None else reset.save


def _other_results(entry: Entry, save: Savepoint, statement: Feeding) -> RowtimeError:
    assert statement.target is not None
    return error(
        "RT0518",
        f"Pump '{entry.name}' was reset since the savepoint '{save.name}': '{statement.target.name}' has other results "
        "than it had then, of which some would stay and others be missing",
        hint=f"Give the table the rows that it had at {times.text(save.made)} UTC, and say START FROM SAVE … ALLOW "
        "DUPLICATES; or delete its rows, and RESET FROM EARLIEST makes all results anew",
    )


def _earlier_results(entry: Entry, save: Savepoint, statement: Feeding) -> RowtimeError:
    assert statement.target is not None
    return error(
        "RT0518",
        f"Pump '{entry.name}' goes on from savepoint '{_restored_from(entry)}', and has not come to the savepoint "
        f"'{save.name}' again: rows of '{statement.target.name}' can have earlier values than they had then, and would "
        "keep them",
        hint=f"ALTER PUMP {entry.name} START, and STOP when it has read its sources; or give the table the rows that "
        f"it had at {times.text(save.made)} UTC, and say START FROM SAVE … ALLOW DUPLICATES",
    )


def _repeated(entry: Entry, save: Savepoint, again: int | None) -> RowtimeError:
    rows = (
        "rows that its target may have taken"
        if again is None
        else f"{format_count(again, 'row')} of its target that were written"
    )
    return error(
        "RT0518",
        f"Pump '{entry.name}' would write again {rows} since the savepoint '{save.name}'",
        hint="Delete them from the target, and say START FROM SAVE … ALLOW DUPLICATES; or START, which goes on from "
        "its present state",
    )


def _read_again(registry: PumpRegistry, entry: Entry, save: Savepoint) -> str:
    """Returns what is read again, in words."""
    sources = {name: registry.store.get(name) for name in save.places}
    known = {name: source for name, source in sources.items() if source is not None}
    try:
        now = registry.places(entry) | read_offsets(known, registry.log, registry.folder(entry))
    except RowtimeError:
        return ""
    said = []
    for name, source in known.items():
        log = registry.log(source)
        count = log.state_at(max(now.get(name, 0) - 1, 0)).entered - log.state_at(max(save.places[name] - 1, 0)).entered
        if count > 0:
            said.append(f"{format_count(count, 'row')} of '{name}'")
    return f", and reads again {' and '.join(said)}" if said else ""
