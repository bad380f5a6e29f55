"""The checks of `rowtime doctor`: one function per check, each with the remedies for its findings."""

from __future__ import annotations

import functools
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from rowtime.errors import RowtimeError

Outcome = Literal["ok", "warning", "fault"]

LEAST_DISK = 1 << 30


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check; a warning or an error has a remedy."""

    check: str
    outcome: Outcome
    text: str
    remedy: str | None = None


def all_checks(
    warehouse: Path, catalog: str | None = None, *, start_spark: bool, conf: Mapping[str, str] | None = None
) -> list[Callable[[], Iterator[CheckResult]]]:
    """Returns the checks, each after those that it depends on. None of them raises."""
    checks = [python, java, jars, planner, packages, spark]
    checks.append(lambda: write_access(warehouse, catalog))
    checks.append(lambda: disk(warehouse))
    checks.append(lambda: unknown_data(warehouse, catalog))
    if start_spark:
        checks.append(functools.partial(spark_start, warehouse, conf))
    return [catch_faults(check) for check in checks]


def python() -> Iterator[CheckResult]:
    yield CheckResult("python", "ok", f"Python {sys.version.split()[0]} ({sys.executable})")


def java() -> Iterator[CheckResult]:
    from rowtime.jvm.java import find_java

    found = find_java()
    text = f"Java {found.version} ({found.home}, from {found.source})"
    if found.library is None:
        yield CheckResult(
            "java", "fault", f"{text} has no libjvm", "Use a full JDK, or run: pip install 'rowtime[java]'"
        )
    else:
        yield CheckResult("java", "ok", text)
    if os.environ.get("JAVA_HOME") and found.source != "JAVA_HOME":
        yield CheckResult(
            "java",
            "warning",
            f"JAVA_HOME is {os.environ['JAVA_HOME']}, which is not used",
            "Unset or correct JAVA_HOME",
        )


def jars() -> Iterator[CheckResult]:
    from rowtime.jvm.jars import GROUPS, jar_files, jar_home

    counts = {group: len(jar_files(group)) for group in GROUPS}
    text = f"{', '.join(f'{count} {group}' for group, count in counts.items())} ({jar_home()})"
    own = [jar for jar in jar_files("app") if jar.name.startswith("rowtime")]
    if all(counts.values()) and own:
        yield CheckResult("jars", "ok", text)
    else:
        yield CheckResult("jars", "fault", f"Some are missing: {text}", "pip install --force-reinstall rowtime")


def planner() -> Iterator[CheckResult]:
    from rowtime.catalog.memory import MemoryCatalog
    from rowtime.explain.analysis import analyze
    from rowtime.jvm.jpype import planner as start

    analysis = analyze("VALUES (1)", MemoryCatalog(), start())
    if analysis.valid and analysis.statements[0].planned is not None:
        yield CheckResult("planner", "ok", "plans a query")
    else:
        said = "; ".join(diagnostic.message for diagnostic in analysis.diagnostics)
        yield CheckResult(
            "planner", "fault", f"does not plan VALUES (1): {said}", "pip install --force-reinstall rowtime"
        )


def packages() -> Iterator[CheckResult]:
    """Compares the packages that rowtime depends on with the required versions."""
    from packaging.requirements import Requirement

    try:
        wanted = [Requirement(text) for text in requires("rowtime") or []]
    except PackageNotFoundError:
        yield CheckResult("packages", "warning", "rowtime is used without being installed", "pip install rowtime")
        return
    found: list[str] = []
    wrong: list[str] = []
    for requirement in wanted:
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        (found if requirement.specifier.contains(installed, prereleases=True) else wrong).append(
            f"{requirement.name} {installed}"
        )
    if wrong:
        names = " ".join(f"'{requirement}'" for requirement in wanted if requirement.marker is None)
        yield CheckResult(
            "packages",
            "fault",
            f"Missing, or not in a version that rowtime supports: {', '.join(wrong)}",
            f"pip install {names}",
        )
    else:
        yield CheckResult("packages", "ok", ", ".join([f"rowtime {version('rowtime')}", *found]))
    try:
        pandas = version("pandas")
    except PackageNotFoundError:
        return
    if int(pandas.split(".")[0]) >= 3:
        yield CheckResult(
            "packages", "warning", f"PySpark 4.2 does not support pandas {pandas} yet", "pip install 'pandas<3'"
        )


def spark() -> Iterator[CheckResult]:
    import pyspark

    home = os.environ.get("SPARK_HOME")
    found = pyspark.__version__
    if not found.startswith("4.2."):
        yield CheckResult("spark", "fault", f"PySpark {found}", "pip install 'pyspark>=4.2,<4.3'")
    else:
        yield CheckResult("spark", "ok", f"PySpark {found} ({Path(pyspark.__file__).parent})")
    if home and Path(home).resolve() != Path(pyspark.__file__).parent.resolve():
        yield CheckResult("spark", "warning", f"SPARK_HOME is {home}, so Spark starts from there", "Unset SPARK_HOME")
    if os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED"):
        yield CheckResult(
            "spark", "fault", "Spark Connect is enabled by SPARK_REMOTE or SPARK_CONNECT_MODE_ENABLED", "Unset them"
        )
    try:
        socket.gethostbyname(socket.gethostname())
    except OSError:
        if not os.environ.get("SPARK_LOCAL_IP"):
            name = socket.gethostname()
            yield CheckResult(
                "spark", "warning", f"The host name '{name}' has no address", "Set SPARK_LOCAL_IP=127.0.0.1"
            )


def spark_start(warehouse: Path, conf: Mapping[str, str] | None = None) -> Iterator[CheckResult]:
    import rowtime

    # On the disk of the warehouse, which the executors of a cluster must share.
    with tempfile.TemporaryDirectory(prefix="rowtime-doctor-", dir=_existing(warehouse)) as folder:
        session = rowtime.connect(warehouse=folder, catalog="", conf=conf)
        try:
            rows = session.table("VALUES (1)").collect()
            sharing = session.runtime.launcher.shared.check(Path(folder), "the disk of the warehouse")
        finally:
            session.close()
    yield CheckResult("spark start", "ok" if len(rows) == 1 else "fault", f"ran a query, {len(rows)} row")
    if sharing:
        yield CheckResult(
            "shared disk", "ok", f"{sharing} executor{'' if sharing == 1 else 's'} see the warehouse's disk"
        )


def write_access(warehouse: Path, catalog: str | None = None) -> Iterator[CheckResult]:
    from rowtime.catalog.store import Store

    if Store.exists(warehouse):
        with Store(warehouse, read_only=True, catalog=catalog) as store:
            known = len(store.entries())
        text = f"warehouse {warehouse.absolute()} with {known} object{'' if known == 1 else 's'}"
    else:
        text = f"warehouse {warehouse.absolute()}, not created yet"
    places = {text: _existing(warehouse), f"temporary files in {tempfile.gettempdir()}": Path(tempfile.gettempdir())}
    for what, folder in places.items():
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as fault:
            yield CheckResult(
                "write access",
                "fault",
                f"{what}: {fault.strerror or fault}",
                f"Make {folder} writable, or name another one: --warehouse, TMPDIR",
            )
        else:
            yield CheckResult("write access", "ok", what)


def unknown_data(warehouse: Path, catalog: str | None = None) -> Iterator[CheckResult]:
    """Lists the folders of the warehouse that its catalog does not know."""
    from rowtime.catalog.store import Store
    from rowtime.catalog.unknown import unknown_folders

    if not Store.exists(warehouse):
        return
    with Store(warehouse, read_only=True, catalog=catalog) as store:
        for found in unknown_folders(store):
            what = f"rows with the columns {', '.join(found.columns)}" if found.columns else "the state of a pump"
            yield CheckResult(
                "unknown data",
                "warning",
                f"RT0630: {found.path} holds {what} ({found.bytes:,} bytes), and the catalog does not know it",
                "Restore a later catalog; or read the rows as a foreign table (connector 'delta', with this path), and "
                "then delete the folder",
            )


def disk(warehouse: Path) -> Iterator[CheckResult]:
    free = shutil.disk_usage(_existing(warehouse)).free
    text = f"{free / (1 << 30):.1f} GiB free"
    if free < LEAST_DISK:
        yield CheckResult("disk", "warning", text, "Free some space, or put the warehouse on another disk")
    else:
        yield CheckResult("disk", "ok", text)


def _existing(folder: Path) -> Path:
    """Returns the folder itself, or its nearest parent that exists."""
    return next(place for place in [folder.absolute(), *folder.absolute().parents] if place.exists())


def catch_faults(check: Callable[[], Iterator[CheckResult]]) -> Callable[[], Iterator[CheckResult]]:
    """Returns a check that yields faults instead of raising them."""

    def run() -> Iterator[CheckResult]:
        known = getattr(check, "func", check)
        name = getattr(known, "__name__", "check").replace("_", " ").replace("<lambda>", "warehouse")
        try:
            yield from check()
        except RowtimeError as fault:
            for diagnostic in fault.diagnostics:
                yield CheckResult(name, "fault", f"{diagnostic.code}: {diagnostic.message}", diagnostic.hint)
        except ModuleNotFoundError as fault:
            yield CheckResult(
                name, "fault", f"The package '{fault.name}' is missing", "pip install --force-reinstall rowtime"
            )
        except Exception as fault:
            from rowtime.faults import diagnostics_of

            for diagnostic in diagnostics_of(fault):
                yield CheckResult(name, "fault", diagnostic.message, diagnostic.hint)

    return run
