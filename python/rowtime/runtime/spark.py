"""A SparkSession of our own, where the user brings none: local, all cores, quiet."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rowtime.errors import RowtimeError, error
from rowtime.jvm import archive
from rowtime.jvm.jars import spark_class_path, spark_jars, spark_jars_setting
from rowtime.jvm.java import Java, prepare_for_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTENSIONS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
"""What Delta Lake asks of a session."""

GENERATED_CLASSES = 2_000
"""How many classes that Spark generates are kept. Its own limit is 100, in four segments, and a streaming query takes
30 to 60: with several in a session a batch compiles again what the batch before had, and runs it interpreted."""

REDACTED = "(?i)secret|passw|pwd|token|access[.]?key|credential|jaas|api.?key|auth|bearer|private"
"""Names, and values, of settings that Spark is not to show: its own are among them, and more."""

LOGGING = Path(__file__).with_name("log4j2.properties")


def start_spark(*, dump_to: Path | None = None) -> SparkSession:
    """Starts Spark in this process, on all cores of this machine, without its web pages and silent.

    Environment: ROWTIME_SPARK_CONF may name more settings, as `key=value` separated by commas or line ends. A value may
    hold commas itself, and jars in `spark.jars` are added to those of rowtime.
    `dump_to` is for the builder of the JVM's class-data archive.
    """
    from pyspark.sql import SparkSession

    java = prepare_for_spark()
    more = given_settings()
    debugging = os.environ.get("ROWTIME_DEBUG") not in (None, "", "0")
    # The JVM shall use this Python for what runs in workers, wherever PATH leads.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.appName("rowtime")
        .master("local[*]")
        .config("spark.jars", ",".join(filter(None, (spark_jars_setting(), more.pop("spark.jars", "")))))
        .config("spark.driver.memory", _memory())
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "WARN" if debugging else "OFF")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.codegen.cache.maxEntries", str(GENERATED_CLASSES))
        .config("spark.redaction.regex", REDACTED)
        .config("spark.sql.redaction.options.regex", "(?s).*")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.extraClassPath", os.pathsep.join(map(str, spark_jars())))
        .config("spark.driver.extraJavaOptions", _joined([*_java_options(debugging), *class_data(java, dump_to)]))
    )
    for key, value in {**EXTENSIONS, **more}.items():
        builder = builder.config(key, value)
    if debugging:
        return builder.getOrCreate()
    # PySpark writes every error as a JSON document to stderr, whoever handles it.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    with _own_stderr() as said:
        try:
            return builder.getOrCreate()
        except Exception as fault:
            raise _not_started(fault, said) from fault


@contextlib.contextmanager
def _own_stderr() -> Iterator[IO[bytes]]:
    """What this process and the JVM that it starts say on stderr goes to a temporary file; of the JVM, for good."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _not_started(fault: Exception, said: IO[bytes]) -> RowtimeError:
    said.seek(0)
    lines = [line.strip() for line in said.read().decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if "Exception" in line or line.startswith("Error")] or lines or [str(fault)]
    return error(
        "RT0615",
        f"Spark did not start: {telling[0]}",
        hint="rowtime doctor finds missing parts; ROWTIME_DEBUG=1 shows the full output of Spark",
    )


def _java_options(debugging: bool) -> list[str]:
    options = ["-Dderby.stream.error.file=/dev/null"]
    if not debugging:
        options.append(f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
    return options


def class_data(java: Java, dump_to: Path | None = None) -> list[str]:
    """Flags for Spark's JVM that use its class-data archive, or write one when it exits. They want our jars on the
    driver's own class path: of classes that Spark loads later, from `spark.jars`, an archive has none."""
    found = archive.flags(java, spark_class_path(), whose=archive.SPARK, dump_to=dump_to)
    # The JVM says on standard output, which is the user's, why it does not use an archive.
    return [*found, "-Xlog:disable", "-Xlog:all=error:stderr"] if found else []


def _joined(options: Sequence[str]) -> str:
    """As Spark takes them apart again: a path may hold spaces."""
    return " ".join(f'"{option}"' if " " in option else option for option in options)


def _memory() -> str:
    """A quarter of the machine's memory, between 1 and 8 GB."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        total = 8 << 30
    return f"{max(1024, min(8192, total // 4 >> 20))}m"


def given_settings() -> dict[str, str]:
    """The settings of Spark that ROWTIME_SPARK_CONF names, by key."""
    text = os.environ.get("ROWTIME_SPARK_CONF", "")
    # Where the next setting begins, and not at each comma: spark.jars=a.jar,b.jar is one setting.
    pairs = (part.split("=", 1) for part in re.split(r"[,\n]\s*(?=[A-Za-z][\w-]*\.[\w.-]+\s*=)", text) if "=" in part)
    return {key.strip(): value.strip().rstrip(",") for key, value in pairs}
