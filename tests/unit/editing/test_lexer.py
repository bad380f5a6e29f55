"""Highlighting: kinds of words, and where strings and comments end."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace
from scripts import statements

from rowtime.editing import words
from rowtime.editing.lexer import COMMAND, STREAMING, RowtimeLexer, tokens
from rowtime.lexical.words import STREAMING as STREAMING_WORDS
from rowtime.lexical.words import TYPES, UNITS


def kinds(text: str) -> list[tuple[Any, str]]:
    return [(kind, word) for _, kind, word in RowtimeLexer().get_tokens_unprocessed(text) if kind is not Whitespace]


def test_a_query() -> None:
    text = "SELECT STREAM floor(rowtime TO hour) AS \"a b\", 1.5e3 /*+ HINT */ -- rest\nFROM s WHERE n IN ('x''y')"
    assert kinds(text) == [
        (Keyword, "SELECT"), (STREAMING, "STREAM"), (Name.Function, "floor"), (Punctuation, "("),
        (Name.Builtin, "rowtime"), (Keyword, "TO"), (Keyword, "hour"), (Punctuation, ")"), (Keyword, "AS"),
        (Name.Variable, '"a b"'), (Punctuation, ","), (Number, "1.5e3"), (Comment.Preproc, "/*+ HINT */"),
        (Comment.Single, "-- rest"), (Keyword, "FROM"), (Name, "s"), (Keyword, "WHERE"), (Name, "n"), (Keyword, "IN"),
        (Punctuation, "("), (String, "'x''y'"), (Punctuation, ")"),
    ]  # fmt: skip


def test_streaming_words_and_types() -> None:
    assert kinds("LATENESS INTERVAL '1' HOUR, v DECIMAL(3)") == [
        (STREAMING, "LATENESS"), (Keyword, "INTERVAL"), (String, "'1'"), (Keyword, "HOUR"), (Punctuation, ","),
        (Name, "v"), (Keyword.Type, "DECIMAL"), (Punctuation, "("), (Number, "3"), (Punctuation, ")"),
    ]  # fmt: skip


def test_commands_only_at_the_beginning_of_a_line() -> None:
    assert kinds("!bound s 'x'\n  !help\na != b")[0] == (COMMAND, "!bound")
    assert (COMMAND, "!help") in kinds("!bound s 'x'\n  !help\na != b")
    assert (Operator, "!=") in kinds("a != b")


@pytest.mark.parametrize(
    "text", ["SELECT 'a", 'SELECT "a', "SELECT /* a", "SELECT /*+ a", "é ü 日本", "\x00 ` @ #", "'", ""]
)
def test_unfinished_and_odd_text_is_kept_whole(text: str) -> None:
    assert "".join(word for _, _, word in RowtimeLexer().get_tokens_unprocessed(text)) == text


@pytest.mark.parametrize(
    "text", ["a; b", "'a;b'; c", '"a;b"; c', "-- a;\nb; c", "/* a; */ b; c", "// a;\nb;c", "'a''; b'; c"]
)
def test_statements_end_where_the_splitter_ends_them(text: str) -> None:
    ends = sum(kind is Punctuation and word == ";" for _, kind, word in tokens(text))
    assert ends == len(statements(text)) - 1


def test_the_parser_knows_the_words(planner: Any) -> None:
    import jpype

    parser = jpype.JClass("io.rowtime.parse.generated.RowtimeParserImpl").FACTORY
    known = {str(t) for t in parser.getParser(jpype.JClass("java.io.StringReader")("")).getMetadata().getTokens()}
    starts = {word for start in words.STARTS for word in start.split()}
    for group in (words.KEYWORDS, STREAMING_WORDS, UNITS, TYPES, starts):
        assert group - known == set()


def test_functions_can_be_called(planner: Any) -> None:
    """The planner knows each of them as a function: it complains about the number of arguments, not about the name."""
    import json

    offered = sorted(words.functions())
    assert {"UPPER", "COUNT", "FLOOR", "ABS", "RANK"} < set(offered)
    unknown = []
    for name in offered:
        said = []
        for arguments in ("()", "(a)", "(a, a)", "(a, a, a)"):
            request = {"sql": f"SELECT {name}{arguments} FROM (VALUES (1)) AS t (a)", "line": 1, "column": 1}
            reply = json.loads(planner.plan('{"version":0,"objects":[],"lateness":[]}', json.dumps(request)))
            said.append(" ".join(d["message"] for d in reply["diagnostics"]))
        if all("No match found for function signature" in each for each in said):
            unknown.append(name)
    assert unknown == []


def test_the_lexer_needs_neither_java_nor_spark() -> None:
    code = "import sys, rowtime.editing.lexer; print([m for m in ('jpype', 'pyspark') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
