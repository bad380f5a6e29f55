"""Which catalog a warehouse belongs to, if that is in a database: the file `catalog.json` in the warehouse says so.

The file names the catalog, and the catalog the warehouse, each by a random id; neither is opened with another.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from rowtime.catalog import FILE_NAME, MARKER
from rowtime.decoding import Decoder
from rowtime.errors import RowtimeError, error
from rowtime.storage.smallfiles import new_file, sync

CODE = "RT0659"


class Belonging(msgspec.Struct, frozen=True):
    """The id of a warehouse, that of its catalog, and where that was when the file was written, without secrets."""

    warehouse: str
    catalog: str
    place: str


_belongings = Decoder(Belonging)


def read_marker(warehouse: Path) -> Belonging | None:
    """Returns which catalog the warehouse belongs to; None if no file says so. Raises RowtimeError RT0602 if the file
    is damaged."""
    try:
        return _belongings.decode((warehouse / MARKER).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except msgspec.MsgspecError as fault:
        raise error(
            "RT0602",
            f"The file '{warehouse / MARKER}', which names the catalog of the warehouse, is damaged: {fault}",
            hint="Restore it from a backup",
        ) from fault


def write_marker(warehouse: Path, belonging: Belonging) -> Belonging:
    """Writes the file durably. Returns what it says, which is what another process has written if that was faster."""
    with new_file(warehouse, msgspec.json.encode(belonging)) as half:
        half.chmod(0o600)
        with contextlib.suppress(FileExistsError):
            os.link(half, warehouse / MARKER)
    sync(warehouse)
    found = read_marker(warehouse)
    assert found is not None
    return found


def check_embedded(warehouse: Path) -> None:
    """Raises RowtimeError RT0659 if the catalog of a warehouse is in a database, and so not in a file of it."""
    found = read_marker(warehouse)
    if found is not None:
        raise error(
            CODE,
            f"The catalog of the warehouse '{warehouse}' is in {found.place}, and none was named",
            hint=f"Name it: --catalog, ROWTIME_CATALOG, or catalog= in Python, with {found.place} and your user",
        )


def check_not_embedded(warehouse: Path) -> None:
    """Raises RowtimeError RT0659 if a warehouse has a catalog in its own file."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        if (warehouse / FILE_NAME).stat().st_size:
            raise error(
                CODE,
                f"The warehouse '{warehouse}' has a catalog of its own, '{FILE_NAME}', and not one in a database",
                hint="Open it without a catalog, or name another warehouse",
            )


def of_another_catalog(warehouse: Path, found: Belonging, place: str) -> RowtimeError:
    """Returns the error for a warehouse that belongs to another catalog than the one that was named."""
    where = "another one" if found.place == place else f"the one in {found.place}"
    return error(
        CODE,
        f"The warehouse '{warehouse}' does not belong to the catalog in {place}, but to {where}",
        hint="Name that catalog, or another warehouse. If the database was restored or made anew, restore its latest "
        "backup",
    )


def of_another_warehouse(warehouse: Path, place: str, other: str | None) -> RowtimeError:
    """Returns the error for a catalog that belongs to another warehouse. `other`: where that was."""
    return error(
        CODE,
        f"The catalog in {place} belongs to another warehouse than '{warehouse}'"
        + (f", which was made as '{other}'" if other else ""),
        hint="Name that warehouse, under which all hosts see the same disk; or another database",
    )
