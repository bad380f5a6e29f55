"""Object stores that answer badly: no writer believes that it has what another has, or that it has lost what it has."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from object_double import ObjectDouble

from rowtime.errors import RowtimeError
from rowtime.storage.client import NotCreated, Unanswered
from rowtime.storage.fence import FOLDER, check_fence
from rowtime.storage.interface import StorageUnavailable, UnknownOutcome
from rowtime.storage.local import LocalStorage
from rowtime.storage.locations import open_storage
from rowtime.storage.objects import ObjectStorage

pytestmark = pytest.mark.usefixtures("no_pauses")


@settings(max_examples=150, deadline=None, database=None)
@given(
    st.integers(0, 1 << 30),
    st.sampled_from([0.05, 0.2, 0.4]),
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), max_size=30),
)
def test_each_name_has_one_writer_who_knows_it(seed: int, badness: float, attempts: list[tuple[int, int]]) -> None:
    client = ObjectDouble(seed, badness)
    stores = [ObjectStorage(client), ObjectStorage(client)]
    owners: dict[int, bytes] = {}
    for number, (writer, name) in enumerate(attempts):
        content = f"{writer} {number}".encode()
        assert stores[writer].put_if_absent(str(name), content) == (name not in owners)
        owners.setdefault(name, content)
        assert stores[1 - writer].get(str(name)) == owners[name]


def test_two_writers_race_on_a_bad_store() -> None:
    for seed in range(40):
        client = ObjectDouble(seed, 0.25)
        won: list[tuple[str, bytes]] = []

        def write(number: int, client: ObjectDouble = client, won: list[tuple[str, bytes]] = won) -> None:
            store = ObjectStorage(client)
            for version in range(10):
                content = f"{number}".encode()
                if store.put_if_absent(f"{version}", content):
                    won.append((f"{version}", content))

        threads = [threading.Thread(target=write, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(name for name, _ in won) == [str(version) for version in range(10)], seed
        assert {name: bytes(found.content) for name, found in client.objects.items()} == dict(won), seed


class Scripted(ObjectDouble):
    """Answers the next requests to create an object with what the script says."""

    def __init__(self, *script: Any) -> None:
        super().__init__()
        self.script = list(script)

    def create(self, key: str, content: Any, identity: str) -> None:
        step = self.script.pop(0) if self.script else "done"
        if step in ("done", "done, no reply"):
            super().create(key, content, identity)
        if step == "done, then 412":
            super().create(key, content, identity)
            raise NotCreated("412")
        if step == "409":
            raise NotCreated("409")
        if step in ("no reply", "done, no reply"):
            raise Unanswered("timed out")


@pytest.mark.parametrize("step", ["done", "done, then 412", "409", "no reply", "done, no reply"])
def test_answers_to_a_conditional_put(step: str) -> None:
    client = Scripted(step)
    assert ObjectStorage(client).put_if_absent("x", b"mine")
    assert client.get("x").content == b"mine"

    client = Scripted("done", *([step] if step != "done" else []))
    assert ObjectStorage(client).put_if_absent("x", b"theirs")
    assert not ObjectStorage(client).put_if_absent("x", b"mine")
    assert client.get("x").content == b"theirs"


def test_a_commit_without_a_conflict_is_one_request() -> None:
    client = ObjectDouble()
    ObjectStorage(client).put_if_absent("x", b"")
    assert client.requests == ["PUT x"]


def test_an_outcome_that_cannot_be_found_out() -> None:
    class Silent(ObjectDouble):
        def get(self, key: str) -> Any:
            raise Unanswered("timed out")

    client = Silent()
    client.badness = 1.0
    with pytest.raises(UnknownOutcome, match="it is not known whether 'double://bucket/x' was created"):
        ObjectStorage(client).put_if_absent("x", b"")
    with pytest.raises(StorageUnavailable, match="'double://bucket/x' cannot be used: timed out"):
        ObjectStorage(client).get("x")


# --- the fence -------------------------------------------------------------------------------------------------------


def refused(client: ObjectDouble) -> RowtimeError:
    with pytest.raises(RowtimeError) as caught:
        check_fence(ObjectStorage(client, "w/"))
    assert not [key for key in client.objects if FOLDER in key]
    return caught.value


def test_a_store_with_a_fence() -> None:
    for seed in range(30):
        check_fence(ObjectStorage(ObjectDouble(seed, 0.2), "w/"))
    client = ObjectDouble()
    check_fence(ObjectStorage(client, "w/"))
    assert not client.objects


def test_a_store_that_ignores_the_condition() -> None:
    client = ObjectDouble()
    client.has_fence = False
    fault = refused(client)
    assert fault.code == "RT0650"
    assert "'double://bucket/w/' cannot keep two writers apart: a second conditional PUT" in str(fault)


def test_a_store_that_ignores_the_condition_without_saying_so() -> None:
    class Quiet(ObjectDouble):
        def create(self, key: str, content: Any, identity: str) -> None:
            taken = key in self.objects
            super().create(key, content, identity)
            if taken:
                raise Unanswered("500")

    client = Quiet()
    client.has_fence = False
    assert "a second conditional PUT has replaced the object" in str(refused(client))


def test_a_store_that_loses_identities() -> None:
    client = ObjectDouble()
    client.keeps_identity = False
    fault = refused(client)
    assert (fault.code, "does not keep the metadata" in str(fault)) == ("RT0650", True)


def test_a_store_that_does_not_answer() -> None:
    class Down(ObjectDouble):
        def create(self, key: str, content: Any, identity: str) -> None:
            raise Unanswered("connection refused")

        def get(self, key: str) -> Any:
            raise Unanswered("connection refused")

    fault = refused(Down())
    assert (fault.code, "connection refused" in str(fault)) == ("RT0651", True)


# --- locations -------------------------------------------------------------------------------------------------------


def test_locations(tmp_path: Path) -> None:
    for location in (str(tmp_path / "a b"), (tmp_path / "a b").as_uri()):
        found = open_storage(location)
        assert isinstance(found, LocalStorage)
        assert found.place("x") == str(tmp_path / "a b" / "x")
    with pytest.raises(RowtimeError) as caught:
        open_storage("ftp://host/x")
    assert caught.value.code == "RT0651"


def test_a_server_that_is_not_there() -> None:
    pytest.importorskip("obstore")
    with pytest.raises(RowtimeError) as caught:
        open_storage(
            "s3://nowhere/x", endpoint="http://127.0.0.1:1", region="none", access_key_id="a", secret_access_key="b",
            client_options={"allow_http": True}, retry_config={"max_retries": 0},
        )  # fmt: skip
    assert caught.value.code == "RT0651"
    assert "The object store 's3://nowhere/x/' cannot be used" in str(caught.value)


def test_a_server_has_a_fence(s3: dict[str, Any]) -> None:
    found = open_storage("s3://warehouse/checked", **s3)
    assert found.name == "checked"
    assert found.place("x") == "s3://warehouse/checked/x"
    assert found.list(FOLDER) == []
