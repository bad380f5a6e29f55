"""Hatch build hook: puts the jars into the wheel.

The jars are built by Gradle first, where they are not up to date. An editable install uses the checkout's `build/jars`
as they are found there at run time, so nothing is copied for it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

import gradle  # tools/gradle.py


class JarsHook(BuildHookInterface):
    """Runs `gradle assemble` when needed and adds `build/jars/<group>/*.jar` to the wheel as `rowtime/jars/<group>`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        gradle.run("assemble")
        if version == "editable":
            return
        for group in gradle.GROUPS:
            for jar in sorted((gradle.JARS / group).glob("*.jar")):
                build_data["force_include"][str(jar)] = f"rowtime/jars/{group}/{jar.name}"
