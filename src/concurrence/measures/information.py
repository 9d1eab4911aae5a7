"""Measures from information theory."""

from dataclasses import replace
from math import inf, log

import numpy as np

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.measures import sequences
from concurrence.measures.measure import Function, Measure, limits
from concurrence.measures.significance import divergence

ALPHA = 0.05
LN2 = log(2)
LOG10_2 = log(2) / log(10)


@limits
def mutual_information(t: Contingency) -> Reals:
    r"""Pointwise mutual information in bits; minus infinity where the pair never occurs.

    .. math:: \log_2 (O/E)

    References: Church & Hanks (1990).
    """
    return np.log2(t.o11 / t.e11)


@limits
def mutual_information_2(t: Contingency) -> Reals:
    r"""Mutual information with the observed frequency squared, against its bias for rare pairs.

    .. math:: \log_2 (O^2/E)

    References: Daille (1994).
    """
    return np.log2(t.o11**2 / t.e11)


@limits
def mutual_information_3(t: Contingency) -> Reals:
    r"""Mutual information with the observed frequency cubed.

    .. math:: \log_2 (O^3/E)

    References: Daille (1994).
    """
    return np.log2(t.o11**3 / t.e11)


def local_mutual_information(t: Contingency) -> Reals:
    r"""What the pair alone adds to the average mutual information.

    .. math:: O \log_2 (O/E)

    References: Evert (2005).
    """
    from scipy.special import rel_entr  # takes its time to load

    weighted: Reals = rel_entr(t.o11, t.e11) / LN2
    return weighted


def average_mutual_information(t: Contingency) -> Reals:
    r"""Mutual information of the whole table, N times its mean; high for repelled pairs too.

    .. math:: \sum_{ij} O_{ij} \log_2 (O_{ij}/E_{ij})

    References: Evert (2005).
    """
    return divergence(t) / LN2


@limits
def mutual_information_conf(t: Contingency) -> Reals:
    r"""The lower end of the two-sided 95% Poisson interval of O/E, as a logarithm.

    .. math:: \log_{10} (L / E), \quad P(X \ge O) = 0.025 \text{ where } X \sim \mathrm{Poisson}(L)

    References: Evert (2005).
    """
    counts, place = np.unique(t.o11, return_inverse=True)
    from scipy.special import gammaincinv

    low = np.where(counts > 0, gammaincinv(np.maximum(counts, 1), ALPHA / 2), 0)
    return np.log10(low[place].reshape(t.o11.shape) / t.e11)


@limits
def normalised_mutual_information(t: Contingency) -> Reals:
    r"""Mutual information as a share of its maximum, which is reached where neither word occurs alone.

    .. math:: \log (O/E) / -\log (O/N)

    Its limit where the pair never occurs is -1. References: Bouma (2009).
    """
    shares = np.log(t.o11 / t.e11) / -np.log(t.o11 / t.n)
    return np.where((t.o11 == 0) & (t.e11 > 0), -1.0, shares)


@limits
def mutual_information_log_f(t: Contingency) -> Reals:
    r"""Mutual information weighted by the logarithm of the frequency.

    .. math:: \log_2 (O/E) \cdot \ln (O + 1)

    Its limit where the pair never occurs is 0. References: Kilgarriff & Tugwell (2001).
    """
    weighted = np.log2(t.o11 / t.e11) * np.log1p(t.o11)
    return np.where((t.o11 == 0) & (t.e11 > 0), 0.0, weighted)


def mutual_information_10(t: Contingency) -> Reals:
    r"""Pointwise mutual information, in base 10 as UCS prints it.

    .. math:: \log_{10} (O/E)

    References: Evert (2005).
    """
    return mutual_information(t) * LOG10_2


def mutual_information_2_10(t: Contingency) -> Reals:
    r"""Mutual information with the observed frequency squared, in base 10 as UCS prints it.

    .. math:: \log_{10} (O^2/E)

    References: Evert (2005).
    """
    return mutual_information_2(t) * LOG10_2


