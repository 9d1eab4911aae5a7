"""A user's own measure: a formula over the cells of the table, parsed and never evaluated as code.

The formula is Python's arithmetic and nothing else: numbers, the names of cells and margins, ``+ - * / **``, and
the functions below. Every node of the syntax tree is checked against a list of what is allowed.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.measures.measure import Function

LONGEST = 2000
DEEPEST = 60

FUNCTIONS: Mapping[str, tuple[Callable[..., Any], int]] = {
    "ln": (np.log, 1),
    "log": (np.log, 1),
    "log2": (np.log2, 1),
    "log10": (np.log10, 1),
    "sqrt": (np.sqrt, 1),
    "exp": (np.exp, 1),
    "abs": (np.abs, 1),
    "sign": (np.sign, 1),
    "min": (np.minimum, 2),
    "max": (np.maximum, 2),
}

VARIABLES: Mapping[str, Callable[[Contingency], Reals]] = {
    "O": lambda t: t.o11,
    "E": lambda t: t.e11,
    "O11": lambda t: t.o11,
    "O12": lambda t: t.o12,
    "O21": lambda t: t.o21,
    "O22": lambda t: t.o22,
    "E11": lambda t: t.expected[..., 0],
    "E12": lambda t: t.expected[..., 1],
    "E21": lambda t: t.expected[..., 2],
    "E22": lambda t: t.expected[..., 3],
    "R1": lambda t: t.r1,
    "R2": lambda t: t.r2,
    "C1": lambda t: t.c1,
    "C2": lambda t: t.c2,
    "N": lambda t: t.n,
    "n1": lambda t: t.r1 if t.n1 is None else t.n1,
    "n2": lambda t: t.c1 if t.n2 is None else t.n2,
}

OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


def parse_definition(text: str) -> tuple[str, Function]:
    """A name and the function of ``name = formula``.

    >>> name, cosine = parse_definition("cosine = O / sqrt(R1 * C1)")
    >>> cosine(Contingency.from_signature(f=[2, 0], f1=[4, 1], f2=[4, 1], n=100))
    array([0.5, 0. ])
    """
    name, equals, formula = text.partition("=")
    name = name.strip()
    if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name):
        raise InvalidInputError(
            f"{text!r} is not a definition. Write name = formula, such as 'cosine = O / sqrt(R1 * C1)'."
        )
    return name, parse_formula(formula)


def parse_formula(text: str) -> Function:
    """The function of a formula; undefined operations answer NaN, limits are infinite."""
    tree = _tree(text.strip())
    _check(tree, text.strip())

    @np.errstate(all="ignore")
    def defined(t: Contingency) -> Reals:
        values = np.asarray(_value(tree, t), dtype=np.float64)
        return np.array(np.broadcast_to(values, t.o11.shape))

    return defined


def _tree(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise InvalidInputError(f"A formula has at most {LONGEST} characters; this one has {len(text)}.")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidInputError(f"{text!r} is not a formula. Write arithmetic such as 'O / sqrt(R1 * C1)'.") from error


def _check(node: ast.expr, text: str, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise InvalidInputError(f"The formula is nested more than {DEEPEST} deep.")
    for child in _children(node, text):
        _check(child, text, depth + 1)


def _children(node: ast.expr, text: str) -> list[ast.expr]:
    """The parts of a node that is allowed; any other is refused."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return [left, right]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return [operand]
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            if not np.isfinite(_number(value)):
                raise InvalidInputError(f"{text!r} has a number that is too large.")
            return []
        case ast.Name(id=name):
            if name not in VARIABLES:
                raise UnknownNameError("quantity", name, VARIABLES)
            return []
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _arguments(name, arguments)
    hint = " Powers are written **." if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor) else ""
    part = ast.unparse(node)
    raise InvalidInputError(
        f"{part!r} is not allowed in a formula; it is numbers, names, + - * / ** and {_function_names()}.{hint}"
    )


def _arguments(name: str, arguments: list[ast.expr]) -> list[ast.expr]:
    if name not in FUNCTIONS:
        raise UnknownNameError("function", name, FUNCTIONS)
    if len(arguments) != FUNCTIONS[name][1]:
        raise InvalidInputError(
            f"{name} takes {FUNCTIONS[name][1]} argument{'s' * (FUNCTIONS[name][1] > 1)}, not {len(arguments)}."
        )
    return arguments


def _value(node: ast.expr, t: Contingency) -> Any:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_value(left, t), _value(right, t))
        case ast.UnaryOp(op=op, operand=operand):
            return OPERATORS[type(op)](_value(operand, t))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][0](*(_value(argument, t) for argument in arguments))
        case ast.Name(id=name):
            return VARIABLES[name](t)
        case ast.Constant(value=value):
            return _number(value)
    raise AssertionError(node)  # pragma: no cover - _check allows no other


def _number(value: Any) -> np.float64:
    """Numbers are floating-point from the start: no power of whole numbers can grow without end."""
    try:
        return np.float64(value)
    except OverflowError:
        return np.float64("inf")


def _function_names() -> str:
    return ", ".join(FUNCTIONS)
