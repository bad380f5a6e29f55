"""Columns keep their stored names, and names of columns that were dropped are not used again."""

from __future__ import annotations

from typing import Any

from rowtime.catalog.changes import CatalogState, apply
from rowtime.catalog.stored_names import stored_names


def test_a_column_that_comes_back_is_stored_under_another_name() -> None:
    state = _defined(CatalogState(), "a", "b c", "d")
    assert _stored(state) == ["a", "column_1", "d"]
    state = _defined(state, "b c", "d")
    assert _stored(state) == ["column_1", "d"]
    state = _defined(state, "b c", "d", "A")
    assert _stored(state) == ["column_1", "d", "column_3"]
    state = _defined(state, "d", "A")
    state = _defined(state, "d", "A", "b c", "e")
    assert _stored(state) == ["d", "column_3", "column_4", "e"]


def test_other_rows_have_other_names() -> None:
    state = _defined(_defined(_defined(CatalogState(), "a", "b"), "a"), "a", "b", fresh=True)
    assert _stored(state) == ["a", "b"]


def _defined(state: CatalogState, *names: str, fresh: bool = False) -> CatalogState:
    columns = [{"name": name, "type": "INTEGER"} for name in names]
    definition: dict[str, Any] = {"name": "T", "kind": "TABLE", "columns": columns}
    return apply(state, [{"action": "create", "replace": True, "fresh": fresh, "object": definition}])


def _stored(state: CatalogState) -> list[str]:
    return stored_names(state.entries["T"].definition["columns"])
