"""The detached process that builds the class-data archive: `python -m rowtime.jvm.training TARGET`.

It plans `training.sql`, which is there to load classes: a statement of every sort, and some that are wrong.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from rowtime.catalog.memory import MemoryCatalog
from rowtime.explain.judge import judge
from rowtime.jvm import archive
from rowtime.jvm.java import Java, find_java
from rowtime.jvm.jpype import JpypePlanner, _service


def main(arguments: list[str]) -> int:
    target = Path(arguments[0])
    if hasattr(os, "nice"):
        os.nice(10)
    java = find_java()
    if not archive.has_own_base(java):
        _dump_base(java)
    temporary = target.with_suffix(f".{os.getpid()}.tmp")
    statements = Path(__file__).with_name("training.sql").read_text(encoding="utf-8")
    try:
        planner = JpypePlanner(_service(java, dump_to=str(temporary)))
        for _ in range(2):
            judge(statements, MemoryCatalog(), planner)
        import jpype

        jpype.shutdownJVM()  # dumps
        archive.finish(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return 0


def _dump_base(java: Java) -> None:
    base = archive.base_path(java)
    temporary = base.with_suffix(f".{os.getpid()}.tmp")
    command = [str(java.executable), "-Xshare:dump", "-XX:+UseSerialGC", f"-XX:SharedArchiveFile={temporary}"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=300, check=False)
        if temporary.is_file():
            os.replace(temporary, base)
    temporary.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
