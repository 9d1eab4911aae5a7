"""``pos:`` patterns: parts of speech in a row, with gaps and optional parts.

``pos:ADJ NOUN`` pairs an adjective with the noun behind it; ``pos:A A? N`` allows one more between them;
``pos:V .{0,3} N`` a gap of up to three tokens. The members are the first and the last node unless ``=>`` names
others: ``pos:N1 P DET? N2 => N1, P+N2``.
"""

import re
from dataclasses import dataclass, field

import numpy as np

from concurrence.core.errors import InvalidInputError
from concurrence.core.tokens import BORDER, Column, Tokens
from concurrence.counting.members import Bindings, PairTokens, Positions, member_tokens
from concurrence.counting.patterns import Mask, Member, Node, node_mask, parse_members, parse_node

ELEMENT = re.compile(
    r"(?P<node>\.|[^\s\[\]?{}*]+(?:\[[^\]]*\])?)(?:(?P<optional>\?)|\{(?P<least>\d+)(?:,(?P<most>\d+))?\})?"
)
MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A node that stands between ``least`` and ``most`` times in a row."""

    node: Node
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A row of elements and the two members of a pair."""

    elements: tuple[Element, ...]
    members: tuple[Member, ...] = field(default=())


def parse_sequence(text: str) -> Sequence:
    """Understand a pattern of parts of speech."""
    where = f"The pattern 'pos:{text}'"
    row, arrow, members = text.strip().strip("\"'").partition("=>")
    elements = tuple(_element(part, where) for part in re.findall(r"(?:\[[^\]]*\]|\S)+", row))
    named = [e.node.name for e in elements if e.node.name != "."]
    singles = {e.node.name for e in elements if e.most == 1 and e.node.name != "."}
    if len(named) < 2:
        raise InvalidInputError(f"{where} needs at least two parts of speech, such as 'ADJ NOUN'.")
    if arrow:
        if len(set(named)) < len(named):
            raise InvalidInputError(f"{where} names a node twice; tell them apart with digits, as in N1 P N2.")
        return Sequence(elements=elements, members=parse_members(members, singles, where, n=2))
    ends = (elements[0], elements[-1])
    if any(e.node.name == "." or (e.least, e.most) != (1, 1) for e in ends):
        raise InvalidInputError(f"{where} must begin and end with a plain node, or name its members behind =>.")
    return Sequence(elements=elements)


def _element(text: str, where: str) -> Element:
    element = ELEMENT.fullmatch(text)
    if element is None:
        raise InvalidInputError(
            f"{where}: {text!r} is not understood; write TAG, TAG?, TAG{{0,2}} or .{{0,3}} for a gap."
        )
    least = 0 if element["optional"] else int(element["least"] or 1)
    most = 1 if element["optional"] else int(element["most"] or element["least"] or 1)
    if not least <= most <= MOST:
        raise InvalidInputError(f"{where}: {text!r} must repeat between 0 and {MOST} times, the smaller number first.")
    return Element(node=parse_node(element["node"], where), least=least, most=most)


def sequence_tokens(tokens: Tokens, pattern: Sequence, unit: Column, allowed: Mask) -> PairTokens:
    """All places where the pattern fits; places with the same members count once."""
    inside = tokens.columns["form"].codes != BORDER
    states = {"": np.flatnonzero(inside)}
    for k, element in enumerate(pattern.elements):
        gap = element.node.name == "."
        mask = inside if gap and not element.node.conditions else node_mask(tokens, element.node, allowed)
        states = _advanced(states, element, "" if gap else str(k), mask)
    names = [str(k) for k, e in enumerate(pattern.elements) if e.node.name != "."]
    if not pattern.members:
        members = tuple(Member(parts=(("", name),)) for name in (names[0], names[-1]))
    else:
        index = {e.node.name: str(k) for k, e in enumerate(pattern.elements)}
        members = tuple(Member(parts=tuple((j, index[n]) for j, n in m.parts)) for m in pattern.members)
    used = [name for member in members for _, name in member.parts]
    bindings = _distinct({name: states[name] for name in used})
    return PairTokens(left=member_tokens(members[0], bindings, unit), right=member_tokens(members[1], bindings, unit))


def _advanced(states: Bindings, element: Element, name: str, mask: Mask) -> Bindings:
    """Let an element take its tokens, in every number it may; ``""`` is where the next one would stand."""
    if name:
        states = {**states, name: np.full(len(states[""]), -1, dtype=np.int64)}
    complete: list[Bindings] = []
    for taken in range(element.most + 1):
        if taken >= element.least:
            complete.append(states)
        at = states[""]
        fits = at < len(mask)
        fits[fits] = mask[at[fits]]
        states = {key: value[fits] for key, value in states.items()}
        if name:
            states[name] = states[""]
        states[""] = states[""] + 1
    return {key: np.concatenate([part[key] for part in complete]) for key in complete[0]}


def _distinct(bindings: Bindings) -> Bindings:
    table: Positions = np.stack(list(bindings.values()), axis=1)
    table = np.unique(table, axis=0) if len(table) else table
    return {name: np.ascontiguousarray(table[:, k]) for k, name in enumerate(bindings)}
