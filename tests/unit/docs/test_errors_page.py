"""docs/errors.md has each code that the program knows, once, and no other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "errors.md"
_CODE = re.compile(r"RT0\d{3}")
_SECTION = re.compile(r"^#+ (RT0\d{3})$", re.MULTILINE)
_SOURCES = {"python": "*.py", "cli": "*.py", "java": "*.java"}


def known() -> dict[str, str]:
    """Returns the error codes in the source, each with a file that contains it."""
    found: dict[str, str] = {}
    for folder, pattern in _SOURCES.items():
        for file in sorted((ROOT / folder).rglob(pattern)):
            found.update((code, str(file.relative_to(ROOT))) for code in _CODE.findall(file.read_text()))
    return found


def test_each_code_has_its_section_once() -> None:
    sections = Counter(_SECTION.findall(PAGE.read_text()))
    source = known()
    assert len(source) > 90
    missing = [f"{code} (in {source[code]})" for code in sorted(source.keys() - sections.keys())]
    assert not missing, f"docs/errors.md needs a section '### CODE' for: {', '.join(missing)}"
    unknown = sorted(sections.keys() - source.keys())
    assert not unknown, f"docs/errors.md has sections of codes that nothing gives any more: {', '.join(unknown)}"
    twice = sorted(code for code, count in sections.items() if count > 1)
    assert not twice, f"docs/errors.md has more than one section for: {', '.join(twice)}"


def test_sections_are_in_order() -> None:
    sections = _SECTION.findall(PAGE.read_text())
    assert sections == sorted(sections)


def test_examples_show_the_code_of_their_section() -> None:
    """Each section whose example is a script shows its own code."""
    page = PAGE.read_text()
    for code, text in zip(_SECTION.findall(page), _SECTION.split(page)[2::2], strict=True):
        for script in re.findall(r"^```sql\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            assert f" {code} " in script, f"the example of {code} shows another code"
