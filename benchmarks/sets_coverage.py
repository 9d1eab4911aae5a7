"""How often 95 % intervals of agreement on sets of labels cover the true value.

Every item has a true set of four labels, which come at different rates; with a probability of 30% a coder gives or
leaves out a label at its rate alone, whatever is true, so that the kappa of every label is .49. The truth of alpha is
that of very many items. Alpha with MASI and Jaccard distances and the kappa of every label promise 93 % with 200 items;
the kappa of a label that is in one set of twenty is printed.
"""

import numpy as np

from benchmarks.rows import Row
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import SetAgreement
from concurrence.agreement.labels.sets import set_agreement
from concurrence.core import Interval, Labels

AREA = "sets_coverage"
PROMISE = 0.93
REPLICATIONS, ITEMS, MANY_ITEMS = 1500, 200, 300_000
QUICK = {"REPLICATIONS": 1, "MANY_ITEMS": 500}
MEMBERS, RATES = ("a", "b", "c", "d"), np.array([0.6, 0.4, 0.25, 0.05])
SLIP = 0.3
KAPPA = (1 - SLIP) ** 2


def simulate_labels(random: np.random.Generator, items: int, coders: int) -> Labels:
    """Sets as labels; a set without a label is the label none, which no other set holds."""
    true = random.random((items, 1, len(MEMBERS))) < RATES
    redrawn = random.random((items, coders, len(MEMBERS))) < RATES
    slips = random.random((items, coders, len(MEMBERS))) < SLIP
    members = np.where(slips, redrawn, true)
    number = members @ (1 << np.arange(len(MEMBERS)))
    names = ["+".join(name for bit, name in enumerate(MEMBERS) if code >> bit & 1) for code in range(16)]
    sets_used, codes = np.unique(number, return_inverse=True)
    return Labels(
        codes=codes.reshape(items, coders).astype(np.int32),
        categories=tuple(names[code] or "none" for code in sets_used),
        coders=tuple(map(str, range(coders))),
        set_separator="+",
    )


def intervals_of(agreement: SetAgreement) -> dict[str, tuple[float, Interval]]:
    """Value and interval of everything that promises one."""
    alphas = {
        f"alpha, {name} distances": (coefficient.value, coefficient.interval)
        for name, coefficient in agreement.alpha.items()
    }
    kappas = {
        f"kappa of a label at {rate:.0%}": (agreement.labels[name].kappa, agreement.labels[name].interval)
        for name, rate in zip(MEMBERS, RATES, strict=True)
    }
    return alphas | kappas


def run() -> list[Row]:
    """Two and three coders."""
    rows = []
    for coders in (2, 3):
        random, options = np.random.default_rng(coders), AgreeOptions()
        many = intervals_of(set_agreement(simulate_labels(random, MANY_ITEMS, coders), options))
        truth = {name: KAPPA if name.startswith("kappa") else value for name, (value, _) in many.items()}
        hits = dict.fromkeys(truth, 0)
        for _ in range(REPLICATIONS):
            for name, (_, (low, high)) in intervals_of(
                set_agreement(simulate_labels(random, ITEMS, coders), options)
            ).items():
                hits[name] += bool(low <= truth[name] <= high)
        where = f"{ITEMS} items, {coders} coders"
        rows += [_row(f"{name}, {where}, truth {truth[name]:.3f}", hit / REPLICATIONS) for name, hit in hits.items()]
    return rows


def _row(work: str, value: float) -> Row:
    return Row(
        area=AREA,
        work=work,
        quantity="share of replications",
        ours=value,
        peer="always",
        against=1.0,
        limit=None if " at 5%" in work else PROMISE,
        limit_is="at least",
    )
