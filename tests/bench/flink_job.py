"""Runs Flink jobs for flink.py, in a Python that has pyflink: one request per line on stdin, one answer per line on
stdout.

A request is a JSON object of `settings`, `events` (a folder with one for each stream), `columns` of the sink, `sql`, `rows` (a folder for them,
or null), and whether it runs as a `batch`; the answer says in how many `seconds` the job ran: its net runtime, so neither planning nor a cluster's start.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from pyflink.common import Configuration
from pyflink.table import EnvironmentSettings, TableEnvironment

STREAMS = {
    "person": "id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, `dateTime` TIMESTAMP(3), extra STRING",
    "auction_version": "id BIGINT, version BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED",
    "transfer": "source BIGINT, target BIGINT, amount BIGINT, `dateTime` TIMESTAMP(3)",
    "bid": "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, `dateTime` TIMESTAMP(3), extra STRING",
    "auction": "id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3), "
    "expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING",
}
WATERMARK = "WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND"


def run(request: dict[str, Any]) -> float:
    configuration = Configuration()
    for key, value in request["settings"].items():
        configuration.set_string(key, value)
    new = EnvironmentSettings.new_instance()
    mode = new.in_batch_mode() if request["batch"] else new.in_streaming_mode()
    settings = mode.with_configuration(configuration).build()
    tables = TableEnvironment.create(settings)
    sink = files(request["rows"]) if request["rows"] else "('connector' = 'blackhole')"
    for name, columns in STREAMS.items():
        source = files(f"{request['events']}/{name}")
        tables.execute_sql(f"CREATE TABLE {name} ({columns}, {WATERMARK}) WITH {source}")
    tables.execute_sql(f"CREATE TABLE sink ({request['columns']}) WITH {sink}")
    client = tables.execute_sql(f"INSERT INTO sink {request['sql']}").get_job_client()
    return client.get_job_execution_result().result().get_net_runtime() / 1000


def files(folder: str) -> str:
    """Returns the options of a table that is a folder of Parquet files."""
    return f"('connector' = 'filesystem', 'path' = 'file://{folder}', 'format' = 'parquet', 'parquet.utc-timezone' = 'true')"


def main() -> None:
    # Output of Java must not appear among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps({"seconds": run(json.loads(line))}), file=answers, flush=True)


if __name__ == "__main__":
    main()
