"""What START FROM OFFSETS skips and reads again, compared with the position that a pump has in each source."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError, error, format_count
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.runtime.checkpoint.source_rows import by_source
from rowtime.runtime.checkpoint.start_offsets import log_entries, read_offsets
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump.resets import Reset
from rowtime.runtime.pump.status import read_report

INVALID = "RT0346"


@dataclass(frozen=True, slots=True)
class OffsetEffects:
    """What is `skipped` unread, and what is read `again`, in words; `whole`: all that the pump has read since its last
    reset is read again."""

    skipped: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    whole: bool = True


def effects(registry: PumpRegistry, entry: Entry, reset: Reset, plan: Node) -> OffsetEffects:
    """Returns what the offsets of a RESET do. Raises RowtimeError RT0346 if they are not those of all sources, or if a
    source does not have one."""
    sources = {scan.source for scan in stream_scans(plan) if scan.mode == "stream"}
    others = sorted(set(reset.offsets) - sources)
    if others:
        raise error(INVALID, f"Pump '{entry.name}' does not read '{others[0]}'", hint=f"It reads {_list(sources)}")
    logs = log_entries(plan, registry.store)
    positions = {name: read.position for name, read in by_source(read_report(registry.store, entry).scans).items()}
    missing = sorted(sources - set(reset.offsets))
    if missing:
        known = positions.get(missing[0])
        raise error(
            INVALID,
            f"FROM OFFSETS does not say where pump '{entry.name}' begins to read '{missing[0]}'",
            hint="Name each source that the pump reads" + (f"; its position in it is {known}" if known else ""),
        )
    found = OffsetEffects()
    whole = True
    for name in sorted(sources):
        said = reset.offsets[name]
        if name in logs:
            whole = _log(registry, entry, logs[name], int(said), found) and whole
        else:
            whole = False
            source = registry.store.get(name)
            held = None if source is None else registry.held_offsets(source)
            if held is not None:
                _check_held(name, str(said), held)
            known = next(iter(positions[name].values()), None) if isinstance(positions.get(name), dict) else None
            if isinstance(known, Mapping):
                _topic(name, str(said), known, found)
            elif registry.signatures.has_run(entry):
                found.again.append(f"records of '{name}', in which its position is not known")
    return OffsetEffects(found.skipped, found.again, whole)


def _log(registry: PumpRegistry, entry: Entry, source: Entry, said: int, found: OffsetEffects) -> bool:
    """Adds what becomes of the rows of a stream or table. Returns whether all that the pump has read is read again."""
    log = registry.log(source)
    first, last = log.earliest(), log.version() + 1
    if not first <= said <= last:
        raise error(
            INVALID,
            f"'{source.name}' has no offset {said}: it has those from {first} to {last}",
            hint="An offset is the number of the commit that is read next, as the POSITION of SHOW PUMPS has it",
        )
    began = registry.places(entry).get(source.name)
    now = began
    with contextlib.suppress(RowtimeError):
        # FROM OFFSETS is also a way out if the checkpoint is damaged.
        now = read_offsets({source.name: source}, registry.log, registry.folder(entry)).get(source.name, began)
    if now is None:
        return True
    read, begin = (log.state_at(version - 1).entered if version > 0 else 0 for version in (now, said))
    if read < begin:
        found.skipped.append(f"{format_count(begin - read, 'row')} of '{source.name}' that it has not read")
    elif read > begin:
        found.again.append(f"{format_count(read - begin, 'row')} of '{source.name}'")
    return began is not None and said <= began


def _check_held(name: str, said: str, held: Mapping[str, tuple[int, int]]) -> None:
    """Raises RowtimeError RT0346 if a topic does not have some offsets; `held` are those that it has."""
    for partition, offset in _offsets(said).items():
        if partition not in held:
            raise error(INVALID, f"'{name}' has no partition {partition}: it has {', '.join(sorted(held, key=int))}")
        first, end = held[partition]
        if not first <= offset <= end:
            raise error(
                INVALID,
                f"'{name}' has no offset {offset} of partition {partition}: it has those from {first} to {end}",
                hint="An offset is that of the record that is read next, as the POSITION of SHOW PUMPS has it",
            )


def _offsets(said: str) -> dict[str, int]:
    """Parses offsets of partitions, such as `0:17, 1:4`."""
    return {part.split(":")[0].strip(): int(part.split(":")[1]) for part in said.split(",")}


def _topic(name: str, said: str, known: Mapping[str, Any], found: OffsetEffects) -> None:
    """Adds what becomes of the records of a topic; `known` is the offset of each partition that the pump has reported
    last."""
    begins = _offsets(said)
    unknown = sorted(set(begins) - set(known))
    if unknown:
        raise error(
            INVALID,
            f"'{name}' has no partition {unknown[0]} that the pump has read: it has read {', '.join(sorted(known))}",
            hint="Leave it out: a partition that is not named is read from its beginning",
        )
    moved = [begins.get(partition, 0) - int(offset) for partition, offset in known.items()]
    skipped, again = sum(n for n in moved if n > 0), -sum(n for n in moved if n < 0)
    if skipped:
        found.skipped.append(f"{format_count(skipped, 'record')} of '{name}' that it has not read")
    if again:
        found.again.append(f"{format_count(again, 'record')} of '{name}'")


def _list(names: set[str]) -> str:
    return " and ".join(f"'{name}'" for name in sorted(names)) or "no stream"
