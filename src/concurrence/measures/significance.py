"""How much evidence there is against independence: tests and their approximations."""

from math import inf, log

import numpy as np

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.kernels.tails import binomial_log_upper, hypergeometric_log_upper, poisson_log_upper
from concurrence.measures import sequences
from concurrence.measures.measure import CORNERS, Measure, limits

LN10 = log(10)


@limits
def z_score(t: Contingency) -> Reals:
    r"""Standardised difference between observed and expected frequency.

    .. math:: (O - E) / \sqrt{E}

    References: Dennis (1965).
    """
    return (t.o11 - t.e11) / np.sqrt(t.e11)


@limits
def z_score_corr(t: Contingency) -> Reals:
    r"""The z-score with Yates's correction: half a count toward the expected frequency.

    .. math:: (O \mp 1/2 - E) / \sqrt{E}

    References: Dennis (1965), Yates (1934).
    """
    difference = t.o11 - t.e11
    return (difference - np.sign(difference) / 2) / np.sqrt(t.e11)


@limits
def t_score(t: Contingency) -> Reals:
    r"""Student's t with the observed frequency as its variance; minus infinity where the pair never occurs.

    .. math:: (O - E) / \sqrt{O}

    References: Church, Gale, Hanks & Hindle (1991).
    """
    return (t.o11 - t.e11) / np.sqrt(t.o11)


@limits
def chi_squared(t: Contingency) -> Reals:
    r"""Pearson's chi-squared, signed by the direction of association.

    .. math:: \pm N (O_{11}O_{22} - O_{12}O_{21})^2 / (R_1 R_2 C_1 C_2) = \pm N (O - E)^2 / (E_{11} E_{22})

    The second form keeps the digits that the products of counts lose. References: Evert (2005).
    """
    difference = t.o11 - t.e11
    return np.sign(difference) * _chi_squared(t, np.abs(difference))


@limits
def chi_squared_corr(t: Contingency) -> Reals:
    r"""Pearson's chi-squared with Yates's correction, signed by the direction of association.

    .. math:: \pm N (|O_{11}O_{22} - O_{12}O_{21}| - N/2)^2 / (R_1 R_2 C_1 C_2)

    References: Yates (1934).
    """
    difference = t.o11 - t.e11
    return np.sign(difference) * _chi_squared(t, np.abs(difference) - 0.5)


def log_likelihood(t: Contingency) -> Reals:
    r"""Log-likelihood ratio, signed by the direction of association.

    .. math:: G^2 = \pm 2 \sum_{ij} O_{ij} \log \frac{O_{ij}}{E_{ij}}

    It is negative where the pair is rarer than independence predicts. An empty cell adds nothing, since
    :math:`x \log x \to 0`; no smoothing is involved.

    References: Dunning (1993); signed as in Evert (2008).

    >>> t = Contingency.from_signature(f=[110, 10], f1=[2552, 10], f2=[221, 13], n=31777)
    >>> log_likelihood(t).round(2)
    array([270.72, 167.23])
    """
    return np.copysign(2 * divergence(t), t.o11 - t.e11)


def interaction_z(t: Contingency) -> Reals:
    r"""The interaction of a log-linear model by its standard error.

    .. math:: \lambda / \sqrt{\sum_{ij} 1 / (O_{ij} + 1/2)}

    It is quanteda's z. Where a cell is nearly empty the standard error grows faster than the interaction, so that a
    stronger association can score less. References: Blaheta & Johnson (2001).

    >>> interaction_z(Contingency.from_signature(f=[2], f1=2, f2=2, n=9)).round(6)
    array([2.027787])
    """
    cells = t.observed + 0.5
    scores: Reals = (np.log(cells) @ CORNERS) / np.sqrt((1 / cells).sum(axis=-1))
    return scores


def divergence(t: Contingency) -> Reals:
    r"""The sum of :math:`O_{ij} \log(O_{ij} / E_{ij})`, to full precision also near independence."""
    expected = t.expected
    differences = (t.o11 - t.e11)[..., None] * CORNERS
    shares = np.divide(differences, expected, out=np.zeros_like(expected), where=expected > 0)
    # An empty cell has exactly the share -1, whatever the rounding of its expected frequency.
    observed = t.observed
    shares[observed == 0] = 0
    terms: Reals = observed * np.log1p(shares)
    total: Reals = np.maximum(terms.sum(axis=-1), 0)
    return total


@limits
def simple_ll(t: Contingency) -> Reals:
    r"""Log-likelihood of the joint frequency alone, signed by the direction of association.

    .. math:: \pm 2 (O \log (O/E) - (O - E))

    References: Evert (2008).
    """
    difference = t.o11 - t.e11
    share = np.divide(difference, t.e11, out=np.zeros_like(difference), where=(t.e11 > 0) & (t.o11 > 0))
    evidence: Reals = np.maximum(2 * (t.o11 * np.log1p(share) - difference), 0)
    return np.copysign(evidence, difference)


def fisher_pv(t: Contingency) -> Reals:
    r"""Fisher's exact test: how improbable as many co-occurrences or more are, given the marginals.

    .. math:: -\log_{10} P(X \ge O), \quad X \sim \mathrm{Hypergeometric}(N, C_1, R_1)

    References: Pedersen (1996).
    """
    return surprisal(hypergeometric_log_upper(t.o11, t.r1, t.c1, t.n))


