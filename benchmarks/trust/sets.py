"""Agreement on sets of labels: alpha with MASI and Jaccard distances, and the kappa of every label.

Every item has a true set of four labels, which come at different rates. With a probability of 30% a coder gives or
leaves out a label at its rate alone, whatever is true, so that the kappa of every label is .49. The truth of alpha is
that of many items.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.sets import set_agreement
from concurrence.core import Labels

POPULATION = 300_000
QUICK = {"POPULATION": 500}
MEMBERS, RATES = ("a", "b", "c", "d"), np.array([0.6, 0.4, 0.25, 0.05])
SLIP = 0.3
SETS = ["+".join(name for bit, name in enumerate(MEMBERS) if code >> bit & 1) or "none" for code in range(16)]
"""Sets as labels; a set without a label is the label none, which no other set holds."""


def draw_labels(items: int, coders: int, random: np.random.Generator) -> Labels:
    """Sets that coders give."""
    true = random.random((items, 1, len(MEMBERS))) < RATES
    redrawn, slips = (random.random((items, coders, len(MEMBERS))) < share for share in (RATES, SLIP))
    members = np.where(slips, redrawn, true)
    sets_used, codes = np.unique(members @ (1 << np.arange(len(MEMBERS))), return_inverse=True)
    return Labels(
        codes=codes.reshape(items, coders).astype(np.int32),
        categories=tuple(SETS[code] for code in sets_used),
        coders=tuple(map(str, range(coders))),
        set_separator="+",
    )


@cache
def true_alpha(distance: str, coders: int) -> float:
    """Alpha of many items."""
    labels = draw_labels(POPULATION, coders, np.random.default_rng(coders))
    return set_agreement(labels, AgreeOptions()).alpha[distance].value


def alpha(items: int, coders: int, distance: str, random: np.random.Generator) -> Said:
    """The interval of alpha."""
    found = set_agreement(draw_labels(items, coders, random), AgreeOptions()).alpha[distance]
    return Said(holds=holds(found.interval, true_alpha(distance, coders)), trusted=bool(found.trusted))


def kappa(items: int, coders: int, member: str, random: np.random.Generator) -> Said:
    """The interval of the kappa of one label."""
    found = set_agreement(draw_labels(items, coders, random), AgreeOptions()).labels.get(member)
    if found is None:
        return Said(holds=None)
    return Said(holds=holds(found.interval, (1 - SLIP) ** 2), trusted=bool(found.trusted))


FEW, MORE = ((30, 2), (30, 3)), ((200, 2), (200, 3))


def setting(statistic: str, where: str, items: int, coders: int, simulate: Callable[..., Said], what: str) -> Setting:
    """One statistic of so many items and coders; only three coders with many items need no posterior, which is slow."""
    return Setting(
        room="sets",
        statistic=statistic,
        where=f"{where}{items} items, {coders} coders",
        simulate=partial(simulate, items, coders, what),
        replications=None if (items, coders) == (200, 3) else 500,
    )


SETTINGS: tuple[Setting, ...] = (
    *(setting("Krippendorff's alpha, MASI distances", "", *size, alpha, "masi") for size in (*FEW, *MORE)),
    *(setting("Krippendorff's alpha, Jaccard distances", "", *size, alpha, "jaccard") for size in MORE),
    *(
        setting("kappa of a label", f"in {RATES[MEMBERS.index(member)]:.0%} of the sets, ", *size, kappa, member)
        for member, sizes in (("b", (*FEW, *MORE)), ("d", MORE))
        for size in sizes
    ),
)
