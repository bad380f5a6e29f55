"""Names of processes, which no other process ever has: host, number, and the time of its start."""

from __future__ import annotations

import os
import platform
from functools import cache

_ZOMBIES = ("Z", "X")
"""States of a process that has ended, and whose parent has not taken notice."""


def process_name() -> str:
    """Returns the name of this process."""
    return _process_name(os.getpid())


def has_ended(name: str) -> bool:
    """Returns whether the process of that name was one of this machine, and has ended."""
    node, pid, start = name.rsplit("-", 2)
    if node != platform.node():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        # It exists, and belongs to another user.
        pass
    state, begun = _state_and_start(int(pid))
    return state in _ZOMBIES or begun != start


@cache
def _process_name(pid: int) -> str:
    return f"{platform.node()}-{pid}-{_state_and_start(pid)[1]}"


def _state_and_start(pid: int) -> tuple[str, str]:
    """Returns the state of a process and when it was started; nothing and 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            # The name of the program, in parentheses, may contain anything.
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return "", "0"
    return words[0], words[19]
