"""Running text: paragraphs end at empty lines, sentencex splits them into sentences, and these are tokenised."""

import re

from concurrence.core.tokenizer import token_spans, tokens_of

GLUE = 11
"""A vertical tab between two tokens of running text says that nothing stood between them."""


def split_running(text: str, *, language: str = "en", glue: bool = False) -> list[str]:
    """The sentences of a text, with a space between tokens; with ``glue`` a vertical tab where there was none.

    >>> split_running("Dr. Miller didn't come. Why?  Nobody knows.")
    ["Dr . Miller did n't come .", 'Why ?', 'Nobody knows .']
    """
    from sentencex import segment

    sentences = (sentence for part in paragraphs_of(text) for sentence in segment(language, part))
    if not glue:
        return [" ".join(tokens_of(sentence, language)) for sentence in sentences if sentence.strip()]
    return [_glued(sentence.strip(), language) for sentence in sentences if sentence.strip()]


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, each on one line with single spaces.

    >>> paragraphs_of("One  line,\\nanother.\\n\\nThe next.\\n")
    ['One line, another.', 'The next.']
    """
    parts = re.split(r"\n[^\S\n]*\n", text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return [line for part in parts if (line := " ".join(part.split()))]


def _glued(sentence: str, language: str) -> str:
    parts: list[str] = []
    before = 0
    for begin, end in token_spans(sentence, language):
        parts.append((" " if begin > before else chr(GLUE)) * bool(parts) + sentence[begin:end])
        before = end
    return "".join(parts)
