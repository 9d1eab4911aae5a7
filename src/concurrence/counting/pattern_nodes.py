"""How patterns are written: nodes, their conditions, and which of them make up the two members of a pair.

A node is a part of speech (``ADJ``, or a tag of the corpus such as ``VVFIN``), a letter for a class of them
(``V`` verb, ``N`` noun or proper noun, ``P`` adposition, ``A`` adjective, ``R`` adverb); other letters, and
names in small letters, stand for anything. Digits tell two nodes apart (``N1 N2``). Conditions stand in
brackets: ``V[lemma=stellen|setzen]``, or ``P[lemma!=als|wie]`` for all others. Behind ``=>`` come the members:
``P+N`` joins with a plus sign, ``T~V`` without one.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError, UnknownNameError

CLASSES = {"V": ("VERB",), "N": ("NOUN", "PROPN"), "P": ("ADP",), "A": ("ADJ",), "R": ("ADV",)}
UNIVERSAL = (
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART"),
    *("PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)
ATTRIBUTES = ("form", "lemma", "pos", "xpos", "deprel")

NODE = re.compile(r"(?P<name>[^\s\[\]<>=,;+~?{}&]+)(?:\[(?P<conditions>[^\]]*)\])?")
PART = re.compile(r"([+~]?)\s*([^\s\[\]<>=,;+~?{}&]+)")

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternNode:
    """A place in a pattern: its name and what a token there must have, or must not (``!lemma``)."""

    name: str
    conditions: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of a pair: names of nodes, each with what joins it to the one before."""

    parts: tuple[tuple[str, str], ...]


def parse_node(text: str, where: str) -> PatternNode:
    """Understand a node such as ``V[lemma=stellen]``."""
    node = NODE.fullmatch(text.strip())
    if node is None:
        raise InvalidInputError(
            f"{where}: {text.strip()!r} is not a node; write a part of speech, or V, N, P, A, R, X."
        )
    conditions = []
    for condition in (node["conditions"] or "").split(",") if node["conditions"] else []:
        attribute, equals, values = (part.strip() for part in condition.partition("="))
        denied, attribute = "!" * attribute.endswith("!"), attribute.removesuffix("!").strip()
        if not (equals and values):
            raise InvalidInputError(f"{where}: the condition {condition.strip()!r} must read attribute=value|value.")
        conditions.append((denied + attribute, tuple(value.strip() for value in values.split("|"))))
    return PatternNode(name=node["name"], conditions=tuple(conditions))


def parse_members(text: str, names: set[str], where: str, *, n: int) -> tuple[Member, ...]:
    """Understand what stands behind ``=>``."""
    members = tuple(_member(part, names, where) for part in text.split(","))
    if len(members) != n:
        raise InvalidInputError(f"{where}: behind => there must be {n} member{'s' * (n > 1)}, as in => P+N, V.")
    return members


def _member(text: str, names: set[str], where: str) -> Member:
    parts: list[tuple[str, str]] = []
    at, text = 0, text.strip()
    while at < len(text) or not parts:
        part = PART.match(text, at)
        if part is None or bool(part[1]) != bool(parts):
            raise InvalidInputError(f"{where}: {text!r} is not a member; join nodes with + or ~, as in P+N.")
        if part[2] not in names:
            raise UnknownNameError("node in the pattern", part[2], sorted(names))
        parts.append(("" if part[1] in ("", "~") else part[1], part[2]))
        at = part.end()
        while at < len(text) and text[at] == " ":
            at += 1
    return Member(parts=tuple(parts))


def node_mask(corpus: Corpus, node: PatternNode, allowed: Mask) -> Mask:
    """Which positions a node may stand for."""
    mask = allowed.copy()
    for attribute, values in node.conditions:
        has = corpus.layer(attribute.removeprefix("!")).has_any(values)
        mask &= ~has if attribute.startswith("!") else has
    if any(attribute in ("pos", "xpos") for attribute, _ in node.conditions):
        return mask
    if (tags := _tags(corpus, node.name)) is not None:
        mask &= corpus.layer(tags[0]).has_any(tags[1])
    return mask


def _tags(corpus: Corpus, name: str) -> tuple[str, tuple[str, ...]] | None:
    """The attribute and the tags that a node's name stands for, or nothing where it stands for any token."""
    letter = re.fullmatch(r"([A-Z])\d*", name)
    if name.islower() or name == "." or (letter and _is_free(corpus, name, letter[1])):
        return None
    tags: list[str] = []
    attribute = "pos"
    for option in name.split("|"):
        names, attribute = _tag(corpus, option)
        tags += names
    return attribute, tuple(tags)


def _is_free(corpus: Corpus, name: str, letter: str) -> bool:
    """Whether a letter is neither a class nor a tag of this corpus."""
    return letter == "X" or (letter not in CLASSES and not corpus.layer("pos").vocabulary.among([name, letter]).any())


def _tag(corpus: Corpus, option: str) -> tuple[tuple[str, ...], str]:
    plain = option.rstrip("0123456789")
    for attribute in ("pos", "xpos"):
        for tag in (option, plain):
            if attribute in corpus.layers and corpus.layers[attribute].vocabulary.code(tag) is not None:
                return (tag,), attribute
        if attribute == "pos" and plain in CLASSES:
            return CLASSES[plain], attribute
    if plain in UNIVERSAL:
        return (plain,), "pos"
    raise UnknownNameError("part of speech", option, [*CLASSES, *sorted(corpus.layer("pos").vocabulary.words)])
