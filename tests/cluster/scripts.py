"""Runs scripts of tests/sql on a cluster, each over a warehouse of its own, and foreign files. Run by test_cluster.py.

python scripts.py FOLDER NAME…
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rowtime.opening import connect
from rowtime.runtime.query.query import Query

SQL = Path(__file__).parents[1] / "sql"


def files(spark: Any, folder: Path) -> None:
    """Writes rows to a folder of files, reads some of them late and one invalid, and checks all counts."""
    folder.mkdir()
    inbox = folder / "inbox"
    inbox.mkdir()

    def drop(name: str, *rows: tuple[str, object]) -> None:
        lines = [json.dumps({"ROWTIME": f"2015-02-15 {time}", "N": n}) for time, n in rows]
        (folder / "half").write_text("\n".join(lines) + "\n")
        (folder / "half").rename(inbox / name)

    with connect(spark, folder / "warehouse") as rt:
        for name, lateness in (("f", " LATENESS INTERVAL '1' HOUR"), ("o", "")):
            rt.sql(
                f"CREATE FOREIGN STREAM {name} (rowtime TIMESTAMP(3) NOT NULL{lateness}, n INTEGER) OPTIONS ("
                f"connector 'files', path '{inbox if name == 'f' else folder / 'out'}', format 'json')"
            )
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO o SELECT STREAM rowtime, n FROM f")
        query = rt.sql(
            "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM f GROUP BY FLOOR(rowtime TO HOUR)"
        )
        assert isinstance(query, Query)
        drop("1.json", ("10:00:00", 1), ("12:00:00", 2), ("10:30:00", 3))
        rt.runtime.settle([query])
        drop("2.json", ("10:59:00", 4), ("11:00:00", 5), ("10:10:00", 6), ("12:30:00", "seven"))
        rt.runtime.settle([query])
        drop("3.json", ("15:00:00", 8))
        rt.runtime.settle([query])
        got = [(row[0].hour, row[1]) for row in query.rows()]
        assert got == [(10, 2), (11, 1), (12, 1)], got
        progress = query.progress
        assert (progress.late["F"], progress.bad_rows) == (2, 1), progress
        out = sorted(json.loads(line)["n" if '"n"' in line else "N"] for file in (folder / "out").glob("*.json")
                     for line in file.read_text().splitlines())  # fmt: skip
        assert out == [1, 2, 3, 5, 8], out


def main(folder: Path, names: list[str]) -> None:
    from rowtime.jvm.functions import register
    from rowtime.runtime.cluster.spark import start_spark

    sys.path.insert(0, str(SQL.parent / "helpers"))
    from modules import load_module

    scripts = load_module(SQL / "test_scripts.py", "sql_scripts")
    spark = start_spark()
    register(spark)
    found: dict[str, str | None] = {}
    try:
        for number, name in enumerate(names):
            place = folder / str(number)
            run: Callable[[], None] = lambda name=name, place=place: (  # noqa: E731
                files(spark, place)
                if name == "files"
                else scripts.as_written(scripts.cases.read(SQL / name), spark, place)
            )
            try:
                run()
                found[name] = None
            except Exception:
                found[name] = traceback.format_exc()
        executors = spark._jvm.io.rowtime.files.SharedFolder.executors().size()  # type: ignore[union-attr]
    finally:
        spark.stop()
    print(json.dumps({"executors": executors, "faults": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
