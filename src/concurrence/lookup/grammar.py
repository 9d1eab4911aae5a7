r"""Relations by patterns of parts of speech, for corpora without dependencies.

A line is ``NAME = PATTERN``. The pattern is a row of tokens as in queries; its first and its last token are the two
words, of which ``1:`` marks the one that has the other, ``2:``, as its NAME. Several lines may have the same name.

The tags are those of Universal Dependencies, and of the STTS (German) or the Penn Treebank (English).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.query import Query, parse_query

LABEL = re.compile(r"(?<!\S)([12]):(?=[\[\"(])")

ENGLISH = r"""
modifier = 2:[pos="ADJ|JJ.*"] [pos="ADJ|JJ.*"]{0,2} 1:[pos="NOUN|NNS?"]
noun modifier = 2:[pos="NOUN|PROPN|NN.*"] 1:[pos="NOUN|NNS?"]
object = 1:[pos="VERB|VB.*"] [pos="DET|DT|PRP\$"]? [pos="ADV|RB.*"]? [pos="ADJ|JJ.*"]{0,2} 2:[pos="NOUN|PROPN|NN.*"]
subject = 2:[pos="NOUN|PROPN|NN.*"] [pos="AUX|MD"]{0,2} [pos="ADV|RB.*"]? 1:[pos="VERB|VB.*"]
adverb = 2:[pos="ADV|RB.*"] 1:[pos="ADJ|JJ.*|VERB|VB.*"]
adverb = 1:[pos="VERB|VB.*"] 2:[pos="ADV|RB.*"]
noun after preposition = 1:[pos="NOUN|NNS?|VERB|VB.*"] [pos="ADP|IN"] [pos="DET|DT|PRP\$"]? [pos="ADJ|JJ.*"]{0,2} 2:[pos="NOUN|PROPN|NN.*"]
and/or = 1:[pos="NOUN|PROPN|NN.*"] [lower="and|or"] 2:[pos="NOUN|PROPN|NN.*"]
and/or = 1:[pos="ADJ|JJ.*"] [lower="and|or"] 2:[pos="ADJ|JJ.*"]
and/or = 1:[pos="VERB|VB.*"] [lower="and|or"] 2:[pos="VERB|VB.*"]
"""  # noqa: E501

GERMAN = r"""
modifier = 2:[pos="ADJ|ADJA"] [pos="ADJ|ADJA"]{0,2} 1:[pos="NOUN|NN"]
noun after verb = 1:[pos="VERB|VV.*"] [pos="DET|ART|P.*AT"]? [pos="ADJ|ADJA"]{0,2} 2:[pos="NOUN|PROPN|NN|NE"]
noun before verb = 2:[pos="NOUN|PROPN|NN|NE"] 1:[pos="VERB|VV.*"]
genitive = 1:[pos="NOUN|NN"] [pos="DET|ART|P.*AT"] [pos="ADJ|ADJA"]{0,2} 2:[pos="NOUN|PROPN|NN|NE"]
adverb = 2:[pos="ADV|ADJD"] 1:[pos="ADJ|ADJA|ADJD|VERB|VV.*"]
noun after preposition = 1:[pos="NOUN|NN|VERB|VV.*"] [pos="ADP|APPR.*"] [pos="DET|ART|P.*AT"]? [pos="ADJ|ADJA"]{0,2} 2:[pos="NOUN|PROPN|NN|NE"]
und/oder = 1:[pos="NOUN|PROPN|NN|NE"] [lower="und|oder"] 2:[pos="NOUN|PROPN|NN|NE"]
und/oder = 1:[pos="ADJ|ADJ."] [lower="und|oder"] 2:[pos="ADJ|ADJ."]
und/oder = 1:[pos="VERB|VV.*"] [lower="und|oder"] 2:[pos="VERB|VV.*"]
"""  # noqa: E501

GRAMMARS = {"en": ENGLISH, "de": GERMAN}


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationPattern:
    """A relation by a pattern; ``head_first`` tells that the first token is the one that has the other."""

    name: str
    query: Query
    head_first: bool


def grammar_of(language: str) -> tuple[RelationPattern, ...]:
    """The patterns of a language."""
    if language not in GRAMMARS:
        raise UnknownNameError("set of patterns for the language", language, GRAMMARS)
    return parse_grammar(GRAMMARS[language].splitlines(), language)


def parse_grammar(lines: Iterable[str], where: str) -> tuple[RelationPattern, ...]:
    """Understand patterns; empty lines and those that begin with ``#`` are passed over.

    >>> [(one.name, one.head_first) for one in parse_grammar(['modifier = 2:[pos="ADJ"] 1:[pos="NOUN"]'], "x")]
    [('modifier', False)]
    """
    patterns = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            patterns.append(_pattern(text, f"{where}, line {number}"))
    if not patterns:
        raise InvalidInputError(f"{where} has no patterns; write one per line as NAME = PATTERN.")
    return tuple(patterns)


def _pattern(text: str, where: str) -> RelationPattern:
    name, equals, pattern = (part.strip() for part in text.partition("="))
    if not equals or not name or '"' in name or "[" in name:
        raise InvalidInputError(f"{where}: a pattern needs a name, as in NAME = PATTERN.")
    labels = LABEL.findall(pattern)
    try:
        query = parse_query(LABEL.sub("", pattern))
    except InvalidInputError as error:
        raise InvalidInputError(f"{where}: {error}") from error
    last = pattern[[label.end() for label in LABEL.finditer(pattern)][-1] :] if labels else ""
    first = query.pattern.row[0] if query.pattern.row else None
    plain = first is not None and first.test is not None and (first.least, first.most) == (1, 1)
    if sorted(labels) != ["1", "2"] or not LABEL.match(pattern) or not plain or parse_query(last).single is None:
        raise InvalidInputError(
            f"{where}: mark the first and the last token with 1: and 2:, as in "
            '2:[pos="ADJ"] 1:[pos="NOUN"]; neither may be repeated.'
        )
    return RelationPattern(name=name, query=query, head_first=labels[0] == "1")
