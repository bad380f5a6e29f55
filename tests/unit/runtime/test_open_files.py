"""Few open files: Spark is not started with too few, and a server accepts as many clients as it has files for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.serve import server


def test_too_few_for_spark(tmp_path: Path) -> None:
    run = f"ulimit -n 256 && '{sys.executable}' -m rowtime_cli.main run -e 'SELECT 1 AS n' --warehouse '{tmp_path}/w'"
    done = subprocess.run(["sh", "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "RT0615: Spark did not start: a process of this user may have 256 open files" in said
    assert "ulimit -n 4096" in said and "Exception" not in said


@pytest.mark.parametrize(("files", "connections"), [(512, 8), (600, 22), (1024, 128), (4512, 1000), (1 << 30, 1000)])
def test_connections_have_files(monkeypatch: pytest.MonkeyPatch, files: int, connections: int) -> None:
    monkeypatch.setattr(server, "most_open_files", lambda: files)
    assert server._most_connections() == connections
