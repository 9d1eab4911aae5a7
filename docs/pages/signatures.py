"""The parameters of a function with their types in plain words."""

import inspect
import types
from collections.abc import Callable, Iterator
from collections.abc import Mapping as AbstractMapping
from typing import Any, Literal, Union, get_args, get_origin


def parameters(function: Callable[..., Any]) -> Iterator[str]:
    """A field list for reStructuredText: each parameter with type and default, and what is returned.

    >>> def draw(size: int | None = None, *, design: Literal["simple", "strata"] = "simple") -> list[str]: ...
    >>> print("\\n".join(parameters(draw)))
    :param size: int, optional
    :param design: ``'simple'`` or ``'strata'``, default ``'simple'``
    :returns: list of str
    """
    signature = _signature(function)
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            yield from _unpacked(parameter)
        elif parameter.name not in {"self", "cls"} and not parameter.name.startswith("_"):
            parts = [plain_type(parameter.annotation), *_default(parameter.default)]
            description = ", ".join(filter(None, parts))
            yield f":param {parameter.name}: {description.replace(' or None, optional', ', optional')}"
    if signature and not isinstance(function, type) and (returned := plain_type(signature.return_annotation)):
        yield f":returns: {returned}"


def _unpacked(parameter: inspect.Parameter) -> Iterator[str]:
    """Keywords that are typed by a dictionary of them."""
    for keywords in get_args(parameter.annotation):
        names = ", ".join(f"``{name}``" for name in getattr(keywords, "__annotations__", ()))
        yield f":param {parameter.name}: as in ``read_labels``: {names}"


def plain_type(annotation: object) -> str:
    """A type as one would say it; nothing for any type, which the text explains.

    >>> from collections.abc import Mapping, Sequence
    >>> plain_type(Sequence[str] | None), plain_type(Mapping[str, int]), plain_type(tuple[int, int]), plain_type(Any)
    ('list of str or None', 'dict of str to int', 'tuple of int, int', '')
    """
    if annotation in (Any, inspect.Parameter.empty):
        return ""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return _join_choices([f"``{value!r}``" for value in inner])
    if origin in (Union, types.UnionType):
        return _join_choices([plain_type(one) for one in inner])
    if isinstance(origin, type):
        return _container(origin, [plain_type(one) for one in inner if one is not Ellipsis])
    if annotation is type(None):
        return "None"
    return getattr(annotation, "__name__", str(annotation))


def _container(origin: type, inside: list[str]) -> str:
    if not all(inside) or not inside:
        return "dict" if issubclass(origin, AbstractMapping) else "list"
    if issubclass(origin, AbstractMapping):
        return f"dict of {' to '.join(inside)}"
    if origin is tuple and len(inside) > 1:
        return f"tuple of {', '.join(inside)}"
    return f"{'function' if origin is Callable else 'list'} of {', '.join(inside)}"


def _join_choices(choices: list[str]) -> str:
    names = [choice for choice in dict.fromkeys(choices) if choice]
    return " or ".join(names if len(names) < 3 else [", ".join(names[:-1]), names[-1]])


def _default(value: object) -> Iterator[str]:
    if value is None:
        yield "optional"
    elif value is not inspect.Parameter.empty:
        yield "default none" if value == () else f"default ``{value!r}``"


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    for eval_str in (True, False):
        try:
            return inspect.signature(function, eval_str=eval_str)
        except (NameError, TypeError, ValueError):
            continue
    return None
