"""ALTER PUMP … REPLACE WITH: another pump, which has written to a target of its own, takes over the name and the target
of a pump, at one bound.

Both read their sources up to the same places (versions of logs, offsets of topics), and end. Then both have written the
results of the same rows, and the bounds of their results are equal: what the first one has written, and what the second
one writes from then on, is each row once. One commit of the catalog gives the query and the state of the second the
name of the first, and its target; if results change, the two tables exchange their rows in the same commit.

The catalog says that a takeover is pending (`takeover`), in both pumps, and up to where they read. Whoever waits for
it, and each process that runs one of them, carries it on, so it goes on whatever is killed. Each step does nothing if
it was done before.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping

from rowtime import notices
from rowtime.catalog.changes import STARTED, Change, Entry
from rowtime.catalog.store import Store
from rowtime.delta.batches import recorded_rows
from rowtime.errors import RowtimeError, error
from rowtime.lexical.identifiers import quoted
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.planner import Define, Feeding
from rowtime.runtime.checkpoint.source_rows import SourceProgress, by_source
from rowtime.runtime.checkpoint.start_offsets import log_entries
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump.status import FAILED, Met, read_report, read_status
from rowtime.runtime.target.attachments import attachment_of
from rowtime.runtime.target.written import WRITTEN
from rowtime.streams.ends import Place, further, is_topic
from rowtime.streams.log import WriteRequest
from rowtime.types import times

REFUSED = "RT0562"
_NOTICE = "RT0519"
_NOTE = "takeover"
_PATIENCE = 60.0
"""Seconds for which the statement waits until both pumps have read the same rows."""


def until(entry: Entry) -> Mapping[str, Place]:
    """Returns the places up to which a pump reads its sources, by their names, because it is part of a takeover."""
    found: Mapping[str, Place] = (entry.definition.get("takeover") or {}).get("until") or {}
    return found


def is_requested(change: Change) -> bool:
    """Returns whether a change is that of ALTER PUMP … REPLACE WITH."""
    return bool(change["action"] == "pump" and change["verb"] == "REPLACE")


def verdict(registry: PumpRegistry, change: Change) -> str:
    """Returns what REPLACE WITH does, in words. Raises RowtimeError RT0562 if it cannot, RT0516 if the state of the
    second pump does not fit the target."""
    first, second = _pumps(registry, change)
    for entry in (first, second):
        state = read_status(registry.store, entry).state
        if state != STARTED:
            raise error(
                REFUSED,
                f"{entry.label} is {state}: both pumps have to run, to read the same rows",
                hint="SHOW PUMPS has the error" if state == FAILED else f"ALTER PUMP {entry.name} START",
            )
    plans = [_plan(registry.statement(entry)) for entry in (first, second)]
    _check_sources(registry, first, second, plans)
    _check_fit(registry, second, change)
    swapped = f"; tables '{change['target']}' and '{change['shadow']}' exchange their rows" if change["swap"] else ""
    return (
        f"The query and the state of pump '{second.name}' take over the name and the target of pump '{first.name}', "
        f"when both have read the same rows{swapped}"
    )


def requested(registry: PumpRegistry, change: Change) -> Change:
    """Returns the change as the catalog takes it: with the places up to which both pumps read."""
    first, second = _pumps(registry, change)
    registry.store.set_note(first.id, _NOTE, None)
    plan = _plan(registry.statement(first))
    ends: dict[str, Place] = {
        name: registry.log(entry).version() + 1 for name, entry in log_entries(plan, registry.store).items()
    }
    # In a topic as far as the one that is ahead has reported: if it has read more by then, both read further.
    known = [by_source(read_report(registry.store, entry).scans) for entry in (first, second)]
    for name in _topics(plan, registry.store):
        here, there = (_offsets(found.get(name)) for found in known)
        ends[name] = further(here, there)
    return {**change, "until": ends}


def _topics(plan: Node, store: Store) -> list[str]:
    """Returns the topics that a plan reads as streams."""
    found = {scan.source: store.get(scan.source) for scan in stream_scans(plan)}
    return sorted(name for name, entry in found.items() if entry is not None and is_topic(entry))


def _offsets(read: SourceProgress | None) -> dict[str, int]:
    """Returns the offsets of the partitions of a topic that have been read; empty if there are none yet."""
    position = None if read is None else read.position
    of_topics = list(position.values()) if isinstance(position, dict) else []
    return dict(of_topics[0]) if of_topics and isinstance(of_topics[0], dict) else {}


def finish(registry: PumpRegistry, change: Change, follow: Callable[[], None]) -> None:
    """Waits until the takeover is done, which this process carries on as well; `follow` lets it follow the catalog.
    Raises RowtimeError RT0562 if it cannot be done, or both have not read the same rows in time."""
    name, successor = change["name"], change["by"]
    found = registry.store.get(name)
    before = None if found is None else found.id
    last = time.monotonic() + _PATIENCE
    while True:
        follow()
        advance(registry, name)
        entry = registry.store.get(name)
        if entry is not None and entry.id != before:
            follow()
            notices.tell(_NOTICE, f"Pump '{name}' has the query and the state of '{successor}' now")
            return
        if entry is None or not is_pending(entry):
            said = None if entry is None else registry.store.note(entry.id, _NOTE)
            raise error(REFUSED, str(said or f"Another statement has changed pump '{name}' or '{successor}' meanwhile"))
        if time.monotonic() > last:
            raise error(
                REFUSED,
                f"Pumps '{name}' and '{successor}' have not read the same rows in {_PATIENCE:.0f} seconds: the takeover"
                " is done as soon as they have",
                hint=f"Processes have to run both: rowtime pump run. ALTER PUMP {name} RESUME gives up the takeover",
            )
        time.sleep(0.05)


def is_pending(entry: Entry) -> bool:
    return "by" in (entry.definition.get("takeover") or {})


class _Conflict(Exception):
    """The catalog has changed meanwhile: the step is tried again."""


def advance(registry: PumpRegistry, name: str) -> None:
    """Does the next steps of a pending takeover of the pump `name`, if both pumps have read what they shall."""
    with contextlib.suppress(_Conflict):
        _advance(registry, name)


def _advance(registry: PumpRegistry, name: str) -> None:
    store = registry.store
    first = store.get(name)
    if first is None or not is_pending(first):
        return
    second = store.get(first.definition["takeover"]["by"])
    if second is None or (second.definition.get("takeover") or {}).get("of") != name:
        _give_up(registry, name, "The other pump was changed meanwhile")
        return
    mets = [read_report(store, entry).met for entry in (first, second)]
    known = [
        met for met, entry in zip(mets, (first, second), strict=True) if met is not None and met.since == entry.since
    ]
    if len(known) < 2:
        return
    here, there = known
    if here.places != there.places:
        # One had begun with later rows before it knew of the takeover.
        ends = {source: further(place, there.places[source]) for source, place in here.places.items()}
        _commit(registry, {"action": "pump", "verb": "REPLACE", "name": name, "by": second.name, "until": ends})
    elif here.bound != there.bound:
        _give_up(registry, name, _unequal(first, second, here, there))
    else:
        _take_over(registry, first, second, there)


def _take_over(registry: PumpRegistry, first: Entry, second: Entry, met: Met) -> None:
    version = registry.store.snapshot().version
    try:
        planned = registry.plan(f"ALTER PUMP {quoted(first.name)} REPLACE WITH {quoted(second.name)}")
        assert isinstance(planned.statement, Define)
        (change,) = planned.statement.changes
        _check_fit(registry, second, change)
        if planned.catalog_version != version:
            raise _Conflict
        gone = registry.registration(first)
        attach(registry, second, change["target"], met)
    except RowtimeError as fault:
        # Neither of them runs meanwhile.
        _give_up(registry, first.name, fault.diagnostics[0].message)
        return
    written = recorded_rows(registry.folder(second) / WRITTEN) + second.definition.get("written", 0)
    switch(registry, {**change, "written": written}, planned.catalog_version)
    registry.unregister(gone)


def attach(registry: PumpRegistry, entry: Entry, target: str, met: Met) -> None:
    """Attaches the pump to its new target, before the other one leaves it: no row of others may overtake its own."""
    registry.prepare(entry, target)
    fed = registry.store.get(target)
    if fed is None or fed.kind != "STREAM" or met.bound is None:
        return
    log = registry.log(fed)
    known = log.state().producers[attachment_of(entry)].bound
    # A stream without LATENESS is ahead of a pump whose rows may be out of order: its bound is that of its last row.
    if known is None or known < met.bound:
        log.submit(WriteRequest(producer=attachment_of(entry), bound=met.bound))


def switch(registry: PumpRegistry, change: Change, version: int) -> None:
    """Changes the catalog: from then on the second pump is the first."""
    _commit(registry, {**change, "action": "takeover"}, version)


def _commit(registry: PumpRegistry, change: Change, version: int | None = None) -> None:
    store = registry.store
    try:
        store.commit([change], store.snapshot().version if version is None else version)
    except RowtimeError as fault:
        if fault.code == "RT0390":
            raise _Conflict from fault
        raise


def _give_up(registry: PumpRegistry, name: str, why: str) -> None:
    entry = registry.store.get(name)
    if entry is not None:
        registry.store.set_note(entry.id, _NOTE, why)
        _commit(registry, {"action": "pump", "verb": "RESUME", "name": name})


def _unequal(first: Entry, second: Entry, here: Met, there: Met) -> str:
    said = ["none" if met.bound is None else times.text(met.bound) for met in (here, there)]
    return (
        f"Of the same rows, pump '{first.name}' has results up to {said[0]}, and pump '{second.name}' up to {said[1]}: "
        "rows between would be missing, or there twice. Try it again when both have completed the same windows"
    )


def _check_fit(registry: PumpRegistry, second: Entry, change: Change) -> None:
    taken = Entry(second.id, second.since, change["object"] | {"adopted": change["swap"]})
    registry.signatures.check(taken, registry.statement(taken))


def _check_sources(registry: PumpRegistry, first: Entry, second: Entry, plans: list[Node]) -> None:
    read = [{scan.source for scan in stream_scans(plan)} for plan in plans]
    placed = {name for plan in plans for name in (*log_entries(plan, registry.store), *_topics(plan, registry.store))}
    foreign = sorted((read[0] | read[1]) - placed)
    if foreign:
        raise error(
            REFUSED,
            f"Pumps '{first.name}' and '{second.name}' cannot read '{foreign[0]}' up to the same place: it is neither "
            "a stream of the warehouse nor a topic",
            hint=f"Let a pump copy '{foreign[0]}' to a stream, which both read",
        )
    if read[0] != read[1]:
        said = [", ".join(f"'{name}'" for name in sorted(names)) for names in read]
        raise error(
            REFUSED,
            f"Pumps '{first.name}' and '{second.name}' have no position in common: one reads {said[0]}, the other "
            f"{said[1]}",
            hint=f"CREATE OR REPLACE PUMP {first.name} … RESET changes what a pump reads",
        )


def _pumps(registry: PumpRegistry, change: Change) -> tuple[Entry, Entry]:
    first, second = registry.store.get(change["name"]), registry.store.get(change["by"])
    if first is None or second is None:
        raise error("RT0390", "The catalog was changed by another session while the statement was checked")
    return first, second


def _plan(statement: Feeding) -> Node:
    assert statement.plan is not None
    return statement.plan
