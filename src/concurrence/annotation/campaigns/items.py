"""What coders judge: rows of any table, and what of a row they get to see.

A pair shows its two members. Counts are shown only where the leader names the columns; scores and ranks
never by themselves, since a coder who sees them judges the measure and not the pair.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from concurrence.annotation.questions.types.row import KEY_COLUMNS
from concurrence.core.errors import InvalidInputError, UnknownNameError

Row = Mapping[str, str | None]

PAIR = ("l1", "l2")
TEXT_COLUMNS = ("text", "word", "item")
CONTEXT_COLUMNS = ("examples", "contexts", "context", "sentence")
MATCH_COLUMNS = ("left_id", "right_id", "kind", "left_text", "right_text")
EXAMPLE_MARK = " ⏎ "
EVERYONE = "all"
MOST_ITEMS = 200_000
LONGEST_CELL = 20_000
MOST_MARKED = 20  # words; of a longer text, most of a context would be marked
LEAST_SHARED = 2  # letters at the beginning of a word and of an inflected form of it
TOKEN = re.compile(r"\w[\w'’-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """Which columns a coder sees: large, as context lines, and as facts beside the item.

    ``key`` and ``part`` are the columns that name the items and their parts where the leader chose them.
    """

    text: tuple[str, ...]
    contexts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    part: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to judge: its key, the part it belongs to, and its row as it was given."""

    key: str
    part: str = EVERYONE
    columns: dict[str, str] = field(default_factory=dict)


def make_items(
    rows: Sequence[Row], *, where: str = "the items", key: Sequence[str] = (), part: Sequence[str] = ()
) -> list[Item]:
    """Items from the rows of a table; of matched sentences only the close ones, which need a person's eye.

    ``key`` and ``part`` are the columns with the items' names and parts, if they are not the usual ones.
    """
    if not rows:
        raise InvalidInputError(f"{where}: no items found.")
    columns = list(rows[0])
    if is_matches(columns):
        rows = [row for row in rows if row["kind"] == "close"]
        if not rows:
            raise InvalidInputError(f"{where}: no match has kind 'close', so there is nothing to verify.")
    if len(rows) > MOST_ITEMS:
        raise InvalidInputError(f"{where}: {len(rows)} items are too many; a campaign takes at most {MOST_ITEMS}.")
    for name in (*key, *part):
        if name not in columns:
            raise UnknownNameError(f"column in {where}", name, columns)
    keys = _named_keys(rows, key, where) if key else _keys(rows, columns, where)
    parts = tuple(part) or ("part",)
    named = enumerate(zip(rows, keys, strict=True), start=1)
    return [_item(row, name, line, where, parts) for line, (row, name) in named]


def is_matches(columns: Sequence[str]) -> bool:
    return all(name in columns for name in MATCH_COLUMNS)


def _item(row: Row, key: str, line: int, where: str, parts: Sequence[str]) -> Item:
    cells = {name: value for name, value in row.items() if value is not None}
    for name, value in cells.items():
        if len(value) > LONGEST_CELL:
            raise InvalidInputError(f"{where}, item {line}: {name} is longer than {LONGEST_CELL} characters.")
    part = next((cells[name] for name in parts if name in cells), EVERYONE)
    return Item(key=key, part=part, columns=cells)


def _named_keys(rows: Sequence[Row], names: Sequence[str], where: str) -> list[str]:
    """The items' names in the columns that the leader chose; each must be there and occur once."""
    seen: dict[str, int] = {}
    for line, row in enumerate(rows, start=1):
        key = " ".join(row[name] or "" for name in names).strip()
        if not key:
            raise InvalidInputError(f"{where}, item {line}: nothing in {' and '.join(names)}, which names the items.")
        if key in seen:
            raise InvalidInputError(
                f"{where}, item {line}: the name {key!r} was given to item {seen[key]}; item names must be unique."
            )
        seen[key] = line
    return list(seen)


def _keys(rows: Sequence[Row], columns: Sequence[str], where: str) -> list[str]:
    for names, separator in _key_candidates(columns):
        keys = [separator.join(row[name] or "" for name in names) for row in rows]
        if len(set(keys)) == len(keys) and all(keys):
            return keys
    if any(name in columns for name in (*KEY_COLUMNS, *PAIR)):
        counts = Counter(keys)
        twice = next((key for key in keys if counts[key] > 1), "")
        raise InvalidInputError(f"{where}: the item {twice!r} occurs twice; item names must be unique.")
    return [str(number) for number in range(1, len(rows) + 1)]


def _key_candidates(columns: Sequence[str]) -> list[tuple[tuple[str, ...], str]]:
    if is_matches(columns):
        return [(("left_id", "right_id"), "|")]
    if named := [name for name in KEY_COLUMNS if name in columns]:
        return [((name,), "") for name in named]
    return [(PAIR, " "), (PAIR, "|")] if all(name in columns for name in PAIR) else []


