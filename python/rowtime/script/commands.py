"""Client commands, the lines of a script that begin with `!`: the syntax of each, and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rowtime.errors import Diagnostic, RowtimeError
from rowtime.splitter import Command


@dataclass(frozen=True, slots=True)
class ClientCommand:
    """A command of `least` to `most` words after its name. `run` takes the runner and the command; it raises
    RowtimeError."""

    usage: str
    purpose: str
    least: int
    most: int
    run: Callable[[Any, Command], None]


def find(command: Command, known: Mapping[str, ClientCommand]) -> ClientCommand:
    """Returns the entry of a command among the `known` ones. Raises RowtimeError RT0405 if there is none, RT0406 if its
    arguments are wrong."""
    found = known.get(command.name)
    if found is None:
        shown = f"!{command.name}" if command.name else command.text.split()[0]
        *others, last = (f"!{name}" for name in known)
        hint = f"The commands are {', '.join(others)} and {last}"
        raise RowtimeError(Diagnostic(code="RT0405", message=f"Unknown client command {shown}", hint=hint))
    if not found.least <= len(command.words) <= found.most:
        raise wrong_usage(command, found)
    return found


def wrong_usage(command: Command, known: ClientCommand) -> RowtimeError:
    return RowtimeError(Diagnostic(code="RT0406", message=f"!{command.name} is written as: {known.usage}"))
