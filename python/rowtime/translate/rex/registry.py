"""Registers the function that translates each kind of expression, and each operator's calls."""

from __future__ import annotations

import importlib
import pkgutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from sqlglot import exp

from rowtime.errors import error
from rowtime.jvm.steps import Selected
from rowtime.plan.rex import Call, Literal, Rex, Symbol
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import spark_column, sql

if TYPE_CHECKING:
    from pyspark.sql import Column


@dataclass(frozen=True)
class Scope:
    """The context of references: the internal names of the input's fields, and the columns that rows carry besides
    them, by what these are."""

    columns: Sequence[str]
    carried: Mapping[str, exp.Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Operands:
    """A call to translate: its arguments both as rex and as Spark expressions."""

    call: Call
    scope: Scope
    result: SqlType
    _done: dict[int, exp.Expression] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.call.args)

    def __getitem__(self, index: int) -> exp.Expression:
        """Returns argument `index` as a Spark expression."""
        if index not in self._done:
            self._done[index] = to_expression(self.call.args[index], self.scope)
        return self._done[index]

    def all(self) -> list[exp.Expression]:
        return [self[i] for i in range(len(self))]

    def type(self, index: int) -> SqlType:
        """Returns the SQL type of argument `index`."""
        return parse_type(getattr(self.call.args[index], "type", "SYMBOL"))

    def symbol(self, index: int) -> str:
        """Returns the keyword of argument `index`."""
        arg = self.call.args[index]
        if not isinstance(arg, Symbol):
            raise error("RT0999", f"{self.call.op}: argument {index + 1} of the plan should be a keyword")
        return arg.value

    def constant(self, index: int) -> Any:
        """Returns the value of argument `index` if it is a literal that is not NULL, otherwise None."""
        arg = self.call.args[index]
        return arg.value if isinstance(arg, Literal) else None

    def unsupported(self, what: str) -> Exception:
        return error("RT0999", f"The planner should have refused: {what}")


RexTranslator = Callable[[Any, Scope], exp.Expression]
CallTranslator = Callable[[Operands], exp.Expression]
_R = TypeVar("_R", bound=RexTranslator)
_C = TypeVar("_C", bound=CallTranslator)

_kinds: dict[type, RexTranslator] = {}
_calls: dict[str, CallTranslator] = {}
_loading = threading.Lock()
_loaded = False


def translates_rex(rex_class: type) -> Callable[[_R], _R]:
    """Registers the translator of a kind of expression."""

    def register(function: _R) -> _R:
        _kinds[rex_class] = function
        return function

    return register


def translates_call(*operators: str) -> Callable[[_C], _C]:
    """Registers the translator of calls of `operators`."""

    def register(function: _C) -> _C:
        for operator in operators:
            if operator in _calls:
                raise ValueError(f"{operator} has a translator already")
            _calls[operator] = function
        return function

    return register


def call_translator(operator: str) -> CallTranslator:
    """Returns the translator of calls of `operator`. Raises RowtimeError (RT0999) if there is none."""
    _load()
    translator = _calls.get(operator)
    if translator is None:
        raise error("RT0999", f"The planner should have refused: the function {operator}")
    return translator


def known_operators() -> frozenset[str]:
    """Returns the names of all operators that can be translated."""
    _load()
    return frozenset(_calls)


def to_expression(rex: Rex, scope: Scope) -> exp.Expression:
    """Returns a Spark expression with the value and the type of `rex`. Raises RowtimeError RT0999 for one that no
    planner writes, such as a reference to a column that does not exist."""
    _load()
    try:
        return _kinds[type(rex)](rex, scope)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise error("RT0999", f"The plan has an invalid expression: {fault}") from fault


def to_column(rex: Rex, scope: Scope) -> Column:
    """Returns `to_expression` as a Spark column."""
    return spark_column(to_expression(rex, scope))


def to_plain(rex: Rex, scope: Scope, name: str) -> Selected:
    """Returns `to_expression` under a name, without metadata of the columns that it reads."""
    return Selected(sql(to_expression(rex, scope)), name, plain=True)


def _load() -> None:
    """Imports every module of this package once: a new kind or function is a new file, and needs no list. Threads that
    come while another one imports them wait until all are there."""
    global _loaded
    if _loaded:
        return
    with _loading:
        package = importlib.import_module("rowtime.translate.rex")
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
        _loaded = True
