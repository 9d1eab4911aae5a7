"""Values: frozen, compared by what they hold, fit to be pickled, printed and written as JSON."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite, isnan
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

T = TypeVar("T")


def after(name: str, **options: Any) -> Any:
    """A field that stands in JSON behind an inherited one, not behind all of them."""
    return field(metadata={"after": name}, **options)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, after))
def value(cls: type[T]) -> type[T]:
    """Make a class a frozen value that equals every other one with the same content.

    Arrays and frames are compared by what they hold, and NaN equals NaN: what was pickled equals what it was. A class
    that inherits how it is printed keeps that.
    """
    own_repr = cls.__repr__ is object.__repr__
    frozen: Any = dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=own_repr)(cls)
    frozen.__eq__ = _equal
    frozen.__hash__ = None
    frozen.__dataclass_fields__ = _in_order(frozen.__dataclass_fields__)
    return frozen  # type: ignore[no-any-return]


def _in_order(entries: dict[str, Any]) -> dict[str, Any]:
    """The fields in the order of the JSON: those made by ``after`` stand behind the one they name."""
    names = [name for name, entry in entries.items() if "after" not in entry.metadata]
    for name, entry in reversed(entries.items()):
        if "after" in entry.metadata:
            names.insert(names.index(entry.metadata["after"]) + 1, name)
    return {name: entries[name] for name in names}


def _equal(self: Any, other: Any) -> bool:
    if type(self) is not type(other):
        return False
    return all(same(getattr(self, entry.name), getattr(other, entry.name)) for entry in fields(self))


def same(a: Any, b: Any) -> bool:
    """Whether two contents are the same, arrays and frames by their cells, NaN as NaN."""
    if a is b:
        return True
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(entry, b[key]) for key, entry in a.items())
    if isinstance(a, list | tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "equals"):
        return type(a) is type(b) and bool(a.equals(b))
    if hasattr(a, "dtype"):
        return type(a) is type(b) and a.shape == b.shape and same(a.tolist(), b.tolist())
    if isinstance(a, float) and isinstance(b, float) and isnan(a):
        return isnan(b)
    return bool(a == b)


PLAIN = frozenset({str, int, bool, type(None)})
"""What JSON holds as it is."""


def to_json(value: Any) -> Any:
    """A value as JSON can hold it: nothing rounded, undefined is null, infinities are words."""
    kind = type(value)
    if kind in PLAIN or (kind is float and isfinite(value)):
        return value
    if hasattr(value, "as_json"):
        return to_json(value.as_json())
    if hasattr(value, "as_list"):
        return [to_json(getattr(value, name)) for name in value.as_list]
    if (names := getattr(kind, "__dataclass_fields__", None)) is not None:
        return {name: at if type(at := getattr(value, name)) in PLAIN else to_json(at) for name in names}
    if isinstance(value, dict):
        return {str(key): to_json(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [entry if type(entry) in PLAIN else to_json(entry) for entry in value]
    if hasattr(value, "tolist"):
        # an array that holds nothing but finite numbers needs no look at each of them
        safe = value.dtype.kind in "iub" or (value.dtype.kind == "f" and bool((abs(value) < float("inf")).all()))
        return value.tolist() if safe else to_json(value.tolist())
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def from_json(kind: Any, data: Any) -> Any:
    """The value of a type from what ``plain`` made of it; a type says with ``from_json`` how, if not by its fields."""
    kind = _without_alias(kind)
    if hasattr(kind, "from_json"):
        return kind.from_json(data)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: from_json(hints[f.name], data[f.name]) for f in fields(kind) if f.name in data})  # type: ignore[operator]
    if kind is float:
        return float("nan") if data is None else float(data)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return None if data is None else from_json(_alternative(get_args(kind), data), data)
    if origin is dict:
        return {key: from_json(get_args(kind)[1], entry) for key, entry in data.items()}
    if origin is tuple:
        inner = get_args(kind)
        each = inner[:1] * len(data) if inner[-1] is ... else inner
        return tuple(map(from_json, each, data))
    return _array(data) if getattr(origin or kind, "__name__", "") == "ndarray" else data


def _without_alias(kind: Any) -> Any:
    """The type that a name made by the statement ``type`` stands for, such as NDArray from numpy 2.5 on."""
    while hasattr(alias := get_origin(kind) or kind, "__value__"):
        arguments = get_args(kind)
        kind = alias.__value__[arguments] if arguments else alias.__value__
    return kind


def _alternative(kinds: tuple[Any, ...], data: Any) -> Any:
    """The one of several types that fits: of dataclasses, the one that has all the names."""
    known: Callable[[Any], bool] = lambda kind: is_dataclass(kind) and set(data) <= {f.name for f in fields(kind)}  # noqa: E731
    shaped = [kind for kind in kinds if isinstance(data, dict) and known(kind)]
    return (shaped or [kind for kind in kinds if kind is not type(None)])[0]


def _array(data: Any) -> Any:
    import numpy as np

    array = np.array(data)
    return np.array(data, dtype=np.float64) if array.dtype == object and None in array.ravel() else array
