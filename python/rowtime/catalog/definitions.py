"""The objects of a catalog as the planner describes them, and as the catalog keeps them as JSON."""

from __future__ import annotations

from typing import Any, TypedDict


class Amount(TypedDict, total=False):
    """The amount of a LATENESS or WATERMARK: of a time in ms, of a number as text."""

    millis: int
    number: str


class _NamedColumn(TypedDict):
    name: str
    type: str


class ColumnDefinition(_NamedColumn, total=False):
    """A column: its name, its type and its declarations as SQL (None: without one). `latenessValue` and
    `watermarkValue` are the amounts of these. `stored` is the stored name, see `stored_names.py`."""

    nullable: bool
    lateness: str | None
    watermark: str | None
    monotonic: str | None
    default: str | None
    latenessValue: Amount | None
    watermarkValue: Amount | None
    stored: str


class Takeover(TypedDict, total=False):
    """A pump waits to be replaced `by` another one, or to replace another pump (`of`), and reads its sources up to
    `until`."""

    by: str
    of: str
    until: dict[str, Any]


class _NamedObject(TypedDict):
    name: str
    kind: str


class Definition(_NamedObject, total=False):
    """An object. A pump or materialized view also has a `state` (STOPPED, STARTED or PAUSED; `started` says whether it
    is STARTED), and a `generation`: how often it has been reset, and `reset`: what the last RESET said (see
    `runtime/pump/resets.py`); `saving` is the savepoint that was requested last; `skipped` are the positions of rows
    over which it steps, by their stream; `adopted` says that its table had another name before, and `written` how many
    rows it had written to another target before. `retired` are the stored names of the columns that a stream or table
    has lost."""

    columns: list[ColumnDefinition]
    primaryKey: list[str]
    options: dict[str, str]
    query: str | None
    started: bool
    uses: list[str]
    sql: str | None
    state: str
    generation: int
    reset: Any
    saving: str
    skipped: dict[str, list[str]]
    takeover: Takeover
    adopted: bool
    written: int
    retired: list[str]
