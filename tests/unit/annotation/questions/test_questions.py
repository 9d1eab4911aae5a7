"""Questions: what a file may say, and the rules that bind answers."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.core.errors import InvalidInputError

TWO_STEPS = """
[[question]]
id = "collocation"
text = "Is this a collocation?"
note = true
choices = [{ id = "yes", text = "Yes", key = "y" }, { id = "no", text = "No", key = "N" }]

[[question]]
id = "kind"
when = "collocation=yes"
choices = ["support verb", "figurative"]

[[question]]
id = "strength"
when = "kind=figurative"
choices = ["weak", "strong"]
"""


@dataclass(frozen=True)
class Event:
    question: str
    answer: str | None


def test_keys_are_physical_keys_and_plain_choices_get_digits():
    questions = parse_questions(TWO_STEPS)
    assert [choice.code for choice in questions["collocation"].choices] == ["KeyY", "KeyN"]
    assert [choice.code for choice in questions["kind"].choices] == ["Digit1", "Digit2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at least one question"),
        ("[[question]]", "needs id"),
        ('[[question]]\nid="a b"\nchoices=["x","y"]', "must be a letter"),
        ('[[question]]\nid="a"\nchoices=["x"]', "2 to 36 choices"),
        ('[[question]]\nid="a"\nchoices=["x","x"]', "given twice"),
        ('[[question]]\nid="a"\nchoices=[{id="x",key="1"},{id="y",key="1"}]', "the key '1' is given twice"),
        ('[[question]]\nid="a"\nchoices=[{id="x",key="é"},"y"]', "a single letter a-z or digit"),
        ('[[question]]\nid="a"\nchoices=["x","y"]\nwhen="b=x"', "no earlier question"),
        ('[[question]]\nid="a"\nchoices=["x","y"]\n[[question]]\nid="b"\nchoices=["x","y"]\nwhen="a=z"', "no choice"),
        ('[[question]]\nid="a"\nchoices=["x","y"]\nwhne="a=z"', "Did you mean 'when'"),
        ('[[question]]\nid="a"\nchoices=["x","y"]\n[[question]]\nid="a"\nchoices=["x","y"]', "Two questions"),
        ('[[question]]\nid="a"\nchoices=["x","y"]\nnote="yes"', "true or false"),
        ('[question]\nid="a"', "double brackets"),
        ("question = [1]", "double brackets"),
        ("id =", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence(text, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        parse_questions(text)


def stands(*events):
    questions = parse_questions(TWO_STEPS)
    standing = questions.events_in_force([Event(question, answer) for question, answer in events])
    return {name: event.answer for name, event in standing.items()}


def test_a_changed_answer_takes_its_follow_ups_with_it():
    first = [("collocation", "yes"), ("kind", "figurative"), ("strength", "weak")]
    assert stands(*first, ("collocation", "no")) == {"collocation": "no"}
    assert stands(*first, ("collocation", "no"), ("collocation", "yes")) == {"collocation": "yes"}
    assert stands(*first, ("collocation", None)) == {}
    assert stands(*first, ("collocation", "yes")) == dict(first)
    assert stands(*first, ("kind", "support verb")) == {"collocation": "yes", "kind": "support verb"}


answers = {"collocation": ["yes", "no", None], "kind": ["support verb", "figurative", None], "strength": ["weak", None]}
events = st.lists(st.sampled_from([(q, a) for q, choices in answers.items() for a in choices]), max_size=12)


@given(events)
def test_whatever_happens_only_questions_that_apply_have_answers(history):
    questions, now = parse_questions(TWO_STEPS), stands(*history)
    assert all(questions.applies(name, now) for name in now)


def test_combined_labels_are_paths():
    questions = parse_questions(TWO_STEPS)
    assert questions.path_labels("kind") == ("yes/support verb", "yes/figurative", "no")
    assert questions.path_label({"collocation": "no"}, "kind") == "no"
    assert questions.path_label({"collocation": "yes"}, "kind") is None
    assert questions.path_label({"collocation": "yes", "kind": "figurative"}, "kind") == "yes/figurative"
