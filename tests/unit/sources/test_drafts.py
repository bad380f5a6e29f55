"""Files that appear complete: durable before they have their names, and without remains of killed processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rowtime.foreign import drafts
from rowtime.foreign.drafts import draft_folder, publish

WRITER = """
import sys, time
from pathlib import Path
from rowtime.foreign.drafts import draft_folder
with draft_folder(Path(sys.argv[1])) as draft:
    draft.mkdir()
    (draft / "part-0").write_text("half")
    print("ready", flush=True)
    time.sleep(600)
"""


def test_a_draft_of_a_killed_process_is_deleted_by_the_next_one(tmp_path: Path) -> None:
    home = tmp_path / "goal" / "_rowtime"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(home)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    with draft_folder(home) as mine:
        mine.mkdir()
        # While its process lives, it stays.
        assert len(list(home.glob("*.draft"))) == 2
    writer.kill()
    writer.communicate()
    with draft_folder(home) as mine:
        mine.mkdir()
        assert list(home.glob("*.draft")) == [mine]
    assert list(home.iterdir()) == []


def test_contents_are_durable_before_their_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, Path]] = []
    real = Path.replace

    def replace(draft: Path, final: str | os.PathLike[str]) -> Path:
        done.append(("name", draft))
        return real(draft, final)

    monkeypatch.setattr(drafts, "sync", lambda path: done.append(("sync", path)))
    monkeypatch.setattr(Path, "replace", replace)
    files = {}
    for number in range(2):
        draft = tmp_path / f"part-{number}"
        draft.write_text("rows")
        files[draft] = tmp_path / "goal" / f"day={number}" / "a.json"
    publish(files)
    first, second = files
    assert done[:4] == [("sync", first), ("sync", second), ("name", first), ("name", second)]
    assert sorted(done[4:]) == [("sync", final.parent) for final in files.values()]
    assert all(final.read_text() == "rows" for final in files.values())
