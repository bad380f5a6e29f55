"""Arrays and maps of Arrow: their elements, and others in their place."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc


def map_entries(values: pa.Array) -> tuple[pa.Array, list[pa.Array]]:
    """Returns maps as lists of their entries, and the keys and values of all entries."""
    lists = values.cast(pa.list_(pa.struct([values.type.key_field, values.type.item_field])))
    return lists, lists.flatten().flatten()


def with_elements(lists: pa.Array, wanted: pa.DataType, parts: Sequence[pa.Array]) -> pa.Array:
    """Returns arrays, or maps, that have other elements, as many as `lists`: `parts` are those of all of them, or the
    keys and the values."""
    ends = pc.cumulative_sum(pc.fill_null(pc.list_value_length(lists), 0)).cast(pa.int32())
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    kind = pa.MapArray if pa.types.is_map(wanted) else pa.ListArray
    return kind.from_arrays(offsets, *parts, type=wanted, mask=lists.is_null())
