"""What a compared number is called, read from the test that compares it."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from concurrence.agreement.ratings.table import RATING_COEFFICIENTS
from concurrence.agreement.spans.table import SPAN_MEASURES
from concurrence.kernels.coefficients import COEFFICIENTS

Values = Mapping[str, Any]
TITLES = {name: row.title for rows in (COEFFICIENTS, RATING_COEFFICIENTS, SPAN_MEASURES) for name, row in rows.items()}
# Attributes and functions that say nothing about the number itself.
UNINFORMATIVE = {
    *("value", "float", "abs", "list", "round", "tolist", "item", "sum", "to_numpy", "table", "percent", "str"),
    *(
        "agree",
        "ratings",
        "getattr",
        "np",
        "concurrence",
        "coefficients",
        "measures",
        "MEASURES",
        "sequences",
        "scored",
    ),
    *("Labels", "from_table", "labels", "cells", "values"),
}
UNINFORMATIVE_VARIABLES = {"found", "ours", "report", "result", "of", "row", "one", "each", "rate", "values"}
EXPECTED = {"printed", "near"}
OPERATORS: dict[type, str] = {ast.Mult: "×", ast.Div: "/", ast.Sub: "−", ast.Add: "+", ast.Pow: "^"}


def figure_name(file: str, line: int, values: Values, place: int) -> str:
    """The name of the number that the statement on this line compares; ``place`` counts within its lists."""
    statement = _statement(file, line)
    side = _our_side(statement) if statement else None
    if statement is None or side is None:
        return _fallback(ast.Name(""), values)
    words = list(dict.fromkeys(_words(_element(side, place, in_list=_is_list(statement)), values)))
    return " ".join([*(words or [_fallback(side, values)]), *_message_words(statement, values)])


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def _statement(file: str, line: int) -> ast.stmt | None:
    kinds = (ast.Assert, ast.Expr, ast.Return, ast.Assign)
    inside = [
        node
        for node in ast.walk(_tree(file))
        if isinstance(node, kinds) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return max(inside, key=lambda node: node.lineno, default=None)


def _our_side(statement: ast.stmt) -> ast.expr | None:
    """The side of a comparison that we computed: the one that is not made of printed numbers."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Compare):
            return node.left if not _is_expected(node.left) else node.comparators[0]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "all_close":
            return node.args[0]
    return None


def _is_expected(side: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id in EXPECTED for node in ast.walk(side))


def _is_list(statement: ast.stmt) -> bool:
    """Whether several printed numbers are compared at once."""
    sides = [side for node in ast.walk(statement) if isinstance(node, ast.Compare) for side in node.comparators]
    return any(isinstance(side, ast.List | ast.Tuple | ast.ListComp) for side in sides)


def _element(side: ast.expr, place: int, *, in_list: bool) -> ast.expr:
    """The part of a tuple or list that stands at a place."""
    if isinstance(side, ast.Tuple | ast.List) and side.elts:
        starred = [at for at, one in enumerate(side.elts) if isinstance(one, ast.Starred)]
        if starred and place >= starred[0]:
            return _at(side.elts[starred[0]].value, place - starred[0])  # type: ignore[attr-defined]
        return side.elts[place % len(side.elts)]  # a loop comes back to the first
    if isinstance(side, ast.ListComp):
        inner = side.generators[0].iter
        return _at(inner if _is_interval(inner) else side.elt, place)
    return _at(side, place) if in_list else side


def _at(node: ast.expr, place: int) -> ast.expr:
    return ast.Subscript(node, ast.Constant(place), ast.Load())


def _message_words(statement: ast.stmt, values: Values) -> Iterator[str]:
    """What the test would say if the comparison failed, such as the pair of words."""
    if isinstance(statement, ast.Assert) and isinstance(statement.msg, ast.Name):
        message = values.get(statement.msg.id)
        yield f"({' '.join(map(str, message)) if isinstance(message, tuple | list) else message})"


def _words(node: ast.expr, values: Values) -> Iterator[str]:
    match node:
        case ast.Attribute(value=inner, attr=name):
            yield from _words(inner, values)
            yield from _title_words(name)
        case ast.Subscript(value=inner, slice=ast.Constant(value=int(place))) if _is_interval(inner):
            yield from _words(inner, values)
            yield ("lower end", "upper end")[place % 2]
        case ast.Subscript(value=inner, slice=key):
            yield from _words(inner, values)
            yield from _key(key, values)
        case ast.Call(func=function, args=arguments):
            yield from _words(function, values) if not isinstance(function, ast.Name) else _title_words(function.id)
            inner = [argument for argument in arguments if not isinstance(argument, ast.Constant)]
            if _function_name(function) in UNINFORMATIVE or _function_name(function) in {"tanh", "sqrt"}:
                yield from (word for argument in inner for word in _words(argument, values))
        case ast.BinOp(left=left, op=operator, right=right):
            parts = [" ".join(_words(left, values)), OPERATORS.get(type(operator), ""), " ".join(_words(right, values))]
            yield " ".join(filter(None, parts))
        case ast.Constant(value=bool() | int() | float() | str() as value):
            yield str(value)
        case ast.Name(id=name) if name not in UNINFORMATIVE_VARIABLES:
            yield from _title_words(values[name] if name == "kind" and isinstance(values.get(name), str) else name)


def _is_interval(node: ast.expr) -> bool:
    """Whether a number is one end of an interval."""
    if isinstance(node, ast.Call):
        return _function_name(node.func).startswith("interval") or (
            _function_name(node.func) in UNINFORMATIVE and bool(node.args) and _is_interval(node.args[0])
        )
    return isinstance(node, ast.Attribute) and node.attr.endswith(("interval", "homogeneity", "conservative"))


def _key(key: ast.expr, values: Values) -> Iterator[str]:
    match key:
        case ast.Constant(value=int(place)):
            yield f"no. {place + 1}" if place >= 0 else "last"
        case ast.Constant(value=str(name)):
            yield from _title_words(name)
        case ast.Name(id=name) if isinstance(values.get(name), str | int):
            yield from _title_words(str(values[name]))


def _function_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _title_words(name: str) -> Iterator[str]:
    if name not in UNINFORMATIVE:
        yield TITLES.get(name, name.strip("_").replace("_", " "))


def _fallback(side: ast.expr, values: Values) -> str:
    """Where the expression names nothing, what the test calls the thing: its name, key or coefficient."""
    for variable in ("name", "key", "coefficient", "measure", "what", "quantity"):
        if isinstance(values.get(variable), str):
            return next(_title_words(values[variable]), "value")
    return "value" if isinstance(side, ast.Name | ast.Attribute) else ast.unparse(side)[:60]