def poisson_pv(t: Contingency) -> Reals:
    r"""The Poisson test: how improbable as many co-occurrences or more are where E are expected.

    .. math:: -\log_{10} P(X \ge O), \quad X \sim \mathrm{Poisson}(E)

    References: Quasthoff & Wolff (2002).
    """
    return surprisal(poisson_log_upper(t.o11, t.e11))


def binomial_pv(t: Contingency) -> Reals:
    r"""The binomial test: how improbable as many co-occurrences or more are in N trials with chance E/N.

    .. math:: -\log_{10} P(X \ge O), \quad X \sim \mathrm{Binomial}(N, E/N)

    References: Evert (2005).
    """
    return surprisal(binomial_log_upper(t.o11, t.n, t.e11 / t.n))


@limits
def poisson_stirling(t: Contingency) -> Reals:
    r"""Stirling's approximation of the Poisson likelihood; meant for attracted pairs.

    .. math:: O (\log (O/E) - 1) / \log 10

    References: Quasthoff & Wolff (2002).
    """
    ratio = np.divide(t.o11, t.e11, out=np.ones_like(t.o11), where=(t.e11 > 0) & (t.o11 > 0))
    score: Reals = t.o11 * (np.log(ratio) - 1) / LN10 + 0.0
    return score


def surprisal(log_probability: Reals) -> Reals:
    """A natural log probability as a negative decimal one; zero is never negative zero."""
    return -log_probability / LN10 + 0.0


def _chi_squared(t: Contingency, difference: Reals) -> Reals:
    return difference**2 / t.e11 * t.n / (t.r2 / t.n * t.c2)


SIGNIFICANCE = (
    Measure(
        function=z_score,
        title="z-score",
        symbol="z",
        formula="(O - E) / sqrt(E)",
        reference="dennis1965",
        signed=True,
        ucs="z.score",
    ),
    Measure(
        function=z_score_corr,
        title="z-score (Yates)",
        symbol="z (Yates)",
        formula="(O - sign(O - E)/2 - E) / sqrt(E)",
        reference="yates1934",
        ucs="z.score.corr",
    ),
    Measure(
        function=t_score,
        title="t-score",
        symbol="t",
        formula="(O - E) / sqrt(O)",
        reference="church1991",
        signed=True,
        ucs="t.score",
        aliases=("t",),
    ),
    Measure(
        function=chi_squared,
        title="chi-squared",
        symbol="χ²",
        formula="sign(O - E) * N * (O11*O22 - O12*O21)**2 / (R1*R2*C1*C2)",
        reference="evert2005thesis",
        signed=True,
        ucs="chi.squared",
        aliases=("chi2",),
    ),
    Measure(
        function=chi_squared_corr,
        title="chi-squared (Yates)",
        symbol="χ² (Yates)",
        formula="sign(O - E) * N * (abs(O11*O22 - O12*O21) - N/2)**2 / (R1*R2*C1*C2)",
        reference="yates1934",
        signed=True,
        ucs="chi.squared.corr",
    ),
    Measure(
        function=log_likelihood,
        title="log-likelihood",
        symbol="G²",
        base="e",
        formula="sign(O - E) * 2 * (O11*ln(O11/E11) + O12*ln(O12/E12) + O21*ln(O21/E21) + O22*ln(O22/E22))",
        reference="dunning1993",
        signed=True,
        ucs="log.likelihood",
        aliases=("LL", "G2"),
        sequences=sequences.sequence_log_likelihood,
    ),
    Measure(
        function=interaction_z,
        name="lambda_z",
        title="z of lambda",
        symbol="z (λ)",
        base="e",
        formula=(
            "ln((O11 + 0.5)*(O22 + 0.5) / ((O12 + 0.5)*(O21 + 0.5))) "
            "/ sqrt(1/(O11 + 0.5) + 1/(O12 + 0.5) + 1/(O21 + 0.5) + 1/(O22 + 0.5))"
        ),
        reference="blaheta2001",
        sequences=sequences.sequence_interaction_z,
        monotone=False,
    ),
    Measure(
        function=simple_ll,
        title="simple log-likelihood",
        symbol="simple G²",
        base="e",
        formula="sign(O - E) * 2 * (O*ln(O/E) - (O - E))",
        reference="evert2008",
        signed=True,
        ucs="simple.ll",
    ),
    Measure(
        function=fisher_pv,
        title="Fisher's exact test",
        symbol="Fisher",
        base="10",
        formula="-log10 P(X >= O), X hypergeometric: R1 drawn from N, C1 of them marked",
        reference="pedersen1996",
        range=(0, inf),
        ucs="Fisher.pv",
    ),
    Measure(
        function=poisson_pv,
        title="Poisson test",
        symbol="Poisson",
        base="10",
        formula="-log10 P(X >= O), X Poisson with mean E",
        reference="quasthoff2002",
        range=(0, inf),
        ucs="Poisson.pv",
    ),
    Measure(
        function=binomial_pv,
        title="binomial test",
        symbol="binomial",
        base="10",
        formula="-log10 P(X >= O), X binomial: N trials with chance E/N",
        reference="evert2005thesis",
        range=(0, inf),
        ucs="binomial.pv",
    ),
    Measure(
        function=poisson_stirling,
        symbol="Poisson-Stirling",
        base="10",
        formula="O * (ln(O/E) - 1) / ln(10)",
        reference="quasthoff2002",
        ucs="Poisson.Stirling",
    ),
)
