"""The server: diagnostics while a document changes, completion, hover and formatting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from rowtime.catalog.memory import MemoryCatalog
from rowtime.editing.completion import SqlCompleter
from rowtime.editing.names import CatalogColumn, columns_of
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.formatting.script import format_script
from rowtime.jvm import Planner
from rowtime.lsp.analysis import DocumentAnalysis, analyze_document
from rowtime.lsp.hover import describe
from rowtime.lsp.positions import Positions
from rowtime.script.runner import ScriptRunner
from rowtime.version import __version__

_PAUSE = 0.15
"""Seconds without a change after which a document is checked."""

_KINDS = {"keyword": types.CompletionItemKind.Keyword, "function": types.CompletionItemKind.Function}
_OBJECTS = {"stream", "foreign stream", "table", "foreign table", "view", "with", "alias"}

Result = TypeVar("Result")


class RowtimeServer(LanguageServer):
    """A language server over one catalog. It never starts Spark, and writes nothing.

    `catalog` returns a copy of the catalog, without what open documents define. `planner` starts the planner the first
    time; neither is called on the thread that reads messages.
    """

    def __init__(self, catalog: Callable[[], MemoryCatalog], planner: Callable[[], Planner]) -> None:
        super().__init__("rowtime", __version__)
        self._catalog = catalog
        self._planner = planner
        self._workers = ThreadPoolExecutor(2, thread_name_prefix="rowtime lsp")
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._analyses: dict[str, DocumentAnalysis] = {}

    # --- diagnostics -------------------------------------------------------------------------------------------------

    def check_soon(self, uri: str) -> None:
        """Checks a document after a pause, unless it changes again before."""
        self.forget(uri)
        self._checks[uri] = asyncio.get_running_loop().create_task(self._check(uri))

    def forget(self, uri: str) -> None:
        """Cancels a check of a document that has not started yet."""
        check = self._checks.pop(uri, None)
        if check is not None:
            check.cancel()

    def close(self, uri: str) -> None:
        self.forget(uri)
        self._analyses.pop(uri, None)
        self._publish(uri, None, [])

    async def _check(self, uri: str) -> None:
        await asyncio.sleep(_PAUSE)
        document = self.workspace.get_text_document(uri)
        version = document.version
        analysis = await self.analysis(document)
        positions = Positions(analysis.text, document.position_codec)
        self._publish(uri, version, [positions.diagnostic(each) for each in analysis.diagnostics])

    def _publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    async def analysis(self, document: TextDocument) -> DocumentAnalysis:
        """Returns the analysis of a document as it is now."""
        text = document.source
        known = self._analyses.get(document.uri)
        if known is None or known.text != text:
            known = await self.in_background(lambda: self._analyze(text))
            self._analyses[document.uri] = known
        return known

    def _analyze(self, text: str) -> DocumentAnalysis:
        try:
            return analyze_document(text, self._catalog, self._planner(), ScriptRunner.COMMANDS)
        except RowtimeError as fault:
            # No Java, or no jars.
            return DocumentAnalysis(text, diagnostics=tuple(fault.diagnostics))
        except Exception as fault:
            message = f"Internal error: {type(fault).__name__}"
            return DocumentAnalysis(text, diagnostics=(Diagnostic(code="RT0999", message=message),))

    # --- at the cursor -----------------------------------------------------------------------------------------------

    async def completions(self, document: TextDocument, position: types.Position) -> list[types.CompletionItem]:
        analysis = await self.analysis(document)
        positions = Positions(analysis.text, document.position_codec)
        offset = positions.offset(position)
        completer = SqlCompleter(
            lambda: list(analysis.objects.values()),
            ScriptRunner.COMMANDS,
            columns=lambda query: self._columns(query, analysis),
        )
        start = offset - len(completer.prefix(analysis.text[:offset]))
        found = await self.in_background(lambda: list(completer.candidates(analysis.text, offset)))
        replaced = positions.range(start, offset)
        return [
            types.CompletionItem(
                label=text,
                kind=_kind(what),
                detail=what,
                sort_text=f"{rank:05d}",
                # Editors compare it with the written text, including quotes and points.
                filter_text=text,
                text_edit=types.TextEdit(replaced, text),
            )
            for rank, (text, what) in enumerate(found)
        ]

    def _columns(self, query: str, analysis: DocumentAnalysis) -> list[CatalogColumn]:
        return columns_of(query, MemoryCatalog(analysis.catalog), self._planner())

    async def hover(self, document: TextDocument, position: types.Position) -> types.Hover | None:
        analysis = await self.analysis(document)
        positions = Positions(analysis.text, document.position_codec)
        offset = positions.offset(position)
        found = await self.in_background(lambda: describe(analysis, offset, self._planner()))
        if found is None:
            return None
        text, start, end = found
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), positions.range(start, end))

    async def in_background(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


def create_server(catalog: Callable[[], MemoryCatalog], planner: Callable[[], Planner]) -> RowtimeServer:
    """Returns a server with its handlers; `start_io` or `start_tcp` runs it."""
    server = RowtimeServer(catalog, planner)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: RowtimeServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: RowtimeServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: RowtimeServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "!", '"']))
    async def completed(ls: RowtimeServer, params: types.CompletionParams) -> types.CompletionList:
        document = ls.workspace.get_text_document(params.text_document.uri)
        return types.CompletionList(is_incomplete=False, items=await ls.completions(document, params.position))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: RowtimeServer, params: types.HoverParams) -> types.Hover | None:
        return await ls.hover(ls.workspace.get_text_document(params.text_document.uri), params.position)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(ls: RowtimeServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        document = ls.workspace.get_text_document(params.text_document.uri)
        text = document.source
        try:
            done = format_script(text)
        except RowtimeError:
            # The diagnostics of the document show why it cannot be formatted.
            return None
        return (
            [] if done == text else [types.TextEdit(Positions(text, document.position_codec).range(0, len(text)), done)]
        )

    return server


def _kind(what: str) -> types.CompletionItemKind:
    if what in _OBJECTS:
        return types.CompletionItemKind.Struct
    return _KINDS.get(what, types.CompletionItemKind.Field)
