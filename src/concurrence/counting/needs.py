"""Which attributes of the tokens a rule needs, so that no others are read."""

from concurrence.counting.rules import parse_rule
from concurrence.counting.stream import Filters


def needed_attributes(rule: str, unit: str, filters: Filters) -> frozenset[str]:
    """The attributes to read for this way of counting."""
    needed = {"form"}
    if unit != "form":
        needed |= {"lemma"}
    if unit == "lemma_pos" or filters.pos or filters.drop_pos:
        needed |= {"pos"}
    if parse_rule(rule).name in ("pos", "dep", "within"):
        needed |= {"lemma", "pos", "xpos", "deprel", "head"}
    return frozenset(needed)
