"""Compares the results of Nexmark's 24 queries with DuckDB: each is a materialized view over three streams of Parquet
files, which come in steps.

`python tests/generated/nexmark_tables.py EVENTS [--late] [--flink] [q5 …]` runs them over more events. With --late,
they come up to three seconds out of order. With --flink, the results of Flink over the same rows are compared with
DuckDB's as well; `tests/bench/README.md` says how to have Flink."""

from __future__ import annotations

import datetime as dt
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from bench import generator

from generated.nexmark_queries import DATE_FORMAT, QUERIES, SIDES, STREAMS, NexmarkQuery, same
from rowtime.opening import connect
from rowtime.session import Session

STEP = 100_000
"""How many events come at a time, in ten seconds; fewer if they are less in all."""
LATE = 3_000
"""How late an event may come, in milliseconds of event time: less than the streams allow for."""
_FAR = dt.datetime.fromtimestamp(generator.FAR_MILLIS / 1000, dt.UTC).replace(tzinfo=None)
"""The time of the last row of each stream, which closes all windows."""


def steps(events: int, *, late: bool) -> Iterator[Mapping[str, pa.Table]]:
    """Returns the rows of all streams, in steps of ten seconds; the last one ends time.

    A few events take as long as many: time is stretched, so that there are at least two steps."""
    per_step = min(STEP, events // 2)
    count = -(-events // per_step)
    rows = {stream: _rows(stream, count, per_step) for stream in STREAMS}
    arrivals = {}
    for stream, table in rows.items():
        times = table["rowtime"].cast(pa.int64()).to_numpy()
        delay = np.random.default_rng(len(stream)).integers(0, LATE, len(times)) if late else 0
        order = np.argsort(times + delay, kind="stable")
        rows[stream], arrivals[stream] = table.take(order), (times + delay)[order]
    for number in range(count + 1):
        begin, end = (generator.START_MILLIS + 10_000 * each for each in (number, number + 1))
        yield {
            stream: table.take(np.flatnonzero((arrivals[stream] >= begin) & (arrivals[stream] < end)))
            for stream, table in rows.items()
        }
    yield {stream: _renamed(generator.far(stream)) for stream in STREAMS}


def _rows(stream: str, count: int, per_step: int) -> pa.Table:
    """Returns the rows of a stream in this many steps."""
    stretch = STEP // per_step
    slices = -(-count * per_step // STEP)
    rows = _renamed(pa.concat_tables([generator.SLICES[stream](number) for number in range(slices)]))
    for name in ("rowtime", "expires"):
        if name in rows.column_names:
            millis = rows[name].cast(pa.int64()).to_numpy()
            longer = generator.START_MILLIS + (millis - generator.START_MILLIS) * stretch
            rows = rows.set_column(rows.column_names.index(name), name, pa.array(longer, generator.TIME))
    end = generator.START_MILLIS + 10_000 * count
    return rows.filter(pa.array(rows["rowtime"].cast(pa.int64()).to_numpy() < end))


def _renamed(rows: pa.Table) -> pa.Table:
    return rows.rename_columns(["rowtime" if name == "dateTime" else name for name in rows.column_names])


TARGETS = {
    "q10": same(
        "SELECT rowtime, auction, bidder, price, extra, DATE_FORMAT(rowtime, 'yyyy-MM-dd') AS dt, "
        "DATE_FORMAT(rowtime, 'HH:mm') AS hm FROM bid",
    ),
    # The pump's last row may wait for the end of its second.
    "q12": same("SELECT bidder, COUNT(*) AS num FROM bid GROUP BY bidder", final=True),
}
"""What the results of those two have that are no materialized view: of q12, which goes by the clock, the sums."""


class Judge:
    """DuckDB, with the rows that have come so far."""

    def __init__(self) -> None:
        self._db = duckdb.connect()
        self.ask("SET TimeZone = 'UTC'")
        self.ask(DATE_FORMAT)
        self.ask("CREATE SCHEMA ended")

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return self._db.execute(sql).fetchall()

    def add(self, stream: str, files: Path) -> None:
        """Reads the files of a stream again."""
        expires = ", expires AT TIME ZONE 'UTC' AS expires" if stream == "auction" else ""
        self.ask(
            f"CREATE OR REPLACE TABLE {stream} AS SELECT * REPLACE (rowtime AT TIME ZONE 'UTC' AS rowtime{expires}) "
            f"FROM read_parquet('{files}/*.parquet')"
        )
        self.ask(
            f"CREATE OR REPLACE VIEW ended.{stream} AS SELECT * FROM main.{stream} WHERE rowtime < TIMESTAMP '{_FAR}'"
        )

    def ended(self, files: Path) -> pa.Table:
        """Returns the rows of a stream but its last, in order of arrival."""
        tables = [pq.read_table(file) for file in sorted(files.glob("*.parquet"))]
        return pa.concat_tables(tables).filter(
            pc.field("rowtime") < pa.scalar(generator.FAR_MILLIS).cast(generator.TIME)
        )

    def written(self, files: Path) -> pa.Table:
        """Returns the rows of Parquet files, in folders by two of their columns."""
        folders = "hive_partitioning = true, hive_types_autocast = false"
        return self._db.sql(
            "SELECT rowtime AT TIME ZONE 'UTC' AS rowtime, auction, bidder, price, extra, dt, hm "
            f"FROM read_parquet('{files}/**/*.parquet', {folders})"
        ).to_arrow_table()

    def schema(self, query: NexmarkQuery) -> pa.Schema:
        self._expect(query)
        return self._db.sql("FROM expected LIMIT 0").to_arrow_table().schema

    def _expect(self, query: NexmarkQuery) -> None:
        self.ask(f"USE {'ended' if query.final else 'main'}")
        self.ask(f"CREATE OR REPLACE TABLE main.expected AS {query.duckdb}")
        self.ask("USE main")

    def differences(self, name: str, query: NexmarkQuery, found: pa.Table) -> list[str]:
        """Returns what is wrong with the rows of a query."""
        self._expect(query)
        self._db.register("found", found)
        columns = zip(found.column_names, self.ask("DESCRIBE expected"), strict=True)
        cast = ", ".join(f'CAST("{ours}" AS {theirs[1]})' for ours, theirs in columns)
        self.ask(f"CREATE OR REPLACE TABLE given AS SELECT {cast} FROM found")
        wrong = []
        for what, these, those in (("missing", "expected", "given"), ("too many", "given", "expected")):
            rows = f"(SELECT * FROM {these} EXCEPT ALL SELECT * FROM {those})"
            ((count,),) = self.ask(f"SELECT COUNT(*) FROM {rows}")
            if count:
                wrong.append(
                    f"{name}: {count} rows {what}, such as {self.ask(f'SELECT * FROM {rows} ORDER BY ALL LIMIT 1')}"
                )
        return wrong


class NexmarkTables:
    """Nexmark's streams as folders of files, and its queries as materialized views."""

    def __init__(self, rt: Session, folder: Path, names: Sequence[str], *, late: bool) -> None:
        self._rt = rt
        self._folder = folder
        self._queries = {name: query for name, query in QUERIES.items() if name in names}
        self._targets = [name for name in TARGETS if name in names]
        self._late = late
        self._judge = Judge()
        self._files = 0
        watermark = " WATERMARK INTERVAL '4' SECOND" if late else ""
        for stream, columns in STREAMS.items():
            (folder / stream).mkdir(parents=True)
            rt.sql(
                f"CREATE FOREIGN STREAM {stream} (rowtime TIMESTAMP NOT NULL{watermark}, {columns}) "
                f"OPTIONS (connector 'files', format 'parquet', path '{folder / stream}', max_files_per_batch '1')"
            )
        rt.sql("CREATE TABLE side (id BIGINT, said VARCHAR)")
        rt.sql(
            f"INSERT INTO side VALUES "
            f"{', '.join(f'({number}, {chr(39)}said {number}{chr(39)})' for number in range(SIDES))}"
        )
        for name, query in self._queries.items():
            rt.sql(f"CREATE MATERIALIZED VIEW {name} AS {query.sql}")
        if "q10" in self._targets:
            self._log_bids()
        if "q12" in self._targets:
            self._count_by_the_clock()

    def _log_bids(self) -> None:
        """q10: bids as files, in folders by day and minute."""
        self._rt.sql(
            "CREATE FOREIGN STREAM q10 (rowtime TIMESTAMP NOT NULL, auction BIGINT, bidder BIGINT, price BIGINT, "
            "extra VARCHAR, dt VARCHAR, hm VARCHAR) "
            f"OPTIONS (connector 'files', format 'parquet', path '{self._folder / 'q10'}', partition_by 'dt, hm')"
        )
        self._rt.sql(
            "CREATE PUMP logged STARTED AS INSERT INTO q10 SELECT STREAM rowtime, auction, bidder, price, extra, "
            "DATE_FORMAT(rowtime, 'yyyy-MM-dd'), DATE_FORMAT(rowtime, 'HH:mm') FROM bid"
        )

    def _count_by_the_clock(self) -> None:
        """q12: the rows of a stream that is filled without ROWTIME have the time of their arrival."""
        self._rt.sql("CREATE STREAM arrived (bidder BIGINT)")
        self._rt.sql("CREATE PUMP arrivals STARTED AS INSERT INTO arrived (bidder) SELECT STREAM bidder FROM bid")
        self._rt.sql(
            "CREATE MATERIALIZED VIEW q12 AS SELECT TUMBLE_START(rowtime, INTERVAL '1' SECOND) AS rowtime, bidder, "
            "COUNT(*) AS num FROM arrived GROUP BY TUMBLE(rowtime, INTERVAL '1' SECOND), bidder"
        )

    def beside_flink(self) -> list[str]:
        """Returns what is wrong with the results of Flink, over all rows but the last ones, which close windows."""
        from generated.nexmark_flink import flink_results

        wrong = []
        rows = {stream: self._judge.ended(self._folder / stream) for stream in STREAMS}
        with flink_results(self._folder / "flink", rows) as results:
            queries = {**self._queries, **{name: TARGETS[name] for name in self._targets}}
            for name, query in queries.items():
                print(f"Flink: {name}", flush=True)
                judged = replace(query, final=True)
                found = results.rows(name, query.sql, self._judge.schema(judged))
                wrong += self._judge.differences(f"{name} of Flink", judged, found)
        return wrong

    def step(self, rows: Mapping[str, pa.Table]) -> None:
        """Lets the rows come, and waits until all results have them."""
        self._files += 1
        for stream, table in rows.items():
            if table.num_rows:
                file = self._folder / f"{stream}.parquet"
                pq.write_table(table, file)
                os.utime(file, (generator.START_MILLIS / 1000 + self._files,) * 2)
                file.rename(self._folder / stream / f"{self._files:05}.parquet")
                self._judge.add(stream, self._folder / stream)
        self._rt.runtime.settle([])

    def restart(self) -> None:
        self._rt.runtime.pumps.kill()
        self._rt.runtime.pumps.restart()

    def differences(self, *, ended: bool) -> list[str]:
        """Returns what is wrong with the results: with those that change, until time has `ended`."""
        wrong = [f"{pump.name}: {pump.error}" for pump in self._rt.pumps if pump.error]
        for name, query in self._queries.items():
            # Where rows may be late, all wait for them, and the last ones to the end.
            judged = replace(query, final=query.final or self._late)
            if ended or not judged.final:
                wrong += self._judge.differences(name, judged, self._table(f"SELECT * FROM {name}"))
        if ended and "q10" in self._targets:
            wrong += self._judge.differences(
                "q10", replace(TARGETS["q10"], final=self._late), self._judge.written(self._folder / "q10")
            )
        if ended and "q12" in self._targets:
            # A later row, by the clock, closes the window of those before.
            time.sleep(1.1)
            self._rt.sql("INSERT INTO arrived (bidder) VALUES (-100)")
            self._rt.runtime.settle([])
            counted = self._table("SELECT bidder, SUM(num) FROM q12 WHERE bidder > 0 GROUP BY bidder")
            wrong += self._judge.differences("q12", TARGETS["q12"], counted)
        return wrong

    def _table(self, sql: str) -> pa.Table:
        return self._rt.sql(sql).to_arrow()  # type: ignore[union-attr]


ALL = (*QUERIES, *TARGETS)


def compare(
    spark: Any, folder: Path, events: int, *, late: bool, names: Sequence[str] = ALL, beside_flink: bool = False
) -> list[str]:
    """Returns what is wrong: with results that change after each step, with others at the end."""
    with connect(spark, folder / "warehouse") as rt:
        tables = NexmarkTables(rt, folder, names, late=late)
        wrong: list[str] = []
        for number, rows in enumerate(steps(events, late=late)):
            if number == 1:
                tables.restart()
            tables.step(rows)
            if events <= STEP:
                wrong += tables.differences(ended=False)
        wrong += tables.differences(ended=True)
        return wrong + (tables.beside_flink() if beside_flink else [])


def main() -> None:
    from rowtime.runtime.cluster.spark import start_spark

    names = [name for name in sys.argv[2:] if name.startswith("q")] or ALL
    os.environ.setdefault("ROWTIME_SPARK_CONF", "spark.master=local[2],spark.driver.memory=6g")
    late, beside_flink = "--late" in sys.argv, "--flink" in sys.argv
    if beside_flink:
        from generated.nexmark_flink import require_flink

        require_flink()
    spark = start_spark()
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        wrong = compare(spark, Path(folder), int(sys.argv[1]), late=late, names=names, beside_flink=beside_flink)
        print(
            f"{len(names)} queries in {time.perf_counter() - begin:.0f} s, {len(wrong)} differences", *wrong, sep="\n"
        )


if __name__ == "__main__":
    main()
