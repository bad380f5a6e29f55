"""The limits of Java and Python are the same, and the documentation says them."""

from __future__ import annotations

import re
from pathlib import Path

from rowtime import limits

ROOT = Path(__file__).resolve().parents[3]


def test_the_same_in_both_languages() -> None:
    text = (ROOT / "java/common/src/io/rowtime/limits/Limits.java").read_text()
    java = {name: eval(value.replace("_", "")) for name, value in re.findall(r"int (\w+) = ([\d_ <]+);", text)}
    python = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert python == {name: java[name] for name in python}
    page = (ROOT / "docs/foreign.md").read_text()
    for shown in (
        f"{java['RECORD_BYTES'] >> 20} MiB",
        f"{java['NUMBER_LENGTH']:,}",
        f"{java['CSV_FIELDS']:,}",
        f"| {java['DEPTH']} |",
    ):
        assert shown in page
