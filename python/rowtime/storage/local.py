"""Storage in a folder of a local disk, or of one that all hosts mount."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.storage.interface import Content, Storage
from rowtime.storage.smallfiles import flush, make_folder, new_file, remove_drafts, replace_whole, sync

if TYPE_CHECKING:
    import pyarrow as pa


class LocalStorage(Storage):
    """The files in a folder, and in those below it. The fence is a hard link, which fails if the name is taken."""

    hints_are_free = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def name(self) -> str:
        return self.folder.name

    def place(self, name: str = "") -> str:
        return str(self.folder / name)

    def get(self, name: str) -> bytes:
        with open(self.folder / name, "rb", buffering=0) as file:
            return file.read()

    def get_buffer(self, name: str) -> pa.Buffer:
        import pyarrow as pa

        with pa.memory_map(str(self.folder / name)) as file:
            return file.read_buffer()

    def exists(self, name: str) -> bool:
        return os.path.exists(self.folder / name)

    def list(self, folder: str = "", after: str = "") -> list[str]:
        with contextlib.suppress(FileNotFoundError), os.scandir(self.folder / folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name > after and not entry.name.startswith(".") and not entry.is_dir()
            )
        return []

    def put_if_absent(self, name: str, content: Content, ready: Callable[[], None] = lambda: None) -> bool:
        path = self.folder / name
        # The draft becomes durable while what `ready` waits for does.
        with new_file(path.parent, content) as draft:
            ready()
            try:
                os.link(draft, path)
            except FileExistsError:
                return False
        sync(path.parent)
        return True

    def put(self, name: str, content: Content) -> None:
        path = self.folder / name
        try:
            replace_whole(path, content)
        except FileNotFoundError:
            # Without the place itself: one that was deleted or moved is not created again.
            path.parent.mkdir(exist_ok=True)
            replace_whole(path, content)

    def put_new(self, name: str, content: Content) -> Future[None]:
        path = self.folder / name
        try:
            with open(path, "wb", buffering=0) as file:
                left = memoryview(content)
                while left:
                    left = left[file.write(left) :]
        except BaseException:
            # Half a file would take space that the disk does not have.
            path.unlink(missing_ok=True)
            raise
        return flush(path)

    def put_hint(self, name: str, content: Content) -> None:
        with contextlib.suppress(OSError):
            descriptor = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                size = os.pwrite(descriptor, content, 0)
                # In place, so that readers who hold it open see it; an earlier one may have been longer.
                if os.fstat(descriptor).st_size > size:
                    os.ftruncate(descriptor, size)
            finally:
                os.close(descriptor)

    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def for_library(self) -> tuple[str, dict[str, str] | None]:
        return str(self.folder), None

    def is_there(self) -> bool:
        return self.folder.exists()

    def prepare(self, folder: str = "") -> None:
        make_folder(self.folder / folder)

    def remove_drafts(self, folder: str = "", is_old: Callable[[float], bool] | None = None) -> int:
        return remove_drafts(self.folder / folder, is_old)
