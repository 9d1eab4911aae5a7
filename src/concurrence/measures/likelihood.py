"""How improbable exactly this table is where the words are independent; high for repelled pairs too."""

from math import inf

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.kernels.tails import (
    binomial_log_point,
    hypergeometric_log_point,
    multinomial_log_point,
    poisson_log_point,
)
from concurrence.measures.measure import Measure
from concurrence.measures.significance import surprisal


def multinomial_likelihood(t: Contingency) -> Reals:
    r"""The probability of the whole table, the expected cells taken as shares of N.

    .. math:: -\log_{10} \frac{N!}{\prod_{ij} O_{ij}!} \prod_{ij} \left(\frac{E_{ij}}{N}\right)^{O_{ij}}

    References: Evert (2005).
    """
    return surprisal(multinomial_log_point(t.observed, t.expected))


def hypergeometric_likelihood(t: Contingency) -> Reals:
    r"""The probability of the table given its marginals.

    .. math:: -\log_{10} P(X = O), \quad X \sim \mathrm{Hypergeometric}(N, C_1, R_1)

    References: Evert (2005).
    """
    return surprisal(hypergeometric_log_point(t.o11, t.r1, t.c1, t.n))


def binomial_likelihood(t: Contingency) -> Reals:
    r"""The probability of the joint frequency in N trials with chance E/N.

    .. math:: -\log_{10} P(X = O), \quad X \sim \mathrm{Binomial}(N, E/N)

    References: Evert (2005).
    """
    return surprisal(binomial_log_point(t.o11, t.n, t.e11 / t.n))


def poisson_likelihood(t: Contingency) -> Reals:
    r"""The probability of the joint frequency where E are expected.

    .. math:: -\log_{10} P(X = O), \quad X \sim \mathrm{Poisson}(E)

    References: Quasthoff & Wolff (2002).
    """
    return surprisal(poisson_log_point(t.o11, t.e11))


LIKELIHOOD = (
    Measure(
        function=multinomial_likelihood,
        title="multinomial likelihood",
        symbol="multinomial",
        base="10",
        formula="-log10 P(table), multinomial: N trials with chances Eij/N",
        reference="evert2005thesis",
        side="two-sided",
        range=(0, inf),
        ucs="multinomial.likelihood.pv",
    ),
    Measure(
        function=hypergeometric_likelihood,
        title="hypergeometric likelihood",
        symbol="hypergeometric",
        base="10",
        formula="-log10 P(X = O), X hypergeometric: R1 drawn from N, C1 of them marked",
        reference="evert2005thesis",
        side="two-sided",
        range=(0, inf),
        ucs="hypergeometric.likelihood.pv",
    ),
    Measure(
        function=binomial_likelihood,
        title="binomial likelihood",
        symbol="binomial point",
        base="10",
        formula="-log10 P(X = O), X binomial: N trials with chance E/N",
        reference="evert2005thesis",
        side="two-sided",
        range=(0, inf),
        ucs="binomial.likelihood.pv",
    ),
    Measure(
        function=poisson_likelihood,
        title="Poisson likelihood",
        symbol="Poisson point",
        base="10",
        formula="-log10 P(X = O), X Poisson with mean E",
        reference="quasthoff2002",
        side="two-sided",
        range=(0, inf),
        ucs="Poisson.likelihood.pv",
    ),
)
