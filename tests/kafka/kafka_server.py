"""A Kafka broker of its own: KRaft, one node, on free ports of the loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path

from ports import free_port

# A broker that restarts must wait until the controller has forgotten the killed one: the session. Records may have any
# time, as in brokers before 4.0.
SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={data}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
broker.heartbeat.interval.ms=200
broker.session.timeout.ms=4000
log.cleaner.enable=false
log.retention.ms=-1
log.message.timestamp.after.max.ms=9223372036854775807
"""
# It runs for seconds: optimised compilation would not pay off.
JAVA = ("java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


class Server:
    """The broker. Its topics survive `kill`."""

    def __init__(self, jars: Path, home: Path) -> None:
        port, controller = free_port(), free_port()
        self.address = f"127.0.0.1:{port}"
        self._port = port
        self._log = home / "log"
        self._settings = home / "server.properties"
        self._java = [*JAVA, "-cp", f"{jars}/*"]
        self._process: subprocess.Popen[bytes] | None = None
        self._settings.write_text(SETTINGS.format(port=port, controller=controller, data=home / "data"))
        format = ["kafka.tools.StorageTool", "format", "-t", "rowtimeTestCluster0000", "-c", str(self._settings)]
        with self._log.open("wb") as log:
            subprocess.run([*self._java, *format], stdout=log, stderr=log, check=True)

    def start(self) -> None:
        """Starts it; see `wait`."""
        with self._log.open("ab") as log:
            command = [*self._java, "kafka.Kafka", str(self._settings)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def wait(self) -> None:
        """Waits until it listens."""
        assert self._process is not None
        until = time.monotonic() + 180
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        said = self._log.read_text(errors="replace")[-3000:]
        raise RuntimeError("The Kafka broker did not start:" + os.linesep + said)

    def kill(self) -> None:
        """SIGKILL: it writes and sends nothing any more."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
