"""The questions of a campaign: choices with keys, follow-ups with a condition, forced choice.

A questions file is TOML::

    [[question]]
    id = "collocation"
    text = "Is this a collocation?"
    rule = "what-is-a-collocation"        # heading in the manual to open beside it (optional)
    note = true                           # a free note may be added (optional)
    choices = [
      { id = "yes", text = "Collocation", key = "y" },
      { id = "no", text = "No collocation", key = "n" },
    ]

    [[question]]
    id = "kind"
    text = "Which kind?"
    when = "collocation=yes"              # asked only then; "collocation=yes|maybe" for several
    choices = ["support verb", "figurative"]   # plain names get the keys 1, 2, ...

A key is a letter or a digit, meant as the physical key that carries it on a US keyboard. There is no skip:
an item is done when every question that applies has an answer; "unsure" is a flag beside a decision.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from concurrence.core.errors import InvalidInputError, UnknownNameError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
MOST_CHOICES = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer a coder can give, and the key that gives it."""

    id: str
    text: str
    key: str

    @property
    def code(self) -> str:
        """The physical key as browsers name it, the same on every keyboard layout."""
        return f"Digit{self.key}" if self.key.isdigit() else f"Key{self.key.upper()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; a follow-up names the earlier question and the answers that call for it."""

    id: str
    text: str
    choices: tuple[Choice, ...]
    parent: str | None = None
    parent_answers: tuple[str, ...] = ()
    note: bool = False
    rule: str | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """The ids of the choices, in their order: the declared categories of this question."""
        return tuple(choice.id for choice in self.choices)


class Event(Protocol):
    """What the rules need to know of a decision: its question and its answer, ``None`` where it was undone."""

    @property
    def question(self) -> str:
        """Which question it answers."""
        ...

    @property
    def answer(self) -> str | None:
        """The choice, or nothing where a decision was taken back."""
        ...


E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Questionnaire:
    """All questions of a campaign in the order they are asked, and the rules that bind them."""

    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        if not self.questions:
            raise InvalidInputError("A campaign needs at least one question: write a [[question]] with id and choices.")
        seen: dict[str, Question] = {}
        for question in self.questions:
            if question.id in seen:
                raise InvalidInputError(f"Two questions have the id {question.id!r}.")
            _check_condition(question, seen)
            seen[question.id] = question

    def __getitem__(self, name: str) -> Question:
        for question in self.questions:
            if question.id == name:
                return question
        raise UnknownNameError("question", name, [question.id for question in self.questions])

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids in order."""
        return tuple(question.id for question in self.questions)

    @property
    def has_follow_ups(self) -> bool:
        """Whether any question hangs on another."""
        return any(question.parent is not None for question in self.questions)

    def applies(self, name: str, answers: dict[str, str]) -> bool:
        """Whether a question is to be asked, given the answers that stand."""
        question = self[name]
        return question.parent is None or answers.get(question.parent) in question.parent_answers

    def standing(self, events: Iterable[E]) -> dict[str, E]:
        """What stands after these events of one coder on one item, oldest first.

        A changed answer takes the answers to its follow-ups with it, since they were given to another case.
        """
        now: dict[str, E] = {}
        for event in events:
            if not self.applies(event.question, _answers(now)):
                continue
            before = now.pop(event.question, None)
            if event.answer is not None:
                now[event.question] = event
            if before is None or before.answer != event.answer:
                for follower in self.followers(event.question):
                    now.pop(follower, None)
        return now

    def followers(self, name: str) -> list[str]:
        """The questions that hang on this one, directly or not."""
        found = [name]
        for question in self.questions:
            if question.parent in found:
                found.append(question.id)
        return found[1:]

    def complete(self, answers: dict[str, str]) -> bool:
        """Whether every question that applies has its answer."""
        return all(name in answers or not self.applies(name, answers) for name in self.ids)

    def path_label(self, answers: dict[str, str], name: str) -> str | None:
        """The combined label of a question and its parents, such as ``no`` or ``yes/figurative``; none if open."""
        chain = self.chain(name)
        given = [answers[step] for step in chain if step in answers]
        open_ = any(step not in answers and self.applies(step, answers) for step in chain)
        return None if open_ or not given else "/".join(given)

    def path_labels(self, name: str) -> tuple[str, ...]:
        """All combined labels a question and its parents can have, in order."""
        first, *rest = self.chain(name)
        paths: list[dict[str, str]] = [{first: answer} for answer in self[first].answers]
        for step in rest:
            paths = [
                longer
                for path in paths
                for longer in (
                    [{**path, step: answer} for answer in self[step].answers] if self.applies(step, path) else [path]
                )
            ]
        return tuple(dict.fromkeys("/".join(path.values()) for path in paths))

    def chain(self, name: str) -> list[str]:
        """A question's parents from the first, and itself."""
        question = self[name]
        return [*(self.chain(question.parent) if question.parent else []), name]


