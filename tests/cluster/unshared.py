"""A session on a cluster whose third executor starts later, and sees another disk instead of a folder.

Run by test_cluster.py, which starts that executor's worker when `ready` is printed.

    python unshared.py FOLDER HIDDEN
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.runtime.query.query import Query
from rowtime.runtime.sinks import FileSink


def fault(act: Callable[[], Any]) -> str:
    try:
        act()
    except RowtimeError as found:
        return str(found)
    return "no error"


def main(folder: Path, hidden: Path) -> None:
    found = {}
    with connect(warehouse=hidden / "warehouse") as rt:
        rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
        query = rt.sql("SELECT STREAM n FROM s")
        assert isinstance(query, Query)
        rt.sql("INSERT INTO s VALUES (TIMESTAMP '2020-01-01 10:00:00', 1)")
        query.process_all_available()
        assert [row[0] for row in query.rows()] == [1]
        print("ready", flush=True)
        shared = rt.spark._jvm.io.rowtime.files.SharedFolder  # type: ignore[union-attr]
        deadline = time.monotonic() + 120
        while shared.executors().size() < 3:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        rt.sql("INSERT INTO s VALUES (TIMESTAMP '2020-01-01 10:01:00', 2)")
        found["next micro-batch"] = fault(query.process_all_available)
        found["next query"] = fault(lambda: rt.sql("SELECT STREAM n FROM s"))
        found["relation"] = fault(lambda: rt.sql("SELECT n FROM s").tuples())  # type: ignore[union-attr]
        found["frame"] = fault(lambda: rt.table("SELECT STREAM n FROM s"))
        with connect(rt.spark, folder / "warehouse") as other:
            other.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
            other.sql(
                "CREATE FOREIGN TABLE f (n INTEGER) OPTIONS"
                f" (connector 'files', path '{hidden / 'out'}', format 'json')"
            )
            found["file target"] = fault(lambda: other.sql("INSERT INTO f VALUES (1)"))
            sink = FileSink(str(hidden / "sink"))
            found["file sink"] = fault(lambda: other.submit("SELECT STREAM n FROM s", sink))
            other.sql("INSERT INTO s VALUES (TIMESTAMP '2020-01-01 10:00:00', 1)")
            found["elsewhere"] = str(other.sql("SELECT n FROM s").tuples())  # type: ignore[union-attr]
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
