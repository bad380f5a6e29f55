"""A jar of the functions and adapters in Java for tests and examples, built once for each version of their sources."""

from __future__ import annotations

import re
from pathlib import Path

from javac import ROOT, compile_jar

from rowtime.jvm.jars import spark_class_path

_BLOCK = re.compile(r"^```java\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CLASS = re.compile(r"public (?:final )?class (\w+)")


def sources() -> dict[str, str]:
    """Returns the sources by file name: those of `tests/functions`, the adapters of `java/examples`, and every class in
    a Java block of the documentation."""
    folders = (ROOT / "tests" / "functions", ROOT / "java" / "examples" / "adapters")
    found = {path.name: path.read_text() for folder in folders for path in sorted(folder.glob("*.java"))}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for block in _BLOCK.findall(page.read_text()):
            named = _CLASS.search(block)
            if named and "io.rowtime.api" in block:
                found[f"{named[1]}.java"] = block
    return found


def jar() -> Path:
    """Returns the jar with all of them, in the build folder of the checkout."""
    return compile_jar("functions", sources(), spark_class_path(), _api())


def _api() -> list[str]:
    return [path.read_text() for path in sorted((ROOT / "java/common/src/io/rowtime/api").glob("*.java"))]
