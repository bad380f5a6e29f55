"""Links between pages lead somewhere, and each page can be reached from the index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
INDEX = ROOT / "docs" / "README.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    """Returns the anchors of a page's headings as code-hosting sites make them: lower case, hyphens for blanks, no
    punctuation."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(prose(page))}


def links(page: Path) -> list[tuple[Path, str]]:
    """Returns the files that a page links to, each with its anchor if there is one."""
    found = []
    for link in _LINK.findall(prose(page)):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            found.append(((page.parent / file).resolve() if file else page, anchor))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for file, anchor in links(page):
        assert file.exists(), f"{page.name} links to {file}, which is not there"
        assert not anchor or anchor in anchors(file), f"{file.name} has no heading #{anchor}"


def test_the_index_leads_to_every_page() -> None:
    reached, new = {INDEX}, {INDEX}
    while new:
        new = {file for page in new for file, _ in links(page) if file.suffix == ".md"} - reached
        reached |= new
    lost = [str(page.relative_to(ROOT)) for page in PAGES if page not in reached and page != ROOT / "README.md"]
    assert not lost, f"nothing links to {lost}"
