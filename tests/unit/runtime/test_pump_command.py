"""`rowtime pump` and `rowtime stream`, without Spark but for the process that runs pumps."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime import notices
from rowtime.catalog.store import Store
from rowtime.planner import plan
from rowtime.runtime.pump.status import Report, write_report
from rowtime.runtime.statements import show
from rowtime.streams.log import StreamLog
from rowtime.streams.producer import Producer
from rowtime_cli import main

DDL = (
    "CREATE STREAM a (n INTEGER)",
    "CREATE STREAM b (n INTEGER) OPTIONS (history 'all')",
    'CREATE PUMP "my pump" AS INSERT INTO b SELECT STREAM * FROM a WHERE n > 5',
)
TEN = "2006-09-11 10:00:00"


@pytest.fixture
def store(tmp_path: Path, planner: Any) -> Store:
    store = Store(tmp_path / "w")
    for statement in DDL:
        planned = plan(planner, store.snapshot(), statement)
        store.commit(planned.statement.changes, planned.catalog_version)
    return store


def log(store: Store, name: str) -> StreamLog:
    entry = store.get(name)
    assert entry is not None
    return StreamLog(store, entry)


def answer(capsys: pytest.CaptureFixture[str], store: Store, *arguments: str) -> Any:
    capsys.readouterr()
    assert main.main([*arguments, "--warehouse", str(store.warehouse)]) == 0
    text = capsys.readouterr().out
    return json.loads(text) if "json" in arguments else text


def test_a_materialized_view_is_a_pump(store: Store, planner: Any, capsys: pytest.CaptureFixture[str]) -> None:
    planned = plan(planner, store.snapshot(), "CREATE MATERIALIZED VIEW v AS SELECT n, COUNT(*) AS c FROM a GROUP BY n")
    store.commit(planned.statement.changes, planned.catalog_version)

    def states() -> list[tuple[str, str]]:
        found = answer(capsys, store, "pump", "list", "--format", "json")
        return [(each["name"], each["state"]) for each in found]

    assert states() == [("my pump", "STOPPED"), ("V", "STARTED")]
    for verb, state in (("pause", "PAUSED"), ("resume", "STARTED"), ("stop", "STOPPED"), ("start", "STARTED")):
        answer(capsys, store, "pump", verb, "v")
        assert states() == [("my pump", "STOPPED"), ("V", state)]
    shown = {
        plural: [row[:3] for row in show(store, plural)[1]] for plural in ("PUMPS", "MATERIALIZED VIEWS", "TABLES")
    }
    assert shown == {
        "PUMPS": [("my pump", "PUMP", "STOPPED")],
        "MATERIALIZED VIEWS": [("V", "MATERIALIZED VIEW", "STARTED")],
        "TABLES": [],
    }
    entry = store.get("V")
    assert entry is not None
    # All rows that its stream holds belong to it.
    place = store.note(entry.id, "place")
    assert place == {"generation": 0, "places": {"A": 0}, "target": "V", "at": place["at"]}
    assert main.main(["pump", "start", "v", "--reset", "--warehouse", str(store.warehouse)]) == 1
    assert "RT0344" in capsys.readouterr().err


def test_states_without_spark(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """A pump has its position and its attachment as soon as it is started, whether or not a process runs it."""
    (found,) = answer(capsys, store, "pump", "list", "--format", "json")
    nothing = {"pid": None, "rows_in": 0, "rows_out": 0, "rows_per_second": 0.0, "rowtime": None, "lag": None}
    nothing |= {"late_rows": 0, "bad_rows": 0, "error": None, "failed_since": None, "partitions": None}
    nothing |= {"failed_rows": 0, "null_values": 0, "failed_row": None, "sources": {}, "mode": "microbatch"}
    assert found == {"name": "my pump", "state": "STOPPED", **nothing}
    assert answer(capsys, store, "pump", "start", '"my pump"') == ""
    entry = store.get("my pump")
    assert entry is not None
    sender = f"pump:{entry.id}"
    assert list(log(store, "B").state().producers) == [sender]
    place = store.note(entry.id, "place")
    assert place == {"generation": 0, "places": {"A": log(store, "A").version()}, "target": "B", "at": place["at"]}
    (lease,) = log(store, "A").leases.all()
    assert (lease.reader, lease.version, lease.expires) == (sender, place["places"]["A"], None)
    with Producer(log(store, "B"), "other") as other:
        other.insert([(TEN, 1)])
        shown = answer(capsys, store, "stream", "show", "b", "--format", "json")
        assert (shown["rows"], shown["held"], shown["waits_for"]) == (0, 1, "my pump")
        bounds = [(p["pump"], p["bound"]) for p in shown["producers"]]
        assert bounds == [("my pump", None), (None, "2006-09-11T10:00:00.000")]
        assert "waits for my pump" in answer(capsys, store, "stream", "show", "b")
        answer(capsys, store, "pump", "pause", '"my pump"')
        assert sender in log(store, "B").state().producers
        answer(capsys, store, "pump", "resume", '"my pump"')
        answer(capsys, store, "pump", "stop", '"my pump"')
        assert list(log(store, "B").state().producers) == ["other"]
    listed = {one["name"]: one for one in answer(capsys, store, "stream", "list", "--format", "json")}
    assert (listed["B"]["rows"], listed["B"]["bound"], listed["A"]["rows"]) == (1, "2006-09-11T10:00:00.000", 0)
    assert "2006-09-11 10:00:00" in answer(capsys, store, "stream", "list")
    assert main.main(["pump", "pause", '"my pump"', "--warehouse", str(store.warehouse)]) == 1
    assert "RT0392: Pump 'my pump' is stopped" in capsys.readouterr().err
    assert main.main(["stream", "show", "nothing", "--warehouse", str(store.warehouse)]) == 1
    assert "RT0312: Object 'NOTHING' does not exist" in capsys.readouterr().err


def test_a_reset_loses_nothing_without_a_word(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(notices, "on_notice", told.append)
    answer(capsys, store, "pump", "start", '"my pump"')
    entry = store.get("my pump")
    assert entry is not None
    with Producer(log(store, "A"), "one") as source:
        source.insert([(TEN, 7), (TEN, 8)])

    def reset(*options: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main.main(["pump", "start", '"my pump"', *options, "--warehouse", str(store.warehouse)])
        again = store.get("my pump")
        assert again is not None
        return code, capsys.readouterr().err, str(again.definition["generation"])

    code, said, generation = reset("--reset")
    assert (code, generation) == (1, "0")
    assert "RT0517: RESET of pump 'my pump' would lose 2 rows of 'A' that it has not read, up to " in said
    for alone in (["--drop-state"], ["--from", "earliest"], ["--reset", "--keep-position", "--from", "earliest"]):
        assert reset(*alone)[0] == 2
    place = store.note(entry.id, "place")["places"]
    code, said, generation = reset("--reset", "--keep-position")
    assert (code, generation, store.note(entry.id, "place")["places"]) == (0, "1", place)
    assert told == ["info RT0519: Pump 'my pump' drops nothing, and continues from its position"]
    code, said, generation = reset("--reset", "--drop-state")
    assert (code, generation) == (0, "2")
    assert "drops 2 rows of 'A' that it has not read" in told[-1]
    assert store.note(entry.id, "place")["places"]["A"] > place["A"]
    code, said, generation = reset("--reset", "--from", "yesterday")
    assert (code, generation) == (2, "2")
    assert "RT0623: --from takes 'earliest' or a timestamp, not 'yesterday'" in said
    code, said, generation = reset("--reset", "--from", "2006-09-01", "--allow-duplicates")
    assert (code, generation) == (0, "3")
    code, said, generation = reset("--reset", "--from", "earliest", "--allow-duplicates")
    assert (code, generation) == (0, "4")


def test_looking_makes_no_warehouse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["pump", "list"], ["pump", "start", "p"], ["stream", "list"]):
        assert main.main([*command, "--warehouse", str(tmp_path / "none")]) == 1
        assert "RT0601" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spark
def test_a_process_that_runs_pumps(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The command runs pumps that other processes start, and ends those that they stop. Ctrl-C ends it, and all rows
    are written."""
    answer(capsys, store, "pump", "start", '"my pump"')
    source, target = Producer(log(store, "A")), log(store, "B")
    source.insert([(TEN, 4), (TEN, 6)])
    command = [sys.executable, "-c", "from rowtime_cli.main import entry; entry()", "pump", "run"]
    running = subprocess.Popen(
        [*command, "--warehouse", str(store.warehouse)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "ROWTIME_SPARK_CONF": "spark.driver.memory=1g"},
    )  # fmt: skip
    try:
        eventually(lambda: target.state().entered == 1)

        def told() -> list[object]:
            (found,) = answer(capsys, store, "pump", "list", "--format", "json")
            return [found[name] for name in ("state", "pid", "rows_out", "error", "lag", "rowtime")]

        # The rows are in the target before Spark has noted the batch, from which on the pump knows its place and bound.
        eventually(lambda: told() == ["STARTED", running.pid, 1, None, 0.0, "2006-09-11T10:00:00.000"])
        assert str(running.pid) in answer(capsys, store, "pump", "list")
        answer(capsys, store, "pump", "stop", '"my pump"')
        eventually(lambda: target.state().producers == {})
        source.insert([("2006-09-11 11:00:00", 7)])
        answer(capsys, store, "pump", "start", '"my pump"')
        eventually(lambda: target.state().entered == 2)
        running.send_signal(signal.SIGINT)
        out, said = running.communicate(timeout=120)
    finally:
        running.kill()
    assert (running.returncode, out) == (0, "")
    lines = said.splitlines()
    assert lines[0].endswith("press Ctrl-C to stop.")
    assert lines[1:] == ["my pump: running", "my pump: no longer running", "my pump: running"]
    (found,) = answer(capsys, store, "pump", "list", "--format", "json")
    assert (found["state"], found["pid"], found["rows_out"]) == ("STARTED", None, 2)


