"""How strong the association is, whatever the evidence for it."""

from math import inf

import numpy as np

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.measures import sequences
from concurrence.measures.measure import CORNERS, Measure, limits

ALPHA = 0.05


@limits
def dice(t: Contingency) -> Reals:
    r"""Dice's coefficient: the harmonic mean of the two conditional probabilities.

    .. math:: 2 O / (R_1 + C_1)

    References: Smadja, McKeown & Hatzivassiloglou (1996).
    """
    return 2 * t.o11 / (t.r1 + t.c1)


@limits
def jaccard(t: Contingency) -> Reals:
    r"""Jaccard's coefficient: the share of the pair among all that has either word.

    .. math:: O / (R_1 + C_1 - O)

    References: Evert (2005).
    """
    return t.o11 / (t.r1 + t.c1 - t.o11)


@limits
def log_dice(t: Contingency) -> Reals:
    r"""Dice of the words' own frequencies on a logarithmic scale.

    .. math:: 14 + \log_2 (2 O / (n_1 + n_2))

    Here n1 and n2 are the frequencies of the two words in the corpus. Where they are not known, the margins R1 and
    C1 stand in for them; in a window, R1 is much larger than the frequency of the node. The maximum is 14, or up to
    15 in a window, where a node may have several tokens of a collocate.

    References: Rychlý (2008).
    """
    n1, n2 = (t.r1, t.c1) if t.n1 is None or t.n2 is None else (t.n1, t.n2)
    return 14 + np.log2(2 * t.o11 / (n1 + n2))


@limits
def gmean(t: Contingency) -> Reals:
    r"""The geometric mean of the two conditional probabilities.

    .. math:: O / \sqrt{R_1 C_1}

    References: Evert (2005).
    """
    mean: Reals = t.o11 / (np.sqrt(t.r1) * np.sqrt(t.c1))
    return mean


@limits
def minimum_sensitivity(t: Contingency) -> Reals:
    r"""The smaller of the two conditional probabilities.

    .. math:: \min(O / R_1, O / C_1)

    References: Pedersen (1998).
    """
    return np.minimum(t.o11 / t.r1, t.o11 / t.c1)


@limits
def odds_ratio(t: Contingency) -> Reals:
    r"""The logarithm of the odds ratio; infinite where an empty cell makes the association perfect.

    .. math:: \log_{10} (O_{11} O_{22} / (O_{12} O_{21}))

    References: Evert (2005).
    """
    return np.log10(t.o11 * t.o22 / (t.o12 * t.o21))


def odds_ratio_disc(t: Contingency) -> Reals:
    r"""The logarithm of the odds ratio with half a count added to each cell.

    .. math:: \log_{10} \frac{(O_{11} + 1/2)(O_{22} + 1/2)}{(O_{12} + 1/2)(O_{21} + 1/2)}

    References: Evert (2005).
    """
    o11, o12, o21, o22 = (t.o11 + 0.5, t.o12 + 0.5, t.o21 + 0.5, t.o22 + 0.5)
    return np.log10(o11 * o22 / (o12 * o21))


def interaction(t: Contingency) -> Reals:
    r"""The interaction of a log-linear model: the log odds ratio with half a count added to each cell.

    .. math:: \lambda = \ln \frac{(O_{11} + 1/2)(O_{22} + 1/2)}{(O_{12} + 1/2)(O_{21} + 1/2)}

    It is quanteda's lambda. References: Blaheta & Johnson (2001).

    >>> interaction(Contingency.from_signature(f=[2], f1=2, f2=2, n=9)).round(6)
    array([4.317488])
    """
    scores: Reals = np.log(t.observed + 0.5) @ CORNERS
    return scores


@limits
def relative_risk(t: Contingency) -> Reals:
    r"""How much more probable the first word is beside the second than elsewhere.

    .. math:: \log_{10} \frac{O_{11} / C_1}{O_{12} / C_2}

    References: Evert (2005).
    """
    return np.log10((t.o11 / t.c1) / (t.o12 / t.c2))


@limits
def log_ratio(t: Contingency) -> Reals:
    r"""How much more probable the second word is beside the first than elsewhere, in doublings.

    .. math:: \log_2 \frac{O_{11} / R_1}{O_{21} / R_2}

    References: Hardie (2014).
    """
    return np.log2((t.o11 / t.r1) / (t.o21 / t.r2))


@limits
def log_ratio_conservative(t: Contingency) -> Reals:
    r"""The end nearer to zero of the exact 95% interval of the log ratio, zero where it holds zero.

    .. math:: \log_2 \frac{R_2}{R_1} \frac{p}{1 - p}, \quad O_{11} \sim \mathrm{Binomial}(O_{11} + O_{21}, p)

    p is the Clopper-Pearson bound on the side of zero.

    References: Evert (2022).
    """
    attracted = t.o11 * t.r2 >= t.o21 * t.r1
    from scipy.special import betaincinv  # takes its time to load

    low = betaincinv(np.where(attracted, t.o11, 1), np.where(attracted, t.o21 + 1, 1), ALPHA / 2)
    high = betaincinv(np.where(attracted, 1, t.o11 + 1), np.where(attracted, 1, t.o21), 1 - ALPHA / 2)
    share = np.where(attracted, low, high)
    bound = np.log2(t.r2 / t.r1 * share / (1 - share))
    nearest = np.where(attracted, np.maximum(bound, 0), np.minimum(bound, 0))
    return np.where((t.c1 == 0) | (t.r1 == 0) | (t.r2 == 0), np.nan, nearest)


