"""The types of questions: what their tables may say, what is an answer, and which follow-ups an answer calls for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.annotation.questions.types.preference import order_of
from concurrence.annotation.questions.types.row import SeenItem
from concurrence.core.errors import InvalidInputError


def asked(fields, name="q"):
    return parse_questions(f'[[question]]\nid = "{name}"\n{fields}')[name]


SET = 'type = "choices"\nchoices = ["a", "b", "c"]'


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (f"{SET}\nleast = 0", "least must be a whole number from 1 to 36"),
        (f"{SET}\nleast = 3\nmost = 2", "do not fit a list of 3 choices"),
        (f"{SET}\nmost = 4", "do not fit a list of 3 choices"),
        ('type = "choices"', "2 to 36 choices"),
        ('type = "scale"\nfrom = 1\nto = 1', "2 to 36 points"),
        ('type = "scale"\nfrom = 0\nto = 99', "2 to 36 points"),
        ('type = "scale"\nfrom = "1"', "from must be a whole number"),
        ('type = "scale"\nlevel = "ratio"', "must be 'ordinal' or 'interval'"),
        ('type = "scale"\nlow = ""', "low must be a string"),
        ('type = "text"\nlongest = 0', "longest must be a whole number from 1 to 10000"),
        ('type = "text"\nchoices = ["a", "b"]', "no field of a question"),
    ],
)
def test_a_wrong_table_is_refused_with_the_rule(fields, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        asked(fields)


def test_a_set_holds_each_choice_once_and_as_many_as_allowed():
    question = asked(f"{SET}\nmost = 2")
    assert question.objection("c|a") is None
    assert "'d' is not one of the choices" in question.objection("a|d")
    assert "names each choice once" in question.objection("a|a")
    assert "names each choice once" in question.objection("a|")
    assert "takes 1 to 2 of its choices, not 3" in question.objection("a|b|c")
    assert question.offered == ()
    assert question.measured.sets


@given(st.permutations(["a", "b", "c"]), st.integers(1, 3))
def test_the_order_of_a_set_means_nothing(members, size):
    chosen = members[:size]
    assert asked(SET).label("|".join(chosen)) == "|".join(sorted(chosen))


def test_follow_ups_wait_for_a_member_of_a_set():
    questions = parse_questions(f'[[question]]\nid="q"\n{SET}\n[[question]]\nid="more"\ntype="text"\nwhen="q=a|b"')
    assert questions.applies("more", {"q": "c|b"})
    assert not questions.applies("more", {"q": "c"})
    assert not questions.applies("more", {})
    with pytest.raises(InvalidInputError, match="no choice of question 'q' named 'd'"):
        parse_questions(f'[[question]]\nid="q"\n{SET}\n[[question]]\nid="more"\ntype="text"\nwhen="q=d"')


@pytest.mark.parametrize(
    ("ends", "keys"),
    [
        ((1, 7), "1234567"),
        ((0, 10), "0123456789a"),
        ((-2, 2), "12345"),
    ],
)
def test_points_that_are_digits_have_their_own_keys(ends, keys):
    question = asked(f'type = "scale"\nfrom = {ends[0]}\nto = {ends[1]}')
    assert "".join(choice.key for choice in question.choices) == keys
    assert question.answers == tuple(str(point) for point in range(ends[0], ends[1] + 1))


def test_a_scale_is_measured_on_its_level():
    assert asked('type = "scale"').measured.scale == "ordinal"
    assert asked('type = "scale"\nlevel = "interval"').measured.scale == "interval"


def test_words_are_neither_empty_nor_too_long():
    question = asked('type = "text"\nlongest = 5')
    assert question.objection("12345") is None
    assert "must not be empty" in question.objection(" \n")
    assert "at most 5 characters, not 6" in question.objection("123456")
    assert question.label(" so ") == "so"
    assert question.measured.command is None


SPAN = 'type = "span"\nlabels = ["PER", "LOC"]'


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("PER", "reads"),
        ("{}", "reads"),
        ("[[1,2]]", "reads"),
        ('[[2,2,"PER"]]', "reads"),
        ('[[-1,2,"PER"]]', "reads"),
        ('[[true,2,"PER"]]', "reads"),
        ('[[1.0,2,"PER"]]', "reads"),
        ('[[1,2,"ORG"]]', "'ORG' is not one of the labels"),
        ('[[0,4,"PER"],[3,5,"PER"]]', "'PER' overlap at 3"),
        ('[[0,9,"PER"],[3,5,"LOC"]]', "must not overlap"),
    ],
)
def test_what_is_no_stretch_is_refused(answer, sentence):
    assert sentence in asked(SPAN).objection(answer)


def test_stretches_touch_and_overlap_where_they_may():
    assert asked(SPAN).objection('[[4,6,"PER"],[0,4,"PER"]]') is None
    assert asked(SPAN).objection("[]") is None
    assert asked(f"{SPAN}\noverlap = true").objection('[[0,9,"PER"],[3,5,"LOC"]]') is None
    assert asked(SPAN).label('[[4, 6, "PER"], [0, 4, "LOC"]]') == '[[0,4,"LOC"],[4,6,"PER"]]'
    assert asked(SPAN).meets('[[0,4,"LOC"]]', ["LOC"])
    assert not asked(SPAN).meets("[]", ["LOC"])


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ('type = "span"\nlabels = []', "1 to 36 labels"),
        (f"{SPAN}\noverlap = 1", "overlap must be true or false"),
        ('type = "preference"\ncolumns = ["a"]', "columns must name two columns"),
        ('type = "preference"\ncolumns = ["a", "a"]', "columns must name two columns"),
        ('type = "preference"\nties = "no"', "ties must be true or false"),
    ],
)
def test_a_wrong_table_of_the_later_types_is_refused(fields, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        asked(fields)


def test_ties_are_answers_unless_the_question_forbids_them():
    assert asked('type = "preference"').answers == ("a", "b", "tie")
    assert "not one of the choices" in asked('type = "preference"\nties = false').objection("tie")


def test_the_first_side_is_drawn_evenly_and_never_changes():
    question = asked('type = "preference"')

    def first(item, coder="anna", seed=0):
        seen = SeenItem(item=item, text="", columns={}, coder=coder, round="main", repeat=False, seed=seed)
        return order_of(question, seen)[0]

    items = [str(n) for n in range(1000)]
    drawn = [first(item) for item in items]
    assert 400 < drawn.count("a") < 600
    assert drawn == [first(item) for item in items]
    assert drawn != [first(item, "ben") for item in items]
    assert drawn != [first(item, seed=1) for item in items]
