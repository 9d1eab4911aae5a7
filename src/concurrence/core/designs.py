"""The sampling designs: one row each, from which drawing, evaluating, files and help know them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingDesign:
    """What a design is called, what it draws from, and what its sample is good for.

    ``by_rank``: what it draws from depends on rankings, and so on the way their ties were broken. The strata of a
    design are made by ``kernels.ranking.strata_of``.
    """

    name: str
    pool: str
    words: str
    by_rank: bool = True


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
    )
}


def is_by_rank(name: str) -> bool:
    """Whether what a design draws from depends on rankings; a census does not."""
    return name in DESIGNS and DESIGNS[name].by_rank
