"""Draws pages with headless Chromium (Debian and Ubuntu: `apt-get install chromium`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
LARGEST = 200_000
"""The maximum size of a picture in the documentation, in bytes."""


def draw(html: str, name: str, width: int, height: int, zoom: float = 1) -> None:
    """Writes `docs/images/<name>.png`, a page of `width` by `height` points. Exits if there is no Chromium, or the
    picture is too large for the repository."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("Chromium is not on PATH; on Debian and Ubuntu: apt-get install chromium")
    picture = IMAGES / f"{name}.png"
    with tempfile.TemporaryDirectory(prefix="rowtime-") as scratch:
        page = Path(scratch) / "page.html"
        page.write_text(html)
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--default-background-color=00000000",
            f"--user-data-dir={scratch}/profile",
            f"--window-size={width},{height}",
            f"--force-device-scale-factor={zoom}",
            f"--screenshot={picture}",
        ]
        subprocess.run([browser, *options, page.as_uri()], check=True, capture_output=True, timeout=120)
    size = picture.stat().st_size
    print(f"{picture.relative_to(ROOT)}: {size:,} bytes")
    if size > LARGEST:
        sys.exit(f"More than {LARGEST:,} bytes are too many")
