"""Damage: changes files of a folder as disks, copies and people do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path


def files_in(folder: Path) -> list[Path]:
    """Returns all files below a folder, in an order that does not depend on the disk."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def damage(folder: Path, chance: random.Random, files: Sequence[Path] | None = None) -> str:
    """Damages one to three files of a folder (of `files`, if given). Returns a description of the damage."""
    told = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        found = [path for path in (files_in(folder) if files is None else files) if path.exists()]
        if not found:
            break
        path = chance.choice(found)
        kind, change = chance.choice(_CHANGES)
        if change is _swap and path.suffix in _ALIKE:
            kind, change = "truncate", _truncate
        told.append(f"{kind} {path.relative_to(folder)}")
        change(path, chance)
    return "; ".join(told)


def _flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 8)) if content else 0):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def _truncate(path: Path, chance: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content) + 1)])


def _empty(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"")


def _remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def _drop_line(path: Path, chance: random.Random) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    if lines:
        del lines[chance.randrange(len(lines))]
    path.write_bytes(b"".join(lines))


def _repeat_line(path: Path, chance: random.Random) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    if lines:
        place = chance.randrange(len(lines))
        lines.insert(place, lines[place])
    path.write_bytes(b"".join(lines))


def _zero(path: Path, chance: random.Random) -> None:
    content = path.read_bytes()
    begin = chance.randrange(len(content) + 1)
    size = chance.choice((1, 16, 512))
    path.write_bytes(content[:begin] + bytes(len(content[begin : begin + size])) + content[begin + size :])


def _append(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes() + chance.randbytes(chance.choice((1, 100))))


def _swap(path: Path, chance: random.Random) -> None:
    others = [other for other in path.parent.iterdir() if other.is_file() and other.suffix == path.suffix]
    other = chance.choice(others)
    mine, its = path.read_bytes(), other.read_bytes()
    path.write_bytes(its)
    other.write_bytes(mine)


_ALIKE = (".delta", ".snapshot", ".changelog")
"""Spark's files of state contain neither their version nor their partition: it is not detected if two are exchanged."""

_CHANGES = (
    *(("flip bits of", _flip),) * 4,
    ("truncate", _truncate),
    ("truncate", _truncate),
    ("empty", _empty),
    ("remove", _remove),
    ("drop a line of", _drop_line),
    ("repeat a line of", _repeat_line),
    ("zero a part of", _zero),
    ("append to", _append),
    ("swap with another", _swap),
)