def test_a_failed_pump_is_told_by_its_state_and_by_exit_codes(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """What the process that runs it has written is what others see."""
    answer(capsys, store, "pump", "start", '"my pump"')
    entry = store.get("my pump")
    assert entry is not None
    assert "STARTED" in answer(capsys, store, "pump", "list", "--check")
    since = "2026-01-02T03:04:05.678"
    write_report(store, entry, Report(pid=1, running=False, error="error RT0510: no", failed_since=since))
    (found,) = answer(capsys, store, "pump", "list", "--format", "json")
    assert (found["state"], found["failed_since"], found["error"]) == ("FAILED", since, "error RT0510: no")
    assert "FAILED since 2026-01-02 03:04:05" in answer(capsys, store, "pump", "list")
    assert main.main(["pump", "list", "--check", "--warehouse", str(store.warehouse)]) == 1
    answer(capsys, store, "pump", "stop", '"my pump"')
    assert "STOPPED" in answer(capsys, store, "pump", "list", "--check")


def test_a_stream_accounts_for_its_rows(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """In `stream show`, the rows received are the sum of the rows, those held and those late. It names a late stream
    that cannot be written."""
    feeding = log(store, "B")
    with Producer(feeding, "other") as other:
        feeding.attach("slow")
        other.insert([(TEN, 1), (TEN, 2)])
        feeding.detach("slow")
        feeding.attach("slow")
        other.insert([("2006-09-11 09:59:00", 3), ("2006-09-11 10:01:00", 4)])
        shown = answer(capsys, store, "stream", "show", "b", "--format", "json")
        assert [shown[key] for key in ("received", "rows", "held", "late")] == [4, 2, 1, 1]
    definition = {**feeding.entry.definition, "name": "OLD", "options": {"late_stream": "OLD"}}
    store.commit([{"action": "create", "object": definition}])
    assert "fault     late rows are kept nowhere: its late_stream leads back to it" in answer(
        capsys, store, "stream", "show", "old"
    )


@pytest.mark.parametrize("content", ["", "v1", "v1\n{", "v1\n[]\n-", 'v1\n{"conf": 1}\n-'])
def test_a_damaged_checkpoint_leaves_the_list_whole(
    content: str, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = store.get("my pump")
    assert entry is not None
    offsets = store.folder(entry.id, "pumps") / "0" / "spark" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / "0").write_text(content)
    (found,) = answer(capsys, store, "pump", "list", "--format", "json")
    assert found["partitions"] is None


def test_offsets_say_what_they_skip_and_read_again(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, store, "pump", "start", '"my pump"')
    entry = store.get("my pump")
    assert entry is not None
    begin = store.note(entry.id, "place")["places"]["A"]
    with Producer(log(store, "A"), "one") as source:
        source.insert([(TEN, 6), (TEN, 7)])
        later = log(store, "A").version() + 1
        source.insert([(TEN, 8)])

    def start(*options: str) -> str:
        capsys.readouterr()
        code = main.main(["pump", "start", '"my pump"', *options, "--warehouse", str(store.warehouse)])
        said = capsys.readouterr().err
        assert (code == 0) == ("RT" not in said or "info RT0519" in said), said
        return said

    next = log(store, "A").version() + 1
    assert f"RT0346: 'A' has no offset 99: it has those from 0 to {next}" in start("--offset", "a=99")
    assert "RT0346: Pump 'my pump' does not read 'B'" in start("--offset", "a=1", "--offset", "b=1")
    assert "RT0346: 'x' is not an offset of 'A'" in start("--offset", "a=x")
    said = start("--offset", f"a={later}")
    assert "RT0517: RESET of pump 'my pump' would lose 2 rows of 'A' that it has not read" in said
    start("--offset", f"a={later}", "--drop-state")
    place = store.note(entry.id, "place")
    assert (place["generation"], place["places"]) == (1, {"A": later})
    # It has read nothing of what is read again now.
    said = start("--offset", f"a={begin}")
    assert "RT0518: Pump 'my pump' would read again 2 rows of 'A'" in said
    start("--offset", f"a={begin}", "--allow-duplicates")
    assert store.note(entry.id, "place")["places"] == {"A": begin}
    (lease,) = log(store, "A").leases.all()
    assert lease.version == begin
    assert main.main(["pump", "save", '"my pump"', "s", "--warehouse", str(store.warehouse)]) == 1
    assert "RT0560: Pump 'my pump' has not run yet" in capsys.readouterr().err
    assert answer(capsys, store, "pump", "saves", "--format", "json") == []
