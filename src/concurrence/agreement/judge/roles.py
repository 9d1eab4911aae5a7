"""Who counts as what where judges are compared with people."""

from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.core import InvalidInputError, Labels, UndefinedError, UnknownNameError
from concurrence.core.coder_kinds import HUMAN, MODEL, find_machines, format_machines
from concurrence.core.errors import option_or_keyword
from concurrence.core.sentences import Sentence, join_words
from concurrence.core.values import value

MOST_NAMES = 12


@value
class CoderRole:
    """What a coder is (``kind``: human, model or scorer), and its role: human, judge, before, or none (left out)."""

    kind: str
    role: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The coders by their roles.

    ``humans_named`` tells whether the people were named; otherwise they are the coders that are neither judge nor its
    earlier run nor known to be a machine.
    """

    judges: tuple[str, ...]
    before: str | None
    humans: tuple[str, ...]
    left_out: tuple[str, ...]
    humans_named: bool

    def select_labels(self, labels: Labels) -> Labels:
        """The labels of all that have a role, as if nobody else had given any."""
        return self.labels_beside(labels, *self.judges).with_used_categories() if self.left_out else labels

    def labels_beside(self, labels: Labels, *judges: str) -> Labels:
        """The labels of these judges, the earlier run and the humans, in their order."""
        names = {*judges, *self.humans, self.before}
        return labels.select_coders([coder for coder in labels.coders if coder in names])


def roles_of(labels: Labels, judges: Sequence[str], before: str | None, humans: Sequence[str] | None) -> Roles:
    """Who is a judge, who a human and who neither; a human is nobody's judge."""
    if labels.anonymous:
        raise InvalidInputError("These labels are counts without coders, so no coder can be the judge.")
    if len(set(judges)) < len(judges):
        raise InvalidInputError("A judge is named twice.")
    for name in (*judges, *(() if before is None else (before,))):
        labels.coder_index(name)
    tested = {*judges, before}
    if humans is None:
        machines = set(find_machines(labels.coders, labels.kinds))
        people = tuple(coder for coder in labels.coders if coder not in tested | machines)
    else:
        people = _check_humans(labels, humans, tested)
    left_out = tuple(coder for coder in labels.coders if coder not in tested and coder not in people)
    if left_out and not people:
        option = option_or_keyword(f"--humans {','.join(left_out)}", f"humans={list(left_out)}")
        no_people = "are not people" if len(left_out) > 1 else "is not a person"
        raise UndefinedError(
            f"No human is left to compare the judge with: {format_machines(left_out, labels.kinds)} {no_people}. Add "
            f"the labels of people, or name those who are, as in {option}."
        )
    return Roles(judges=tuple(judges), before=before, humans=people, left_out=left_out, humans_named=humans is not None)


def _check_humans(labels: Labels, humans: Sequence[str], tested: set[str | None]) -> tuple[str, ...]:
    for name in humans:
        if name not in labels.coders:
            raise UnknownNameError("coder", name, labels.coders)
        if name in tested:
            raise InvalidInputError(f"{name!r} is judged and cannot be one of the humans it is compared with.")
    return tuple(dict.fromkeys(humans))


def coder_roles(labels: Labels, roles: Roles) -> dict[str, CoderRole]:
    """Every coder with what it is and what it was taken for."""
    names = {
        **dict.fromkeys(roles.humans, "human"),
        **dict.fromkeys(roles.judges, "judge"),
        **({} if roles.before is None else {roles.before: "before"}),
    }
    return {coder: CoderRole(kind=_kind(coder, labels, roles), role=names.get(coder)) for coder in labels.coders}


def _kind(coder: str, labels: Labels, roles: Roles) -> str:
    """What a coder is: as the user or the source says; one who counts as no human is a model otherwise."""
    return HUMAN if coder in roles.humans else labels.kinds.get(coder, MODEL)


def role_sentences(labels: Labels, roles: Roles) -> tuple[Sentence, ...]:
    """Who counts as human, and who is left out, as a warning where that was not asked for."""
    kinds = {coder: _kind(coder, labels, roles) for coder in roles.left_out}
    several, many = len(roles.left_out) > 1, len(roles.humans) > 1
    names = [*roles.humans[:MOST_NAMES]]
    names += [f"{len(roles.humans) - MOST_NAMES:,} more"] if len(roles.humans) > MOST_NAMES else []
    text = f"{join_words(names)} {'count' if many else 'counts'} as human{'s' if many else ''}."
    if not roles.left_out:
        return (Sentence(code="humans", text=text),)
    machines = format_machines(roles.left_out, kinds)
    if roles.humans_named:
        return (Sentence(code="humans", text=f"{text} {machines} {'are' if several else 'is'} left out."),)
    option = option_or_keyword("--humans", "humans=")
    reason = "were left out, since they are not people" if several else "was left out, since it is not a person"
    warning = Sentence(code="machines_left_out", text=f"{machines} {reason}; {option} names the people.", warning=True)
    return (Sentence(code="humans", text=text), warning)
