"""The names that statements can use: the objects of the warehouse's catalog and their columns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.store import Store
from rowtime.explain.analysis import analyze
from rowtime.jvm import Planner


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """A column as the catalog writes it: its name, and its type as text."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class CatalogObject:
    """An object of the catalog: its name, its kind (STREAM, FOREIGN TABLE, VIEW, PUMP …) and its columns."""

    name: str
    kind: str
    columns: tuple[CatalogColumn, ...]


class CatalogNames:
    """The catalog of a warehouse while a text is edited, plus the DDL of schema files that have not run yet.

    May be used from any thread. Nothing is written to the catalog.
    """

    def __init__(self, store: Store, planner: Callable[[], Planner], schemas: Sequence[str] = ()) -> None:
        self._store = store
        self._planner = planner
        self._schemas = list(schemas)
        self._guard = threading.Lock()
        self._version = -1
        self._state = CatalogState()
        self._objects: list[CatalogObject] = []

    def schema_applied(self) -> None:
        """Records that the schema files have run: the catalog has their definitions now."""
        with self._guard:
            self._schemas.clear()
            self._version = -1

    def catalog(self) -> MemoryCatalog:
        """Returns a copy, to which the DDL of the edited text may be applied."""
        self._read_catalog()
        return MemoryCatalog(self._state)

    def objects(self) -> list[CatalogObject]:
        """Returns all objects, in the order of their creation."""
        self._read_catalog()
        return self._objects

    def columns(self, query: str) -> list[CatalogColumn]:
        """Returns the columns of a query as it is now; none if it is not valid."""
        return columns_of(query, self.catalog(), self._planner())

    def _read_catalog(self) -> None:
        with self._guard:
            if self._store.snapshot().version == self._version:
                return
            state = self._store.state()
            version = state.version
            if self._schemas:
                catalog = MemoryCatalog(state)
                for text in self._schemas:
                    analyze(text, catalog, self._planner())
                state = catalog.state
            self._state = state
            self._objects = objects_of(state)
            self._version = version


def objects_of(state: CatalogState) -> list[CatalogObject]:
    """Returns the objects of a catalog, in the order of their creation."""
    return [_catalog_object(entry) for entry in state.entries.values()]


def columns_of(query: str, catalog: MemoryCatalog, planner: Planner) -> list[CatalogColumn]:
    """Returns the columns of a query; none if it is not valid. `catalog` should be a copy."""
    planned = analyze(query, catalog, planner).statements
    fields = planned[0].planned.get("fields") if planned and planned[0].planned is not None else None
    return [CatalogColumn(str(field["name"]), str(field["type"])) for field in fields or []]


def _catalog_object(entry: Entry) -> CatalogObject:
    columns = entry.definition.get("columns") or []
    return CatalogObject(entry.name, entry.kind, tuple(CatalogColumn(str(c["name"]), str(c["type"])) for c in columns))
