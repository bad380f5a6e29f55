"""What is to be done around a change of the catalog that starts, stops or drops pumps, in whatever process it is made:
one that runs pumps, or a command that has no Spark at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from rowtime.catalog.changes import STARTED, STOPPED, Change, Entry, pump_state
from rowtime.runtime.arming import Arming, Noted
from rowtime.runtime.folders import Lock


def _nothing() -> None:
    pass


@contextlib.contextmanager
def changing(arming: Arming, changes: Sequence[Change], follow: Callable[[], None] = _nothing) -> Iterator[None]:
    """Around the commit of `changes`: checks pumps that are to be started; afterwards gives them their places, has this
    process `follow` the catalog, and does for pumps that no process runs what their process would do.

    Raises RowtimeError RT0516 where what a pump remembers does not fit its query.
    """
    touched = {c["name"] for c in changes if c["action"] == "pump"}
    touched |= {c["object"]["name"] for c in changes if c["action"] == "create" and c["object"]["kind"] == "PUMP"}
    names = {name for c in changes if c["action"] == "drop" for name in c["names"]}
    dropped = [arming.noted(entry) for entry in _pumps(arming, names)]
    for change in changes:
        if change["action"] == "pump" and change["verb"].upper() in ("START", "RESUME") and not change.get("reset"):
            for entry in _pumps(arming, {change["name"]}):
                arming.check(entry, arming.statement(entry))
    yield
    for entry in _pumps(arming, touched):
        if pump_state(entry.definition) == STARTED:
            arming.arm(entry, arming.statement(entry))
    if touched or dropped:
        follow()
    for entry in _pumps(arming, touched):
        if pump_state(entry.definition) == STOPPED:
            _unless_run(arming, entry, arming.detach, arming.noted(entry))
    for noted in dropped:
        _unless_run(arming, noted.entry, arming.disarm, noted)


def _pumps(arming: Arming, names: set[str]) -> list[Entry]:
    found = [arming.store.get(name) for name in sorted(names)]
    return [entry for entry in found if entry is not None and entry.kind == "PUMP"]


def _unless_run(arming: Arming, entry: Entry, act: Callable[[Noted], None], noted: Noted) -> None:
    lock = Lock(arming.store.folder(entry.id, "pumps") / "lock")
    if not lock.acquire():
        # Whoever runs it notices within a second.
        return
    try:
        act(noted)
    finally:
        lock.release()
