"""Java code of the tests: compiles it into a jar in the build folder, once for each version."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rowtime.jvm.java import find_java

ROOT = Path(__file__).resolve().parents[2]


def compile_jar(name: str, files: Mapping[str, str], class_path: Sequence[Path], depends: Sequence[str]) -> Path:
    """Returns a jar of the `files`, texts by name, below `build/name`. It is built again if they, or the texts that
    they depend on, have changed."""
    digest = hashlib.sha256(repr((sorted(files.items()), list(depends))).encode()).hexdigest()[:16]
    made = ROOT / "build" / name / f"{digest}.jar"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            _compile(files, class_path, Path(folder))
            archive = shutil.make_archive(str(Path(folder) / "made"), "zip", Path(folder) / "classes")
            os.replace(archive, made)
    return made


def _compile(files: Mapping[str, str], class_path: Sequence[Path], folder: Path) -> None:
    (folder / "classes").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    javac = Path(find_java().executable).with_name("javac")
    path = os.pathsep.join(str(each) for each in class_path)
    command = [str(javac), "-nowarn", "-Xlint:none", "-proc:none", "-encoding", "UTF-8", "-cp", path]
    command += ["-d", str(folder / "classes")]
    subprocess.run([*command, *(str(folder / name) for name in files)], check=True)
