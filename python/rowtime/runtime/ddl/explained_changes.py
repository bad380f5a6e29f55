"""What EXPLAIN says of a statement that changes the catalog: what becomes of the object and its rows, and of the pumps
and views that use it."""

from __future__ import annotations

from collections.abc import Iterator

from rowtime.catalog.changes import Change, Entry, is_pump
from rowtime.catalog.definitions import Definition
from rowtime.errors import RowtimeError
from rowtime.planner import Explain
from rowtime.runtime.ddl.replaced_rows import refusal
from rowtime.runtime.pump import saves as pump_saves
from rowtime.runtime.pump.fit import as_lines, replanned, verdict
from rowtime.runtime.pump.registry import PumpRegistry

_STORED = ("STREAM", "TABLE")
_VERBS = {
    "PAUSE": "ends its query, and keeps its position and its attachment to the target",
    "STOP": "ends its query, keeps its position, and leaves its target",
    "SAVE": "saves its state and its position as '{save}'",
    "DROP_SAVE": "loses the savepoint '{save}': sources need not keep the rows behind it any more",
}


def explained(registry: PumpRegistry, statement: Explain) -> list[str]:
    """Returns what the changes of the statement that is explained do, as lines of EXPLAIN: also that it would be
    refused, with the ways out."""
    try:
        if (refused := refusal(statement, registry.store, registry.log)) is not None:
            raise refused
        lines = [line for change in statement.changes for line in _lines(registry, change)]
        return lines + replanned(registry, statement.changes)
    except RowtimeError as fault:
        return [line for each in fault.diagnostics for line in as_lines(each)]


def _lines(registry: PumpRegistry, change: Change) -> Iterator[str]:
    said = verdict(registry, change)
    if said is not None:
        yield said
    elif change["action"] == "pump":
        yield _pump(registry, change)
    elif change["action"] == "create":
        yield from _created(registry, change)
    elif change["action"] == "drop":
        entries = (registry.store.get(name) for name in change["names"])
        yield from (f"{entry.label} is dropped{_with_rows(entry)}" for entry in entries if entry is not None)
    elif change["action"] == "replan" and "view" not in change:
        entries = (registry.store.get(name) for name in change["names"])
        yield from (f"{entry.label} goes on{_from(registry, entry)}" for entry in entries if entry is not None)


def _pump(registry: PumpRegistry, change: Change) -> str:
    entry = registry.store.get(change["name"])
    assert entry is not None, "the planner has found it"
    if change.get("save"):
        pump_saves.check(registry, change)
    verb = change["verb"].upper()
    if verb in ("START", "RESUME"):
        registry.signatures.check(entry, registry.statement(entry))
        return f"{entry.label} runs{_from(registry, entry)}"
    return f"{entry.label} {_VERBS[verb].format(save=change.get('save'))}"


def _from(registry: PumpRegistry, entry: Entry) -> str:
    return " from its position and state" if registry.signatures.has_run(entry) else ": it has not run yet"


def _created(registry: PumpRegistry, change: Change) -> Iterator[str]:
    new = change["object"]
    old = registry.store.get(new["name"])
    label = f"{new['kind'].capitalize()} '{new['name']}'"
    if old is None:
        # The plan of a query that runs says more, and follows.
        if not is_pump(new):
            yield f"{label} is created"
        return
    before, after = _columns(old.definition), _columns(new)
    keeps = new["kind"] in _STORED and not change.get("fresh")
    for name, type in after.items():
        if name not in before:
            yield f"{label} gets the column {name} {type}{_values(new, name, keeps)}"
        elif before[name] != type:
            yield f"Column {name} of {label} becomes {type}, and was {before[name]}"
    yield from (f"{label} loses the column {name}, with its values" for name in before if name not in after)
    options = old.definition.get("options") or {}
    for name, value in (new.get("options") or {}).items():
        if options.get(name) != value:
            # The value may be a secret.
            yield f"The option {name.lower()} of {label} changes"
    if new["kind"] in _STORED:
        yield f"{label} {'keeps' if keeps else 'loses'} its rows"


def _columns(definition: Definition) -> dict[str, str]:
    return {
        column["name"]: column["type"] + ("" if column.get("nullable", True) else " NOT NULL")
        for column in definition.get("columns") or []
    }


def _values(definition: Definition, name: str, keeps: bool) -> str:
    """Returns what a new column has, if there may be rows."""
    column = next(column for column in definition["columns"] if column["name"] == name)
    default = f", and {column['default']} in those that come without a value" if column.get("default") else ""
    return f": NULL in the rows that it has{default}" if keeps else ""


def _with_rows(entry: Entry) -> str:
    if entry.is_pump and not entry.is_table:
        return ", with its state and its position"
    return ", with its rows" if entry.kind in ("STREAM", "TABLE") or entry.is_table else ""
