"""The shell's client commands in addition to those of script mode: help, queries, settings, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from rowtime.catalog.system import is_system
from rowtime.display.values import Row
from rowtime.editing.names import CatalogNames
from rowtime.errors import RowtimeError, error
from rowtime.plan.parts import Field
from rowtime.runtime.statements import describe
from rowtime.script.commands import ClientCommand
from rowtime.script.live import part
from rowtime.script.runner import ScriptRunner
from rowtime.shell.runner import ShellRunner, fields
from rowtime.shell.settings import SETTINGS, Settings
from rowtime.splitter import Command

_MANY = 1 << 30


class Console(Protocol):
    """The parts of the shell that the commands use."""

    settings: Settings
    names: CatalogNames
    opened_runner: ShellRunner | None

    def runner(self) -> ShellRunner:
        """Returns the runner of statements, once Spark has started. Raises RowtimeError if it does not start."""
        ...

    def perform_all(self, text: str, file: str | None) -> bool:
        """Runs statements and commands up to the first that fails. Returns whether all succeeded."""
        ...

    def say(self, text: str) -> None: ...

    def note(self, text: str) -> None: ...

    def answer(self, fields: Sequence[Field], rows: Sequence[Row]) -> None: ...

    def clear_screen(self) -> None: ...


def _help(shell: Console, command: Command) -> None:
    if command.words:
        found = COMMANDS.get(command.words[0].text.lower().lstrip("!"))
        if found is None:
            raise error("RT0405", f"Unknown client command !{command.words[0].text.lstrip('!')}", hint="!help")
        shell.say(f"{found.usage}\n    {found.purpose}")
        return
    width = max(len(each.usage) for each in COMMANDS.values())
    lines = [f"  {each.usage:<{width}}  {each.purpose}" for each in COMMANDS.values()]
    keys = [
        "Enter runs input that ends with ';', Alt-Enter runs any input. Tab completes.",
        "Up and Ctrl-R search the history. Ctrl-C clears the input; if it is empty,",
        "it stops the query in the foreground. Ctrl-D exits.",
    ]
    shell.say("\n".join(["Statements end with ';'. Client commands are lines that begin with '!':", *lines, *keys]))


def _queries(shell: Console, command: Command) -> None:
    runner = shell.opened_runner
    rows: list[tuple[object, ...]] = []
    for each in sorted(runner.open_list, key=lambda each: each.number) if runner is not None else ():
        assert each.query is not None
        state = f"into {each.target}" if each.target is not None else "foreground" if each.eager else "background"
        progress = each.query.progress
        sql = " ".join(each.query.sql.split())
        rows.append((each.number, state, progress.rows_in, progress.rows_out, part(progress), sql))
    names = fields("QUERY", "STATE", "ROWS_IN", "ROWS_OUT", "PROGRESS", "SQL", numbers=("QUERY", "ROWS_IN", "ROWS_OUT"))
    shell.answer(names, rows)


def _stop(shell: Console, command: Command) -> None:
    runner = shell.runner()
    if [word.text.lower() for word in command.words] == ["all"]:
        found = list(runner.open_list)
    else:
        found = [runner.find(word.text) for word in command.words] or [runner.find(None)]
    for each in found:
        runner.stop(each)
        shell.note(f"query {each.number} stopped")


def _background(shell: Console, command: Command) -> None:
    runner = shell.runner()
    each = runner.find(command.words[0].text if command.words else None)
    runner.to_background(each)
    shell.note(f"query {each.number} keeps running in the background; !fg {each.number} shows its rows again")


def _foreground(shell: Console, command: Command) -> None:
    runner = shell.runner()
    if command.words:
        each = runner.find(command.words[0].text)
    else:
        hidden = [each for each in runner.open_list if not each.eager]
        if not hidden:
            raise error("RT0408", "No query is in the background", hint="!queries lists those that run")
        each = hidden[-1]
    missed = runner.to_foreground(each)
    if missed:
        shell.note(f"query {each.number}: {missed:,} earlier rows are not shown")


def _change_setting(shell: Console, command: Command) -> None:
    words = [word.text for word in command.words]
    if len(words) == 3 and words[1] == "=":
        del words[1]
    if len(words) == 2:
        shell.settings.set(words[0], words[1])
    elif len(words) == 1:
        shell.answer(fields("NAME", "VALUE"), [(words[0].lower(), shell.settings.get(words[0]))])
    elif not words:
        rows = [(name, shell.settings.get(name), known.purpose) for name, known in SETTINGS.items()]
        shell.answer(fields("NAME", "VALUE", "MEANING"), rows)
    else:
        raise error("RT0406", f"!set is written as: {COMMANDS['set'].usage}")


def _objects(shell: Console, command: Command) -> None:
    found = [entry for entry in shell.names.catalog().entries() if not is_system(entry.definition)]
    shell.answer(fields("NAME", "KIND"), [(entry.name, entry.kind) for entry in found])


def _describe(shell: Console, command: Command) -> None:
    word = command.words[0]
    name = word.text if word.quote == '"' else word.text.upper()
    shell.answer(*describe(shell.names.catalog(), name))


def _pumps(shell: Console, command: Command) -> None:
    rows = [
        (each.name, each.state, each.rows_in, each.rows_out, each.rowtime, each.late_rows, each.error)
        for each in shell.runner().session.pumps
    ]
    numbers = ("ROWS_IN", "ROWS_OUT", "LATE")
    shell.answer(fields("PUMP", "STATE", "ROWS_IN", "ROWS_OUT", "ROWTIME", "LATE", "ERROR", numbers=numbers), rows)


def _run_file(shell: Console, command: Command) -> None:
    file = command.words[0].text
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        reason = getattr(fault, "strerror", None) or "it is not valid UTF-8"
        raise error("RT0620", f"The file '{file}' cannot be read: {reason}") from fault
    if not shell.perform_all(text, file):
        raise RowtimeError([])


def _explain(shell: Console, command: Command) -> None:
    # With SQL after it, it is not a line of its own, and is handled before commands are.
    raise error("RT0406", f"!explain is written as: {COMMANDS['explain'].usage}")


def _clear(shell: Console, command: Command) -> None:
    shell.clear_screen()


def _quit(shell: Console, command: Command) -> None:
    raise EOFError


COMMANDS: Mapping[str, ClientCommand] = {
    "help": ClientCommand("!help [COMMAND]", "this list", 0, 1, _help),
    "explain": ClientCommand(
        "!explain SQL;", "the plan: monotonic columns and state; starts no query", 0, _MANY, _explain
    ),
    "queries": ClientCommand("!queries", "the running streaming queries, with their status", 0, 0, _queries),
    "stop": ClientCommand("!stop [N … | all]", "stop queries, or the one in the foreground", 0, _MANY, _stop),
    "bg": ClientCommand("!bg [N]", "hide the rows of a query, which keeps running", 0, 1, _background),
    "fg": ClientCommand(
        "!fg [N]", "show the rows of a query again, starting with those that it missed", 0, 1, _foreground
    ),
    **ScriptRunner.COMMANDS,
    "objects": ClientCommand("!objects", "the objects in the catalog", 0, 0, _objects),
    "describe": ClientCommand("!describe NAME", "the columns of an object", 1, 1, _describe),
    "pumps": ClientCommand("!pumps", "the pumps of the warehouse, with their status", 0, 0, _pumps),
    "run": ClientCommand("!run FILE", "run a script in the shell", 1, 1, _run_file),
    "set": ClientCommand("!set [NAME [VALUE]]", "show or change the settings of this shell", 0, 3, _change_setting),
    "clear": ClientCommand("!clear", "clear the screen", 0, 0, _clear),
    "quit": ClientCommand("!quit", "exit, like Ctrl-D", 0, 0, _quit),
}
