"""A program in plain PySpark: it copies a stream of a warehouse into a stream and a table, until it is killed.

python plain_pyspark.py WAREHOUSE CHECKPOINTS CORES
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession
from quick_jvm import QUICK


def main(warehouse: str, checkpoints: str, cores: str) -> None:
    settings = {
        "spark.master": f"local[{cores}]",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK,
    }
    spark = SparkSession.builder.config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    source = spark.readStream.format("rowtime").options(warehouse=warehouse, start="earliest")
    copies = []
    for target, columns in (("B", ("ROWTIME", "N")), ("T", ("N",))):
        # Queries that share a DataFrame of a Python source share the environment of its function, to which the one that
        # starts adds while the other serializes it.
        arriving = source.load("A")
        place = {"warehouse": warehouse, "checkpointLocation": f"{checkpoints}/{target}"}
        copies.append(arriving.select(*columns).writeStream.format("rowtime").options(**place).start(target))
    while not all(copy.recentProgress for copy in copies):
        for copy in copies:
            copy.awaitTermination(0.05)
    print("ready", flush=True)
    spark.streams.awaitAnyTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
