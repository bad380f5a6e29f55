"""Turns: whose turn it is to write. They only save attempts that would lose; the fence is `put_if_absent`."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager

from rowtime.locks import WaitControl, locked
from rowtime.storage.interface import Storage
from rowtime.storage.local import LocalStorage


def excludes(storage: Storage) -> bool:
    """Returns whether nobody else writes during a turn. Only then may what looks left over be deleted."""
    return isinstance(storage, LocalStorage)


def turn(storage: Storage, name: str, what: str, wait_control: WaitControl) -> AbstractContextManager[None]:
    """Takes a turn: on a local disk the lock of a file, of all threads and processes; elsewhere nothing. Raises as
    `locked`."""
    if isinstance(storage, LocalStorage):
        return locked(storage.folder / name, what, wait_control)
    return contextlib.nullcontext()
