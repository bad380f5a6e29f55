"""Rows of a source by their keys, each with the row of a table that has the key.

Keys are equal as in a comparison, but NaN equals NaN: NULL equals nothing, and zero has no sign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def rows_by_key(source: pa.Table, of_source: Sequence[str], before: pa.Table, key: Sequence[str]) -> pa.Table:
    """Returns a row for each key of the source, which are its columns `of_source`: the places of the rows that have it,
    in order (`places`), and the place of the row of the table `before` that has it in the columns `key` (`place`), NULL
    if none has. A key that is NULL in a column has only one row of the source, and none of the table. Where more than
    one row of the table has a key, each gets the rows of the source."""
    names = [f"k{i}" for i in range(len(key))]
    asked = _comparable(source, of_source, names)
    numbered = asked.append_column("places", pa.array(np.arange(source.num_rows)))
    has_key = pa.array(np.ones(source.num_rows, dtype=bool))
    for column in asked.columns:
        has_key = pc.and_(has_key, pc.is_valid(column))
    # In one thread, Arrow keeps the order.
    groups = numbered.filter(has_key).group_by(names, use_threads=False).aggregate([("places", "list")])
    groups = groups.append_column("group", pa.array(np.arange(groups.num_rows)))
    of_table = _comparable(before, key, names).append_column("place", pa.array(np.arange(before.num_rows)))
    met = groups.select([*names, "group"]).join(of_table, names, join_type="left outer", use_threads=False)
    met = met.select(["group", "place"]).sort_by([("group", "ascending"), ("place", "ascending")])
    found = met.append_column("places", groups.column("places_list").take(met.column("group")))
    alone = numbered.filter(pc.invert(has_key)).column("places").combine_chunks()
    rest = pa.table(
        {
            "place": pa.nulls(len(alone), pa.int64()),
            "places": pa.ListArray.from_arrays(np.arange(len(alone) + 1, dtype=np.int32), alone),
        }
    )
    return pa.concat_tables([found.select(["places", "place"]), rest.select(["places", "place"]).cast(_SCHEMA)])


_SCHEMA = pa.schema([("places", pa.list_(pa.int64())), ("place", pa.int64())])


def _comparable(rows: pa.Table, columns: Sequence[str], names: Sequence[str]) -> pa.Table:
    """Returns the columns under other names, with values that have the same bytes if they are equal."""
    made = []
    for name in columns:
        values = rows.column(name)
        if pa.types.is_floating(values.type):
            values = pc.if_else(pc.is_nan(values), pa.scalar(np.nan, values.type), pc.add(values, 0.0))
        made.append(values)
    return pa.Table.from_arrays(made, names=list(names))
