"""The objects of a catalog, and how a validated change turns one state of the catalog into the next. Stores nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rowtime.catalog.definitions import Definition, Takeover
from rowtime.catalog.stored_names import keep_names
from rowtime.catalog.system import system_objects
from rowtime.errors import RowtimeError, error

Change = Mapping[str, Any]
"""A validated change as the planner returns it: action "create", "drop", "lateness", "pump" or "replan" (pumps whose
plan follows from a definition that has changed), with its arguments. "takeover" is the last step of ALTER PUMP …
REPLACE WITH, which the runtime does."""


STOPPED, STARTED, PAUSED = "STOPPED", "STARTED", "PAUSED"
MATERIALIZED_VIEW = "MATERIALIZED VIEW"
_STORED = ("STREAM", "TABLE")
"""The kinds of objects whose rows the warehouse stores, and whose columns can change."""


def is_pump(definition: Definition) -> bool:
    """Returns whether an object has a query that runs: a pump, or a materialized view."""
    return definition["kind"] in ("PUMP", MATERIALIZED_VIEW)


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of the catalog.

    `id` names its data folders, so object names never become paths; it survives `CREATE OR REPLACE` if the rows stay.
    `since` is the catalog version of its current definition.
    """

    id: str
    since: int
    definition: Definition

    @property
    def name(self) -> str:
        return self.definition["name"]

    @property
    def kind(self) -> str:
        return self.definition["kind"]

    @property
    def is_materialized_view(self) -> bool:
        """Returns whether it is a table and the pump that writes to it, under one name."""
        return self.kind == MATERIALIZED_VIEW

    @property
    def is_pump(self) -> bool:
        """Returns whether it has a query that runs: a pump, or a materialized view."""
        return is_pump(self.definition)

    @property
    def is_table(self) -> bool:
        """Returns whether it is a table of the warehouse, or a materialized view."""
        return self.kind in ("TABLE", MATERIALIZED_VIEW)

    @property
    def label(self) -> str:
        """How messages name it, at their beginning: Pump 'P'."""
        return f"{self.kind.capitalize()} '{self.name}'"

    @property
    def options(self) -> dict[str, str]:
        """Its OPTIONS, by names in lower case."""
        return {name.lower(): str(value) for name, value in (self.definition.get("options") or {}).items()}


def system_entries() -> dict[str, Entry]:
    """Returns the objects that every catalog has."""
    return {definition["name"]: Entry(id, 0, definition) for id, definition in system_objects()}


@dataclass(frozen=True, slots=True)
class CatalogState:
    """All objects by name, in the order of their creation, and the LATENESS of each (view, column) that has one."""

    version: int = 0
    entries: Mapping[str, Entry] = field(default_factory=system_entries)
    lateness: Mapping[tuple[str, str], str] = field(default_factory=dict)


def apply(state: CatalogState, changes: Iterable[Change]) -> CatalogState:
    """Returns the state after all changes. Raises RowtimeError (RT0302, RT0312, RT0391, RT0392) if a change cannot be
    applied."""
    version = state.version + 1
    entries = dict(state.entries)
    lateness = dict(state.lateness)
    for change in changes:
        action = change["action"]
        if action == "create":
            _create(entries, change, version)
        elif action == "drop":
            for name in change["names"]:
                if entries.pop(name, None) is None:
                    raise _unknown(name)
                lateness = {key: value for key, value in lateness.items() if key[0] != name}
        elif action == "lateness":
            lateness[change["view"], change["column"]] = change["value"]
        elif action == "pump":
            _pump(entries, change, version)
        elif action == "takeover":
            entries = _taken_over(entries, change, version)
        elif action == "replan":
            entries |= {name: replace(entries[name], since=version) for name in change["names"]}
        else:
            raise error(
                "RT0391",
                f"Unknown catalog change '{action}'",
                hint="The planner is of another version: reinstall rowtime",
            )
    _end_takeovers(entries, version)
    return CatalogState(version, entries, lateness)


def conflict(expected: int | None = None, found: int | None = None) -> RowtimeError:
    """Returns the error for a catalog that has changed since the planner read it; None: from which version to which is
    not known."""
    versions = "" if expected is None else f" (version {expected} became {found})"
    return error(
        "RT0390",
        f"The catalog was changed by another session while the statement was checked{versions}; nothing was changed",
        hint="Run the statement again",
    )


def _create(entries: dict[str, Entry], change: Change, version: int) -> None:
    definition: Definition = change["object"].copy()
    name = definition["name"]
    old = entries.get(name)
    if old is not None and not change.get("replace"):
        raise error("RT0302", f"Object '{name}' already exists", hint="Drop it first, or use CREATE OR REPLACE")
    # The planner says whether the rows stay (`fresh`).
    kept = old is not None and not change.get("fresh") and old.kind == definition["kind"]
    if old is not None and kept and definition["kind"] in _STORED:
        keep_names(old.definition, definition)
    if is_pump(definition):
        definition["state"] = STARTED if definition.get("started") else STOPPED
        definition["generation"] = 0
        reset = change.get("reset")
        if old is not None and kept:
            definition["generation"] = old.definition.get("generation", 0) + bool(reset)
            reset = reset or old.definition.get("reset")
            if "skipped" in old.definition:
                definition["skipped"] = old.definition["skipped"]
            if "written" in old.definition and not change.get("reset"):
                definition["written"] = old.definition["written"]
        if reset:
            definition["reset"] = reset
    if old is not None and kept:
        entries[name] = replace(old, since=version, definition=definition)
    else:
        # A replaced object goes to the end: objects that it now uses may be newer than it was.
        entries.pop(name, None)
        entries[name] = Entry(uuid.uuid4().hex, version, definition)


