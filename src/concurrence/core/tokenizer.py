"""Words in running text: one tokeniser for texts that are read, texts that are tagged, and words that are asked for.

A word is a run of letters, digits and marks, with hyphens, apostrophes and, between digits, points and commas inside.
URLs, e-mail addresses, abbreviations of single letters (*U.S.*, *z.B.*), ellipses and emoji are one token; every other
character that is not white space is a token of its own. Contractions are divided as in the Penn Treebank, in German
where *'s* stands behind a word; articles and pronouns of French, Italian and Catalan before an apostrophe are words.
"""

import re
from collections.abc import Iterator

LETTER = r"[^\W_][\u0300-\u036f\u200d]*"
LETTERS = rf"(?:{LETTER})+"
EMOJI = r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\u2300-\u23FF]"
SKIN = r"[\ufe0f\U0001F3FB-\U0001F3FF]*"
WHOLE = (
    r"(?:https?://|ftp://|www\.)[^\s<>\"“”]*[^\s<>\"“”.,;:!?'’)\]}»…]",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    r"[\U0001F1E6-\U0001F1FF]{2}",
    rf"{EMOJI}{SKIN}(?:\u200d{EMOJI}{SKIN})*",
    r"\d+(?:[.,:]\d+)+(?!\w)",
    r"(?<![^\W_])[^\W\d_](?:\.[^\W\d_])+(?![^\W_])\.?",
    r"\.{2,}",
)
"""What is one token although signs stand in it."""
WORD = re.compile("|".join([*WHOLE, rf"{LETTERS}(?:[-'’.&]{LETTERS})*", r"\S"]))
ELIDED = re.compile("|".join([*WHOLE, rf"{LETTERS}['’](?=\w)", rf"{LETTERS}(?:[-.&]{LETTERS})*", r"\S"]))
ELIDING = ("fr", "it", "ca")
CONTRACTIONS = {
    "en": re.compile(r"(\w.*?)(n['’]t|['’](?:s|re|ve|ll|d|m))", re.IGNORECASE),
    "de": re.compile(r"(\w.*?)(['’]s)", re.IGNORECASE),
}


def token_spans(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """Where the tokens of a text begin and end."""
    contraction = CONTRACTIONS.get(language)
    for word in (ELIDED if language in ELIDING else WORD).finditer(text):
        begin, end = word.span()
        parts = contraction.fullmatch(word[0]) if contraction and ("'" in word[0] or "’" in word[0]) else None
        if parts is None:
            yield begin, end
        else:
            yield begin, begin + parts.end(1)
            yield begin + parts.start(2), end


def tokens_of(text: str, language: str = "en") -> list[str]:
    """The tokens of a text.

    >>> tokens_of("Don't pay $3.50... it's in the U.S., see www.x.org.")
    ['Do', "n't", 'pay', '$', '3.50', '...', 'it', "'s", 'in', 'the', 'U.S.', ',', 'see', 'www.x.org', '.']
    >>> tokens_of("Mail z.B. an a@b.de, geht's? 👍🏽", "de"), tokens_of("L'homme s'en va.", "fr")
    (['Mail', 'z.B.', 'an', 'a@b.de', ',', 'geht', "'s", '?', '👍🏽'], ["L'", 'homme', "s'", 'en', 'va', '.'])
    """
    return [text[begin:end] for begin, end in token_spans(text, language)]