def mutual_information_3_10(t: Contingency) -> Reals:
    r"""Mutual information with the observed frequency cubed, in base 10 as UCS prints it.

    .. math:: \log_{10} (O^3/E)

    References: Evert (2005).
    """
    return mutual_information_3(t) * LOG10_2


def local_mutual_information_10(t: Contingency) -> Reals:
    r"""What the pair alone adds to the average mutual information, in base 10 as UCS prints it.

    .. math:: O \log_{10} (O/E)

    References: Evert (2005).
    """
    return local_mutual_information(t) * LOG10_2


def average_mutual_information_10(t: Contingency) -> Reals:
    r"""Mutual information of the whole table, in base 10 as UCS prints it.

    .. math:: \sum_{ij} O_{ij} \log_{10} (O_{ij}/E_{ij})

    References: Evert (2005).
    """
    return average_mutual_information(t) * LOG10_2


BASE_2 = (
    Measure(
        name="MI",
        aliases=("PMI",),
        function=mutual_information,
        symbol="MI",
        base="2",
        formula="log2(O/E)",
        reference="church1990",
        signed=True,
        sequences=sequences.sequence_mutual_information,
    ),
    Measure(
        name="MI2",
        function=mutual_information_2,
        symbol="MI²",
        base="2",
        formula="log2(O**2/E)",
        reference="daille1994",
        ranks_like=("gmean",),
        ranks_like_where="N is the same in all rows",
    ),
    Measure(
        name="MI3",
        function=mutual_information_3,
        symbol="MI³",
        base="2",
        formula="log2(O**3/E)",
        reference="daille1994",
    ),
    Measure(
        name="local_MI",
        function=local_mutual_information,
        symbol="local MI",
        base="2",
        formula="O * log2(O/E)",
        reference="evert2005thesis",
        signed=True,
    ),
    Measure(
        name="average_MI",
        function=average_mutual_information,
        symbol="average MI",
        base="2",
        formula="O11*log2(O11/E11) + O12*log2(O12/E12) + O21*log2(O21/E21) + O22*log2(O22/E22)",
        reference="evert2005thesis",
        side="two-sided",
        range=(0, inf),
    ),
)


def _in_base_10(row: Measure, function: Function, name: str, ucs: str) -> Measure:
    return replace(
        row,
        function=function,
        name=name,
        title=f"{row.title} (base 10)",
        symbol=f"{row.symbol} (base 10)",
        base="10",
        formula=row.formula.replace("log2", "log10"),
        ucs=ucs,
        aliases=(),
        ranks_like=(row.name, *row.ranks_like),
        sequences=None,
    )


UCS = (
    (mutual_information_10, "MI10", "MI"),
    (mutual_information_2_10, "MI2_10", "MI2"),
    (mutual_information_3_10, "MI3_10", "MI3"),
    (local_mutual_information_10, "local_MI10", "local.MI"),
    (average_mutual_information_10, "average_MI10", "average.MI"),
)

INFORMATION = (
    *(replace(row, ranks_like=(*row.ranks_like, name)) for row, (_, name, _) in zip(BASE_2, UCS, strict=True)),
    *(_in_base_10(row, *other) for row, other in zip(BASE_2, UCS, strict=True)),
    Measure(
        name="MI_conf",
        function=mutual_information_conf,
        symbol="MI (95% lower bound)",
        base="10",
        formula="log10(L/E), L the lower end of the two-sided exact 95% Poisson interval of O",
        reference="evert2005thesis",
        ucs="MI.conf",
    ),
    Measure(
        name="NPMI",
        function=normalised_mutual_information,
        symbol="NPMI",
        formula="ln(O/E) / -ln(O/N)",
        reference="bouma2009",
        signed=True,
        range=(-1, 1),
    ),
    Measure(
        name="MI_log_f",
        function=mutual_information_log_f,
        symbol="MI·log f",
        base="2, weight e",
        formula="log2(O/E) * ln(O + 1)",
        reference="kilgarriff2001",
        signed=True,
    ),
)
