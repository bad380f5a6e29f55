"""What a process cannot do for one of its pumps is told, once, and does not stop the others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from rowtime import notices
from rowtime.catalog.changes import Entry
from rowtime.errors import RowtimeError, error
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.failures import PumpFailures
from rowtime.runtime.pump.pumps import Pumps
from rowtime.runtime.pump.status import Report

TAKEOVER = {"kind": "PUMP", "state": "STARTED", "takeover": {"by": "R"}}


class FakePump(SimpleNamespace):
    """A pump that notes what is done for it."""

    is_running = True

    def __init__(self, name: str) -> None:
        super().__init__(name=name, entry=Entry(name, 1, {**TAKEOVER, "name": name}), done=[], failures=PumpFailures())

    def poll(self) -> None:
        self.done.append("poll")

    def compact(self) -> None:
        self.done.append("compact")

    def meet(self) -> None: ...

    def renew(self, offsets: Any) -> None: ...

    def read_offsets(self) -> dict[str, int]:
        return {}

    def report(self, offsets: Any) -> Report:
        return Report(pid=1, running=True)


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(notices, "on_warning", said.append)
    return said


def _pumps(monkeypatch: pytest.MonkeyPatch) -> tuple[Pumps, list[FakePump], list[str]]:
    """Returns the pumps P and Q as a process runs them, and a list of what is done for its queries."""
    queries: list[str] = []
    services: Any = MagicMock()
    held = [FakePump("P"), FakePump("Q")]
    services.launcher.store.get.return_value = None
    services.launcher.store.entries.return_value = [pump.entry for pump in held]
    pumps = Pumps(services, lambda: queries.append("renewed"), lambda: None)
    monkeypatch.setattr(pumps, "_held", {pump.name: pump for pump in held})
    # As `open` does, without a thread.
    pumps._ending.clear()
    return pumps, held, queries


def test_a_takeover_that_fails_is_told_and_stops_nothing_else(
    monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    pumps, held, queries = _pumps(monkeypatch)
    attempts: list[str] = []
    faults: list[Exception] = [error("RT0605", "The log of 'B' is damaged")]

    def advance(_: Any, name: str) -> None:
        attempts.append(name)
        if name == "P" and faults:
            raise faults[0]

    monkeypatch.setattr(pump_takeover, "advance", advance)
    for _ in range(2):
        pumps._tick()
    assert (attempts, queries) == (["P", "Q", "P", "Q"], ["renewed", "renewed"])
    (said,) = warned
    reason = "Pump 'P' cannot go on with its takeover, and tries it again: The log of 'B' is damaged (RT0605)"
    assert said == f"warning RT0534: {reason}"
    assert [report.error for _, report, _ in _progress(pumps, held)] == [f"error RT0534: {reason}", None]
    # An error that is not rowtime's may have another text each time.
    faults[:] = [OSError("o123")]
    pumps._tick()
    faults[:] = [OSError("o124")]
    pumps._tick()
    assert len(warned) == 2 and "the attempt failed: o123 (RT0510)" in warned[1]
    faults.clear()
    pumps._tick()
    assert [report.error for _, report, _ in _progress(pumps, held)] == [None, None]


def test_a_pump_that_cannot_be_kept_up_stops_no_other(monkeypatch: pytest.MonkeyPatch, warned: list[str]) -> None:
    pumps, (first, second), _ = _pumps(monkeypatch)
    monkeypatch.setattr(pump_takeover, "advance", lambda *_: None)
    for part in ("compact", "renew", "poll", "meet"):

        def refused(*_: Any) -> None:
            raise error("RT0605", "lost")

        monkeypatch.setattr(first, part, refused)
        monkeypatch.setattr(pumps, "_compacted", float("-inf"))
        pumps._tick()
        assert second.done == ["poll", "compact"], part
        second.done.clear()
    assert len(warned) == 3, "poll and renew are parts of one attempt"


def test_a_warehouse_that_is_gone_ends_all(monkeypatch: pytest.MonkeyPatch, warned: list[str]) -> None:
    pumps, _, _ = _pumps(monkeypatch)

    def gone(*_: Any) -> None:
        raise error("RT0609", "The warehouse was deleted")

    monkeypatch.setattr(pump_takeover, "advance", gone)
    with pytest.raises(RowtimeError, match="RT0609"):
        pumps._tick()
    assert not warned


def _progress(pumps: Pumps, held: list[FakePump]) -> Any:
    for pump in held:
        pump.progress = lambda: None
    return pumps.progress()