def make_display(
    columns: Sequence[str],
    *,
    text: Sequence[str] = (),
    contexts: Sequence[str] = (),
    show: Sequence[str] = (),
    needs_text: bool = True,
) -> Display:
    """What coders see: what the leader names, or columns with the names of a pair or a text, and no others.

    An item whose questions show texts of their own needs no text beside them.
    """
    for name in (*text, *contexts, *show):
        if name not in columns:
            raise UnknownNameError("column of the items named", name, columns)
    pair = PAIR if all(name in columns for name in PAIR) else ()
    if is_matches(columns) and not text:
        return Display(text=("word",), contexts=("left_text", "right_text"), facts=tuple(show), marked=("word",))
    chosen = tuple(text) or pair or _first(TEXT_COLUMNS, columns)
    if needs_text and not chosen:
        raise InvalidInputError(
            "The items have no columns l1 and l2, and none named text, word or item; name the column that coders judge "
            f"with --text. Their columns are: {', '.join(columns)}."
        )
    lines = tuple(contexts) or tuple(name for name in CONTEXT_COLUMNS if name in columns and name not in chosen)
    return Display(text=chosen, contexts=lines, facts=tuple(show), marked=pair or chosen)


def _first(names: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    return next(((name,) for name in names if name in columns), ())


def add_columns(rows: Sequence[Row], source: Sequence[Row], names: Sequence[str], *, where: str) -> list[Row]:
    """The rows with these columns of the same pairs from another table, such as their examples."""
    if source and "examples" in names and "examples" not in source[0]:
        raise InvalidInputError(f"{where} has no examples; count the pairs again with concur pairs --examples 5.")
    for name in (*PAIR, *names):
        if source and name not in source[0]:
            raise UnknownNameError(f"column in {where}", name, source[0])
    by_pair = {tuple(row[name] for name in PAIR): {name: row[name] for name in names} for row in source}
    empty = dict.fromkeys(names)
    return [{**row, **by_pair.get(tuple(row.get(name) for name in PAIR), empty)} for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of a context line; the marked ones are the pair itself."""

    text: str
    mark: bool = False


def shown_json(item: Row, display: Display, key: str) -> str:
    """What coders see of an item, as JSON: its text, its context lines, the facts beside it."""
    lines = [
        [{"text": segment.text, "mark": segment.mark} for segment in line] for line in context_lines(item, display)
    ]
    facts = {name: item[name] for name in display.facts if item.get(name) is not None}
    fields = {"text": item_text(item, display.text, key), "contexts": lines, "facts": facts}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def item_text(item: Row, names: Sequence[str], key: str) -> str:
    """The text that coders judge; nothing where the questions show texts of their own."""
    if not names:
        return ""
    return " ".join(cell for name in names if (cell := item.get(name))) or key


def context_lines(item: Row, display: Display) -> list[list[Segment]]:
    """The context lines of an item, the words it is about marked."""
    lines = [line for name in display.contexts for line in (item.get(name) or "").split(EXAMPLE_MARK) if line.strip()]
    words = [_bare(word) for name in display.marked for word in (item.get(name) or "").split()]
    return [segments(line, words if len(words) <= MOST_MARKED else []) for line in lines]


def segments(line: str, words: Sequence[str]) -> list[Segment]:
    """Cut a line at the words to be marked; where a word is not there as such, at its nearest inflected form.

    >>> [s.text for s in segments("He paid close attention.", ["pay", "attention"]) if s.mark]
    ['paid', 'attention']
    """
    if not words:
        return [Segment(text=line)]
    odd = [re.escape(word) for word in words if not TOKEN.fullmatch(word)]  # such as 'll or n't or a bracket
    pieces = [piece for piece in re.split(f"({'|'.join([*odd, TOKEN.pattern])})", line, flags=re.IGNORECASE) if piece]
    by_beginning: dict[str, set[str]] = {}
    for piece in pieces:
        by_beginning.setdefault(piece.casefold()[:LEAST_SHARED], set()).add(piece.casefold())
    folded = [word.casefold() for word in words]
    marked = {form for word in folded for form in _forms(word, by_beginning.get(word[:LEAST_SHARED], set()))}
    line_segments: list[Segment] = []
    for piece in pieces:
        is_marked = piece.casefold() in marked
        if line_segments and not is_marked and not line_segments[-1].mark:
            line_segments[-1] = Segment(text=line_segments[-1].text + piece)
        else:
            line_segments.append(Segment(text=piece, mark=is_marked))
    return line_segments


def _forms(word: str, tokens: set[str]) -> set[str]:
    """The word itself, or those of the tokens with its first letters that share most of them, if that is half of it."""
    if word in tokens:
        return {word}
    shared = {token: _shared(word, token) for token in tokens if abs(len(token) - len(word)) <= 4}
    longest = max(shared.values(), default=0)
    if longest < LEAST_SHARED or 2 * longest < len(word):
        return set()
    return {token for token, length in shared.items() if length == longest}


def _shared(word: str, token: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(word, token, strict=False))))


def _bare(word: str) -> str:
    """A lemma without its part of speech, as pairs of lemma_pos have it."""
    return re.sub(r"[/_][A-Z]+$", "", word) or word
