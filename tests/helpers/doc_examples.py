"""The examples in README.md and docs/."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(sql|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(language: str) -> dict[str, str]:
    """Returns the examples in `sql` or `python`, by their position: `docs/page.md:12`."""
    found = {}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for match in _BLOCK.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found[f"{page.relative_to(ROOT)}:{line}"] = match[2]
    return found