def _pump(entries: dict[str, Entry], change: Change, version: int) -> None:
    name, verb = change["name"], change["verb"].upper()
    entry = entries.get(name)
    if entry is None:
        raise _unknown(name)
    before = pump_state(entry.definition)
    if before == STOPPED and verb in ("PAUSE", "RESUME"):
        raise error("RT0392", f"Pump '{name}' is stopped", hint=f"ALTER PUMP {name} START")
    if verb == "REPLACE":
        _request_takeover(entries, change, version)
        return
    definition = entry.definition.copy()
    definition.pop("saving", None)
    if verb == "SAVE":
        definition["saving"] = change["save"]
        # The process that runs the pump notices, and ends its query for a moment.
        entries[name] = replace(entry, since=version, definition=definition)
        return
    if verb == "DROP_SAVE":
        entries[name] = replace(entry, definition=definition)
        return
    waited = definition.pop("takeover", None) is not None
    state = {"START": STARTED, "RESUME": STARTED, "PAUSE": PAUSED}.get(verb, STOPPED)
    reset = change.get("reset")
    skip = change.get("skip")
    if state == before and not reset and not skip and not waited:
        return
    if skip:
        definition = _skipping(definition, skip["stream"], skip["position"])
    following: Definition = {**definition, "started": state == STARTED, "state": state}
    following.setdefault("generation", 0)
    if reset:
        following |= {"generation": entry.definition.get("generation", 0) + 1, "reset": reset}
        following.pop("written", None)
    entries[name] = replace(entry, since=version, definition=following)


def _skipping(definition: Definition, stream: str, position: str) -> Definition:
    known: dict[str, list[str]] = definition.get("skipped") or {}
    return {**definition, "skipped": {**known, stream: sorted({*known.get(stream, []), position})}}


def _request_takeover(entries: dict[str, Entry], change: Change, version: int) -> None:
    roles: tuple[tuple[str, Literal["by", "of"], str], ...] = (
        (change["name"], "by", change["by"]),
        (change["by"], "of", change["name"]),
    )
    for name, role, other in roles:
        entry = entries.get(name)
        if entry is None:
            raise _unknown(name)
        takeover: Takeover = {"until": change["until"]}
        takeover[role] = other
        entries[name] = replace(entry, since=version, definition={**entry.definition, "takeover": takeover})


def _end_takeovers(entries: dict[str, Entry], version: int) -> None:
    """Lets a pump go on that waits for another one which was changed, or dropped, and waits for it no more."""
    for name, entry in entries.items():
        takeover = entry.definition.get("takeover")
        if takeover is not None:
            other = entries.get(takeover.get("by") or takeover["of"])
            theirs = None if other is None else other.definition.get("takeover")
            if theirs is None or name not in (theirs.get("by"), theirs.get("of")):
                definition = entry.definition.copy()
                del definition["takeover"]
                entries[name] = replace(entry, since=version, definition=definition)


def _taken_over(entries: dict[str, Entry], change: Change, version: int) -> dict[str, Entry]:
    """Gives the state of a pump, which its id names, the name of another one, and exchanges the rows of two tables."""
    name, successor = change["name"], change["by"]
    if name not in entries or successor not in entries:
        raise _unknown(name if name not in entries else successor)
    before, definition = entries[successor].definition, change["object"].copy()
    definition |= {key: before[key] for key in ("generation", "reset", "skipped") if key in before}
    definition |= {"started": True, "state": STARTED, "written": change["written"]}
    if change["swap"]:
        definition["adopted"] = True
    taken = replace(entries[successor], since=version, definition=definition)
    found = {}
    for each, entry in entries.items():
        if each == successor:
            found[name] = taken
        elif each != name:
            found[each] = entry
    if change["swap"]:
        one, other = entries[change["target"]], entries[change["shadow"]]
        found |= {one.name: _exchanged(one, other, version), other.name: _exchanged(other, one, version)}
    return found


def _exchanged(entry: Entry, other: Entry, version: int) -> Entry:
    """Returns a table with the rows of another, which has the same columns."""
    return Entry(other.id, version, {**other.definition, "name": entry.name, "sql": entry.definition.get("sql")})


def pump_state(definition: Definition) -> str:
    """Returns STOPPED, STARTED or PAUSED: the state that was ordered, whether or not a process runs the pump."""
    return str(definition.get("state") or (STARTED if definition.get("started") else STOPPED))


def _unknown(name: str) -> RowtimeError:
    return error("RT0312", f"Object '{name}' does not exist")
