"""What there is to say, as a value: programs decide by the code, people read the text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence with a stable name; ``warning`` marks what a reader must not overlook."""

    code: str
    text: str
    warning: bool = False

    def __str__(self) -> str:
        return self.text


def warnings_of(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The warnings among the sentences."""
    return tuple(sentence for sentence in sentences if sentence.warning)


def warnings_first(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The sentences as people read them: warnings come first."""
    return tuple(sorted(sentences, key=lambda sentence: not sentence.warning))


def join_words(parts: Sequence[str]) -> str:
    """Words in a row.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
