"""Words with their tags, as in ``The/at jury/nn`` or ``The_AT jury_NN``: one sentence per line."""

import html

from concurrence.core.errors import InvalidInputError
from concurrence.corpus.shapes import tag_separator
from concurrence.corpus.source_files import Source, whole_text

COLUMNS = ("form", "pos")


def vertical_of_tagged(source: Source) -> bytes:
    """The same as vertical text; a token without a tag is an error, since its tag would be a guess."""
    text = whole_text(source)
    sign = tag_separator(text, most=0.5) or ("/" if text.count("/") >= text.count("_") else "_")
    lines = []
    for number, line in enumerate(text.split("\n"), start=source.line):
        tokens = [token.rpartition(sign) for token in line.split()]
        if wrong := [last for word, _, last in tokens if not word]:
            raise InvalidInputError(f"{source.path}, line {number}: {wrong[0]!r} has no tag behind {sign!r}.")
        if tokens:
            lines += [f"{html.escape(word, quote=False)}\t{html.escape(tag, quote=False)}" for word, _, tag in tokens]
            lines.append("</s>")
    return "\n".join([*lines, ""]).encode("utf-8")
