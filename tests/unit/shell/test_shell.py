"""The shell as a person has it: keys go in through a pipe, and what appears on the screen comes out."""

from __future__ import annotations

import io
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lock_holder import suspended_holder
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from rowtime import locks
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError, error
from rowtime.faults import diagnostics_of
from rowtime.opening import connect
from rowtime.session import Session
from rowtime.shell.screen import Screen
from rowtime.shell.shell import Shell
from rowtime_cli.main import main


class Terminal(DummyOutput):
    """A screen that records everything written to it."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data

    def write_raw(self, data: str) -> None:
        self.written += data


class Person:
    """A user who types and reads the screen."""

    def __init__(self, keys: Any, screen: Terminal) -> None:
        self.type = keys.send_text
        self._screen = screen
        self._seen = 0

    def sees(self, text: str, seconds: float = 120) -> None:
        """Waits until the text appears after what was read last."""
        end = time.monotonic() + seconds
        while (found := self._screen.written.find(text, self._seen)) < 0:
            assert time.monotonic() < end, f"no {text!r} in {self._screen.written[self._seen :]!r}"
            time.sleep(0.02)
        self._seen = found + len(text)

    @property
    def screen(self) -> str:
        return self._screen.written


@contextmanager
def shell(
    warehouse: Path, session: Callable[[], Session], planner: Any, types: Callable[[Person], None]
) -> Iterator[Person]:
    """Runs a shell to its end, while `types` acts as the user in another thread."""
    faults: list[BaseException] = []
    with create_pipe_input() as keys, Store(warehouse) as store:
        screen = Terminal()
        person = Person(keys, screen)

        def run() -> None:
            try:
                types(person)
            except BaseException as fault:
                faults.append(fault)
            finally:
                # Clears what is typed, and leaves.
                keys.send_text("\x03\x04")

        with create_app_session(input=keys, output=screen):
            made = Shell(store, session, lambda: planner, diagnostics_of, InMemoryHistory())
            threading.Thread(target=run, daemon=True).start()
            made.loop()
        if faults:
            raise faults[0]
        yield person


def test_a_session(spark: Any, planner: Any, tmp_path: Path) -> None:
    warehouse = tmp_path / "w"

    def types(person: Person) -> None:
        person.type("CREATE STREAM s (n INTEGER);\r")
        person.type("SELECT STREAM n\rFROM s;\r")
        person.sees("query 1 runs")
        person.type("INSERT INTO s (n) VALUES (41);\r")
        person.sees("1 row inserted")
        person.sees(" 41\n")
        person.type("!bg\r")
        person.sees("query 1 keeps running in the background")
        person.type("INSERT INTO s (n) VALUES (42);\rSELECT 10 + 1 AS eleven;\r")
        person.sees(" 11\n")
        person.sees("1 record returned.")
        person.type("!queries\r")
        person.sees("background")
        person.type("!fg 1\r")
        person.sees(" 42\n")
        # Ctrl-C in an empty line.
        person.type("\x03")
        person.sees("query 1 stopped")
        person.type("SELECT * FROM nowhere;\r")
        person.sees("1:15: error RT0111: Object 'NOWHERE' not found")

    with shell(warehouse, lambda: connect(spark, warehouse), planner, types) as person:
        assert "Traceback" not in person.screen


def test_before_spark_is_there(planner: Any, tmp_path: Path) -> None:
    """Help, settings and plans need no Spark; a statement that needs it says why it is missing."""
    failing = threading.Event()

    def fails() -> Session:
        failing.wait(60)
        raise error("RT0615", "Spark did not start: no memory")

    def types(person: Person) -> None:
        person.type("!set format json\r!set\r")
        person.sees('{"show":{"NAME":"format","VALUE":"json"')
        person.type("!set format text\r!explain SELECT a FROM\r(VALUES (7)) AS t (a);\r")
        person.sees("values")
        person.type("!stop 1 of\r")
        failing.set()
        person.sees("RT0615: Spark did not start: no memory")
        person.type("SELECT STREAM * FROM nowhere")
        person.type(";")
        # The toolbar, while it is typed.
        person.sees("RT0111")
        person.sees("Object 'NOWHERE' not found")

    with shell(tmp_path / "w", fails, planner, types) as person:
        assert "Traceback" not in person.screen


@pytest.mark.parametrize(
    ("which", "waiting"),
    [
        ("log", "INSERT INTO s (n) VALUES (7);"),
        ("log", "INSERT INTO s (n) SELECT n FROM t;"),
        ("catalog", "CREATE STREAM more (n INTEGER);"),
        ("catalog", "DROP STREAM u;"),
        ("catalog", "CREATE PUMP p STARTED AS INSERT INTO u SELECT STREAM n FROM s;"),
    ],
)
def test_ctrl_c_ends_the_wait_for_a_lock(
    spark: Any,
    planner: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    which: str,
    waiting: str,
) -> None:
    """One Ctrl-C brings the prompt back, with a message that says who holds the lock; everything else continues."""
    monkeypatch.setattr(locks, "NOTICE_AFTER", 0.2)
    # As the command line has it.
    monkeypatch.setattr(locks, "on_wait", lambda text: print(text, file=sys.stderr, flush=True))
    # In a shell Spark starts beside the main thread, and so does not take charge of Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    warehouse, shell_thread = tmp_path / "w", threading.get_ident()

    def types(person: Person) -> None:
        person.type("CREATE STREAM s (n INTEGER);\rCREATE STREAM u (n INTEGER);\rCREATE TABLE t (n INTEGER);\r")
        person.type("INSERT INTO t VALUES (5);\rSELECT 10 + 1 AS eleven;\r")
        person.sees(" 11\n")
        with suspended_holder(warehouse, which) as pid:
            person.type(f"{waiting}\r")
            person.sees(f"held by process {pid}")
            begin = time.monotonic()
            signal.pthread_kill(shell_thread, signal.SIGINT)
            person.sees("cancelling")
            person.sees("RT0604", 20)
            person.sees(f"is locked by process {pid}")
            person.sees("nothing was changed")
            assert time.monotonic() - begin < 5
            # The thread that runs statements is free as well.
            person.type("SELECT 10 + 2 AS twelve;\r")
            person.sees(" 12\n", 20)
        person.type(f"{waiting}\r!queries\rSELECT 10 + 3 AS thirteen;\r")
        person.sees(" 13\n")

    with shell(warehouse, lambda: connect(spark, warehouse), planner, types) as person:
        assert "Traceback" not in person.screen
        assert person.screen.count("RT0") == 1


@pytest.mark.parametrize("words", ["quit", "exit;", "\\q", "!quit"])
def test_ways_out(words: str, planner: Any, tmp_path: Path) -> None:
    with create_pipe_input() as keys, Store(tmp_path) as store, create_app_session(input=keys, output=Terminal()):

        def never() -> Session:
            raise RowtimeError([])

        keys.send_text(f"{words}\r")
        Shell(store, never, lambda: planner, diagnostics_of, InMemoryHistory()).loop()


def test_no_line_is_lost_between_prompts() -> None:
    """Another thread prints lines while prompts begin and end."""
    with create_pipe_input() as keys:
        terminal = Terminal()
        prompt: PromptSession[str] = PromptSession(input=keys, output=terminal)
        screen = Screen(terminal)
        lines = [f"line {number:04}\n" for number in range(300)]

        def prints() -> None:
            for line in lines:
                print(line, end="", file=screen)
                time.sleep(0.001)

        printer = threading.Thread(target=prints)
        printer.start()
        while printer.is_alive():
            keys.send_text("x\r")
            with screen.prompting(prompt.app) as begun:
                assert prompt.prompt(pre_run=begun) == "x"
        printer.join()
    assert re.findall(r"line \d{4}\n", terminal.written) == lines


def test_on_a_pipe_it_is_run(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    # Else the command turns logging off, for good.
    monkeypatch.setenv("ROWTIME_DEBUG", "1")
    before = signal.getsignal(signal.SIGINT)
    script = "SELECT STREAM n FROM s;\nINSERT INTO s (n) VALUES (7);\nSELECT 1 FROM nowhere;\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(script.encode())))
    schema = tmp_path / "schema.sql"
    schema.write_text("CREATE STREAM s (n INTEGER);\n")
    try:
        code = main(["shell", "--warehouse", str(tmp_path / "w"), "--schema", str(schema)])
    finally:
        signal.signal(signal.SIGINT, before)
    said = capsys.readouterr()
    assert said.out.splitlines() == ["1 row inserted", "-- query 1", " N", "---", " 7"]
    assert said.err.splitlines()[0] == "<stdin>:3:15: error RT0111: Object 'NOWHERE' not found"
    assert code == 1
