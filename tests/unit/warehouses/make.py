"""Makes a warehouse of the present format as `NAME.tar.xz`, which `test_warehouses.py` opens from then on.

    python tests/unit/warehouses/make.py NAME

Once for each format, by the last build that writes it."""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
from pathlib import Path

import rowtime

HERE = Path(__file__).resolve().parent
STATEMENTS = (
    "CREATE STREAM sales (rowtime TIMESTAMP NOT NULL, item VARCHAR(10), units INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM paid (rowtime TIMESTAMP NOT NULL, item VARCHAR(10)) OPTIONS (history 'all')",
    "CREATE STREAM hours (rowtime TIMESTAMP NOT NULL, item VARCHAR(10), n BIGINT) OPTIONS (history 'all')",
    "CREATE STREAM pairs (rowtime TIMESTAMP NOT NULL, item VARCHAR(10), units INTEGER) OPTIONS (history 'all')",
    "CREATE TABLE items (item VARCHAR(10) NOT NULL, name VARCHAR(10), PRIMARY KEY (item))",
    "CREATE VIEW big AS SELECT STREAM * FROM sales WHERE units > 1",
    "CREATE FOREIGN STREAM shares (rowtime TIMESTAMP NOT NULL, share INTEGER) "
    "OPTIONS (connector 'files', path 'files', format 'json')",
    "CREATE MATERIALIZED VIEW totals AS SELECT STREAM item, SUM(units) AS units FROM big GROUP BY item",
    "CREATE PUMP hourly STARTED AS INSERT INTO hours "
    "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, item, COUNT(*) AS n FROM sales "
    "GROUP BY FLOOR(rowtime TO HOUR), item",
    "CREATE PUMP pairing STARTED AS INSERT INTO pairs SELECT STREAM p.rowtime, p.item, s.units FROM paid AS p "
    "JOIN sales AS s ON p.item = s.item AND s.rowtime BETWEEN p.rowtime - INTERVAL '1' HOUR AND p.rowtime",
    "CREATE PUMP sharing STARTED OPTIONS (on_error 'skip') AS INSERT INTO shares "
    "SELECT STREAM rowtime, 60 / units AS share FROM sales",
    "INSERT INTO items VALUES ('a', 'apple'), ('b', 'bread')",
    "UPDATE items SET name = 'pear' WHERE item = 'a'",
    # The last row of each hour remains in the state of `hourly`; the second one is invalid for `sharing`.
    "INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 09:10:00', 'a', 2), (TIMESTAMP '2024-05-01 09:20:00', 'a', 0), "
    "(TIMESTAMP '2024-05-01 10:10:00', 'a', 3), (TIMESTAMP '2024-05-01 10:20:00', 'b', 4)",
    # It is late.
    "INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 10:05:00', 'b', 9)",
    "INSERT INTO paid VALUES (TIMESTAMP '2024-05-01 09:30:00', 'a')",
)


def main(name: str) -> None:
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    with rowtime.connect(warehouse="warehouse", partitions=1) as session:
        for statement in STATEMENTS:
            session.sql(statement)
        session.runtime.settle([])
        for target in ("hours", "pairs", "totals"):
            print(target, session.sql(f"SELECT * FROM {target}").tuples())
    with tarfile.open(HERE / f"{name}.tar.xz", "w:xz") as archive:
        archive.add("warehouse")
        archive.add("files")


if __name__ == "__main__":
    main(sys.argv[1])
