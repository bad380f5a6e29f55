"""The detached process that builds a class-data archive: `python -m rowtime.training TARGET`.

For the planner's JVM it plans `planner.sql`, for Spark's it runs `spark.sql`. These scripts load classes: they contain
a statement of every kind, and some invalid ones.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rowtime.jvm import archive
from rowtime.jvm.jars import planner_class_path, spark_class_path
from rowtime.jvm.java import Java, find_java

_SECONDS_TO_DUMP = 300


def main(arguments: list[str]) -> int:
    """Builds the archive at the given path, whose name says for which JVM it is. `planner` or `spark` instead of a path
    means the archive that this machine uses. An existing archive is kept."""
    if hasattr(os, "nice"):
        os.nice(10)
    java = find_java()
    if not archive.has_own_base(java):
        _dump_base(java)
    target = _path(arguments[0], java)
    if target.is_file():
        return 0
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        train = _spark if target.name.startswith(archive.SPARK) else _planner
        train(java, temporary)
        archive.finish(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return 0


def _path(argument: str, java: Java) -> Path:
    classpaths = {archive.PLANNER: planner_class_path, archive.SPARK: spark_class_path}
    found = classpaths.get(argument)
    return Path(argument) if found is None else archive.path(java, found(), argument)


def _planner(java: Java, dump_to: Path) -> None:
    import jpype

    from rowtime.catalog.memory import MemoryCatalog
    from rowtime.explain.analysis import analyze
    from rowtime.jvm.jpype import JpypePlanner, _service

    planner = JpypePlanner(_service(java, dump_to=str(dump_to)))
    for _ in range(2):
        analyze(_script("planner.sql"), MemoryCatalog(), planner)
    jpype.shutdownJVM()  # dumps


def _spark(java: Java, dump_to: Path) -> None:
    from pyspark import SparkContext

    from rowtime.catalog.store import Store
    from rowtime.display.printers import TextPrinter
    from rowtime.runtime.cluster.spark import start_spark
    from rowtime.script.runner import ScriptRunner
    from rowtime.session import Session
    from rowtime.splitter import split
    from rowtime.streams.start import Start

    with tempfile.TemporaryDirectory(prefix="rowtime-") as folder:
        script = _script("spark.sql")
        session = Session(start_spark(dump_to=dump_to), Store(Path(folder) / "warehouse", catalog=""), owns_spark=True)
        ignored = io.StringIO()
        with session, contextlib.redirect_stdout(ignored), contextlib.redirect_stderr(ignored):
            runner = ScriptRunner(session, TextPrinter(script, "training"), Start())
            runner.run(split(script))
            runner.close()
        gateway = SparkContext._gateway
        assert gateway is not None
        process = gateway.proc
        gateway.shutdown()
        # The JVM dumps the archive when it exits, and it exits when its standard input is closed.
        process.stdin.close()
        process.wait(_SECONDS_TO_DUMP)


def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _dump_base(java: Java) -> None:
    base = archive.base_path(java)
    temporary = base.with_suffix(f".{os.getpid()}.tmp")
    command = [str(java.executable), "-Xshare:dump", "-XX:+UseSerialGC", f"-XX:SharedArchiveFile={temporary}"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=300, check=False)
        if temporary.is_file():
            archive.put_in_place(temporary, base)
    temporary.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
