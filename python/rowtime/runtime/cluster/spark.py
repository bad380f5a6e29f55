"""Creates a SparkSession if the user brings none: local, on all cores, without output."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rowtime.catalog.faults import full
from rowtime.errors import RowtimeError, error
from rowtime.jvm import archive
from rowtime.jvm.jars import spark_class_path, spark_class_path_setting, spark_jars_setting
from rowtime.jvm.java import Java, prepare_for_spark
from rowtime.jvm.messages import plain
from rowtime.jvm.open_files import check_open_files
from rowtime.jvm.py4j import java_causes, java_class
from rowtime.privatefolder import private_folder, temporary_folders
from rowtime.runtime.cluster.settings import BASE, EXTENSIONS
from rowtime.runtime.cluster.submitted import submitted_settings
from rowtime.runtime.faults import condition_and_reason
from rowtime.sparksql.settings import SETTINGS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LEGACY = "spark.sql.legacy."
"""How settings begin that give SQL another meaning."""

_THREAD = re.compile(r'^(?:Exception in thread "[^"]*"|Error:)\s+')

_LOCAL = re.compile(r"local(?:\[(?:[1-9][0-9]*|\*)(?:\s*,\s*[0-9]+)?\]|-cluster\[[^\]]*\])?")

_ROOM = 8 << 20
"""The least space for temporary files with which Spark is started, in bytes."""

LOGGING = Path(__file__).with_name("log4j2.properties")


def start_spark(conf: Mapping[str, str] | None = None, *, dump_to: Path | None = None) -> SparkSession:
    """Starts Spark in this process, on all cores of this machine, without its web pages and without output.

    `conf` has more settings. Environment: ROWTIME_SPARK_CONF may name others, as `key=value` separated by commas or
    line ends; a value may contain commas itself. Jars in `spark.jars` and options in `spark.driver.extraJavaOptions`
    are added to those of rowtime. If spark-submit has started this process, its settings, and its master, come before
    those of rowtime, and options for the JVM have no effect. `dump_to` is for the builder of the JVM's class-data
    archive. Raises RowtimeError RT0615, and RT0660 for settings with which results would be wrong.
    """
    from pyspark.sql import SparkSession

    more = {**environment_settings(), **(conf or {})}
    check_settings(more)
    given = dict(more)
    check_open_files()
    java = prepare_for_spark()
    debugging = os.environ.get("ROWTIME_DEBUG") not in (None, "", "0")
    # The JVM must use this Python for workers, whatever PATH contains.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    jars = more.pop("spark.jars", "")
    try:
        submitted = submitted_settings()
    except Exception as fault:
        raise _not_started(fault, io.BytesIO(), given) from fault
    check_settings(submitted)
    if "spark.jars" in submitted:
        submitted["spark.jars"] = ",".join(filter(None, (submitted["spark.jars"], jars)))
    own = {
        "spark.app.name": "rowtime",
        "spark.master": "local[*]",
        "spark.jars": ",".join(filter(None, (spark_jars_setting(), jars))),
        "spark.driver.memory": _memory(),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "WARN" if debugging else "OFF",
        **BASE,
        "spark.driver.extraClassPath": spark_class_path_setting(),
        "spark.driver.extraJavaOptions": driver_options(java, more, debugging=debugging, dump_to=dump_to),
        **EXTENSIONS,
        **closed_settings({**submitted, **more}),
    }
    builder = SparkSession.builder
    for key, value in {**own, **submitted, **more}.items():
        builder = builder.config(key, value)
    _check_room()
    if debugging:
        return builder.getOrCreate()
    # PySpark writes every error as a JSON document to stderr, whoever handles it.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    logging.getLogger().addFilter(_is_ours)
    with _own_stderr() as said:
        try:
            spark = builder.getOrCreate()
            # Spark reads the settings of SQL only now.
            spark._jsparkSession.sessionState()
        except Exception as fault:
            raise _not_started(fault, said, given) from fault
    _load_libraries(spark)
    return spark


def check_settings(more: Mapping[str, str]) -> None:
    """Raises RowtimeError RT0660 if the user's settings change what the text that Spark gets from rowtime means, or if
    they name a local master that is none, of which Spark would say that it misses a secret."""
    master = more.get("spark.master", "local")
    if master.startswith("local") and not _LOCAL.fullmatch(master):
        hint = "local, local[4], local[*], spark://host:7077, yarn or k8s://host"
        raise error("RT0660", f"Spark has no master '{master}'", hint=hint)
    for key, value in more.items():
        needed = SETTINGS.get(key)
        if needed is not None and str(value).strip().lower() != needed.lower():
            problem = f"'{key}' has to be '{needed}', and not '{value}'"
        elif needed is None and key.startswith(_LEGACY):
            problem = f"'{key}' cannot be set"
        else:
            continue
        hint = "Leave it out of --conf, of the conf of connect, and of ROWTIME_SPARK_CONF"
        raise error("RT0660", f"{problem}: the results of rowtime depend on it", hint=hint)


def check_session(spark: SparkSession, conf: Mapping[str, str] | None = None) -> None:
    """Raises RowtimeError RT0660 if there are settings for a session that the user has started, or it distinguishes
    names by case: Spark's source of files reads each micro-batch with the settings of the session, and fields would not
    be found."""
    if conf:
        hint = "set them where the session is started: SparkSession.builder.config(…)"
        raise error("RT0660", f"Spark runs already, so {min(conf)} cannot be set", hint=hint)
    key = "spark.sql.caseSensitive"
    if str(spark.conf.get(key, "false")).lower() == "true":
        hint = f"spark.conf.set('{key}', 'false'), or connect without a session"
        raise error("RT0660", f"'{key}' of the session is 'true': fields of files would be missing", hint=hint)


def _check_room() -> None:
    """Raises RowtimeError RT0608 if there is no space for the native libraries that Spark unpacks."""
    for folder in temporary_folders():
        with contextlib.suppress(FileNotFoundError):
            if shutil.disk_usage(folder).free < _ROOM:
                raise full("Spark did not start", folder)


def _load_libraries(spark: SparkSession) -> None:
    """Loads the native library that unpacks itself into the folder for temporary files when it is first used. If that
    fails because the disk is full, the JVM never tries it again, and nothing would be read although there is space."""
    with contextlib.suppress(Exception):
        java_class(spark, "org.xerial.snappy.Snappy").getNativeLibraryVersion()


def _is_ours(record: logging.LogRecord) -> bool:
    """Returns whether a record of the root logger is not py4j's report on a call that has failed, which would be
    printed with its traceback: whoever made the call gets the exception."""
    return record.msg != "Exception while sending command."


def closed_settings(more: Mapping[str, str]) -> dict[str, str]:
    """Returns the settings that keep other users out: of Spark's ports, which then ask for a secret that Spark makes
    up and no other host reaches, and of its temporary files. `more` are the settings that the user has given."""
    if not more.get("spark.master", "local").startswith("local"):
        # A cluster has a secret of its own, or none, and its executors must reach the driver.
        return {}
    loopback = "127.0.0.1"
    found = {"spark.authenticate": "true", "spark.driver.bindAddress": loopback, "spark.driver.host": loopback}
    if "SPARK_LOCAL_DIRS" not in os.environ:
        found["spark.local.dir"] = str(private_folder())
    return found


@contextlib.contextmanager
def _own_stderr() -> Iterator[IO[bytes]]:
    """Redirects stderr of this process and of the JVM that it starts to a temporary file; for the JVM, permanently."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _not_started(fault: Exception, said: IO[bytes], given: Mapping[str, str]) -> RowtimeError:
    said.seek(0)
    lines = [line.strip() for line in said.read().decode("utf-8", "replace").splitlines() if line.strip()]
    reason = _java_reason(fault)
    if reason is None:
        # The JVM has ended, and says why.
        own = [line for line in lines if not line.startswith("WARNING:")]
        first = next((line for line in own if "Exception" in line), (own or [str(fault)])[0])
        first = _THREAD.sub("", first)
        reason = plain(first, quotes_values=True) or first
    first_to_do = "rowtime doctor finds missing parts"
    if given:
        first_to_do = f"Check the settings {', '.join(sorted(given))}"
    return error(
        "RT0615",
        f"Spark did not start: {condition_and_reason(reason)[1] or reason}",
        hint=f"{first_to_do}; ROWTIME_DEBUG=1 shows the full output of Spark",
    )


