"""Who the coders are: people, models or scorers, as far as a source says so.

A *model* gives the labels itself; a *scorer* is a program that grades, such as a scorer of Inspect or an assertion of
promptfoo, whether or not it asks a model. A coder of whom nothing is said counts as human.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.core.values import value

HUMAN, MODEL, SCORER = KINDS = ("human", "model", "scorer")
MOST_NAMES = 6


@value
class CoderKind:
    """What a coder is: ``human``, ``model`` or ``scorer``."""

    kind: str


def coder_kinds(coders: Iterable[str], kinds: Mapping[str, str]) -> dict[str, CoderKind]:
    """The kind of every coder.

    >>> coder_kinds(["ann", "gpt"], {"gpt": "model"})["ann"].kind
    'human'
    """
    return {coder: CoderKind(kind=kinds.get(coder, HUMAN)) for coder in coders}


def find_machines(coders: Iterable[str], kinds: Mapping[str, str], named: Collection[str] = ()) -> list[str]:
    """The coders that are known to be no people, but for those that were named.

    >>> find_machines(["ann", "gpt", "match"], {"gpt": "model", "match": "scorer"}, named=["match"])
    ['gpt']
    """
    return [coder for coder in coders if kinds.get(coder, HUMAN) != HUMAN and coder not in named]


def format_machines(machines: Sequence[str], kinds: Mapping[str, str]) -> str:
    """Machines with what they are, in words.

    >>> format_machines(["gpt", "match"], {"gpt": "model", "match": "scorer"})
    'gpt (model) and match (scorer)'
    """
    names = [f"{name} ({kinds[name]})" for name in machines[:MOST_NAMES]]
    more = len(machines) - MOST_NAMES
    return join_words([*names, f"{more:,} more"] if more > 0 else names)


def machines_left_out(machines: Sequence[str], kinds: Mapping[str, str]) -> tuple[Sentence, ...]:
    """A warning that names the machines among the coders that were left out."""
    if not machines:
        return ()
    reason = (
        "was left out, since it is not a person" if len(machines) == 1 else "were left out, since they are not people"
    )
    option = option_or_keyword("--coders", "coders=")
    text = f"{format_machines(machines, kinds)} {reason}; {option} takes all the coders that it names."
    return (Sentence(code="machines_left_out", text=text, warning=True),)


def refuse_machines_alone(
    source: str, humans: Sequence[str], machines: Sequence[str], kinds: Mapping[str, str]
) -> None:
    """Refuse a source in which fewer than two coders are people."""
    if len(humans) > 1 or not machines:
        return
    names = ",".join([*humans, *machines][:MOST_NAMES])
    people = f"only one person ({humans[0]!r})" if humans else "no people"
    coders = option_or_keyword(f"--coders {names}", f"coders={[*humans, *machines][:MOST_NAMES]}")
    raise InvalidInputError(
        f"{source} has {people} and {count_noun(len(machines), 'machine')}: {format_machines(machines, kinds)}. To "
        f"compare machines, too, name all coders, as in {coders}."
    )
