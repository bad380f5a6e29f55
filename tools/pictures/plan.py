"""Makes the picture of an HTML plan, `docs/images/plan.png`, from the script next to it."""

from __future__ import annotations

import subprocess
import sys

from chromium import IMAGES, draw

WIDTH, HEIGHT = 1280, 1640


def main() -> None:
    explain = [sys.executable, "-m", "rowtime_cli.main", "explain", "--format", "html", "plan.sql"]
    # One statement of the script is refused, to show how that looks.
    made = subprocess.run(explain, cwd=IMAGES, capture_output=True, text=True, check=False)
    if made.returncode not in (0, 1) or not made.stdout:
        sys.exit(made.stderr)
    draw(made.stdout, "plan", WIDTH, HEIGHT)
