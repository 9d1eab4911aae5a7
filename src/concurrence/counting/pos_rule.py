"""``pos:`` patterns: tokens in a row, in the query language of ``concur kwic``, or short as parts of speech.

``pos:[pos="ADJ"] []{0,2} [lemma="tea"]`` pairs an adjective with a *tea* that follows at most two tokens later. The
members are the first and the last token, or the two that have names (``a:[pos="ADJ"] b:[pos="NOUN"] [word=","]``), or
those that stand behind ``=>``: ``n:[pos="NOUN"] p:[pos="ADP"] m:[pos="NOUN"] => n, p+m``. In short, ``pos:A .{0,2} N``
names parts of speech alone, as patterns of dependencies do. Other than in a concordance, every way in which a pattern
fits counts, not only the shortest: its margins are those of all its pair tokens.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Layer
from concurrence.core.query import ANY, Query, Repeated, parse_query
from concurrence.counting.pair_tokens import PairTokens, member_tokens
from concurrence.counting.pattern_nodes import Mask, Member, PatternNode, node_mask, parse_members, parse_node
from concurrence.kernels.matcher import Matcher

ELEMENT = re.compile(
    r"(?P<node>\.|[^\s\[\]?{}*]+(?:\[[^\]]*\])?)(?:(?P<optional>\?)|\{(?P<least>\d+)(?:,(?P<most>\d+))?\})?"
)
QUERY = re.compile(r"\[\s*\]|\"|=\s*'|^\s*'")
"""What only the query language has: empty brackets and values in quotes."""
MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A query, and the two members of a pair by the labels of their tokens.

    ``nodes`` are the parts of speech of labels, where the pattern was written in short.
    """

    query: Query
    members: tuple[Member, ...]
    nodes: dict[str, PatternNode] = field(default_factory=dict)


def parse_sequence(text: str) -> Sequence:
    """Understand a pattern of tokens, or of parts of speech."""
    where = f"The pattern 'pos:{text}'"
    quoted = re.fullmatch(r"\"[^\"]*\"|'[^']*'", text.strip())
    row, arrow, members = (text.strip()[1:-1] if quoted else text).partition("=>")
    parse = _parse_tokens if QUERY.search(row) else _parse_nodes
    return parse(row, members if arrow else None, where)


def _parse_tokens(text: str, members: str | None, where: str) -> Sequence:
    """A pattern in the query language."""
    query = parse_query(text)
    row = query.pattern.row
    if not row:
        raise InvalidInputError(
            f"{where} has alternatives, so that its two members are not in every match; put them into parentheses."
        )
    labels = [part.label for part in row if part.label]
    if any(label for part in row for label in _labels_inside(part)):
        raise InvalidInputError(f"{where} names a token inside parentheses; name tokens outside of them.")
    if len(set(labels)) < len(labels):
        raise InvalidInputError(f"{where} names two tokens alike; give them different names.")
    if members is not None:
        chosen = _members(members, row, where)
    elif labels:
        if len(labels) != 2:
            raise InvalidInputError(f"{where} names {len(labels)} tokens; say which make up the pair, as in => a, b.")
        chosen = _members(", ".join(labels), row, where)
    else:
        row = _ends_named(row, where)
        chosen = tuple(Member(parts=(("", part.label),)) for part in (row[0], row[-1]))
    return Sequence(query=replace(query, pattern=Repeated(row=row)), members=chosen)


def _labels_inside(part: Repeated) -> Iterable[str]:
    for inner in (inner for row in part.alternatives for inner in row):
        yield inner.label
        yield from _labels_inside(inner)


def _ends_named(row: tuple[Repeated, ...], where: str) -> tuple[Repeated, ...]:
    """The row with names for its first and last token, which must be there once."""
    ends = (row[0], row[-1])
    if len(row) < 2 or any(part.test in (None, ANY) or (part.least, part.most) != (1, 1) for part in ends):
        raise InvalidInputError(
            f'{where} must begin and end with one token each, or name its two members, as in a:[pos="ADJ"].'
        )
    first, last = (Repeated(test=part.test, label=label) for part, label in zip(ends, ("first", "last"), strict=True))
    return (first, *row[1:-1], last)


def _members(text: str, row: tuple[Repeated, ...], where: str) -> tuple[Member, ...]:
    """Members behind ``=>``; a token that may be repeated cannot be one, nor one that may be missing alone."""
    singles = {part.label: part.least for part in row if part.label and part.most == 1}
    members = parse_members(text, set(singles), where, n=2)
    for member in members:
        if not any(singles[name] for _, name in member.parts):
            raise InvalidInputError(f"{where}: the member {member.parts[0][1]!r} may be missing from a match.")
    return members


def _parse_nodes(text: str, members: str | None, where: str) -> Sequence:
    """A pattern in short: parts of speech, some with conditions, and ``.`` for anything."""
    elements = [_element(part, where) for part in re.findall(r"(?:\[[^\]]*\]|\S)+", text)]
    named = [node.name for node, _ in elements if node.name != "."]
    if len(named) < 2:
        raise InvalidInputError(f"{where} needs at least two parts of speech, such as 'ADJ NOUN'.")
    if members is not None and len(set(named)) < len(named):
        raise InvalidInputError(f"{where} names a node twice; tell them apart with digits, as in N1 P N2.")
    labels = [node.name if members is not None else str(k) for k, (node, _) in enumerate(elements)]
    gaps = [node.name == "." and not node.conditions for node, _ in elements]
    row = tuple(
        Repeated(test=ANY, least=part.least, most=part.most, label="" if gap else label)
        for (_, part), gap, label in zip(elements, gaps, labels, strict=True)
    )
    nodes = {part.label: node for part, (node, _) in zip(row, elements, strict=True) if part.label}
    query = Query(text=text, pattern=Repeated(row=row))
    if members is not None:
        return Sequence(query=query, members=_members(members, row, where), nodes=nodes)
    if any(node.name == "." or (part.least, part.most) != (1, 1) for node, part in (elements[0], elements[-1])):
        raise InvalidInputError(f"{where} must begin and end with a plain node, or name its members behind =>.")
    ends = tuple(Member(parts=(("", part.label),)) for part in (row[0], row[-1]))
    return Sequence(query=query, members=ends, nodes=nodes)


def _element(text: str, where: str) -> tuple[PatternNode, Repeated]:
    element = ELEMENT.fullmatch(text)
    if element is None:
        raise InvalidInputError(
            f"{where}: {text!r} is not understood; write TAG, TAG?, TAG{{0,2}} or .{{0,3}} for a gap."
        )
    least = 0 if element["optional"] else int(element["least"] or 1)
    most = 1 if element["optional"] else int(element["most"] or element["least"] or 1)
    if not least <= most <= MOST:
        raise InvalidInputError(f"{where}: {text!r} must repeat between 0 and {MOST} times, the smaller number first.")
    return parse_node(element["node"], where), Repeated(least=least, most=most)


def sequence_tokens(corpus: Corpus, pattern: Sequence, unit: Layer, allowed: Mask) -> PairTokens:
    """All places where the pattern fits; places with the same members count once."""
    masks = {label: node_mask(corpus, node, allowed) for label, node in pattern.nodes.items()}
    used = [name for member in pattern.members for _, name in member.parts]
    bindings = Matcher(corpus=corpus, query=pattern.query).bindings(used, allowed=allowed, masks=masks)
    left, right = (member_tokens(member, bindings, unit) for member in pattern.members)
    return PairTokens(left=left, right=right)
