"""A standalone cluster of Spark on this machine: a master and two workers of one core, from the pyspark package."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pyspark
import pytest
from ports import free_port
from quick_jvm import QUICK

SPARK = Path(pyspark.__file__).parent
DEPLOY = "org.apache.spark.deploy"


class Cluster:
    """A master and its workers, all on 127.0.0.1."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.pages = free_port(), free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(self.pages)]
        self._start("master", [str(SPARK / "bin" / "spark-class"), f"{DEPLOY}.master.Master", *place])

    @property
    def conf(self) -> str:
        """Returns ROWTIME_SPARK_CONF for a session that runs here."""
        return (
            f"spark.master=spark://127.0.0.1:{self.port},spark.executor.memory=640m,spark.executor.cores=1,"
            "spark.driver.memory=1g,spark.scheduler.minRegisteredResourcesRatio=1.0,"
            # Small queries: compiled fast, or not at all.
            f"spark.executor.extraJavaOptions={QUICK},spark.driver.extraJavaOptions={QUICK},"
            "spark.sql.codegen.wholeStage=false,spark.sql.codegen.factoryMode=NO_CODEGEN"
        )

    def worker(self, hidden: Path | None = None) -> None:
        """Starts a worker of one core; it sees an empty disk of its own instead of the folder `hidden`."""
        number = len(self._processes)
        place = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0", "-c", "1", "-m", "700m"]
        command = [str(SPARK / "bin" / "spark-class"), f"{DEPLOY}.worker.Worker", *place]
        command += ["-d", str(self.folder / f"work{number}"), f"spark://127.0.0.1:{self.port}"]
        if hidden is not None:
            mounted = f'mount -t tmpfs tmpfs "{hidden}" && exec "$@"'
            command = ["unshare", "-m", "sh", "-c", mounted, "sh", *command]
        self._start(f"worker{number}", command)

    def wait(self, workers: int, seconds: float = 120) -> None:
        """Waits until this many workers have registered."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{self.pages}/json/") as page:
                    if page.read().count(b'"ALIVE"') > workers:
                        return
            except OSError:
                pass
            assert time.monotonic() < deadline, [log.read_text() for log in self.folder.glob("*.log")]
            time.sleep(0.2)

    def stop(self) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, command: list[str]) -> None:
        environment = {
            **os.environ,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK,
            "SPARK_HOME": str(SPARK),
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            # A process group of its own: executors end with their worker.
            self._processes.append(
                subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
            )


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    from rowtime.jvm.java import prepare_for_spark

    prepare_for_spark()
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.worker()
        made.worker()
        made.wait(2)
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def hideable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that can be hidden behind another disk. Skips the test if this user may not mount one."""
    folder = tmp_path_factory.mktemp("hidden")
    if shutil.which("unshare") is None:
        pytest.skip("there is no command unshare")
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", str(folder)]
    tried = subprocess.run(command, check=False, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"this user may not mount a disk for a process: {tried.stderr.strip()}")
    return folder
