"""Names of campaigns, rounds and people: what they may hold, and when two of them look alike."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from concurrence.core.errors import InvalidInputError

NAME = re.compile(r"[^\x00-\x1f\x7f/|,=]{1,100}")
RESERVED = ("majority", "adjudicated")
JOINERS = "\u200c\u200d"  # which some scripts need inside of words
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def look(name: str) -> str:
    """What two names share that cannot be told apart on a page.

    >>> look("Jose\\u0301") == look("Jos\\u00e9"), look("a\\u200cb") == look("ab"), look("anna") == look("Anna")
    (True, True, False)
    """
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", name) if letter not in JOINERS)
    return " ".join(letters.split())


def check_name(name: str) -> None:
    """Refuse a name that is empty, too long, or holds marks that other places need or that nobody can see."""
    if not NAME.fullmatch(name) or name != name.strip():
        raise InvalidInputError(f"The name {name!r} must have 1 to 100 characters and must not contain / | , or =.")
    unseen = next((letter for letter in name if unicodedata.category(letter) in UNSEEN and letter not in JOINERS), None)
    if unseen is not None:
        raise InvalidInputError(
            f"The name {name!a} contains the invisible character U+{ord(unseen):04X}; write it without."
        )
    if not look(name):
        raise InvalidInputError(f"The name {name!a} has no visible character.")


def check_new(kind: str, name: str, names: Iterable[str]) -> None:
    """Refuse a name that looks like one that is there."""
    for other in names:
        if other == name:
            raise InvalidInputError(f"The {kind} {name!r} already exists; choose another name.")
        if look(other) == look(name):
            raise InvalidInputError(
                f"The {kind} name {name!r} looks like {other!r}, which already exists; choose another name."
            )


def check_people(people: Sequence[str]) -> None:
    """Refuse names of people that cannot be told apart, or that exports use as words of their own."""
    seen: dict[str, str] = {}
    for name in people:
        check_name(name)
        if name in seen.values():
            raise InvalidInputError(f"Two people in the campaign are named {name!r}.")
        if look(name) in seen:
            raise InvalidInputError(f"Two people in the campaign have names that look alike: {name!r}.")
        if look(name) in RESERVED:
            raise InvalidInputError(f"A coder cannot be named {name!r}; exports use that word.")
        seen[look(name)] = name


def find_name(name: str, names: Sequence[str]) -> str | None:
    """The name that is meant: the same, or the only one that looks like it."""
    if name in names:
        return name
    alike = [other for other in names if look(other) == look(name)]
    return alike[0] if len(alike) == 1 else None
