"""Questions that were written in a form, as the questions file that a campaign keeps."""

from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w

from concurrence.core.errors import InvalidInputError


def questions_file(
    questions: Sequence[Mapping[str, Any]], *, comments: bool = False, training: float | None = None
) -> str:
    r"""The TOML of some questions; what is wrong with them is said by who reads it.

    >>> print(questions_file([{"id": "same", "note": True, "choices": ["yes", {"id": "no", "key": "n"}]}]))
    [[question]]
    id = "same"
    note = true
    choices = [
        "yes",
        { id = "no", key = "n" },
    ]
    <BLANKLINE>

    With ``comments``, people may comment on items; ``training`` is the share of known answers to get right.

    >>> print(questions_file([], comments=True, training=0.8))
    comments = true
    <BLANKLINE>
    [training]
    pass = 0.8
    <BLANKLINE>
    """
    tables: dict[str, Any] = {"comments": True} if comments else {}
    if training is not None:
        tables["training"] = {"pass": float(training)}
    if questions:
        tables["question"] = questions
    try:
        return tomli_w.dumps(tables)
    except TypeError as error:
        raise InvalidInputError(
            "A field of a question is a text, a whole number, yes or no, or a list of those."
        ) from error