@limits
def delta_p_21(t: Contingency) -> Reals:
    r"""How much the first word raises the probability of the second.

    .. math:: O_{11} / R_1 - O_{21} / R_2

    References: Gries (2013).
    """
    return t.o11 / t.r1 - t.o21 / t.r2


@limits
def delta_p_12(t: Contingency) -> Reals:
    r"""How much the second word raises the probability of the first.

    .. math:: O_{11} / C_1 - O_{12} / C_2

    References: Gries (2013).
    """
    return t.o11 / t.c1 - t.o12 / t.c2


@limits
def liddell(t: Contingency) -> Reals:
    r"""The difference of proportions between the columns.

    .. math:: (O_{11} O_{22} - O_{12} O_{21}) / (C_1 C_2)

    References: Liddell (1976).
    """
    return t.n * (t.o11 - t.e11) / t.c1 / t.c2


EFFECT_SIZE = (
    Measure(
        function=dice,
        symbol="Dice",
        formula="2*O / (R1 + C1)",
        reference="smadja1996",
        range=(0, 1),
        ucs="Dice",
        ranks_like=("jaccard", "logDice"),
        ranks_like_where="(for logDice) f1 and f2 are the words' own frequencies",
    ),
    Measure(
        function=jaccard,
        symbol="Jaccard",
        formula="O / (R1 + C1 - O)",
        reference="evert2005thesis",
        range=(0, 1),
        ucs="Jaccard",
        ranks_like=("dice", "logDice"),
        ranks_like_where="(for logDice) f1 and f2 are the words' own frequencies",
    ),
    Measure(
        name="logDice",
        function=log_dice,
        symbol="logDice",
        base="2",
        formula="14 + log2(2*O / (n1 + n2))",
        reference="rychly2008",
        range=(-inf, 15),
        ranks_like=("dice", "jaccard"),
        ranks_like_where="f1 and f2 are the words' own frequencies",
    ),
    Measure(
        function=gmean,
        title="geometric mean",
        symbol="gmean",
        formula="O / sqrt(R1*C1)",
        reference="evert2005thesis",
        range=(0, 1),
        ucs="gmean",
        ranks_like=("MI2", "MI2_10"),
        ranks_like_where="N is the same in all rows",
    ),
    Measure(
        function=minimum_sensitivity,
        title="minimum sensitivity",
        symbol="MS",
        formula="min(O/R1, O/C1)",
        reference="pedersen1998",
        range=(0, 1),
        ucs="MS",
    ),
    Measure(
        function=odds_ratio,
        symbol="log odds ratio",
        base="10",
        formula="log10(O11*O22 / (O12*O21))",
        reference="evert2005thesis",
        signed=True,
        ucs="odds.ratio",
    ),
    Measure(
        function=odds_ratio_disc,
        symbol="log odds ratio (+½)",
        base="10",
        formula="log10((O11 + 0.5)*(O22 + 0.5) / ((O12 + 0.5)*(O21 + 0.5)))",
        reference="evert2005thesis",
        ucs="odds.ratio.disc",
        ranks_like=("lambda",),
    ),
    Measure(
        function=interaction,
        name="lambda",
        title="lambda",
        symbol="λ",
        base="e",
        formula="ln((O11 + 0.5)*(O22 + 0.5) / ((O12 + 0.5)*(O21 + 0.5)))",
        reference="blaheta2001",
        ranks_like=("odds_ratio_disc",),
        sequences=sequences.sequence_interaction,
    ),
    Measure(
        function=relative_risk,
        symbol="log relative risk",
        base="10",
        formula="log10((O11/C1) / (O12/C2))",
        reference="evert2005thesis",
        signed=True,
        ucs="relative.risk",
    ),
    Measure(
        function=log_ratio,
        title="log ratio",
        symbol="LR",
        base="2",
        formula="log2((O11/R1) / (O21/R2))",
        reference="hardie2014",
        signed=True,
    ),
    Measure(
        function=log_ratio_conservative,
        title="conservative log ratio",
        symbol="LRC",
        base="2",
        formula="the end nearer to 0 of the exact 95% interval of log_ratio; 0 where the interval holds 0",
        reference="evert2022",
        signed=True,
    ),
    Measure(
        function=delta_p_12,
        symbol="ΔP(1|2)",
        formula="O11/C1 - O12/C2",
        reference="gries2013",
        signed=True,
        range=(-1, 1),
        ranks_like=("liddell",),
    ),
    Measure(
        function=delta_p_21,
        symbol="ΔP(2|1)",
        formula="O11/R1 - O21/R2",
        reference="gries2013",
        signed=True,
        range=(-1, 1),
    ),
    Measure(
        function=liddell,
        symbol="Liddell",
        formula="(O11*O22 - O12*O21) / (C1*C2)",
        reference="liddell1976",
        signed=True,
        range=(-1, 1),
        ucs="Liddell",
        ranks_like=("delta_p_12",),
    ),
)
