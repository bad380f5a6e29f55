"""Compares what two pumps have written to their targets, before one replaces the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.errors import error, format_count
from rowtime.runtime.runtime import Runtime
from rowtime.streams import reader
from rowtime.streams.log import ROWTIME
from rowtime.streams.rules import is_logged
from rowtime.tables import tables
from rowtime.types import times
from rowtime.types.columns import columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

REFUSED = "RT0562"
SHOWN = 10
"""How many of the rows are returned that only one target has."""


@dataclass(frozen=True, slots=True)
class Side:
    """The target of a pump: how many `rows` were compared, how many of them only it has, and the first of these in
    order of their text."""

    pump: str
    target: str
    rows: int
    only: int
    shown: Sequence[dict[str, Any]]
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """What two pumps have written, before `bound` (UTC): the lower one of their bounds. None: rows of tables without
    ROWTIME, all of which were compared."""

    bound: str | None
    sides: tuple[Side, Side]

    @property
    def is_equal(self) -> bool:
        return not any(side.only for side in self.sides)

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {"equal": self.is_equal, **found}

    def lines(self) -> list[str]:
        """Returns it in words."""
        first, second = self.sides
        reach = "all rows" if self.bound is None else f"rows before {self.bound}"
        counts = " and ".join(f"{format_count(side.rows, 'row')} of '{side.target}'" for side in self.sides)
        said = [f"{reach}: {counts}, {'equal' if self.is_equal else 'not equal'}"]
        if self.bound is None and first.position != second.position:
            said.append(
                f"'{first.pump}' and '{second.pump}' have not read the same rows: what differs may come from that"
            )
        for side in self.sides:
            if side.only:
                said.append(f"only in '{side.target}': {format_count(side.only, 'row')}")
                said += [
                    "  " + ", ".join(f"{name} = {_text(value)}" for name, value in row.items()) for row in side.shown
                ]
                said += ["  …"] * (side.only > len(side.shown))
        return said


def difference(runtime: Runtime, names: tuple[str, str], since: int | None = None) -> Difference:
    """Compares the targets of two pumps, from the ROWTIME `since` (ms) on, up to the lower one of their bounds.

    Raises RowtimeError RT0312 and RT0313 if one is no pump, RT0562 if they cannot be compared."""
    pumps = [_pump(runtime, name) for name in names]
    targets = [runtime.registry.statement(pump).target for pump in pumps]
    found = []
    for pump, target in zip(pumps, targets, strict=True):
        entry = None if target is None else runtime.launcher.store.get(target.name)
        if entry is None or entry.kind.startswith("FOREIGN"):
            raise error(
                REFUSED,
                f"What {pump.label.lower()} has written is outside the warehouse, and cannot be compared",
                hint="Let it write to a stream, with history 'all', or to a table, until it is compared",
            )
        found.append(entry)
    shared = _shared(found)
    known = {status.name: status for status in runtime.pumps.status()}
    statuses = [known[pump.name] for pump in pumps]
    bound = _bound([status.rowtime for status in statuses], pumps) if ROWTIME in shared else None
    positions = [{name: source.position for name, source in status.sources.items()} for status in statuses]
    with runtime.launcher.relational_session() as session:
        sides = [_within(_rows(runtime, session, entry, shared), since, bound) for entry in found]
        one, other = (
            _side(pump, entry, rows, rows.exceptAll(than), position)
            for pump, entry, rows, than, position in zip(pumps, found, sides, sides[::-1], positions, strict=True)
        )
    return Difference(None if bound is None else times.text(bound), (one, other))


def _pump(runtime: Runtime, name: str) -> Entry:
    entry = runtime.launcher.store.get(name)
    if entry is None:
        raise error("RT0312", f"Object '{name}' does not exist")
    if not entry.is_pump or entry.is_materialized_view:
        raise error("RT0313", f"'{name}' is a {entry.kind}, not a pump")
    return entry


def _shared(entries: Sequence[Entry]) -> list[str]:
    """Returns the columns of the targets, which must have the same."""
    one, other = ([column["name"] for column in entry.definition["columns"]] for entry in entries)
    if sorted(one) != sorted(other):
        raise error(
            REFUSED,
            f"'{entries[0].name}' and '{entries[1].name}' have different columns: {', '.join(one)}; {', '.join(other)}",
        )
    return one


def _bound(bounds: Sequence[str | None], pumps: Sequence[Entry]) -> int:
    known = []
    for text, pump in zip(bounds, pumps, strict=True):
        if text is None:
            raise error(REFUSED, f"{pump.label} has no complete results yet, so there is nothing to compare")
        known.append(times.parse_millis(text))
    return min(known)


def _rows(runtime: Runtime, spark: SparkSession, entry: Entry, names: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions

    if is_logged(entry):
        rows, stored = reader.history(spark, runtime.log(entry)), runtime.log(entry).columns
    else:
        rows, stored = tables.read(spark, runtime.launcher.store, entry), columns(entry.definition["columns"])
    by_name = {column.name: column.stored for column in stored}
    types = dict(rows.dtypes)
    selected = []
    for name in names:
        column = functions.col(f"`{by_name[name]}`")
        if types[by_name[name]].startswith("map<"):
            # Maps have no order, and cannot be compared.
            column = functions.array_sort(functions.map_entries(column))
        selected.append(column.alias(name))
    return rows.select(*selected)


def _within(rows: DataFrame, since: int | None, bound: int | None) -> DataFrame:
    if ROWTIME not in rows.columns:
        return rows
    if since is not None:
        rows = rows.filter(f"{ROWTIME} >= timestamp_millis({since})")
    return rows if bound is None else rows.filter(f"{ROWTIME} < timestamp_millis({bound})")


def _side(pump: Entry, entry: Entry, rows: DataFrame, only: DataFrame, position: dict[str, Any]) -> Side:
    from pyspark.sql import functions

    count = only.count()
    texts = []
    if count:
        text = functions.to_json(functions.struct(*only.columns), {"ignoreNullFields": "false"}).alias("text")
        texts = [row.text for row in only.select(text).orderBy("text").limit(SHOWN).collect()]
    return Side(pump.name, entry.name, rows.count(), count, [msgspec.json.decode(each) for each in texts], position)


def _text(value: Any) -> str:
    return "NULL" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()
