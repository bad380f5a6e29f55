"""Makes the pictures of the shell: `docs/images/shell.png` and `docs/images/shell-completion.png`.

A real shell runs in tmux (Debian: `apt-get install tmux`), in a new warehouse; keystrokes are sent to it, and the
screen is drawn with its colors.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chromium import draw
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

WIDTH, HEIGHT = 110, 28
ZOOM = 1.05

THEME = TerminalTheme(
    (24, 26, 31),
    (220, 223, 228),
    [(40, 44, 52), (224, 108, 117), (152, 195, 121), (229, 192, 123), (97, 175, 239), (198, 120, 221), (86, 182, 194),
     (220, 223, 228)],
    [(110, 117, 130), (240, 128, 136), (170, 215, 140), (240, 208, 140), (120, 190, 250), (215, 140, 235),
     (110, 200, 210), (255, 255, 255)],
)  # fmt: skip

SCHEMA = """\
CREATE STREAM orders (productId INTEGER, units INTEGER, price DECIMAL(8, 2));
CREATE TABLE products (productId INTEGER, name VARCHAR(20));
"""

QUERY = """\
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId,
       COUNT(*) AS orders, SUM(units * price) AS worth
FROM orders
GROUP BY FLOOR(rowtime TO HOUR), productId;
"""

ORDERS = """\
INSERT INTO orders VALUES
  (TIMESTAMP '2024-05-01 10:17:00', 30, 4, 2.50), (TIMESTAMP '2024-05-01 10:41:00', 10, 1, 12),
  (TIMESTAMP '2024-05-01 10:58:30', 30, 2, 2.50), (TIMESTAMP '2024-05-01 11:02:00', 20, 6, 0.99);
"""

FAULT = "SELECT STREAM o.rowtime, p.name FROM orders o JOIN products p ON o.productId = p.produktId;"


class Terminal:
    """A shell in a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")
        schema = folder / "shop.sql"
        schema.write_text(SCHEMA)
        shell = [str(Path(sys.executable).with_name("rowtime")), "shell", "--schema", str(schema)]
        environment = {"XDG_STATE_HOME": str(folder), "ROWTIME_WAREHOUSE": "shop"}
        settings = [part for name, value in environment.items() for part in ("-e", f"{name}={value}")]
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        self._tmux("-f", os.devnull, "new-session", "-d", *size, "-c", str(folder), *settings, *shell)
        self._tmux("set-option", "-g", "status", "off")

    def type(self, text: str) -> None:
        """Types the text, line by line; a last line without a line end is not sent off."""
        *lines, rest = text.split("\n")
        indented = 0
        for line in lines:
            # The shell indents a line as the one before it.
            before = len(line) - len(line.lstrip())
            for _ in range(max(indented - before, 0)):
                self.key("BSpace")
            self._send(line[min(indented, before) :])
            indented = before
            time.sleep(0.3)
            self.key("Enter")
        if rest:
            self._send(rest)

    def _send(self, text: str) -> None:
        # A semicolon at the end would end tmux's own command.
        self._tmux("send-keys", "-l", text[:-1] + "\\;" if text.endswith(";") else text)

    def key(self, name: str) -> None:
        self._tmux("send-keys", name)

    def sees(self, text: str, seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while text not in self._tmux("capture-pane", "-p"):
            if time.monotonic() > end:
                raise TimeoutError(f"{text!r} does not appear in:\n{self._tmux('capture-pane', '-p')}")
            time.sleep(0.2)

    def screen(self) -> Text:
        """The screen as it is, with its cursor."""
        lines = self._tmux("capture-pane", "-e", "-p", "-N").split("\n")[:HEIGHT]
        column, row = map(int, self._tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").split())
        rows = [Text.from_ansi(line) for line in lines]
        rows[row].pad_right(max(column + 1 - len(rows[row]), 0))
        rows[row].stylize("reverse", column, column + 1)
        return Text("\n").join(rows)

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-S", self._socket, *arguments], capture_output=True, text=True, check=True)
        return done.stdout


@contextmanager
def terminal() -> Iterator[Terminal]:
    with tempfile.TemporaryDirectory(prefix="rowtime-") as folder:
        made = Terminal(Path(folder))
        try:
            yield made
        finally:
            made.close()


def save(screen: Text, name: str) -> None:
    """Draws the screen as a picture of the documentation."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    console.print(screen, soft_wrap=True)
    svg = console.export_svg(title="rowtime shell", theme=THEME)
    # The fonts of the machine in place of ones from the network.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    width, height = (round(float(number)) for number in size.groups())
    html = f"<style>body {{ margin: 0 }} svg {{ width: {width}px; display: block }}</style>{svg}"
    draw(html, name, width, height, ZOOM)


def main() -> None:
    with terminal() as shell:
        shell.sees("rowtime>")
        shell.sees("Spark ready")
        shell.type(QUERY)
        shell.sees("query 1 runs")
        shell.type(ORDERS)
        shell.sees("2024-05-01 10:00:00 |        30")
        shell.type(FAULT)
        shell.sees("RT0112")
        time.sleep(1)
        save(shell.screen(), "shell")
        shell.key("C-c")
        shell.type("SELECT STREAM * FROM orders WHERE pr")
        shell.sees("productid")
        shell.key("Tab")
        time.sleep(1)
        save(shell.screen(), "shell-completion")
        shell.key("C-c")
        shell.key("C-d")
