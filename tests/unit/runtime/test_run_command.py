"""`rowtime run` as users start it: a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.spark

SCRIPT = """\
CREATE STREAM orders (productId INTEGER, price DECIMAL(8, 2), born DATE, big BIGINT);
SELECT STREAM * FROM orders;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO HOUR);
INSERT INTO orders VALUES
  (TIMESTAMP '2006-09-11 12:05:00', 1, 3.5, DATE '2006-09-11', 9007199254740993),
  (TIMESTAMP '2006-09-11 12:04:59.999', 2, NULL, NULL, NULL);
!bound orders '2006-09-11 13:00:00'
!restart
SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t (x);
SHOW STREAMS;
INSERT INTO orders (productId) SELECT * FROM nowhere;
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from rowtime_cli.main import entry; entry()", "run", *arguments]


def test_json(tmp_path: Path) -> None:
    done = subprocess.run(
        command("-", "--format", "json", "--warehouse", str(tmp_path / "w")),
        input=SCRIPT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    row = {"ROWTIME": "2006-09-11T12:05:00.000", "PRODUCTID": 1, "PRICE": "3.50", "BORN": "2006-09-11"}
    late = {"ROWTIME": "2006-09-11T12:04:59.999", "PRODUCTID": 2, "PRICE": None, "BORN": None, "BIG": None}
    assert lines[:4] == [
        {"rejected": {"stream": "ORDERS", "step": 1, "row": late, "reason": "late"}},
        {"query": 1, "step": 1, "row": {**row, "BIG": 9007199254740993}},
        {"query": 2, "step": 2, "row": {"ROWTIME": "2006-09-11T12:00:00.000", "C": 1}},
        {"query": 3, "step": 2, "row": {"N": 2}},
    ]
    assert lines[4]["show"]["NAME"] == "ORDERS"
    error = lines[5]["error"]
    assert (error["code"], error["line"], error["column"]) == ("RT0111", 11, 46)
    assert error["message"] == "Object 'NOWHERE' not found"
    assert len(lines) == 6
    assert done.returncode == 1
    # Nothing but what was asked for: no log lines, no stack traces.
    assert done.stderr == ""


def test_ctrl_c_ends_what_follows(tmp_path: Path) -> None:
    warehouse = tmp_path / "w"
    script = "CREATE STREAM s (n INTEGER);\nSELECT STREAM n FROM s;\nINSERT INTO s (n) VALUES (7);\n"
    running = subprocess.Popen(
        command("-e", script, "--follow", "--format", "csv", "--warehouse", str(warehouse)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert running.stdout is not None
    assert [running.stdout.readline() for _ in range(2)] == ["N\n", "7\n"]
    time.sleep(1)
    assert running.poll() is None
    assert os.listdir(warehouse / "queries") != []
    running.send_signal(signal.SIGINT)
    rest, said = running.communicate(timeout=120)
    assert (rest, said, running.returncode) == ("", "", 0)
    assert os.listdir(warehouse / "queries") == []