def _answers(now: dict[str, Any]) -> dict[str, str]:
    return {name: event.answer for name, event in now.items()}


def _check_condition(question: Question, earlier: dict[str, Question]) -> None:
    if question.parent is None:
        return
    if question.parent not in earlier:
        raise InvalidInputError(
            f"Question {question.id!r} hangs on {question.parent!r}, which is not an earlier question."
        )
    for answer in question.parent_answers:
        if answer not in earlier[question.parent].answers:
            raise UnknownNameError(f"choice of question {question.parent!r}", answer, earlier[question.parent].answers)


def parse_questions(text: str, *, where: str = "the questions file") -> Questionnaire:
    r"""Read a questions file; the module's text shows its form.

    >>> parse_questions('[[question]]\nid="same"\nchoices=["yes", "no"]')["same"].answers
    ('yes', 'no')
    """
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{where} is not valid TOML: {error}.") from error
    if unknown := set(whole) - {"question"}:
        raise UnknownNameError(f"table of {where}", min(unknown), ["question"])
    tables = whole.get("question", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidInputError(f"{where}: questions are written as [[question]] tables, with double brackets.")
    return Questionnaire(questions=tuple(_question(table, where) for table in tables))


FIELDS = ("id", "text", "choices", "when", "note", "rule")


def _question(table: dict[str, Any], where: str) -> Question:
    for name in table:
        if name not in FIELDS:
            raise UnknownNameError(f"field of a question in {where}", name, FIELDS)
    name = _text(table, "id", where)
    if not NAME.fullmatch(name):
        raise InvalidInputError(f"{where}: the id {name!r} must be a letter followed by letters, digits, _ or -.")
    parent, answers = _condition(table.get("when"), name)
    return Question(
        id=name,
        text=_text(table, "text", where) if "text" in table else name,
        choices=_choices(table.get("choices"), name),
        parent=parent,
        parent_answers=answers,
        note=_flag(table, "note", name),
        rule=_text(table, "rule", where) if "rule" in table else None,
    )


def _text(table: dict[str, Any], field: str, where: str) -> str:
    value = table.get(field)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f'{where}: every question needs {field} = "…", a text that is not empty.')
    return value


def _flag(table: dict[str, Any], field: str, name: str) -> bool:
    value = table.get(field, False)
    if not isinstance(value, bool):
        raise InvalidInputError(f"Question {name!r}: {field} must be true or false.")
    return value


def _condition(when: Any, name: str) -> tuple[str | None, tuple[str, ...]]:
    if when is None:
        return None, ()
    parent, mark, answers = when.partition("=") if isinstance(when, str) else ("", "", "")
    if not mark or not parent.strip() or not answers.strip():
        raise InvalidInputError(f'Question {name!r}: the condition must read when = "question=choice".')
    return parent.strip(), tuple(answer.strip() for answer in answers.split("|"))


def _choices(given: Any, name: str) -> tuple[Choice, ...]:
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_CHOICES:
        raise InvalidInputError(f"Question {name!r} needs a list of 2 to {MOST_CHOICES} choices.")
    choices = tuple(_choice(entry, position, name) for position, entry in enumerate(given))
    _refuse_twice("choice", [choice.id for choice in choices], name)
    _refuse_twice("key", [choice.key for choice in choices], name)
    return choices


def _choice(entry: Any, position: int, name: str) -> Choice:
    table = {"id": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or set(table) - {"id", "text", "key"}:
        raise InvalidInputError(f"Question {name!r}: a choice is a text, or a table with id, text and key.")
    label = table.get("id")
    if not isinstance(label, str) or not label.strip() or len(label) > 200 or "|" in label:
        raise InvalidInputError(f"Question {name!r}: a choice needs an id that is a short text without '|'.")
    key = table.get("key", "123456789abcdefghijklmnopqrstuvwxyz0"[position])
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9]", key):
        raise InvalidInputError(f"Question {name!r}, choice {label!r}: the key must be one letter a-z or digit.")
    return Choice(id=label, text=str(table.get("text", label)), key=key.lower())


def _refuse_twice(kind: str, names: Sequence[str], question: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(f"Question {question!r}: the {kind} {name!r} is given twice.")
