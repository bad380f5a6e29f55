"""The hash of a Python function: of what it computes, not of the text around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowtime.functions import REGISTERED
from rowtime.runtime.pump.function_code import changed_code, code_hash, python_hash

BEFORE = """
import math
RATE = 2

def helper(n):
    return n * RATE

def f(n):
    return math.floor(helper(n))

def other(n):
    return n
"""


@pytest.mark.parametrize(
    ("name", "change", "same"),
    [
        ("comment", ("def f(n):", "# what it does\ndef f(n):"), True),
        ("another_function", ("    return n\n", "    return n + 1\n"), True),
        ("body", ("floor", "ceil"), False),
        ("helper", ("n * RATE", "n + RATE"), False),
        ("constant", ("RATE = 2", "RATE = 3"), False),
        ("imported", ("import math", "import numpy as math"), False),
    ],
)
def test_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: tuple[str, str], same: bool
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    hashes = []
    for number, text in enumerate((BEFORE, BEFORE.replace(*change))):
        assert number == 0 or text != BEFORE
        (tmp_path / f"code_{name}_{number}.py").write_text(text)
        hashes.append(python_hash(f"code_{name}_{number}:f"))
    assert None not in hashes
    assert (hashes[0] == hashes[1]) is same


def test_unknown_code_is_not_compared(tmp_path: Path) -> None:
    assert python_hash("there_is_no_such_module:f") is None
    assert python_hash("itertools:chain") is None
    assert python_hash(f"{REGISTERED}:1") is None
    assert code_hash(None)("JAVA com.example.F:call") is None
    assert changed_code({"PYTHON m:f": None}, {"PYTHON m:f": "a"}) is None
    assert changed_code({"PYTHON m:f": "a"}, {"PYTHON m:f": None}) is None
    assert changed_code({"PYTHON m:f": "a"}, {"PYTHON m:f": "b"}) == "m:f"
