"""The part of `rowtime doctor` that says what a warehouse holds, and what opening it with this version changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError
from rowtime_cli.checks import CheckResult

if TYPE_CHECKING:
    from rowtime.catalog.changes import Entry
    from rowtime.catalog.store import Store
    from rowtime.runtime.pump.registry import PumpRegistry


def contents(warehouse: Path, catalog: str | None = None) -> Iterator[CheckResult]:
    """Reports the formats of the warehouse, the version that wrote it, and whether each pump fits its saved state.
    Changes nothing. Raises RowtimeError RT0603 if a later version has written it."""
    from rowtime.catalog.store import Store

    if not Store.exists(warehouse):
        return
    with Store(warehouse, read_only=True, catalog=catalog) as store:
        yield _formats(store)
        pumps = [entry for entry in store.entries() if entry.is_pump]
        registry = _registry(store) if pumps else None
        for entry in pumps:
            assert registry is not None
            yield from _pump(registry, entry)


def _formats(store: Store) -> CheckResult:
    from rowtime.formats import NUMBERS

    written = store.formats()
    versions = sorted({found.version for found in written.values() if found.version is not None})
    by = f"rowtime {' and '.join(versions)}" if versions else "a version of rowtime that did not record itself"
    text = f"{', '.join(f'{part} {found.number}' for part, found in written.items())}; last written by {by}"
    before = {part: written[part].number if part in written else None for part in NUMBERS}
    changed = [
        f"{part} {'(not recorded)' if before[part] is None else before[part]} becomes {number}"
        for part, number in NUMBERS.items()
        if before[part] != number
    ]
    if not changed:
        return CheckResult("formats", "ok", f"{text}; this version changes none of them")
    return CheckResult(
        "formats",
        "warning",
        f"{text}; opening it with this version upgrades it: {', '.join(changed)}",
        "Back up the warehouse before: earlier versions of rowtime refuse it afterwards",
    )


def _registry(store: Store) -> PumpRegistry:
    from rowtime.jvm.jpype import planner
    from rowtime.planner import plan
    from rowtime.runtime.pump.function_code import code_hash
    from rowtime.runtime.pump.registry import PumpRegistry
    from rowtime.streams.log import StreamLog

    service, snapshot = planner(), store.snapshot()
    return PumpRegistry(
        store,
        lambda entry: StreamLog(store, entry),
        lambda sql: plan(service, snapshot, sql),
        code_hash(None),
        lambda _: None,
    )


def _pump(registry: PumpRegistry, entry: Entry) -> Iterator[CheckResult]:
    from rowtime.runtime.checkpoint.start_offsets import held_sources

    try:
        statement = registry.statement(entry)
        registry.signatures.check(entry, statement)
    except RowtimeError as fault:
        for each in fault.diagnostics:
            yield CheckResult("pump", "fault", f"{each.code}: {each.message}", each.hint)
        return
    if not registry.signatures.has_run(entry):
        text = "has not run yet"
    else:
        saved = [name.replace("_", " ") for name in registry.signatures.saved_operators(entry) or ()]
        state = [f"the state of {', '.join(saved)}"] if saved else []
        held = [] if statement.plan is None else held_sources(statement.plan)
        state += [f"the rows of '{name}' that wait for its watermark" for name in held]
        text = f"continues from its position{''.join(f' and {part}' for part in state) or '; it has no state'}"
    yield CheckResult("pump", "ok", f"{entry.label} {text}")
