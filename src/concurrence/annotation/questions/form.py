"""Questions that were written in a form, as the questions file that a campaign keeps."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from concurrence.core.errors import InvalidInputError


def questions_file(
    questions: Sequence[Mapping[str, Any]], *, comments: bool = False, training: float | None = None
) -> str:
    r"""The TOML of some questions; what is wrong with them is said by who reads it.

    >>> print(questions_file([{"id": "same", "choices": ["yes", {"id": "no", "key": "n"}]}]))
    [[question]]
    "id" = "same"
    "choices" = ["yes", {"id" = "no", "key" = "n"}]
    <BLANKLINE>

    With ``comments``, people may comment on items; ``training`` is the share of known answers to get right.

    >>> print(questions_file([], comments=True, training=0.8))
    comments = true
    [training]
    "pass" = 0.8
    <BLANKLINE>
    """
    head = "comments = true\n" if comments else ""
    if training is not None:
        head += f'[training]\n"pass" = {float(training)}\n'
    return head + "\n".join(_table(question) for question in questions)


def _table(question: Mapping[str, Any]) -> str:
    return "".join(("[[question]]\n", *(f"{_value(name)} = {_value(value)}\n" for name, value in question.items())))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # A JSON string is a TOML string, but for the one control character that JSON lets stand.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)} = {_value(entry)}" for name, entry in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise InvalidInputError("A field of a question is a text, a whole number, yes or no, or a list of those.")
