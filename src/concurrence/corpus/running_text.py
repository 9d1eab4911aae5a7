"""Running text: sentences are split by sentencex, words by their characters.

Paragraphs end at empty lines. A word is a run of letters, digits and marks, with hyphens, apostrophes and,
between digits, points and commas inside; every other character that is not white space is a token of its
own. Elided articles and pronouns of French, Italian and Catalan are words of their own.
"""

import re

LETTERS = r"(?:[^\W_][\u0300-\u036f]*)+"
NUMBER = r"\d+(?:[.,:]\d+)+"
WORD = re.compile(rf"{NUMBER}|{LETTERS}(?:[-'’.&]{LETTERS})*|\S")
ELIDED = re.compile(rf"{LETTERS}['’](?=\w)|{NUMBER}|{LETTERS}(?:[-.&]{LETTERS})*|\S")
ELIDING = ("fr", "it", "ca")
GLUE = 11
"""A vertical tab between two tokens of running text says that nothing stood between them."""


def split_running(text: str, *, language: str = "en", glue: bool = False) -> list[str]:
    """The sentences of a text, with a space between tokens; with ``glue`` a vertical tab where there was none.

    >>> split_running("Dr. Miller didn't come. Why?  Nobody knows.")
    ["Dr . Miller didn't come .", 'Why ?', 'Nobody knows .']
    """
    from sentencex import segment

    words = ELIDED if language in ELIDING else WORD
    sentences = (sentence for part in paragraphs_of(text) for sentence in segment(language, part))
    if not glue:
        return [" ".join(words.findall(sentence)) for sentence in sentences if sentence.strip()]
    return [_glued(words, sentence.strip()) for sentence in sentences if sentence.strip()]


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, each on one line with single spaces.

    >>> paragraphs_of("One  line,\\nanother.\\n\\nThe next.\\n")
    ['One line, another.', 'The next.']
    """
    parts = re.split(r"\n[^\S\n]*\n", text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return [line for part in parts if (line := " ".join(part.split()))]


def _glued(words: re.Pattern[str], sentence: str) -> str:
    parts: list[str] = []
    end = 0
    for word in words.finditer(sentence):
        parts.append((" " if word.start() > end else chr(GLUE)) * bool(parts) + word[0])
        end = word.end()
    return "".join(parts)
