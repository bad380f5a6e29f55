"""Generated queries: rowtime as a relation and as a stream, and DuckDB.

python tests/generated                   500 queries
python tests/generated --queries 50      the first fifty of them
python tests/generated --begin 450       from that number on
python tests/generated --seed 7          others, over other rows
python tests/generated --only 113        that one, with its text in both dialects
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
# Thousands of small plans: code is compiled fast, and all of it is kept.
_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=400m"
_SPARK = f"spark.driver.extraJavaOptions={_JAVA},spark.sql.codegen.cache.maxEntries=2000"
os.environ.setdefault("ROWTIME_SPARK_CONF", _SPARK)


def _say(what: str) -> None:
    print(what, flush=True)


def main() -> int:
    """Returns 0 if all differences have names."""
    from generated.compare import compare, summary
    from generated.engines import engines
    from rowtime.runtime.spark import start_spark

    parser = argparse.ArgumentParser(prog="tests/generated", description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=500, metavar="N", help="the first of them")
    parser.add_argument("--begin", type=int, default=0, metavar="N", help="of those from that number on")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other queries, over other rows")
    parser.add_argument("--only", type=int, metavar="N", help="the query of that number")
    arguments = parser.parse_args()
    drawn = range(arguments.begin, arguments.queries)
    numbers = drawn if arguments.only is None else [arguments.only]
    began = time.monotonic()
    spark = start_spark()
    try:
        with tempfile.TemporaryDirectory() as folder, engines(spark, Path(folder) / "w", arguments.seed) as both:
            cases = compare(both, numbers, _say if len(numbers) > 1 else None)
    finally:
        spark.stop()
    print(summary(cases, whole=arguments.only is not None))
    print(f"{time.monotonic() - began:.0f} s")
    return int(any(case.faulty for case in cases))


sys.exit(main())
