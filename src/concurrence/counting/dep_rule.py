"""``dep:`` patterns: heads and dependents by relation, part of speech and lemma.

``dep:obj`` pairs each head (l1) with its object (l2). ``dep:V >obl N >case P => P+N, V`` pairs a verb with the
prepositional phrases that depend on it; ``; V >compound:prt? T => P+N, T~V`` rejoins its particle. A relation
is meant exactly as written; ``obl*`` means all that begin so, ``a|b`` either, a bare ``>`` any.
"""

import re
from dataclasses import dataclass

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Layer
from concurrence.counting.pair_tokens import PairTokens, Positions, member_tokens
from concurrence.counting.pattern_nodes import Mask, Member, PatternNode, node_mask, parse_members, parse_node
from concurrence.kernels.token_patterns import Bindings

RELATION = re.compile(r"[a-z_][\w:|*]*")
STEP = re.compile(r"\s*([<>])\s*([^\s?<>\[\]]*)(\?)?\s+([^\s<>\[\];]+(?:\[[^\]]*\])?)")
FIRST = re.compile(r"\s*([^\s<>\[\];]+(?:\[[^\]]*\])?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A dependent of a head, by relation; an optional one may be missing."""

    head: str
    dependent: str
    relation: str
    optional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A small dependency pattern: its nodes, top first, its edges, and the members it yields."""

    top: str
    nodes: dict[str, PatternNode]
    edges: tuple[Edge, ...]
    members: tuple[Member, ...]


def parse_tree(text: str, *, n_members: int = 2) -> Tree:
    """Understand a dependency pattern."""
    where = f"The pattern {text.strip()!r}"
    shape, arrow, members = text.strip().strip("\"'").partition("=>")
    if RELATION.fullmatch(shape.strip()) and not arrow:
        shape = f"head >{shape.strip()} dependent"
    nodes: dict[str, PatternNode] = {}
    edges: list[Edge] = []
    for clause in shape.split(";"):
        _parse_clause(clause, nodes, edges, where)
    if arrow:
        parts = parse_members(members, set(nodes), where, n=n_members)
    elif len(nodes) == n_members:
        parts = tuple(Member(parts=(("", name),)) for name in nodes)
    else:
        raise InvalidInputError(f"{where} must say which nodes make up the pair, as in => P+N, V.")
    return Tree(top=_top(nodes, edges, where), nodes=nodes, edges=tuple(edges), members=parts)


def _parse_clause(clause: str, nodes: dict[str, PatternNode], edges: list[Edge], where: str) -> None:
    first = FIRST.match(clause)
    if first is None:
        raise InvalidInputError(f"{where} has an empty part; write nodes and relations, as in V >obj N.")
    current = _noted(first[1], nodes, where)
    at = first.end()
    while clause[at:].strip():
        step = STEP.match(clause, at)
        if step is None:
            raise InvalidInputError(f"{where}: {clause[at:].strip()!r} is not understood; write >relation NODE.")
        direction, relation, optional, node = step.groups()
        other = _noted(node, nodes, where)
        head, dependent = (current, other) if direction == ">" else (other, current)
        edges.append(Edge(head=head, dependent=dependent, relation=relation, optional=bool(optional)))
        current, at = other, step.end()


def _noted(text: str, nodes: dict[str, PatternNode], where: str) -> str:
    node = parse_node(text, where)
    if node.name in nodes and node.conditions and node != nodes[node.name]:
        raise InvalidInputError(f"{where} states conditions for {node.name} twice; put them at its first place.")
    nodes.setdefault(node.name, node)
    return node.name


def _top(nodes: dict[str, PatternNode], edges: list[Edge], where: str) -> str:
    dependents = [edge.dependent for edge in edges]
    tops = [name for name in nodes if name not in dependents]
    if len(tops) != 1 or len(set(dependents)) < len(dependents):
        raise InvalidInputError(f"{where} is not a tree: one node must stand above all others, each with one head.")
    return tops[0]


def tree_tokens(corpus: Corpus, tree: Tree, unit: Layer, allowed: Mask) -> PairTokens:
    """All pair tokens of a pattern with two members."""
    bindings = match_tree(corpus, tree, allowed)
    return PairTokens(
        left=member_tokens(tree.members[0], bindings, unit), right=member_tokens(tree.members[1], bindings, unit)
    )


def match_tree(corpus: Corpus, tree: Tree, allowed: Mask) -> Bindings:
    """All ways to lay the pattern over the corpus, a row each."""
    begins, order = dependents_index(corpus)
    bindings = {tree.top: np.flatnonzero(node_mask(corpus, tree.nodes[tree.top], allowed))}
    waiting = list(tree.edges)
    while waiting:
        edge = next(e for e in waiting if e.head in bindings)
        waiting.remove(edge)
        mask = node_mask(corpus, tree.nodes[edge.dependent], allowed) & relation_mask(corpus, edge.relation)
        bindings = _extended(bindings, edge, mask, begins, order)
    return bindings


def dependents_index(corpus: Corpus) -> tuple[Positions, Positions]:
    """The dependents of each position, in their order, and where those of each begin."""
    if corpus.heads is None:
        raise InvalidInputError("This corpus has no dependencies; dep: and within: need CoNLL-U, or a head column.")
    heads = corpus.heads
    order = np.argsort(heads, kind="stable")[np.count_nonzero(heads < 0) :]
    counts = np.bincount(heads[heads >= 0], minlength=len(heads))
    return np.concatenate([[0], np.cumsum(counts)]), order


def relation_mask(corpus: Corpus, relation: str) -> Mask:
    """Which positions have one of these relations to their heads."""
    relations = corpus.layer("deprel")
    if not relation:
        return corpus.is_token
    options = relation.split("|")
    starts = tuple(option[:-1] for option in options if option.endswith("*"))
    names = relations.vocabulary.words
    return relations.has(np.array([n in options or bool(starts and n.startswith(starts)) for n in names], dtype=bool))


def _extended(bindings: Bindings, edge: Edge, mask: Mask, begins: Positions, order: Positions) -> Bindings:
    """Every row once for each dependent that fits; an optional one takes the first, or none."""
    heads = bindings[edge.head]
    there = heads >= 0
    counts = np.where(there, begins[heads + 1] - begins[heads], 0)
    rows = np.repeat(np.arange(len(heads)), counts)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    dependents = order[begins[heads[rows]] + offsets]
    rows, dependents = rows[mask[dependents]], dependents[mask[dependents]]
    if edge.optional or not there.all():
        first = np.full(len(heads), -1, dtype=np.int64)
        first[rows[::-1]] = dependents[::-1]
        if edge.optional:
            return {**bindings, edge.dependent: first}
        lone = np.flatnonzero(~there)
        rows, dependents = np.concatenate([rows, lone]), np.concatenate([dependents, np.full(len(lone), -1)])
    return {**{name: at[rows] for name, at in bindings.items()}, edge.dependent: dependents}
