"""Statements that are not queries: DDL changes the catalog; SHOW, DESCRIBE and EXPLAIN return rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from rowtime.catalog.changes import Change, Entry
from rowtime.catalog.definitions import ColumnDefinition
from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.store import Store
from rowtime.catalog.system import is_system
from rowtime.display.values import Row
from rowtime.errors import error
from rowtime.lexical.wildcards import wildcards
from rowtime.plan.parts import Field
from rowtime.planner import Define, Explain
from rowtime.runtime.checkpoint import savepoints
from rowtime.runtime.pump.status import read_status
from rowtime.secrets.masking import mask_secrets
from rowtime.types import times

Answer = tuple[list[Field], list[Row]]

SAVES = "SAVES"
_RUNNING = ("PUMPS", "MATERIALIZED VIEWS")


def define(
    statement: Define, version: int, store: Store, resolve: Callable[[Change], Change] = lambda change: change
) -> None:
    """Changes the catalog. `version` is the version of the catalog that the statement was planned against; `resolve`
    adds to a change what only the runtime knows.

    Raises RowtimeError RT0390 if the catalog has changed since then, RT0561 if a pump has no row to step over.
    """
    if statement.changes:
        store.commit([resolve(change) for change in statement.changes], version)


def show(store: Store, plural: str, like: str | None = None) -> Answer:
    """Returns the objects of a kind (`STREAMS`, `FOREIGN TABLES` …) with their options or query, except rowtime's own;
    STREAMS and TABLES include the foreign ones; PUMPS and MATERIALIZED VIEWS include their state, their counts of
    rows, their position in each source as JSON, their mode, and since when and why one has failed. SAVES
    are the savepoints of pumps: name, pump, time (UTC), and position.
    `like`: only those whose name matches the pattern (SQL's LIKE, but case-insensitive)."""
    if plural == SAVES:
        return _SHOWN_SAVES, _saves(store, like)
    kind = plural.removesuffix("S")
    entries = [entry for entry in store.entries() if not is_system(entry.definition)]
    found = [entry for entry in entries if entry.kind == kind or entry.kind == f"FOREIGN {kind}"]
    if like is not None:
        matches = wildcards(like, ignore_case=True)
        found = [entry for entry in found if matches(entry.name)]
    if plural in _RUNNING:
        return _SHOWN_PUMPS, [_shown_pump(store, entry) for entry in found]
    texts = [mask_secrets(entry.definition.get("sql") or "") for entry in found]
    rows = [(entry.name, entry.kind, text) for entry, text in zip(found, texts, strict=True)]
    return _SHOWN, rows


def _saves(store: Store, like: str | None) -> list[Row]:
    matches = wildcards("%" if like is None else like, ignore_case=True)
    return [
        (
            save.name,
            entry.name,
            times.text(save.made),
            msgspec.json.encode(save.positions).decode(),
        )
        for entry in store.entries()
        if entry.is_pump
        for save in savepoints.saves(store, entry)
        if matches(save.name)
    ]


def _shown_pump(store: Store, entry: Entry) -> Row:
    status = read_status(store, entry)
    since = None if status.failed_since is None else status.failed_since.replace("T", " ")
    text = entry.definition.get("sql" if entry.is_materialized_view else "query") or ""
    positions = {name: source.position for name, source in status.sources.items()}
    counts = (status.rows_in, status.rows_out, status.late_rows, status.bad_rows)
    position = msgspec.json.encode(positions).decode()
    return entry.name, entry.kind, status.state, text, *counts, position, status.mode, since, status.error


def describe(store: Store | MemoryCatalog, name: str) -> Answer:
    """Returns the columns of an object."""
    entry = store.get(name)
    if entry is None:
        raise error("RT0312", f"Object '{name}' does not exist")
    return DESCRIBED, [
        (c["name"], c["type"], "YES" if c.get("nullable", True) else "NO", _properties(entry, c))
        for c in entry.definition.get("columns") or []
    ]


def shown_columns(plural: str) -> list[Field]:
    """Returns the columns of the result of SHOW for objects of a kind."""
    if plural == SAVES:
        return _SHOWN_SAVES
    return _SHOWN_PUMPS if plural in _RUNNING else _SHOWN


def explain(statement: Explain, said: Sequence[str] = ()) -> Answer:
    """Returns the plan as lines of text, and its constructs that cannot run yet; first, what is `said` of it."""
    from rowtime.explain.text import render_plan

    lines = list(said)
    if statement.commit_millis is not None:
        from rowtime.explain.facts import real_time

        lines += real_time(statement.commit_millis)
    lines += [f"not supported yet: {what}" for what in statement.not_supported]
    if statement.raw_plan is not None:
        lines += render_plan(statement.raw_plan).splitlines()
    return EXPLAINED, [(line,) for line in lines]


def _properties(entry: Entry, column: ColumnDefinition) -> str:
    found = [f"{word.upper()} {column[word]}" for word in ("lateness", "watermark", "monotonic") if column.get(word)]
    if column["name"] in (entry.definition.get("primaryKey") or []):
        found.insert(0, "PRIMARY KEY")
    if column.get("default"):
        found.append(f"DEFAULT {column['default']}")
    return ", ".join(found)


def _text_fields(*names: str) -> list[Field]:
    return [Field(name=name, type="VARCHAR", nullable=False, monotonicity="NOT_MONOTONIC") for name in names]


_SHOWN = _text_fields("NAME", "KIND", "DEFINITION")
_SHOWN_PUMPS = [
    *_text_fields("NAME", "KIND", "STATE", "DEFINITION"),
    *(
        Field(name=name, type="BIGINT", nullable=False, monotonicity="NOT_MONOTONIC")
        for name in ("ROWS_IN", "ROWS_OUT", "LATE_ROWS", "BAD_ROWS")
    ),
    *_text_fields("POSITION", "MODE"),
    *(
        Field(name=name, type="VARCHAR", nullable=True, monotonicity="NOT_MONOTONIC")
        for name in ("FAILED_SINCE", "ERROR")
    ),
]
_SHOWN_SAVES = _text_fields("NAME", "PUMP", "SAVED_AT", "POSITION")
DESCRIBED = _text_fields("COLUMN", "TYPE", "NULLABLE", "PROPERTIES")
EXPLAINED = _text_fields("PLAN")
