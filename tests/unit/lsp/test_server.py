"""A conversation with `rowtime lsp`, as an editor has it: over standard input and output of its own process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from rowtime.catalog.store import Store
from rowtime.explain.analysis import analyze

pytestmark = pytest.mark.slow

ROWTIME = str(Path(sys.executable).with_name("rowtime"))
URI = "file:///orders.sql"
DOCUMENT = types.TextDocumentIdentifier(URI)
SECONDS = 60
SCRIPT = """\
CREATE STREAM orders (productId INTEGER, units INTEGER);
SELECT STREAM '😀' AS mood, o.nope FROM orders AS o;
SELECT STREAM rowtime, 'a' AS "x", units AS many FROM orders;
"""


class Editor:
    """An editor with one open document."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self._version = 0

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

    def open(self, text: str) -> None:
        item = types.TextDocumentItem(URI, "sql", self._version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def replace(self, line: int, start: int, end: int, text: str) -> None:
        self._version += 1
        change = types.TextDocumentContentChangePartial(
            types.Range(types.Position(line, start), types.Position(line, end)), text
        )
        document = types.VersionedTextDocumentIdentifier(self._version, URI)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def diagnostics(self) -> list[tuple[str, str]]:
        """Returns the code and range of each diagnostic that the server publishes next."""
        found = await asyncio.wait_for(self.published.get(), SECONDS)
        return [(str(each.code), str(each.range)) for each in found.diagnostics]

    async def hover(self, line: int, character: int) -> str:
        params = types.HoverParams(DOCUMENT, types.Position(line, character))
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), SECONDS)
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return "" if found is None else str(found.contents.value)

    async def completions(self, line: int, character: int) -> list[types.CompletionItem]:
        params = types.CompletionParams(DOCUMENT, types.Position(line, character))
        found = await asyncio.wait_for(self.client.text_document_completion_async(params), SECONDS)
        assert isinstance(found, types.CompletionList)
        return list(found.items)

    async def formatted(self) -> list[types.TextEdit]:
        params = types.DocumentFormattingParams(DOCUMENT, types.FormattingOptions(4, True))
        return list(await asyncio.wait_for(self.client.text_document_formatting_async(params), SECONDS) or [])


def converse(what: Callable[[Editor], Awaitable[None]], *arguments: str) -> int | None:
    """Starts and initializes the server, runs the conversation, and shuts the server down. Returns its exit code."""

    async def run() -> int | None:
        client = LanguageClient("editor", "1")
        editor = Editor(client)
        await client.start_io(ROWTIME, "lsp", *arguments)
        server = client._server
        assert server is not None
        try:
            capabilities = types.ClientCapabilities()
            await asyncio.wait_for(client.initialize_async(types.InitializeParams(capabilities=capabilities)), SECONDS)
            client.initialized(types.InitializedParams())
            await what(editor)
            await asyncio.wait_for(client.shutdown_async(None), SECONDS)
            client.exit(None)
            return await asyncio.wait_for(server.wait(), SECONDS)
        finally:
            if server.returncode is None:
                server.kill()
            await client.stop()

    return asyncio.run(run())


@pytest.fixture
def warehouse(tmp_path: Path, planner: Any) -> str:
    with Store(tmp_path / "w") as store:
        from rowtime.catalog.memory import MemoryCatalog

        made = MemoryCatalog()
        reply = analyze("CREATE TABLE products (id INTEGER, name VARCHAR);", made, planner).statements[0].planned
        assert reply is not None
        store.commit(reply["changes"])
    return str(tmp_path / "w")


def test_a_conversation(warehouse: str) -> None:
    async def conversation(editor: Editor) -> None:
        editor.open(SCRIPT)
        # Positions count UTF-16 code units, of which the face has two.
        assert await editor.diagnostics() == [("RT0112", "1:30-1:34")]
        editor.replace(1, 30, 34, "units")
        assert await editor.diagnostics() == []
        assert await editor.hover(1, 32) == "```sql\nUNITS INTEGER\n```\n\nColumn of STREAM ORDERS"
        assert await editor.hover(2, 15) == "```sql\nROWTIME TIMESTAMP(3)\n```\n\nColumn of STREAM ORDERS, increasing"
        assert await editor.hover(2, 45) == "```sql\nMANY INTEGER\n```\n\nColumn of the result"
        assert "PRODUCTID  INTEGER" in await editor.hover(2, 55)
        assert await editor.hover(2, 23) == ""
        # Half of a name, behind characters of two code units.
        editor.replace(1, 32, 35, "")
        assert await editor.diagnostics() == [("RT0112", "1:30-1:32")]
        units = (await editor.completions(1, 32))[0]
        assert isinstance(units.text_edit, types.TextEdit)
        assert (units.label, units.detail, str(units.text_edit.range)) == ("units", "INTEGER", "1:30-1:32")
        editor.replace(1, 30, 32, "units")
        assert await editor.diagnostics() == []
        # The warehouse's catalog, and client commands.
        editor.replace(3, 0, 0, "SELECT * FROM prod")
        assert await editor.diagnostics() == []
        assert "products" in [each.label for each in await editor.completions(3, 18)]
        editor.replace(3, 0, 18, "!bo")
        assert await editor.diagnostics() == []
        assert "bound" in [each.label for each in await editor.completions(3, 3)]
        editor.replace(3, 0, 3, "select   1;")
        assert await editor.diagnostics() == []
        (edit,) = await editor.formatted()
        assert edit.new_text.endswith("SELECT 1;\n") and str(edit.range) == "0:0-3:11"
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(DOCUMENT))
        assert await editor.diagnostics() == []

    assert converse(conversation, "--warehouse", warehouse) == 0


def test_schema_files(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text("CREATE STREAM shipments (weight INTEGER);")

    async def conversation(editor: Editor) -> None:
        editor.open("SELECT STREAM weight FROM shipments;\nSELECT * FROM products;")
        assert await editor.diagnostics() == [("RT0111", "1:14-1:22")]
        assert await editor.formatted() != []

    assert converse(conversation, "--stdio", "--schema", str(schema), "--warehouse", str(tmp_path / "w")) == 0
    assert not (tmp_path / "w").exists()


def test_a_script_that_cannot_be_formatted_stays(tmp_path: Path) -> None:
    async def conversation(editor: Editor) -> None:
        # The string may still get its end.
        editor.open("SELECT  1;\nSELECT 'a;")
        assert await editor.diagnostics() == []
        assert await editor.formatted() == []

    assert converse(conversation, "--warehouse", str(tmp_path / "w")) == 0


def test_without_the_package(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError('No module named pygls', name='pygls')")
    done = subprocess.run(
        [ROWTIME, "lsp"],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "RT0616: The language server needs the package 'pygls', which is missing" in done.stderr
    assert "pip install 'rowtime[lsp]'" in done.stderr
