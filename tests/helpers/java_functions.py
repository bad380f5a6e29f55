"""Functions in Java that tests and examples call: compiled once for each version of their sources, into a jar."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from rowtime.jvm.jars import spark_class_path
from rowtime.jvm.java import find_java

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```java\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CLASS = re.compile(r"public (?:final )?class (\w+)")


def sources() -> dict[str, str]:
    """The sources by file name: those of `tests/functions`, and every class in a block of Java in the documentation."""
    found = {path.name: path.read_text() for path in sorted((ROOT / "tests" / "functions").glob("*.java"))}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for block in _BLOCK.findall(page.read_text()):
            named = _CLASS.search(block)
            if named and "io.rowtime.api" in block:
                found[f"{named[1]}.java"] = block
    return found


def jar() -> Path:
    """The jar of all of them, in the build folder of the checkout."""
    files = sources()
    digest = hashlib.sha256(repr((sorted(files.items()), _api())).encode()).hexdigest()[:16]
    made = ROOT / "build" / "functions" / f"{digest}.jar"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            _compile(files, Path(folder))
            archive = shutil.make_archive(str(Path(folder) / "made"), "zip", Path(folder) / "classes")
            os.replace(archive, made)
    return made


def _compile(files: dict[str, str], folder: Path) -> None:
    (folder / "classes").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    javac = Path(find_java().executable).with_name("javac")
    path = os.pathsep.join(str(each) for each in spark_class_path())
    command = [str(javac), "-nowarn", "-Xlint:none", "-proc:none", "-cp", path, "-d", str(folder / "classes")]
    subprocess.run([*command, *(str(folder / name) for name in files)], check=True)


def _api() -> list[str]:
    return [path.read_text() for path in sorted((ROOT / "java/src/main/java/io/rowtime/api").glob("*.java"))]
