"""The query language against a matcher that tries everything."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import collocates, kwic, read_corpus, write_index
from concurrence.core import InvalidInputError
from concurrence.core.corpus import Corpus, Regions
from concurrence.core.query import Combined, parse_query
from concurrence.kernels.matcher import Matcher
from support.query_twins import ends

WORDS = st.sampled_from(["a", "b", "ab", "B", "."])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=6)

TESTS = [
    '"a"',
    "[]",
    '[word="a|b"]',
    '[word!="a"]',
    '[word="a.*" & word!="ab"]',
    '[!(word="b")]',
    '[lower="b"]',
    '"b"%c',
]
TIMES = ["", "?", "*", "+", "{2}", "{0,2}", "{1,3}", "{,2}"]


def slow_matches(query, sentences):
    found, base = [], 0
    for sentence in sentences:
        words = [{"form": word} for word in sentence]
        for at in range(len(words)):
            stops = {end for end in ends(query.pattern, words, at) if end > at}
            if stops:
                found.append((base + at, base + min(stops)))
        base += len(words) + 1
    return found


@st.composite
def queries(draw, depth=2):
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.integers(0, 3)) == 0:
            inner = " | ".join(draw(queries(depth=0)) for _ in range(draw(st.integers(1, 2))))
            parts.append(f"({inner}){draw(st.sampled_from(TIMES))}")
        else:
            parts.append(draw(st.sampled_from(TESTS)) + draw(st.sampled_from(TIMES)))
    return " ".join(parts)


@given(queries(), SENTENCES)
def test_matches_are_those_of_trying_everything(text, sentences):
    query = parse_query(text)
    corpus = Corpus.from_sentences(sentences)
    try:
        found = Matcher(corpus=corpus, query=query).matches()
    except InvalidInputError:
        assert 0 in ends(query.pattern, [], 0)  # the query is content with nothing
        return
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == slow_matches(query, sentences)


@given(queries(), SENTENCES, st.integers(1, 3))
def test_the_first_matches_are_the_first_of_all(text, sentences, enough):
    matcher = Matcher(corpus=Corpus.from_sentences(sentences), query=parse_query(text))
    try:
        every = matcher.matches()
    except InvalidInputError:
        return
    first = matcher.matches(at_least=enough)
    size = min(enough, len(every.starts))
    np.testing.assert_array_equal(first.starts[:size], every.starts[:size])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The query is empty"),
        ('[lemma="take"', "at its end"),
        ('[feats.="red"]', "is not understood at"),
        ('[word="("]', "is not a regular expression"),
        ('[word="a"] within "s"', "name a region behind within"),
        ('a: "b" ("c")  c: ("d")', "is not understood at"),
        ('[word="a"]{3,1}', "the smaller number first"),
        ('"a"%d', "only %c"),
        ('[word="a" pos="b"]', "is not understood at"),
        ("[]", None),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(text, said):
    if said is None:
        assert parse_query(text).single == Combined(parts=())
        return
    with pytest.raises(InvalidInputError, match=re.escape(said)):
        parse_query(text)


@pytest.mark.parametrize("word", ["10\u00a0000", "a\u2028b", "\u3000"])
def test_a_space_that_parts_no_words_belongs_to_the_word(tmp_path, word):
    (tmp_path / "a.txt").write_text(f"il a {word} euros\n", "utf-8")
    assert kwic(read_corpus(tmp_path / "a.txt"), word).total == 1
    assert kwic(read_corpus(tmp_path / "a.txt"), f"a {word}").total == 1


def found_words(pattern, words):
    corpus = Corpus.from_sentences([words])
    return [words[at] for at in Matcher(corpus=corpus, query=parse_query(f'[word="{pattern}"]')).matches().starts]


PIECES = st.sampled_from(["a", "b", ".", r"\w", r"\W", "[ab]", r"[\w.]", "(a|ab)", "(a|b.)"])
REPEATS = st.sampled_from(["", "*", "+", "?", "{1,2}", "{2}"])


@given(
    pieces=st.lists(st.tuples(PIECES, REPEATS), min_size=1, max_size=4),
    again=REPEATS,
    words=st.lists(st.text("aAb.é\u0301_1", min_size=1, max_size=6), min_size=1, max_size=8),
)
def test_patterns_that_repeat_much_match_what_python_matches(pieces, again, words):
    pattern = f"({''.join(piece + times for piece, times in pieces)}){again}"
    known = re.compile(pattern)
    assert found_words(pattern, words) == [word for word in words if known.fullmatch(word)]


@pytest.mark.parametrize("pattern", [r"(\w+)+!", r"(\w|\w)*!", r"(a*)*!", r"\w*\w*\w*\w*\w*\w*\w*!", r"(\w+){30}!"])
def test_no_pattern_takes_forever(pattern):
    long = "a" * 300
    assert found_words(pattern, [long, f"{long}!"]) == [f"{long}!"]


def test_what_could_take_forever_is_refused():
    with pytest.raises(InvalidInputError, match="repeats much and also looks ahead"):
        found_words("(?=a)(a+)+!", ["aaaa"])


@pytest.mark.parametrize(("text", "words"), [("strong*", ["strong", "stronger"]), ("*er", ["stronger"]), ("*", ["*"])])
def test_a_star_stands_for_any_letters_and_alone_for_itself(text, words):
    corpus = Corpus.from_sentences([["strong", "stronger", "*", "a.b"]])
    found = Matcher(corpus=corpus, query=parse_query(text)).matches()
    assert [corpus.text(start, start + 1) for start in found.starts.tolist()] == words


def test_a_point_in_a_plain_word_is_a_point():
    corpus = Corpus.from_sentences([["a.b", "axb"]])
    assert Matcher(corpus=corpus, query=parse_query("a.b")).matches().starts.tolist() == [0]


@given(queries(), SENTENCES, st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=6))
def test_a_match_within_a_region_does_not_leave_it(text, sentences, stretches):
    starts = np.array([start for start, _ in stretches], dtype=np.int64)
    regions = Regions(starts=starts, ends=starts + np.array([length for _, length in stretches], dtype=np.int64))
    corpus = replace(Corpus.from_sentences(sentences), regions={"np": regions})
    try:
        every = Matcher(corpus=corpus, query=parse_query(text)).matches()
    except InvalidInputError:
        return
    expected = [
        (start, end)
        for start, end in zip(every.starts.tolist(), every.ends.tolist(), strict=True)
        if any(begin <= start and end <= begin + length for begin, length in stretches)
    ]
    found = Matcher(corpus=corpus, query=parse_query(f"{text} within np")).matches()
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == expected


def test_regions_of_vertical_text_are_asked_for_by_name(tmp_path):
    path = tmp_path / "a.vrt"
    path.write_text("<s>\n<np>\na\nrose\n</np>\nis\n<np>\na\nthorn\n</np>\n</s>\n")
    write_index(read_corpus(path), tmp_path / "index")
    for corpus in (path, tmp_path / "index"):
        assert kwic(corpus, '"a" []').total == 2
        assert kwic(corpus, '"rose" [] "a" within s').total == 1
        assert kwic(corpus, '"rose" [] "a" within np').total == 0
        assert collocates(corpus, '"a" [] within np').node.frequency == 2
        with pytest.raises(InvalidInputError, match=r"no region 'clause'\. Known names: s, np"):
            kwic(corpus, '"a" within clause')


def test_a_query_may_have_the_older_and_the_newer_names_of_attributes():
    corpus = Corpus.from_sentences([["a", "b"]])
    for text in ('[word="a"]', '[form="a"]', '"a"', "a"):
        assert Matcher(corpus=corpus, query=parse_query(text)).matches().starts.tolist() == [0]


def test_what_the_corpus_does_not_have_is_named_with_what_it_has():
    tokens = Corpus.from_sentences([["a", "b"]])
    with pytest.raises(
        InvalidInputError, match=r"no token attribute 'pos'\. Known names: form, lower\. concur tag adds"
    ):
        kwic(tokens, '[pos="NOUN"]', unit="form", lower=True)
