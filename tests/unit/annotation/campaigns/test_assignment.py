"""Who judges what, in which order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.annotation.campaigns import items as items_module
from concurrence.annotation.campaigns.assignment import deal, put_in_order
from concurrence.annotation.campaigns.campaign import SAME_SENTENCE
from concurrence.annotation.campaigns.item_rows import item_rows
from concurrence.annotation.campaigns.items import Item, add_columns, context_lines, make_display, make_items
from concurrence.annotation.campaigns.names import check_name, check_new, check_people, find_name
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.core.errors import InvalidInputError


def items(*parts):
    return [Item(key=str(n), part=part) for n, part in enumerate(parts)]


def test_parts_go_to_their_coders_and_the_overlap_to_all():
    assert deal(items("all", "1", "2", "1"), ["anna", "ben"]) == {"anna": [0, 1, 3], "ben": [0, 2]}


def test_without_parts_everybody_judges_everything():
    assert deal(items("all", "all"), ["anna", "ben", "cleo"]) == {coder: [0, 1] for coder in ("anna", "ben", "cleo")}


def test_ten_parts_are_numbered_not_spelled():
    ten = [str(n) for n in range(1, 11)]
    dealt = deal(items(*ten), [f"c{n}" for n in range(1, 11)])
    assert [dealt[f"c{n}"] for n in range(1, 11)] == [[n] for n in range(10)]


def test_more_parts_than_coders_is_refused():
    with pytest.raises(InvalidInputError, match="2 parts"):
        deal(items("1", "2"), ["anna"])


@given(st.integers(1, 60), st.integers(1, 6), st.data())
def test_each_item_goes_to_k_coders_evenly(size, n_coders, data):
    k = data.draw(st.integers(1, n_coders))
    coders = [f"c{n}" for n in range(n_coders)]
    dealt = deal(items(*["all"] * size), coders, each_item=k, seed=3)
    assert Counter(item for mine in dealt.values() for item in mine) == dict.fromkeys(range(size), k)
    loads = [len(mine) for mine in dealt.values()]
    assert max(loads) - min(loads) <= 1


def test_each_item_to_two_of_four_coders_makes_many_pairs_of_coders():
    dealt = deal(items(*["all"] * 60), list("abcd"), each_item=2)
    pairs = Counter(tuple(c for c in "abcd" if n in dealt[c]) for n in range(60))
    assert len(pairs) >= 4


@given(st.integers(0, 40), st.integers(0, 5), st.integers(0, 99))
def test_orders_hold_every_item_once_and_repeats_later(size, repeats, seed):
    if repeats > size // 2:
        with pytest.raises(InvalidInputError):
            put_in_order(range(size), seed=str(seed), repeats=repeats)
        return
    order = put_in_order(range(size), seed=str(seed), repeats=repeats)
    assert order == put_in_order(range(size), seed=str(seed), repeats=repeats)
    assert sorted(task.item for task in order if not task.repeat) == list(range(size))
    first = {task.item: place for place, task in enumerate(order) if not task.repeat}
    again = [(place, task.item) for place, task in enumerate(order) if task.repeat]
    assert len(again) == repeats
    assert all(place > first[item] for place, item in again)


def test_a_pair_shows_its_members_and_no_number():
    display = make_display(["l1", "l2", "f", "log_likelihood", "rank", "examples"])
    assert display.text == ("l1", "l2")
    assert display.contexts == ("examples",)
    assert display.facts == ()


def test_the_pair_is_marked_in_its_examples():
    display = make_display(["l1", "l2", "examples"])
    lines = context_lines({"l1": "pay", "l2": "attention", "examples": "Pay it attention! ⏎ No."}, display)
    assert [[s.text for s in line if s.mark] for line in lines] == [["Pay", "attention"], []]
    assert ["".join(s.text for s in line) for line in lines] == ["Pay it attention!", "No."]


def test_an_inflected_form_is_marked_where_the_lemma_is_not_there():
    display = make_display(["l1", "l2", "examples"])

    def marked(l1, l2, line):
        (segments,) = context_lines({"l1": l1, "l2": l2, "examples": line}, display)
        return [segment.text for segment in segments if segment.mark]

    assert marked("draw", "conclusion", "She drew two Conclusions.") == ["drew", "Conclusions"]
    assert marked("pay/V", "attention_NOUN", "He pays attention.") == ["pays", "attention"]
    assert marked("'ll", "be", "You 'll be fine, we'll be too.") == ["'ll", "be", "be"]
    assert marked("(", "or", "one ( or two )") == ["(", "or"]
    assert marked("go", "home", "They went there.") == []
    assert marked("in", "the", "in the inn the") == ["in", "the", "the"]


def test_a_text_must_be_chosen():
    """What is first in a table may be the answer: ``best_system`` of a comparison, ``gold`` of a test set."""
    for columns in (["gold", "sentence"], ["id", "label"], ["best_system", "a", "b"], ["id"]):
        with pytest.raises(InvalidInputError, match=f"--text. Their columns are: {', '.join(columns)}"):
            make_display(columns)
        assert make_display(columns, text=columns[-1:]).text == (columns[-1],)
        assert make_display(columns, needs_text=False).text == ()


def test_an_item_without_a_text_is_refused():
    display, questions = make_display(["id", "text"]), parse_questions(SAME_SENTENCE)
    items = make_items([{"id": "7", "text": "a"}, {"id": "8", "text": " "}])
    with pytest.raises(InvalidInputError, match="Item '8' has nothing in text"):
        item_rows(items, display, questions)
    assert [row.key for row in item_rows(items[:1], display, questions)] == ["7"]


def test_of_a_long_text_nothing_is_marked_in_its_context():
    words = "the word and others that are quite many since this text goes on and on until nobody would wish to read it"
    row = {"text": words, "context": f"Before that. {words}"}
    (line,) = context_lines(row, make_display(["text", "context"]))
    assert [segment.mark for segment in line] == [False]


def test_examples_come_from_the_pairs():
    source = [{"l1": "a", "l2": "b", "f": "3", "examples": "a b ⏎ b a"}]
    rows = add_columns([{"l1": "a", "l2": "b"}, {"l1": "c", "l2": "d"}], source, ["examples"], where="pairs.csv")
    assert rows == [{"l1": "a", "l2": "b", "examples": "a b ⏎ b a"}, {"l1": "c", "l2": "d", "examples": None}]
    with pytest.raises(InvalidInputError, match=r"pairs\.csv"):
        add_columns([{"l1": "a", "l2": "b"}], [{"l1": "a", "l2": "b"}], ["examples"], where="pairs.csv")


def test_items_are_named_by_their_pair_and_must_differ():
    rows = [{"l1": "a b", "l2": "c"}, {"l1": "a", "l2": "b c"}]
    assert [item.key for item in make_items(rows)] == ["a b|c", "a|b c"]
    with pytest.raises(InvalidInputError, match="twice"):
        make_items([{"l1": "a", "l2": "b"}] * 2)
    with pytest.raises(InvalidInputError, match="no items found"):
        make_items([])


def test_of_matched_sentences_only_the_close_ones_are_judged():
    row = {"left_id": "1", "right_id": "7", "word": "run", "kind": "exact", "left_text": "a", "right_text": "a"}
    made = make_items([row, row | {"left_id": "2", "kind": "close"}])
    assert [item.key for item in made] == ["2|7"]
    assert make_display(list(row)).contexts == ("left_text", "right_text")


ALIKE = [("Jos\u00e9", "Jose\u0301"), ("anna", "an\u200dna"), ("ben", "\uff42\uff45\uff4e"), ("a b", "a\u00a0b")]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_names_that_look_alike_are_refused(one, other):
    with pytest.raises(InvalidInputError, match="look alike"):
        check_people([one, other, "leader"])
    with pytest.raises(InvalidInputError, match="looks like"):
        check_new("campaign", other, ["x", one])
    check_people([one, one.upper(), "leader"])  # what can be told apart is nobody's business
    assert find_name(other, ["x", one]) == one
    assert find_name(other, [one, other]) == other


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\u2066", "\ufeff", "\u2028", "\ue000", "\u00ad"], ids=ascii)
def test_names_with_invisible_characters_are_refused(letter):
    with pytest.raises(InvalidInputError, match=f"invisible character U\\+{ord(letter):04X}"):
        check_name(f"an{letter}na")
    check_name("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")  # Persian is written with a joiner


def test_a_duplicate_among_many_items_is_found_at_once(monkeypatch):
    """Each key is counted once; a count for each key would look at 2,500,000,000 of them."""
    rows = [{"item": str(n)} for n in range(50_000)] + [{"item": "49999"}]
    counted = []
    monkeypatch.setattr(items_module, "Counter", lambda keys: counted.append(len(keys)) or Counter(keys))
    with pytest.raises(InvalidInputError, match="the item '49999' occurs twice"):
        make_items(rows)
    assert counted == [50_001]
