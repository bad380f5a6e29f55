"""Several processes create the table of a log at the same time, and continue before the others know that it exists."""

from __future__ import annotations

import threading
from pathlib import Path

import pyarrow as pa

from rowtime.delta.log import Conflict, DeltaLog

SCHEMA = pa.schema([("n", pa.int64())])


def test_many_make_one_table(tmp_path: Path) -> None:
    for number in range(10):
        folder = tmp_path / str(number)
        logs = [DeltaLog("S", folder, SCHEMA) for _ in range(4)]
        faults: list[BaseException] = []

        def work(log: DeltaLog, faults: list[BaseException] = faults) -> None:
            try:
                log.create()
                for version in range(1, 20):
                    try:
                        log.commit(version, "state", [], [], 0, 0)
                    except Conflict:
                        continue
            except BaseException as fault:
                faults.append(fault)

        threads = [threading.Thread(target=work, args=(log,)) for log in logs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not faults
        assert {log.id for log in logs} == {logs[0].id}
        assert logs[0].versions() == list(range(20))
        assert {entry.name for entry in folder.iterdir()} == {"_delta_log", "_head"}
