"""The sampling designs: one row each, from which drawing, evaluating, files and help know them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingDesign:
    """What a design is called, what it draws from, and what its sample is good for.

    ``by_rank``: what it draws from depends on rankings, and so on the way their ties were broken. ``whole_lists``:
    it reaches whole n-best lists, and not only what two of them do not share. The strata of a design are made by
    ``kernels.ranking.strata_of``.
    """

    name: str
    pool: str
    words: str
    by_rank: bool = True
    whole_lists: bool = True


STRATA = ("cells", "bands")
"""How the design ``strata`` divides a list: by membership in the n-best lists, or by the best rank."""
DESIGNS = {
    design.name: design
    for design in (
        SamplingDesign(
            name="simple",
            pool="the list",
            words="from the whole list; gives precision at any n, and the baseline",
            by_rank=False,
        ),
        SamplingDesign(
            name="union",
            pool="the union of the lists",
            words="from the union of the n-best lists; made for comparing the measures, gives no baseline",
        ),
        SamplingDesign(
            name="strata",
            pool="the strata",
            words="small lists nearly in full, the rest thinly; precise at small n, and keeps the baseline",
        ),
        SamplingDesign(
            name="difference",
            pool="the difference sets",
            words="only what two n-best lists do not share; compares two measures at one n, and gives nothing else",
            whole_lists=False,
        ),
    )
}


def is_by_rank(name: str) -> bool:
    """Whether what a design draws from depends on rankings; a census does not."""
    return name in DESIGNS and DESIGNS[name].by_rank


def has_whole_lists(name: str) -> bool:
    """Whether a design reaches whole n-best lists; a census does."""
    return name not in DESIGNS or DESIGNS[name].whole_lists
