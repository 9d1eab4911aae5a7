"""Interpretation scales, never as a bare word, but with the probability that the true value lies in each band.

A band reaches from its lower to its upper end; the mark at a cut says which band owns it. The lowest band of
every scale takes in all values below it, negative ones too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from concurrence.core.results import Interval
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class ScalesMethod:
    """How the probabilities of the words were made."""

    name: str
    words: str


METHODS = {
    method.name: method
    for method in (
        ScalesMethod(
            name="normal_truncated",
            words="The true value is taken to follow a normal distribution around the estimate with its standard "
            "error, cut off at -1 and 1 (Gwet's benchmark method).",
        ),
        ScalesMethod(
            name="dirichlet",
            words="The probabilities are shares of the posterior draws behind the posterior interval, since a normal "
            "distribution around the estimate cannot be trusted here.",
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A stretch of values and its name."""

    name: str
    low: float
    high: float
    low_closed: bool
    high_closed: bool

    def __str__(self) -> str:
        return f"{'[' if self.low_closed else '('}{self.low:g}, {self.high:g}{']' if self.high_closed else ')'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Bands from the lowest to the highest, without gaps."""

    name: str
    title: str
    bands: tuple[Band, ...]
    reference: str

    def band_of(self, estimate: float) -> Band:
        """The band an estimate lies in; what lies below -1 belongs to the lowest."""
        for band in reversed(self.bands):
            if estimate > band.low or (estimate == band.low and band.low_closed):
                return band
        return self.bands[0]


TITLES = {"landis_koch": "Landis & Koch", "rietveld_van_hout": "Rietveld & van Hout"}


def _scale(name: str, reference: str, lowest: str, *steps: tuple[float, str, str]) -> Scale:
    """A scale from its cuts: ``[`` where a cut belongs to the band above it, ``(`` where to the one below."""
    ends = [(-1.0, "[", lowest), *steps, (1.0, "(", "")]
    bands = tuple(
        Band(name=word, low=low, high=high, low_closed=mark == "[", high_closed=next_mark == "(")
        for (low, mark, word), (high, next_mark, _) in pairwise(ends)
    )
    return Scale(name=name, title=TITLES.get(name, name.capitalize()), bands=bands, reference=reference)


SCALES = {
    scale.name: scale
    for scale in (
        _scale(
            "landis_koch",
            "landis1977",
            "poor",
            (0.0, "[", "slight"),
            (0.2, "(", "fair"),
            (0.4, "(", "moderate"),
            (0.6, "(", "substantial"),
            (0.8, "(", "almost perfect"),
        ),
        _scale("krippendorff", "krippendorff1980", "discard", (0.67, "[", "tentative"), (0.8, "[", "definite")),
        _scale("green", "green1997", "low", (0.4, "(", "fair to good"), (0.75, "[", "high")),
        _scale(
            "rietveld_van_hout",
            "rietveld1993",
            "below fair",
            (0.2, "(", "fair"),
            (0.4, "(", "moderate"),
            (0.6, "(", "above moderate"),
        ),
        _scale("fleiss", "fleiss1981", "poor", (0.4, "[", "fair to good"), (0.75, "(", "excellent")),
        _scale(
            "altman",
            "altman1991",
            "poor",
            (0.2, "(", "fair"),
            (0.4, "(", "moderate"),
            (0.6, "(", "good"),
            (0.8, "(", "very good"),
        ),
    )
}


def band_probabilities(scale: Scale, estimate: float, standard_error: float) -> dict[str, float]:
    r"""How probable it is that the true value lies in each band.

    .. math:: P(a \le \kappa \le b) = \frac{\Phi(\frac{b - \hat\kappa}{s}) - \Phi(\frac{a - \hat\kappa}{s})}
              {\Phi(\frac{1 - \hat\kappa}{s}) - \Phi(\frac{-1 - \hat\kappa}{s})}

    A standard error of 0 leaves no doubt: the band of the value has probability 1. So has the last band before an
    estimate beyond the scale, as Fleiss' kappa below -1 with labels missing, from which nothing reaches back into it.

    References: Gwet (2014, chapter 6).

    >>> shares = band_probabilities(SCALES["fleiss"], 0.67, 0.15)
    >>> {name: round(share, 5) for name, share in shares.items()}
    {'poor': 0.03644, 'fair to good': 0.67657, 'excellent': 0.28699}
    """
    ends = np.array([band.low for band in scale.bands] + [1.0])
    below = ndtr((ends - estimate) / max(standard_error, 1e-12))
    if standard_error < 1e-12 or below[-1] - below[0] < 1e-12:
        own = scale.band_of(min(max(estimate, -1.0), 1.0))
        return {band.name: float(band is own) for band in scale.bands}
    shares = np.diff(below) / (below[-1] - below[0])
    return {band.name: float(share) for band, share in zip(scale.bands, shares, strict=True)}


def band_shares(scale: Scale, draws: NDArray[np.float64]) -> dict[str, float]:
    """The share of draws in each band; draws without a value are left out.

    >>> band_shares(SCALES["fleiss"], np.array([-0.2, 0.3, 0.5, np.nan]))
    {'poor': 0.6666666666666666, 'fair to good': 0.3333333333333333, 'excellent': 0.0}
    """
    values = np.clip(draws[~np.isnan(draws)], -1.0, 1.0)
    shares = np.histogram(values, [-1.0, *(band.high for band in scale.bands)])[0] / len(values)
    return {band.name: float(share) for band, share in zip(scale.bands, shares, strict=True)}


def threshold_sentences(main: str, interval: Interval, others: Mapping[str, float]) -> tuple[Sentence, ...]:
    """What to say where two ways of computing, or the two ends of an interval, call for different words.

    ``main`` is the title of the coefficient whose interval it is; ``others`` are values of which Cohen's
    and Scott's are compared.
    """
    sentences = []
    if "cohen_kappa" in others and "scott_pi" in others:
        cohen, scott = others["cohen_kappa"], others["scott_pi"]
        for scale in SCALES.values():
            one, other = scale.band_of(cohen), scale.band_of(scott)
            if one is not other:
                text = (
                    f"Cohen's kappa ({cohen:.3f}) and Scott's pi ({scott:.3f}) lie on either side of a threshold of "
                    f"{scale.title}: {one.name!r} and {other.name!r}. The word depends on the definition of chance, so "
                    "do not report the word alone."
                )
                sentences.append(Sentence(code="threshold_between_coefficients", text=text))
    low, high = interval
    ends = {scale.title: (scale.band_of(low).name, scale.band_of(high).name) for scale in SCALES.values()}
    apart = [f"{name} from {one!r} to {other!r}" for name, (one, other) in ends.items() if one != other]
    if apart and not np.isnan(low):
        text = (
            f"The interval of {main}, {low:.2f} to {high:.2f}, crosses thresholds ({'; '.join(apart)}), so the data do "
            "not settle which word is right."
        )
        sentences.append(Sentence(code="threshold_in_interval", text=text))
    return tuple(sentences)
