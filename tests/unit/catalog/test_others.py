"""Who else can read, and who has written, a warehouse."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rowtime.catalog import private
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if path.name != "other"}


def test_a_warehouse_among_other_files_is_private_at_once(tmp_path: Path) -> None:
    """Not only when it is opened again."""
    before = os.umask(0o022)
    try:
        tmp_path.chmod(0o755)
        (tmp_path / "other").write_text("x")
        store = Store(tmp_path)
        with store.transaction():
            (tmp_path / "streams" / "1").mkdir(parents=True)
            (tmp_path / "pumps" / "1").mkdir(parents=True)
            found = modes(tmp_path)
        store.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert {"catalog.db", "streams", "pumps", "queries", "errors.log", "catalog.lock"} <= found.keys()
    assert {name: mode for name, mode in found.items() if mode & 0o077} == {}


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    Store(tmp_path / "w").close()
    (tmp_path / "w" / "pumps").mkdir(exist_ok=True)
    return tmp_path / "w"


def owned(monkeypatch: pytest.MonkeyPatch, owners: dict[Path, int]) -> None:
    """Lets files belong to users, as only root could make them."""
    whole = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = list(whole(path))
        found[4] = owners.get(path, found[4])
        return os.stat_result(found)

    monkeypatch.setattr(Path, "lstat", lstat)


@pytest.mark.parametrize("part", ["", "catalog.db", "pumps"])
def test_what_another_user_has_written_is_not_opened(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    stranger = os.getuid() + 54321
    owned(monkeypatch, {warehouse / part: stranger})
    with pytest.raises(RowtimeError, match=rf"RT0636: .*'{stranger}'") as refused:
        Store(warehouse)
    assert f"ROWTIME_TRUSTED_OWNERS={stranger}" in (refused.value.diagnostics[0].hint or "")
    # To read the catalog, nothing of it is run.
    Store(warehouse, read_only=True).close()
    monkeypatch.setenv(private.TRUSTED, f"somebody, {stranger}")
    Store(warehouse).close()


def test_what_root_has_written_is_opened(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    owned(monkeypatch, dict.fromkeys((warehouse, *warehouse.iterdir()), 0))
    Store(warehouse).close()


def test_root_does_not_open_what_a_user_has_written(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 0)
    owned(monkeypatch, dict.fromkeys((warehouse, *warehouse.iterdir()), 54321))
    with pytest.raises(RowtimeError, match="RT0636"):
        Store(warehouse)


def test_other_files_in_the_folder_may_be_anybodys(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (warehouse / "other").write_text("x")
    owned(monkeypatch, {warehouse / "other": os.getuid() + 54321})
    Store(warehouse).close()
