"""``within:`` rules: every head of one kind with every head of another inside the same region.

``within:s`` and ``within:clause`` combine every prepositional phrase, as P+N, with every main verb, its
particle rejoined; *als* and *wie*, which compare, head no phrase. Other kinds follow a second colon:
``within:s: N >case P => P+N & V``. In vertical text without dependencies the kinds are structures whose attribute names
the head: ``within:clause: <pp head> & <vc head>``.
"""

import re
from dataclasses import dataclass

import numpy as np
import polars as pl

from concurrence.core.corpus import Corpus, Regions
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.layers import Layer
from concurrence.counting.dep_rule import match_tree, parse_tree, relation_mask
from concurrence.counting.pair_tokens import MemberTokens, PairTokens, Positions, member_tokens, sorted_members
from concurrence.counting.pattern_nodes import Mask, node_mask, parse_node

PHRASES = "N >case P[lemma!=als|wie] => P+N"
"""German *als* and *wie* are tagged as adpositions, but they compare; they head no prepositional phrase."""
VERBS = "V >compound:prt? T => T~V"
CHUNKS = ("<pp>", "<vc>")
SENTENCES = ("s", "sentence")
CLAUSAL = "root|csubj*|ccomp*|advcl*|acl*|parataxis*"
VERBAL_CLAUSAL = "conj*|xcomp*"
STRUCTURE = re.compile(r"<([\w.:-]+)(?:\s+([\w.:-]+))?>")
ROUNDS = 31
"""Enough doublings for any sentence."""

HEAD_ATTRIBUTES = ("head", "h", "lemma")


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """A region, and the two kinds of heads; without kinds, those of the papers."""

    region: str
    kinds: tuple[str, ...] = ()


def parse_combination(text: str) -> Combination:
    """Understand ``REGION`` or ``REGION: KIND & KIND``."""
    region, colon, kinds = (part.strip() for part in text.strip().strip("\"'").partition(":"))
    parts = tuple(kind.strip() for kind in kinds.split("&")) if colon else ()
    if not region or (colon and (len(parts) != 2 or not all(parts))):
        raise InvalidInputError(f"The rule 'within:{text}' must read within:REGION, or within:REGION: KIND & KIND.")
    for kind in parts:
        if not STRUCTURE.fullmatch(kind):
            parse_tree(kind, n_members=1)
    return Combination(region=region, kinds=parts)


def regional_tokens(corpus: Corpus, rule: Combination, unit: Layer, allowed: Mask, *, lower: bool) -> PairTokens:
    """One pair token for each combination of two heads in a region of a sentence."""
    if not rule.kinds and corpus.heads is None and not corpus.regions:
        raise InvalidInputError(
            f"within:{rule.region} needs heads: CoNLL-U with dependencies, or vertical text with <pp> and <vc>."
        )
    kinds = rule.kinds or ((PHRASES, VERBS) if corpus.heads is not None else CHUNKS)
    left, right = (_heads(corpus, kind, unit, allowed, lower=lower) for kind in kinds)
    region = regions_by_position(corpus, rule.region, allowed)
    rows, columns = _same_region(region[left.at], region[right.at])
    return PairTokens(left=_taken(left, rows), right=_taken(right, columns))


def _heads(corpus: Corpus, kind: str, unit: Layer, allowed: Mask, *, lower: bool) -> MemberTokens:
    """All heads of a kind; a head stands where the top node of its pattern does."""
    if structure := STRUCTURE.fullmatch(kind):
        return _structure_heads(corpus, structure[1], structure[2], lower=lower)
    tree = parse_tree(kind, n_members=1)
    bindings = match_tree(corpus, tree, allowed)
    side = member_tokens(tree.members[0], bindings, unit)
    return MemberTokens(codes=side.codes, words=side.words, at=bindings[tree.top])


def _structure_heads(corpus: Corpus, name: str, attribute: str | None, *, lower: bool) -> MemberTokens:
    if name not in corpus.regions:
        raise UnknownNameError("structure", name, corpus.regions or ["none in this corpus"])
    regions = corpus.regions[name]
    options = [attribute] if attribute else [key for key in HEAD_ATTRIBUTES if key in regions.attributes]
    if not options or options[0] not in regions.attributes:
        names = ", ".join(regions.attributes) or "none"
        raise InvalidInputError(
            f"The structure <{name}> has no attribute that names its head; its attributes are {names}."
        )
    words = pl.Series(regions.attributes[options[0]], dtype=pl.String)
    words = words.str.to_lowercase() if lower else words
    named = np.flatnonzero((words != "").to_numpy() & (regions.ends > regions.starts))
    return sorted_members(words.gather(named), np.arange(len(named), dtype=np.int32), regions.starts[named])


def regions_by_position(corpus: Corpus, name: str, allowed: Mask) -> Positions:
    """The region that each position lies in, -1 for none; a region ends with its sentence."""
    sentence = np.cumsum(~corpus.is_token) + 1
    if name in SENTENCES:
        return sentence
    if name in corpus.regions:
        inner = _painted(corpus.regions[name], len(sentence))
        return np.where(inner >= 0, inner * (len(sentence) + 1) + sentence, -1)
    if name == "clause" and corpus.heads is not None:
        return _clauses(corpus, allowed)
    known = [*SENTENCES[:1], *corpus.regions, *(["clause"] if corpus.heads is not None else [])]
    raise UnknownNameError("region", name, known)


def _painted(regions: Regions, size: int) -> Positions:
    """The innermost region of each position: outer ones are painted first."""
    painted = np.full(size, -1, dtype=np.int64)
    for k in np.lexsort((-regions.ends, regions.starts)):
        painted[regions.starts[k] : regions.ends[k]] = k
    return painted


def _clauses(corpus: Corpus, allowed: Mask) -> Positions:
    """The head of the clause that each position belongs to.

    A clause begins at a root, at a clausal dependent, and at a conjunct or open complement that is a verb.
    """
    heads = corpus.heads
    size = corpus.size
    verb = node_mask(corpus, parse_node("verb[pos=VERB|AUX]", "within:clause"), np.ones_like(allowed))
    begins = relation_mask(corpus, CLAUSAL) | (relation_mask(corpus, VERBAL_CLAUSAL) & verb)
    up = np.arange(size) if heads is None else np.where(begins | (heads < 0), np.arange(size), heads)
    for _ in range(ROUNDS):  # each doubles the steps taken; a broken tree may have circles that never end
        up = up[up]
    return up


def _same_region(left: Positions, right: Positions) -> tuple[Positions, Positions]:
    """All combinations of a left and a right entry with the same region."""
    order = np.argsort(right, kind="stable")
    begin, end = (np.searchsorted(right[order], left, side=side) for side in ("left", "right"))
    counts = np.where(left >= 0, end - begin, 0)
    rows = np.repeat(np.arange(len(left)), counts)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, order[begin[rows] + offsets]


def _taken(side: MemberTokens, rows: Positions) -> MemberTokens:
    """The heads at these rows; words that no pair token has are kept, with a margin of 0."""
    return MemberTokens(codes=side.codes[rows], words=side.words, at=side.at[rows])
