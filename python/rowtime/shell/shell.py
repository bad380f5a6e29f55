"""The shell itself: prompt, execution of statements, output, and exit."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.input import Input
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import Output
from prompt_toolkit.shortcuts import clear

from rowtime.catalog.store import Store
from rowtime.display.printers import Columns, TextPrinter
from rowtime.display.values import Row
from rowtime.editing.checking import Checker, explained_sql
from rowtime.editing.completion import SqlCompleter
from rowtime.editing.lexer import RowtimeLexer
from rowtime.editing.names import CatalogNames
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.explain import text as plans
from rowtime.explain.analysis import analyze
from rowtime.jvm import Planner
from rowtime.plan.parts import Field
from rowtime.script.commands import find
from rowtime.script.live import part
from rowtime.secrets.masking import mask_secrets
from rowtime.session import Session
from rowtime.shell.commands import COMMANDS
from rowtime.shell.keys import WORDS, bindings
from rowtime.shell.marks import Marks
from rowtime.shell.runner import ShellRunner
from rowtime.shell.screen import Screen
from rowtime.shell.session_start import SessionStart
from rowtime.shell.settings import SETTINGS, Settings
from rowtime.shell.style import STYLE
from rowtime.shell.toolbar import ToolbarState, toolbar
from rowtime.splitter import Command, Statement, split
from rowtime.terminal import printable

PROMPT = "rowtime> "
_CONTINUED = "      -> "
_LOOK = 0.5
"""Seconds between two checks of the queries."""
_JOBS = "rowtime shell"


class Shell:
    """One interactive shell over the warehouse of `store`. `connect` opens its session, which ends with the shell.
    `diagnose` turns any exception into diagnostics, `color` returns whether a stream supports colours. `schemas` are
    scripts that run first, by their file names.

    `input` and `output` default to the terminal's.
    """

    def __init__(
        self,
        store: Store,
        connect: Callable[[], Session],
        planner: Callable[[], Planner],
        diagnose: Callable[[BaseException], list[Diagnostic]],
        history: History,
        schemas: Mapping[str, str] | None = None,
        color: Callable[[TextIO], bool] | None = None,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.store = store
        self.text = TextPrinter("", None, color)
        self.settings = Settings(self.text, self._settings_changed)
        self.opened_runner: ShellRunner | None = None
        self._color = color
        self._diagnose = diagnose
        self._reading: tuple[str, str | None] = ("", None)
        self._schemas = dict(schemas or {})
        self._planner = planner
        self._worker = ThreadPoolExecutor(1, "rowtime shell")
        self._cancelled = False
        self._query_states: tuple[str, ...] = ()
        self._leaving = threading.Event()
        self.names = CatalogNames(store, planner, list(self._schemas.values()))
        self._prompt: PromptSession[str] = PromptSession(
            message=[("class:prompt", PROMPT)],
            multiline=True,
            prompt_continuation=_continuation,
            lexer=PygmentsLexer(RowtimeLexer),
            style=STYLE,
            include_default_pygments_style=False,
            completer=SqlCompleter(self.names.objects, COMMANDS, self._values, self.names.columns),
            complete_in_thread=True,
            complete_while_typing=True,
            auto_suggest=AutoSuggestFromHistory(),
            history=history,
            key_bindings=bindings(),
            bottom_toolbar=self._toolbar,
            refresh_interval=_LOOK,
            reserve_space_for_menu=6,
            input=input,
            output=output,
        )
        self._screen = Screen(self._prompt.output)
        self._checker = Checker(self.names, planner, COMMANDS, self._refresh)
        self._prompt.input_processors = [Marks(lambda: self._checker.latest)]
        self._prompt.default_buffer.on_text_changed += lambda buffer: self._checker.show(buffer.text)
        self._starting = SessionStart(connect, diagnose, self._refresh)

    # --- the loop ----------------------------------------------------------------------------------------------------

    def loop(self) -> None:
        """Reads and runs input until the user leaves."""
        with self._screen.in_place_of_stdout():
            watcher = threading.Thread(target=self._watch, name="rowtime shell watch", daemon=True)
            watcher.start()
            try:
                self.say("Statements end with ';'. !help lists the commands, Ctrl-D exits.")
                while True:
                    try:
                        with self._screen.prompting(self._prompt.app) as begun:
                            text = self._prompt.prompt(pre_run=begun)
                    except KeyboardInterrupt:
                        self._handle_interrupt()
                        continue
                    self.take(text)
            except EOFError:
                return
            finally:
                self._leaving.set()
                watcher.join()
                self._checker.close()
                self._close()

    def end(self) -> None:
        """Ends the prompt from another thread, so that the terminal is as it was, and waits for that. A statement that
        is running has no prompt."""
        app = self._prompt.app
        loop = app.loop
        if loop is not None and app.is_running:
            loop.call_soon_threadsafe(lambda: app.exit(exception=EOFError()))
            self._leaving.wait()

    def take(self, text: str) -> None:
        """Runs what was typed. Raises EOFError for a command to leave."""
        word = WORDS.get(text.strip().lower().rstrip(";"))
        text = f"!{word}" if word else text
        if not text.strip():
            return
        began = time.monotonic()
        try:
            self.perform_all(text, None)
        except KeyboardInterrupt:
            self.note("given up")
            return
        except EOFError:
            raise
        except Exception as fault:
            self.settings.printer.problems(self._diagnose(fault))
        if self.settings.timing and not word and not text.lstrip().startswith("!"):
            self.note(f"{time.monotonic() - began:,.2f} s")

    def perform_all(self, text: str, file: str | None) -> bool:
        """Runs statements and commands up to the first that fails. Returns whether all succeeded."""
        outer, self._reading = self._reading, (text, file)
        self.text.read(text, file)
        try:
            sql = explained_sql(text)
            if sql is not None:
                return self._explain(sql)
            script = split(text)
            if script.diagnostics:
                self.settings.printer.problems(script.diagnostics)
                return False
            return all(self._perform(step) for step in script.steps)
        finally:
            self._reading = outer
            self.text.read(*outer)

    def _perform(self, step: Statement | Command) -> bool:
        try:
            if isinstance(step, Command) and step.name not in ShellRunner.COMMANDS:
                find(step, COMMANDS).run(self, step)
                return True
            runner = self.runner()
        except RowtimeError as fault:
            if fault.diagnostics:
                self.settings.printer.problems(fault.diagnostics)
            return False
        before = {each.number for each in runner.open_list}
        well = self._await(self._worker.submit(self._on_spark, runner, step))
        for each in runner.open_list:
            if each.number not in before and each.target is None:
                self.note(f"query {each.number} runs, and its rows appear here: Ctrl-C stops it, !bg hides them")
            elif each.number not in before:
                self.note(f"query {each.number} feeds {each.target}, until !stop {each.number} or the end of the shell")
        return well

    def _explain(self, sql: str) -> bool:
        result = analyze(sql, self.names.catalog(), self._planner())
        shown = plans.render(result)
        if shown:
            self.say(shown)
        if result.diagnostics:
            self.settings.printer.problems(result.diagnostics)
        return result.valid

    # --- statements on Spark -----------------------------------------------------------------------------------------

    def runner(self) -> ShellRunner:
        """Returns the runner of statements, once Spark has started. Raises RowtimeError if it does not start."""
        if self.opened_runner is None:
            if not self._starting.is_over:
                self.note("waiting for Spark to start")
            while not self._starting.wait(0.1):
                pass
            if self._starting.fault is not None:
                raise self._starting.fault
            assert self._starting.session is not None
            self.opened_runner = ShellRunner(self._starting.session, self.settings.printer, self.settings.start)
            self._run_schemas(self.opened_runner)
        return self.opened_runner

    def _run_schemas(self, runner: ShellRunner) -> None:
        for file, text in self._schemas.items():
            self.text.read(text, file)
            self._await(self._worker.submit(runner.run, split(text)))
        self.names.schema_applied()
        self._schemas.clear()

    def _on_spark(self, runner: ShellRunner, step: Statement | Command) -> bool:
        """Runs a step in the thread for statements, whose jobs can be distinguished from all others."""
        context = runner.session.spark.sparkContext
        context.setJobGroup(_JOBS, mask_secrets(step.text), interruptOnCancel=True)
        return runner.perform(step)

    def _await(self, running: Future[bool]) -> bool:
        """Waits for a statement. Ctrl-C cancels its jobs; a second one abandons it."""
        self._cancelled = False
        while True:
            try:
                return running.result()
            except KeyboardInterrupt:
                if self._cancelled or self._starting.session is None:
                    raise
                self._cancelled = True
                self.note("cancelling")
                self._starting.session.store.wait_control.interrupt()
                self._starting.session.spark.sparkContext.cancelJobGroup(_JOBS)

    def _handle_interrupt(self) -> None:
        """Handles Ctrl-C at an empty prompt."""
        runner = self.opened_runner
        shown = None if runner is None else runner.foreground
        if runner is None or shown is None:
            self.note("Ctrl-D leaves")
            return
        runner.stop(shown)
        self.note(f"query {shown.number} stopped")

    def _watch(self) -> None:
        while not self._leaving.wait(_LOOK):
            runner = self.opened_runner
            if runner is None:
                continue
            # A query may end between two reads of its progress.
            with contextlib.suppress(Exception):
                runner.remove_failed()
                self._query_states = tuple(
                    f"[{each.number}] {part(each.query.progress)}"
                    for each in runner.open_list
                    if each.query is not None
                )

    def _close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
        if self.opened_runner is not None:
            self.opened_runner.close()
        if self._starting.session is not None:
            self._starting.session.close()

    # --- output ------------------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Prints text that the user asked for."""
        print(text, flush=True)

    def note(self, text: str) -> None:
        """Prints a remark on stderr, apart from the results."""
        dim, off = ("\x1b[2m", "\x1b[0m") if self._color and self._color(sys.stderr) else ("", "")
        print(f"{dim}-- {printable(text)}{off}", file=sys.stderr, flush=True)

    def answer(self, fields: Sequence[Field], rows: Sequence[Row]) -> None:
        """Prints the rows of a client command."""
        self.settings.printer.answer("SHOW", Columns(fields), rows)

    def clear_screen(self) -> None:
        clear()

    def _settings_changed(self) -> None:
        if self.opened_runner is not None:
            self.opened_runner.printer = self.settings.printer
            self.opened_runner.start = self.settings.start

    def _toolbar(self) -> StyleAndTextTuples:
        width = self._prompt.output.get_size().columns
        text = self._prompt.default_buffer.text
        return toolbar(self._checker.latest, text, self._toolbar_state(), width)

    def _toolbar_state(self) -> ToolbarState:
        if self._starting.fault is not None:
            spark = "failed"
        elif self._starting.is_over:
            spark = "ready"
        else:
            spark = f"starting {self._starting.seconds:.0f} s"
        producer = None if self.opened_runner is None else self.opened_runner.producers.current
        return ToolbarState(spark, self._query_states, producer, _relative_path(self.store.warehouse))

    def _refresh(self) -> None:
        with contextlib.suppress(Exception):
            self._prompt.app.invalidate()

    def _values(self, command: str) -> Iterable[str]:
        """Yields the possible next words of a client command."""
        runner = self.opened_runner
        if command in ("stop", "bg", "fg") and runner is not None:
            yield from (str(each.number) for each in runner.open_list)
        elif command == "set":
            yield from SETTINGS
            yield from (value for setting in SETTINGS.values() for value in setting.values)
        elif command == "help":
            yield from COMMANDS


def _continuation(width: int, line: int, wraps: int) -> StyleAndTextTuples:
    """Returns the prompt of a continuation line; blanks for the rest of a line that is too long for the terminal."""
    return [("class:prompt.continued", " " * width if wraps else _CONTINUED)]


def _relative_path(folder: Path) -> str:
    """Returns a folder relative to the current one, if it lies there."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)
