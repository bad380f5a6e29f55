"""Small files that are written again and again, and read by others meanwhile."""

from __future__ import annotations

import uuid
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Puts `content` in the place of what the file holds; who reads it finds the one or the other, and never a part.
    Its folder is made where it is missing."""
    half = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        half.write_bytes(content)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(content)
    half.replace(path)
