"""Generated queries: rowtime as a relation and as a stream, and DuckDB.

python tests/generated                   500 queries
python tests/generated --queries 50      the first fifty of them
python tests/generated --begin 450       from that number on
python tests/generated --seed 7          others, over other rows
python tests/generated --only 113        that one, with its text in both dialects
python tests/generated --composed        composed queries, over more kinds of sources, and in pumps
python tests/generated --composed --about 'OVER HOP'    those of them with such an operator
python tests/generated --plan                those, only planned: without Spark
python tests/generated --composed --only 113 --shrink 600    a small script, if that one differs
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "functions"), str(TESTS / "helpers")]
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TESTS / "functions"), os.environ.get("PYTHONPATH")]))
# Thousands of small plans: code is compiled fast, and all of it is kept.
_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=400m"
_SPARK = f"spark.driver.extraJavaOptions={_JAVA},spark.sql.codegen.cache.maxEntries=2000"
_INTERPRETED = "spark.sql.codegen.wholeStage=false,spark.sql.codegen.factoryMode=NO_CODEGEN"
os.environ.setdefault("ROWTIME_SPARK_CONF", f"{_SPARK},{_INTERPRETED}" if "--composed" in sys.argv else _SPARK)
# What the planner claims of the rows is checked while they pass.
os.environ.setdefault("ROWTIME_CHECK_CLAIMS", "1")


def _say(what: str) -> None:
    print(what, flush=True)


def main() -> int:
    """Returns 0 if all differences have names."""
    from generated.compare import compare, summary
    from generated.composed import about
    from generated.engines import engines
    from generated.feeding import VARIATIONS
    from generated.plans import plans, report
    from rowtime.jvm.jpype import planner
    from rowtime.runtime.cluster.spark import start_spark

    parser = argparse.ArgumentParser(prog="tests/generated", description=__doc__.splitlines()[0])
    parser.add_argument("--composed", action="store_true", help="composed queries")
    parser.add_argument("--plan", action="store_true", help="composed queries, which are planned and do not run")
    parser.add_argument("--queries", type=int, metavar="N", help="the first of them (500; of composed ones 5000)")
    parser.add_argument("--begin", type=int, default=0, metavar="N", help="of those from that number on")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other queries, over other rows")
    parser.add_argument("--only", type=int, metavar="N", help="the query of that number")
    parser.add_argument("--input", choices=VARIATIONS, help="how that of composed streams arrives (blocks take turns)")
    parser.add_argument("--about", metavar="WORD", help="composed queries with such an operator: 'OVER HOP', 'Top-N'")
    parser.add_argument("--shrink", type=float, metavar="SECONDS", help="writes a small script of each that differs")
    arguments = parser.parse_args()
    drawn = range(arguments.begin, arguments.queries or (5000 if arguments.composed or arguments.plan else 500))
    numbers: Sequence[int] = drawn if arguments.only is None else [arguments.only]
    if arguments.about:
        numbers = [number for number in numbers if arguments.about in " ".join(about(arguments.seed, number))]
    if arguments.plan:
        return int(report(plans(planner(), arguments.seed, numbers), _say) > 0)
    began = time.monotonic()
    spark = start_spark()
    if arguments.composed:
        return _composed(spark, numbers, arguments.seed, arguments.input, arguments.shrink)
    try:
        with tempfile.TemporaryDirectory() as folder, engines(spark, Path(folder) / "w", arguments.seed) as both:
            cases = compare(both, numbers, _say if len(numbers) > 1 else None)
    finally:
        spark.stop()
    print(summary(cases, whole=arguments.only is not None))
    print(f"{time.monotonic() - began:.0f} s")
    return int(any(case.faulty for case in cases))


def _composed(spark: Any, numbers: Sequence[int], seed: int, how: str | None, shrink: float | None) -> int:
    from generated import composing
    from generated.engines import engines
    from generated.shrinking import Shrinker

    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as name, engines(spark, Path(name) / "w", seed, composed=True) as both:
            both.how = how
            cases = composing.compare(both, numbers, Path(name) / "files", _say)
            for case in filter(composing.faulty, cases if shrink else ()):
                _say(Shrinker(both, shrink or 0, _say).shrink(case) or f"case {case.number} does not differ alone")
    finally:
        spark.stop()
    print(composing.composition(cases))
    print(composing.counts(cases))
    print(f"seed {seed}, numbers {min(numbers)} to {max(numbers)}, {time.monotonic() - began:.0f} s")
    return int(any(map(composing.faulty, cases)))


sys.exit(main())
