"""The questions of a campaign: types with keys, follow-ups with a condition, no skipping.

A questions file is TOML::

    [[question]]
    id = "collocation"
    text = "Is this a collocation?"
    type = "choice"                       # the default
    rule = "what-is-a-collocation"        # heading in the manual to show with it (optional)
    note = true                           # coders may add a note (optional)
    choices = [
      { id = "yes", text = "Collocation", key = "y" },
      { id = "no", text = "Not a collocation", key = "n" },
    ]

    [[question]]
    id = "kind"
    text = "Which kind?"
    when = "collocation=yes"              # asked only then; "collocation=yes|maybe" for several
    choices = ["support verb", "figurative"]   # plain names get the keys 1, 2, ...

The other types are ``choices`` (several), ``scale``, ``text``, ``span`` and ``preference``; the module of each in
``questions/types`` says which fields it has. A key is a letter or a digit, meant as the key on which it is printed.
There is no skip: an item is done when every question that applies has an answer; "unsure" is a flag
beside a decision.

Before the questions, ``comments = true`` lets the leader and the coders comment on items, and a table ``[training]``
with ``round`` and ``pass`` names a round with known answers that a coder has to pass before the others open.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from concurrence.annotation.questions.table import QUESTION_TYPES, Choice, question_type
from concurrence.annotation.questions.types.row import MeasuringCommand, SeenItem
from concurrence.core.errors import InvalidInputError, UnknownNameError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; a follow-up names the earlier question and the answers that call for it."""

    id: str
    text: str
    type: str = "choice"
    choices: tuple[Choice, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    parent: str | None = None
    parent_answers: tuple[str, ...] = ()
    note: bool = False
    rule: str | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """The declared answers in their order; none where any text may be one."""
        return QUESTION_TYPES[self.type].answers(self)

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels of the declared answers in their order."""
        return tuple(dict.fromkeys(map(self.label, self.answers)))

    def label(self, answer: str) -> str:
        """What an answer is called in exports and statistics."""
        return QUESTION_TYPES[self.type].label(self, answer)

    def objection(self, answer: str) -> str | None:
        """Why a text is no answer to this question, in a sentence, or nothing."""
        return QUESTION_TYPES[self.type].objection(self, answer)

    def meets(self, answer: str | None, conditions: Sequence[str]) -> bool:
        """Whether an answer is one that a follow-up waits for."""
        return answer is not None and QUESTION_TYPES[self.type].meets(self, answer, conditions)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a follow-up can wait for, in order; none where any text may be it."""
        of_type = QUESTION_TYPES[self.type].conditions
        return self.answers if of_type is None else of_type(self)

    @property
    def offered(self) -> tuple[Choice, ...]:
        """The choices of which each is an answer."""
        return self.choices if QUESTION_TYPES[self.type].picks else ()

    def display_label(self, label: str, text: str) -> str:
        """A label for people, in view of the item's text."""
        return QUESTION_TYPES[self.type].display_label(label, text)

    @property
    def measured(self) -> MeasuringCommand:
        """Which command measures the answers, and how."""
        return QUESTION_TYPES[self.type].measured(self)

    def place(self, label: str) -> int:
        """Where a label stands among the categories; after them where it is none of them."""
        return self.categories.index(label) if label in self.categories else len(self.categories)


class Event(Protocol):
    """What the rules need to know of a decision: its question and its answer, ``None`` where it was undone."""

    @property
    def question(self) -> str: ...

    @property
    def answer(self) -> str | None: ...


E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """The round in which coders learn: ``pass_`` is the share of its items they must get right."""

    round: str = "training"
    pass_: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Questionnaire:
    """All questions of a campaign in the order they are asked, and the rules that bind them."""

    questions: tuple[Question, ...]
    comments: bool = False
    training: Training | None = None

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
        return tuple(question.id for question in self.questions)

    @property
    def has_follow_ups(self) -> bool:
        return any(question.parent is not None for question in self.questions)

    @property
    def needs_text(self) -> bool:
        """Whether a question that is asked of every item is about the item's own text."""
        return any(one.parent is None and not QUESTION_TYPES[one.type].brings_texts for one in self.questions)

    def check_item(self, item: str, columns: Mapping[str, str]) -> None:
        """Refuse an item that lacks a column which a question needs."""
        for question in self.questions:
            for name in QUESTION_TYPES[question.type].needed(question):
                if not columns.get(name):
                    raise InvalidInputError(
                        f"Item {item!r} has nothing in the column {name!r}, which the question {question.id!r} needs."
                    )
        if self.training is not None:
            self.expected(item, columns)

    def expected(self, item: str, columns: Mapping[str, str]) -> dict[str, str]:
        """The known answers of an item, by question, as labels: the columns ``expected`` and ``expected_QUESTION``."""
        labels = {}
        for place, question in enumerate(self.questions):
            answer = columns.get(f"expected_{question.id}") or (columns.get("expected") if place == 0 else None)
            if not answer:
                continue
            if sentence := question.objection(answer):
                raise InvalidInputError(f"Item {item!r}, expected answer {answer!r}: {sentence}")
            labels[question.id] = question.label(answer)
        return labels

    @property
    def shows(self) -> bool:
        """Whether a question shows more of an item than its text."""
        return any(QUESTION_TYPES[question.type].shown is not None for question in self.questions)

    def shown(self, seen: SeenItem) -> dict[str, dict[str, Any]]:
        """What the page needs of an item beside its text, by question."""
        rows = {question.id: (question, QUESTION_TYPES[question.type].shown) for question in self.questions}
        return {name: shown(question, seen) for name, (question, shown) in rows.items() if shown is not None}

    def applies(self, name: str, answers: dict[str, str]) -> bool:
        """Whether a question is to be asked, given the answers that stand."""
        question = self[name]
        if question.parent is None:
            return True
        return self[question.parent].meets(answers.get(question.parent), question.parent_answers)

    def events_in_force(self, events: Iterable[E]) -> dict[str, E]:
        """What is in force after these events of one coder on one item, oldest first.

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
        """The questions that depend on this one, directly or not."""
        names = [name]
        for question in self.questions:
            if question.parent in names:
                names.append(question.id)
        return names[1:]

    def complete(self, answers: dict[str, str]) -> bool:
        return all(name in answers or not self.applies(name, answers) for name in self.ids)

    def path_label(self, answers: dict[str, str], name: str) -> str | None:
        """The combined label of a question and its parents, such as ``no`` or ``yes/figurative``; none if open."""
        chain = self.chain(name)
        labels = [self[step].label(answers[step]) for step in chain if step in answers]
        open_ = any(step not in answers and self.applies(step, answers) for step in chain)
        return None if open_ or not labels else "/".join(labels)

    def path_labels(self, name: str) -> tuple[str, ...]:
        """All combined labels a question and its parents can have, in order; none where they are not declared."""
        if not all(self[step].answers for step in self.chain(name)):
            return ()
        paths: list[dict[str, str]] = [{}]
        for step in self.chain(name):
            paths = [
                longer
                for path in paths
                for longer in (
                    [{**path, step: answer} for answer in self[step].answers] if self.applies(step, path) else [path]
                )
            ]
        return tuple(dict.fromkeys("/".join(self[step].label(path[step]) for step in path) for path in paths))

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
            f"Question {question.id!r} depends on {question.parent!r}, but no earlier question has that id."
        )
    parent = earlier[question.parent]
    for answer in question.parent_answers:
        if parent.conditions:
            if answer not in parent.conditions:
                raise UnknownNameError(f"choice of question {parent.id!r} named", answer, parent.conditions)
        elif sentence := parent.objection(answer):
            raise InvalidInputError(f"Question {question.id!r} is asked after {parent.id}={answer}. {sentence}")


def parse_questions(text: str, *, where: str = "the questions file") -> Questionnaire:
    r"""Read a questions file; the module's text shows its form.

    >>> parse_questions('[[question]]\nid="same"\nchoices=["yes", "no"]')["same"].answers
    ('yes', 'no')
    """
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{where} is not valid TOML: {error}.") from error
    if unknown := set(whole) - {"question", "comments", "training"}:
        raise UnknownNameError(f"table of {where}", min(unknown), ["question", "comments", "training"])
    tables = whole.get("question", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidInputError(f"{where}: questions are written as [[question]] tables, with double brackets.")
    comments = whole.get("comments", False)
    if not isinstance(comments, bool):
        raise InvalidInputError(f"{where}: comments must be true or false.")
    return Questionnaire(
        questions=tuple(_question(table, where) for table in tables),
        comments=comments,
        training=_training(whole.get("training"), where),
    )


def _training(table: Any, where: str) -> Training | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InvalidInputError(f'{where}: training is a table, as in [training] with round = "training".')
    if unknown := set(table) - {"round", "pass"}:
        raise UnknownNameError(f"field of [training] in {where}", min(unknown), ["round", "pass"])
    name, share = table.get("round", Training().round), table.get("pass", Training().pass_)
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(f"{where}: the round of [training] must be a string that is not empty.")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InvalidInputError(f"{where}: pass of [training] must be a share between 0 and 1, such as 0.8.")
    return Training(round=name, pass_=float(share))


FIELDS = ("id", "type", "text", "when", "note", "rule")


def _question(table: dict[str, Any], where: str) -> Question:
    name = _text(table, "id", where)
    kind = question_type(table.get("type", "choice"), name)
    for field_name in table:
        if field_name not in (*FIELDS, *kind.fields):
            raise UnknownNameError(f"field of a question in {where}", field_name, (*FIELDS, *kind.fields))
    if not NAME.fullmatch(name):
        raise InvalidInputError(f"{where}: the id {name!r} must be a letter followed by letters, digits, _ or -.")
    parent, answers = _condition(table.get("when"), name)
    return Question(
        id=name,
        text=_text(table, "text", where) if "text" in table else name,
        type=kind.name,
        choices=kind.choices(table, name),
        settings=kind.settings(table, name),
        parent=parent,
        parent_answers=answers,
        note=_note(table, name),
        rule=_text(table, "rule", where) if "rule" in table else None,
    )


def _text(table: dict[str, Any], name: str, where: str) -> str:
    value = table.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f'{where}: every question needs {name} = "…", a string that is not empty.')
    return value


def _note(table: dict[str, Any], question: str) -> bool:
    value = table.get("note", False)
    if not isinstance(value, bool):
        raise InvalidInputError(f"Question {question!r}: note must be true or false.")
    return value


def _condition(when: Any, name: str) -> tuple[str | None, tuple[str, ...]]:
    if when is None:
        return None, ()
    parent, equals, answers = when.partition("=") if isinstance(when, str) else ("", "", "")
    if not equals or not parent.strip() or not answers.strip():
        raise InvalidInputError(f'Question {name!r}: the condition must read when = "question=choice".')
    return parent.strip(), tuple(answer.strip() for answer in answers.split("|"))
