"""What every storage promises, whatever it is made of."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from rowtime.storage.interface import Storage

Writers = Callable[[], Storage]


@pytest.fixture
def storage(writers: Writers) -> Storage:
    made = writers()
    made.prepare("a")
    return made


def settled(storage: Storage, folder: str, wanted: list[str], after: str = "") -> list[str]:
    """Returns the listing, once it is no longer an old one."""
    found = storage.list(folder, after)
    for _ in range(50):
        if found == wanted:
            break
        found = storage.list(folder, after)
    return found


def test_the_first_writer_of_a_name_has_it(writers: Writers, storage: Storage) -> None:
    assert storage.put_if_absent("a/1", b"first")
    assert not writers().put_if_absent("a/1", b"second")
    assert not storage.put_if_absent("a/1", b"first")
    assert writers().get("a/1") == b"first"


def test_an_object_is_what_was_put_last(writers: Writers, storage: Storage) -> None:
    for content in (b"", b"long" * 100_000, b"short"):
        storage.put("a/x", content)
        assert writers().get("a/x") == content
        assert bytes(writers().get_buffer("a/x")) == content
    storage.put_new("a/y", memoryview(b"new")).result()
    assert writers().get("a/y") == b"new"


def test_a_missing_object(storage: Storage) -> None:
    assert not storage.exists("a/none")
    for read in (storage.get, storage.get_buffer):
        with pytest.raises(FileNotFoundError):
            read("a/none")
    storage.delete("a/none")
    storage.put("a/none", b"x")
    assert storage.exists("a/none")
    storage.delete("a/none")
    assert not storage.exists("a/none")


def test_a_listing_is_of_one_folder_in_order(storage: Storage) -> None:
    for folder in ("", "a/deep", "b"):
        storage.prepare(folder)
    names = [f"a/{number:03d}" for number in (7, 12, 100, 3)]
    for name in (*names, "a/deep/005", "b/008", "top", "ab"):
        storage.put(name, b"")
    assert settled(storage, "a", wanted := ["003", "007", "012", "100"]) == wanted
    assert settled(storage, "a", ["012", "100"], after="007") == ["012", "100"]
    assert settled(storage, "a", [], after="100") == []
    assert settled(storage, "", ["ab", "top"]) == ["ab", "top"]
    assert storage.list("nothing") == []


def test_a_hint_may_get_shorter(storage: Storage) -> None:
    for content in (b"a long hint", b"short"):
        for _ in range(40):
            storage.put_hint("hint", content)
            deadline = time.monotonic() + 1
            while not storage.exists("hint") or storage.get("hint") != content:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.001)
            else:
                break
        assert storage.get("hint") == content


def test_what_is_ready_before_an_object_appears(storage: Storage) -> None:
    calls = []
    assert storage.put_if_absent("a/1", b"", lambda: calls.append(storage.exists("a/1")))
    assert not storage.put_if_absent("a/1", b"", lambda: calls.append(storage.exists("a/1")))
    assert calls == [False, True]

    def fail() -> None:
        raise ValueError("not ready")

    with pytest.raises(ValueError, match="not ready"):
        storage.put_if_absent("a/2", b"", fail)
    assert not storage.exists("a/2")


def test_one_of_many_writers_wins_each_name(writers: Writers, storage: Storage) -> None:
    won: dict[str, list[int]] = {f"a/{number}": [] for number in range(12)}
    begin = threading.Barrier(3)
    faults: list[BaseException] = []

    def write(number: int) -> None:
        try:
            mine = writers()
            for name, winners in won.items():
                begin.wait(60)
                if mine.put_if_absent(name, f"{number}".encode()):
                    winners.append(number)
        except BaseException as fault:
            faults.append(fault)
            begin.abort()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    for name, winners in won.items():
        assert [storage.get(name)] == [str(number).encode() for number in winners], name
