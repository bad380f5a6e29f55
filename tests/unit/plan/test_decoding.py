"""Types are prepared for decoding at import: msgspec crashes the process where two threads first meet one at once."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import rowtime
import rowtime_cli

STARTS = 12
DECODING = """
import sys, threading
sys.setswitchinterval(1e-6)
from rowtime.runtime.pump import status as pump_status
from rowtime.delta import state
text = state.encode(state.LogState(version=3, producers={"a": state.ProducerState(id=1)}))
begin = threading.Barrier(16)
right = []
def decode():
    begin.wait()
    for _ in range(20):
        pump = pump_status._reports.convert({"pid": 1, "running": True})
        right.append(state.decode("S", text).version == 3 and pump.pid == 1)
threads = [threading.Thread(target=decode) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(right) == 320 and all(right)
"""


def test_the_first_decoding_may_be_done_by_many_threads_at_once(thorough: bool) -> None:
    for _ in range(200 if thorough else STARTS):
        done = subprocess.run([sys.executable, "-c", DECODING], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def lazy(tree: ast.Module) -> Iterator[ast.Call]:
    """Returns the calls that prepare a type each time they run: `msgspec.convert(…)`, and `msgspec.….decode` with a
    type."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            typed = len(node.args) > 1 or any(keyword.arg == "type" for keyword in node.keywords)
            if name == "msgspec.convert" or (name.startswith("msgspec.") and name.endswith(".decode") and typed):
                yield node


def decoders_in_functions(tree: ast.Module) -> Iterator[ast.Call]:
    """Returns the decoders that are created when a function is called, and not at import."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Decoder"):
                    yield node


def test_no_code_prepares_a_type_later() -> None:
    sources = [path for module in (rowtime, rowtime_cli) for path in Path(str(module.__file__)).parent.rglob("*.py")]
    assert len(sources) > 200
    found = []
    for path in sources:
        if path.name == "decoding.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [f"{path}:{call.lineno}" for call in (*lazy(tree), *decoders_in_functions(tree))]
    assert found == []


def test_the_check_finds_them() -> None:
    source = """
msgspec.json.decode(text, type=State)
msgspec.json.decode(text)
msgspec.yaml.decode(text, State)
msgspec.convert(plain, State)
state = msgspec.json.Decoder(State)
def read(text):
    return msgspec.json.Decoder(State).decode(text)
"""
    tree = ast.parse(source)
    assert [call.lineno for call in (*lazy(tree), *decoders_in_functions(tree))] == [2, 4, 5, 8]