def _java_reason(fault: Exception) -> str | None:
    """Returns what the first cause of an exception of the JVM says; None if it is not one."""
    found = None
    for cause in java_causes(fault):
        found = plain(str(cause.getMessage()), quotes_values=True) or found
    return found


def driver_options(java: Java, more: dict[str, str], *, debugging: bool, dump_to: Path | None = None) -> str:
    """Returns the options of Spark's JVM: those of rowtime, then those of the user, which it takes out of `more`. The
    JVM takes the last of several values. An archive is built without the user's: it is for JVMs with any options."""
    own = _join_options([*_java_options(debugging), *class_data(java, dump_to)])
    given = more.pop("spark.driver.extraJavaOptions", "")
    return own if dump_to is not None or not given else f"{own} {given}"


def _java_options(debugging: bool) -> list[str]:
    # The JVM knows nothing of TMPDIR, nor of another folder that Python has chosen because /tmp is full.
    options = ["-Dderby.stream.error.file=/dev/null", f"-Djava.io.tmpdir={tempfile.gettempdir()}"]
    if not debugging:
        options.append(f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
    return options


def class_data(java: Java, dump_to: Path | None = None) -> list[str]:
    """Returns flags for Spark's JVM that use its class-data archive, or write one when it exits. They require our jars
    on the driver's own class path: an archive has no classes that Spark loads later, from `spark.jars`."""
    found = archive.flags(java, spark_class_path(), whose=archive.SPARK, dump_to=dump_to)
    # The JVM would report on stdout, which is the user's, why it does not use an archive.
    return [*found, "-Xlog:disable", "-Xlog:all=error:stderr"] if found else []


def _join_options(options: Sequence[str]) -> str:
    """Joins options in the form that Spark splits again: a path may contain spaces."""
    return " ".join(f'"{option}"' if " " in option else option for option in options)


def _memory() -> str:
    """Returns a quarter of the machine's memory, between 1 and 8 GB."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        total = 8 << 30
    return f"{max(1024, min(8192, total // 4 >> 20))}m"


def environment_settings() -> dict[str, str]:
    """Returns the settings of Spark in ROWTIME_SPARK_CONF, by key."""
    text = os.environ.get("ROWTIME_SPARK_CONF", "")
    # Splits where the next setting begins, and not at each comma: spark.jars=a.jar,b.jar is one setting.
    pairs = (part.split("=", 1) for part in re.split(r"[,\n]\s*(?=[A-Za-z][\w-]*\.[\w.-]+\s*=)", text) if "=" in part)
    return {key.strip(): value.strip().rstrip(",") for key, value in pairs}
