"""Adapters: sources and targets written in Python, which send and take rows and rowtime bounds.

An adapter is a `pyspark.sql.datasource.DataSource`, named by CREATE FOREIGN STREAM | TABLE … OPTIONS (connector
'python', class 'module:Class', …). Its `streamReader` or `simpleStreamReader` feeds a foreign stream, its `reader` a
foreign table, its `writer` takes what is inserted. What differs from any other data source of Spark:

- Where rows of a stream are read, a `Bound` may stand among them: no later row is earlier. It moves the stream's bound,
  whether rows come or not.
- Rows may be tuples in the order of the columns, or mappings by their names; values are what `Producer.insert` takes.
  One that does not fit is set aside as a bad row.
- A class with `takes_bounds = True` finds a `Bound` among the rows that its writer is given, whenever the bound of the
  query that writes has moved.
- `<option>_env` and `<option>_file` are looked up by rowtime: the adapter is given the value, as `<option>`. Those that
  it lists in `own_options` are left as they are.
- A TIMESTAMP is a `datetime` in UTC without zone; one with a zone is taken as well.

Among its options are some of rowtime's:

- `rowtime.columns`: the columns as JSON, with name, type and nullable of each;
- `rowtime.folder`: a folder for what has to outlive restarts, the same for all who read or write the object;
- of a stream's reader `rowtime.reader`, its name, the same after a restart, and `rowtime.start`, where a new one is to
  begin: `latest` or `earliest`;
- of a writer `rowtime.writer` and `rowtime.batch`, the same when a batch is written again after a crash. Rows of an
  INSERT have none. A batch is written in two calls where the bound has moved: its rows, then its bound.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

__all__ = ["Bound"]


@dataclass(frozen=True)
class Bound:
    """A rowtime bound: no later row is earlier than `time` (UTC where it has no zone)."""

    time: dt.datetime
