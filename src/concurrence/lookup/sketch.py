"""A sketch: the collocates of a lemma by grammatical relation.

The table of a relation is that of its pair tokens, as ``pairs --rule dep:obj --unit lemma`` counts it: f1 is how often
the lemma has the relation, f2 how often the other word is on its other side, N the number of pair tokens.
"""

from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value
from concurrence.lookup.collocates import NodeCount


@value
class SketchWord:
    """A word in a relation to the lemma, with its table, the number of documents, its scores and some examples."""

    word: str
    f: int
    f1: int
    f2: int
    N: int
    range: int
    scores: dict[str, float]
    examples: tuple[str, ...] = ()


@value
class Sketch(Result):
    """The words of a lemma by relation, best first; relations by how often the lemma has them.

    ``source`` is ``dependencies`` or ``patterns``; ``types`` counts the words that were cut off, too.
    """

    node: NodeCount
    source: str
    unit: str
    sort: str
    measures: tuple[str, ...]
    types: dict[str, int]
    relations: dict[str, tuple[SketchWord, ...]]
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        if not self.node.frequency:
            return f"{self.node.query} never occurs."
        times = "once" if self.node.frequency == 1 else f"{self.node.frequency:,} times"
        n_relations = sum(map(bool, self.relations.values()))
        return f"{self.node.query} occurs {times}; {count_noun(n_relations, 'relation')} from {self.source}."
