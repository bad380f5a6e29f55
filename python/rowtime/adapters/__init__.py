"""Adapters: sources and targets written in Python, which send and receive rows and rowtime bounds.

An adapter is a `pyspark.sql.datasource.DataSource`, named by CREATE FOREIGN STREAM | TABLE … OPTIONS (connector
'python', class 'module:Class', …). Its `streamReader` or `simpleStreamReader` feeds a foreign stream, its `reader` a
foreign table, and its `writer` receives inserted rows. It differs from other Spark data sources in these points:

- A stream reader may return a `Bound` among its rows: no later row is earlier. It advances the stream's bound even
  without rows.
- Rows may be tuples in the order of the columns, or mappings by column name. They take the same values as
  `Producer.insert`. A row that does not fit is set aside as an invalid record.
- A class with `takes_bounds = True` receives a `Bound` among the rows of its writer whenever the bound of the writing
  query advances.
- A class with a method `last_batch()` tells the number of the last micro-batch that it has of the writer in the option
  `rowtime.writer`, or None; batches without rows need not count. A pump then refuses to continue from a checkpoint, or
  into a target, that was restored from an older backup. Without the method it warns.
- rowtime resolves `<option>_env` and `<option>_file`, and passes the value to the adapter as `<option>`. Options that
  the class lists in `own_options` are passed unchanged.
- A TIMESTAMP is a `datetime` in UTC without a time zone; one with a time zone is accepted as well.

rowtime adds these options:

- `rowtime.columns`: the columns as JSON, with name, type and nullability of each;
- `rowtime.folder`: a folder for data that must survive restarts, the same for all readers and writers of the object;
- for a stream reader, `rowtime.reader`, its name, which is the same after a restart, and `rowtime.start`, where a new
  one starts: `latest` or `earliest`;
- for a writer, `rowtime.writer` and `rowtime.batch`, which are the same if a batch is written again after a crash. An
  INSERT has no batch. If the bound has advanced, a batch is written in two calls: its rows, then its bound.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

__all__ = ["Bound"]


@dataclass(frozen=True)
class Bound:
    """A rowtime bound: no later row is earlier than `time` (UTC if it has no time zone)."""

    time: dt.datetime
