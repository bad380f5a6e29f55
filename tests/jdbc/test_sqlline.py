"""sqlline, a third-party JDBC client, runs a script: DDL, INSERT, SELECT STREAM with a time-out, SELECT, pumps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rowtime.jvm.jars import jdbc_driver
from rowtime.jvm.java import find_java
from rowtime.serve.server import JdbcServer

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("script.sql")


def sqlline() -> list[Path]:
    """The jars of sqlline."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "gradle.py"), "drivers"], check=True)
    return sorted((ROOT / "build" / "drivers" / "sqlline").glob("*.jar"))


def test_a_script(server: JdbcServer) -> None:
    path = os.pathsep.join(str(jar) for jar in [*sqlline(), jdbc_driver()])
    java = [
        str(find_java().executable),
        "-XX:TieredStopAtLevel=1",
        "-Duser.timezone=UTC",
        "-cp",
        path,
        "sqlline.SqlLine",
    ]
    options = ["--silent=true", "--outputformat=csv", "--color=false", "--showHeader=false", "--force=true"]
    done = subprocess.run(
        [*java, "-d", "io.rowtime.driver.Driver", "-u", server.url, "-n", "rowtime", "-p", "none", *options],
        stdin=SCRIPT.open(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = done.stdout + done.stderr
    for expected in (
        "'brush','10'",
        "'paint','30'",
        "'','','ORDERS','STREAM'",
        "'','','PRODUCTS','NAME','12','VARCHAR(12)','12'",
        "'2026-01-01 10:00:00.0','30','4'",
        "No row has come within the time-out",
        "'paint','4'",
        "RT0111: 1:15: Object 'NOWHERE' not found",
        "state=42000,code=111",
        "'P','PUMP','STOPPED'",
    ):
        assert expected in said, said
    assert "RT0999" not in said and "py4j" not in said
