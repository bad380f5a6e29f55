"""The differential report: compares every function over the table of values, by Calcite and by Spark.

python tests/differential               a sample of the rows
python tests/differential --thorough    all of them, and docs/functions.md written anew
python tests/differential --only TRIM   functions whose name or template has this text
python tests/differential --list        no comparison, no Spark: only docs/functions.md, without counts
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

from compare import results, run
from inventory import states
from report import DOCUMENT, document, summary
from values import rows

SAMPLE, ALL = 16, 400


def main() -> int:
    """Returns 0 if all differences have names."""
    parser = argparse.ArgumentParser(prog="tests/differential", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--thorough", action="store_true", help=f"{ALL} rows instead of {SAMPLE}; writes docs/functions.md"
    )
    parser.add_argument("--only", metavar="TEXT", help="only functions whose name or template has this text")
    parser.add_argument("--list", action="store_true", help="no comparison: only docs/functions.md, without counts")
    arguments = parser.parse_args()
    import jpype

    from rowtime.jvm.functions import register
    from rowtime.jvm.jpype import planner
    from rowtime.runtime.cluster.spark import start_spark
    from rowtime.sparksql.settings import SETTINGS, applied

    service = planner()
    if arguments.list:
        DOCUMENT.write_text(document(results(), states(jpype)))
        return 0
    spark = start_spark()
    register(spark)
    began = time.monotonic()
    chosen = [
        r for r in results() if not arguments.only or arguments.only in r.function or arguments.only in r.template
    ]
    with applied(spark, SETTINGS):
        done = list(run(spark, service, rows(ALL if arguments.thorough else SAMPLE), chosen))
    spark.stop()
    for result in done:
        if result.refused:
            print(f"not compared: {result.template}: {result.refused}")
        for what in result.differing.get("", [])[:4]:
            print(f"differs: {what}")
    print(summary(done))
    print(f"{time.monotonic() - began:.0f} s")
    if arguments.thorough and not arguments.only:
        DOCUMENT.write_text(document(done, states(jpype)))
    return int(any("" in r.differing or r.refused for r in done))


sys.exit(main())
