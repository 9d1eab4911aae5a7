"""Options of a command from the fields of a room's option type, so that each stands in one place."""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any

import click

from concurrence.cli.lists import COLUMNS, NAMES, NUMBERS, SHARES, SIZES, WHOLE_NUMBERS, Named, numbers_by_name
from concurrence.cli.options import CoefficientOption, ShareType

Decorator = Callable[[Any], Any]


KINDS: dict[str, dict[str, Any]] = {
    "level": {"type": click.FloatRange(0, 1, min_open=True, max_open=True)},
    "number": {"type": float},
    "draws": {"type": click.IntRange(min=0)},
    "counts": {"type": WHOLE_NUMBERS},
    "text": {},
    "list of numbers": {"type": NUMBERS},
    "names": {"type": NAMES, "metavar": "A,B"},
    "columns": {"type": COLUMNS, "metavar": "NAMES"},
    "sizes": {"type": SIZES, "metavar": "SIZES"},
    "share": {"type": ShareType(), "metavar": "SHARE"},
    "shares": {"type": SHARES, "metavar": "SHARES"},
    "column": {"metavar": "COLUMN"},
    "coefficient": {"cls": CoefficientOption, "metavar": "NAME"},
    "numbers": {"type": Named(), "multiple": True, "metavar": "NAME=VALUE", "callback": numbers_by_name},
    "flag": {"is_flag": True},
    "off": {"is_flag": True, "flag_value": False},
}
"""How a kind of value is written; a field names its ``kind``."""


def field_options(kind: type[Any], first: str, last: str | None = None, **settings: Any) -> tuple[Decorator, ...]:
    """The options for the fields of a type from one to another, in the order of the type.

    The ``metadata`` of a field may hold ``flags`` (the names of its option), the ``kind`` of its value, ``choices``,
    ``cli_default`` (a default that only the command line has), the ``least`` count, and whatever else ``click.option``
    takes; so may ``settings``. A field that has no help has no option.
    """
    entries = [entry for entry in fields(kind) if "help" in entry.metadata]
    names = [entry.name for entry in entries]
    selection = entries[names.index(first) : names.index(last or first) + 1]
    return tuple(_option(entry, settings) for entry in selection)


def _option(entry: "Field[Any]", extra: dict[str, Any]) -> Decorator:
    more = {**entry.metadata, **extra}
    choices, default = more.pop("choices"), more.pop("cli_default", entry.default)
    flags = more.pop("flags", ("--" + entry.name.replace("_", "-"),))
    least, _ = more.pop("least", 1), more.pop("what")
    kind = more.pop("kind", "flag" if isinstance(entry.default, bool) else "column")
    settings = {"type": click.IntRange(min=least)} if kind == "count" else KINDS[kind]
    if choices:
        settings = {"type": click.Choice(choices)}
    if isinstance(default, tuple) and default:
        default = ",".join(map(str, default))
    if default is True:
        settings = {**settings, "default": True}
    elif default is not None and default is not MISSING and not settings.keys() & {"is_flag", "multiple"}:
        settings = {**settings, "default": default, "show_default": bool(default)}
    return click.option(*flags, entry.name, **{**settings, **more})
