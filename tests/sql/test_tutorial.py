"""Runs the tutorial from its first command to its last in one folder: each `sh` block prints the output below it."""

from __future__ import annotations

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rowtime_cli.main import main

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def test_tutorial(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROWTIME_WAREHOUSE", raising=False)
    # The programs that a user would have on PATH after the installation.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    blocks = [(commands, expected) for commands, expected in _BLOCK.findall(TUTORIAL.read_text())]
    assert len(blocks) > 10
    for commands, expected in blocks:
        capfd.readouterr()
        said = _run(commands, tmp_path, capfd)
        assert re.fullmatch(_pattern(expected), said, re.DOTALL), f"{commands}\ngave\n{said}"


def _run(commands: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """Returns the output of a block, standard output before standard error. `rowtime` commands in the foreground run in
    this process, on the tests' Spark; everything else, and commands that a block sends to the background, runs
    unchanged in a shell."""
    out, err = "", ""
    if " &\n" in commands:
        done = subprocess.run(
            ["bash", "-c", commands], cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
        return done.stdout
    for command in _apart(commands):
        if command.startswith("rowtime "):
            _in_process(shlex.split(command)[1:])
        else:
            subprocess.run(["bash", "-c", command], cwd=folder, timeout=180, check=True)
        found = capfd.readouterr()
        out, err = out + found.out, err + found.err
    return out + err


def _in_process(arguments: list[str]) -> None:
    interrupted = signal.getsignal(signal.SIGINT)
    try:
        main(arguments)
    finally:
        # A process of its own would have these settings.
        signal.signal(signal.SIGINT, interrupted)
        logging.disable(logging.NOTSET)


def _apart(commands: str) -> list[str]:
    """Returns the commands of a block, one per line except for here documents."""
    return re.findall(r"^.*<<'END'\n(?:.*\n)*?END\n|^.+\n", commands, re.MULTILINE)


def _pattern(expected: str) -> str:
    """Returns a pattern in which `…` stands for any text, including blanks and line ends around it."""
    return r"\s*" + r".*?".join(re.escape(piece.strip()) for piece in expected.split("…")) + r"\s*"
