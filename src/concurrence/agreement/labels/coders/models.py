"""Models of coders: which label is right, and how far each coder can be relied on.

An item has one true category that nobody sees; what a coder writes depends on it and on the coder alone. All
three models are fitted by expectation and maximisation over a sparse table of items x (coder, label), so that
a step costs two products with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import digamma

from concurrence.agreement.labels.coders.rates import CoderRate, coder_rates, rate_from_json
from concurrence.agreement.labels.options import CODER_MODELS, CoderOptions
from concurrence.core.arrays import Reals
from concurrence.core.errors import UndefinedError, UnknownNameError
from concurrence.core.labels import Labels
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import from_json, value

ROUGH_RATES = Sentence(
    code="rates_rough",
    text="Intervals of coders are rough where a coder has fewer than 30 items, items have fewer than five labels, or "
    "votes are close.",
)
TINY = 1e-300
TOLERANCE = 1e-9


@value
class CoderModel(Result):
    """A fitted model of coders.

    ``posterior`` is items x categories, ``confusion`` coders x true category x given label, ``competence`` the
    chance that a coder writes the true category (for MACE: the chance that the coder does not guess), ``rates`` the
    same with its interval and the number of items. ``bound`` tells that ``log_likelihood`` is a variational bound, not
    to be compared with a likelihood.
    """

    name: str
    coders: tuple[str, ...]
    categories: tuple[str, ...]
    items: NDArray[Any]
    labelled: NDArray[np.bool_]
    posterior: Reals
    prevalence: Reals
    competence: Reals
    confusion: Reals
    log_likelihood: float
    iterations: int
    converged: bool
    bound: bool = False
    rates: tuple[CoderRate, ...] = ()
    warnings: tuple[Sentence, ...] = ()

    @property
    def likelihood_name(self) -> str:
        """What ``log_likelihood`` is: of MACE, fitted by variational EM, a bound."""
        return "variational bound" if self.bound else "log-likelihood"

    @property
    def labels(self) -> tuple[str | None, ...]:
        """The likeliest category of each item, none where nobody judged it."""
        best = self.posterior.argmax(axis=1)
        return tuple(self.categories[k] if labelled else None for k, labelled in zip(best, self.labelled, strict=True))

    @property
    def probabilities(self) -> Reals:
        """How probable the likeliest category of each item is, NaN where nobody judged it."""
        return np.where(self.labelled, self.posterior.max(axis=1), np.nan)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The answer in words: who is right most often, and how many items are as good as decided."""
        best, worst = int(self.competence.argmax()), int(self.competence.argmin())
        high, low = f"{self.competence[best]:.0%}", f"{self.competence[worst]:.0%}"
        verb = "knows the answer" if self.name == "mace" else "is right"
        first, last = self._as_competent(high), self._as_competent(low)
        ends = [f"{share}{self._rate_text(place)}" for share, place in ((high, best), (low, worst))]
        ranking = f"By the model, {first} {verb} most often ({ends[0]}) and {last} least often ({ends[1]})."
        sure = float((self.probabilities > 0.95).sum()) / max(int(self.labelled.sum()), 1)
        return (
            Sentence(
                code="competence",
                text=f"By the model, every coder {verb} equally often ({high})." if high == low else ranking,
            ),
            Sentence(code="decided", text=f"{sure:.0%} of the items have a label that is more than 95% probable."),
            *(() if all(rate.trusted for rate in self.rates) else (ROUGH_RATES,)),
        )

    def _rate_text(self, place: int) -> str:
        """The interval and the items behind a coder's share, for a bracket."""
        if not self.rates:
            return ""
        rate = self.rates[place]
        low, high = rate.interval
        return f", {rate.interval.level:.0%} interval {low:.0%} to {high:.0%}, {count_noun(rate.items, 'item')}"

    def _as_competent(self, share: str) -> str:
        """The first coder whose competence reads so, and how many others there are."""
        names = [name for name, value in zip(self.coders, self.competence, strict=True) if f"{value:.0%}" == share]
        return names[0] if len(names) == 1 else f"{names[0]} (like {count_noun(len(names) - 1, 'other')})"

    def as_json(self) -> dict[str, Any]:
        """Coders and categories by their names; of an item, its likeliest label."""
        rows = zip(self.items, self.labels, self.probabilities.tolist(), strict=True)
        return {
            "model": self.name,
            "log_likelihood": self.log_likelihood,
            "bound": self.bound,
            "iterations": self.iterations,
            "converged": self.converged,
            "prevalence": dict(zip(self.categories, self.prevalence.tolist(), strict=True)),
            "competence": dict(zip(self.coders, self.competence.tolist(), strict=True)),
            "coders": dict(zip(self.coders, self.rates, strict=False)),
            "confusion": dict(zip(self.coders, self.confusion.tolist(), strict=True)),
            "categories": self.categories,
            "items": [{"item": str(item), "label": label, "probability": p} for item, label, p in rows],
            "sentences": self.sentences,
            "warnings": self.warnings,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "CoderModel":
        """The model as far as its JSON tells: an item's probability is that of its likeliest label alone."""
        categories, items = tuple(data["categories"]), data["items"]
        posterior = np.zeros((len(items), len(categories)))
        for place, item in enumerate(items):
            if item["label"] is not None:
                posterior[place, categories.index(item["label"])] = item["probability"]
        return cls(
            name=data["model"],
            coders=tuple(data["competence"]),
            categories=categories,
            items=np.array([item["item"] for item in items], dtype=object),
            labelled=np.array([item["label"] is not None for item in items], dtype=bool),
            posterior=posterior,
            prevalence=np.array(list(data["prevalence"].values())),
            competence=np.array(list(data["competence"].values())),
            confusion=np.array(list(data["confusion"].values())),
            log_likelihood=data["log_likelihood"],
            bound=data.get("bound", False),
            iterations=data["iterations"],
            converged=data["converged"],
            rates=tuple(rate_from_json(rate) for rate in data.get("coders", {}).values()),
            warnings=tuple(from_json(Sentence, one) for one in data.get("warnings", ())),
        )

    def __str__(self) -> str:
        best, worst = int(self.competence.argmax()), int(self.competence.argmin())
        return (
            f"{self.name}: {self.likelihood_name} {self.log_likelihood:.3f}; competence from "
            f"{self.competence[worst]:.2f} ({self.coders[worst]}) to {self.competence[best]:.2f} ({self.coders[best]})"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelVotes:
    """The labels as a sparse table of items x (coder, label), and back."""

    table: Any
    back: Any
    n_coders: int
    n_labels: int
    coders: tuple[str, ...]

    @property
    def shares(self) -> Reals:
        """How the votes on each item are spread, evenly where there are none."""
        counts = np.asarray(self.table @ np.tile(np.eye(self.n_labels), (self.n_coders, 1)))
        totals = counts.sum(axis=1, keepdims=True)
        return np.where(totals > 0, counts / np.maximum(totals, 1), 1 / self.n_labels)

    def counts(self, posterior: Reals) -> Reals:
        """Expected coders x label x class counts."""
        classes = posterior.shape[1]
        return np.asarray(self.back @ posterior).reshape(self.n_coders, self.n_labels, classes)

    def evidence(self, log_response: Reals) -> Reals:
        """Items x classes: how well each class explains the labels of an item."""
        return np.asarray(self.table @ log_response.reshape(self.n_coders * self.n_labels, -1))


def dawid_skene(
    labels: Labels, *, same: Sequence[Sequence[str]] = (), max_iterations: int = 2000, tolerance: float = TOLERANCE
) -> CoderModel:
    r"""Every coder has a confusion matrix, every category a prevalence; maximum likelihood by EM.

    .. math:: P(x_i) = \sum_k p_k \prod_j \pi^{(j)}_{k, x_{ij}}

    The start is the spread of the votes on each item, so the result is the same every time. ``same`` names
    columns that are one coder who judged the items more than once.

    References: Dawid and Skene (1979).

    >>> labels = Labels.from_rows([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]])
    >>> dawid_skene(labels).labels
    ('a', 'b', 'a', 'b')
    """
    votes = label_votes(labels, same)
    fit = maximise(votes, votes.shares, max_iterations=max_iterations, tolerance=tolerance)
    posterior, prevalence, response, log_likelihood, iterations, converged = fit
    confusion = response.transpose(0, 2, 1)
    competence = accuracy_of(confusion, prevalence)
    return CoderModel(
        name="dawid_skene",
        coders=votes.coders,
        categories=labels.categories,
        items=labels.items,
        labelled=_has_labels(labels),
        posterior=posterior,
        prevalence=prevalence,
        competence=competence,
        confusion=confusion,
        log_likelihood=log_likelihood,
        iterations=iterations,
        converged=converged,
        rates=coder_rates(votes, posterior, competence, simulated=True),
    )


def mace(
    labels: Labels,
    *,
    same: Sequence[Sequence[str]] = (),
    knowing_prior: tuple[float, float] = (0.5, 0.5),
    guessing_prior: float = 10.0,
    max_iterations: int = 500,
    tolerance: float = TOLERANCE,
) -> CoderModel:
    r"""A coder either knows, or guesses after a habit of his own.

    .. math:: P(x_{ij} = a \mid k) = \theta_j [a = k] + (1 - \theta_j) \xi_{ja}

    Variational EM with a Beta prior on knowing and a symmetric Dirichlet prior on the habit; true categories
    are equally likely beforehand. It starts from the spread of the votes instead of random restarts.

    References: Hovy et al. (2013).
    """
    votes, labelled = label_votes(labels, same), _has_labels(labels)
    given = votes.counts(np.ones((labels.n_items, 1)))[:, :, 0]
    posterior, n_known, log_likelihood, iterations = _mace_steps(
        votes, given, knowing_prior, guessing_prior, max_iterations, tolerance
    )
    competence = (n_known.sum(axis=1) + knowing_prior[0]) / (given.sum(axis=1) + sum(knowing_prior))
    habit = given - n_known + guessing_prior
    return CoderModel(
        name="mace",
        coders=votes.coders,
        categories=labels.categories,
        items=labels.items,
        labelled=labelled,
        posterior=posterior,
        prevalence=posterior[labelled].mean(axis=0),
        competence=competence,
        confusion=_mace_response(competence, habit / habit.sum(axis=1, keepdims=True)).transpose(0, 2, 1),
        log_likelihood=log_likelihood,
        iterations=iterations,
        converged=iterations < max_iterations,
        bound=True,
        rates=coder_rates(votes, posterior, competence, simulated=False),
    )


def majority_shares(labels: Labels) -> Reals:
    """The share of the votes that each category has on each item, NaN where nobody judged it."""
    shares = label_votes(labels, ()).shares
    return np.where(_has_labels(labels)[:, None], shares, np.nan)


def accuracy_of(confusion: Reals, prevalence: Reals) -> Reals:
    """How often each coder writes the true category."""
    return np.asarray(np.minimum((np.diagonal(confusion, axis1=1, axis2=2) * prevalence).sum(axis=-1), 1.0))


Fit = tuple[Reals, Reals, Reals, float, int, bool]


def maximise(votes: LabelVotes, start: Reals, *, max_iterations: int, tolerance: float = TOLERANCE) -> Fit:
    posterior, last = start, -np.inf
    for iteration in range(1, max_iterations + 1):
        prevalence = posterior.mean(axis=0)
        counts = votes.counts(posterior)
        totals = counts.sum(axis=1, keepdims=True)
        response = np.where(totals > TINY, counts / np.maximum(totals, TINY), 1 / votes.n_labels)
        evidence = votes.evidence(np.log(np.maximum(response, TINY))) + np.log(np.maximum(prevalence, TINY))
        posterior, log_likelihood = _posterior(evidence)
        if abs(log_likelihood - last) <= tolerance:
            return posterior, prevalence, response, log_likelihood, iteration, True
        last = log_likelihood
    return posterior, prevalence, response, log_likelihood, max_iterations, False


def _posterior(evidence: Reals) -> tuple[Reals, float]:
    """The classes' probabilities on each item, and the log-likelihood of all items."""
    highest = evidence.max(axis=1, keepdims=True)
    weights = np.exp(evidence - highest)
    totals = weights.sum(axis=1, keepdims=True)
    return weights / totals, float((highest + np.log(totals)).sum())


def _mace_steps(
    votes: LabelVotes,
    given: Reals,
    knowing_prior: tuple[float, float],
    guessing_prior: float,
    max_iterations: int,
    tolerance: float,
) -> tuple[Reals, Reals, float, int]:
    """The posterior, how many labels were known (coders x labels), the variational bound, and the steps."""
    posterior, last = votes.shares, -np.inf
    knowing, habit = np.full(votes.n_coders, 0.5), np.full(given.shape, 1 / votes.n_labels)
    for iteration in range(1, max_iterations + 1):
        n_known = _own(votes.counts(posterior)) * _share_known(knowing, habit)
        n_guessed = given - n_known
        knowing = _beta_weights(n_known.sum(axis=1), n_guessed.sum(axis=1), knowing_prior)
        habit = _dirichlet_weights(n_guessed, guessing_prior)
        evidence = votes.evidence(np.log(_mace_response(knowing, habit))) - np.log(votes.n_labels)
        posterior, log_likelihood = _posterior(evidence)
        if abs(log_likelihood - last) <= tolerance * max(1.0, abs(log_likelihood)):
            return posterior, n_known, log_likelihood, iteration
        last = log_likelihood
    return posterior, n_known, log_likelihood, max_iterations


def _has_labels(labels: Labels) -> NDArray[np.bool_]:
    return np.asarray((labels.codes >= 0).any(axis=1))


def label_votes(labels: Labels, same: Sequence[Sequence[str]]) -> LabelVotes:
    """The labels as a sparse table; columns named together in ``same`` are one coder."""
    if labels.anonymous:
        raise UndefinedError("A model of coders needs to know who gave which label; these data only count the labels.")
    if not (labels.codes >= 0).any():
        raise UndefinedError("A model of coders needs at least one label; there is none.")
    column_coder, names = _merged_coders(labels, same)
    items, columns = np.nonzero(labels.codes >= 0)
    size = len(labels.categories)
    cells = column_coder[columns] * size + labels.codes[items, columns]
    shape = (labels.n_items, len(names) * size)
    table = sparse.csr_matrix((np.ones(len(items)), (items, cells)), shape=shape)
    return LabelVotes(table=table, back=table.T.tocsr(), n_coders=len(names), n_labels=size, coders=names)


def _merged_coders(labels: Labels, same: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """The coder that each column belongs to, and the coders' names (the first of those that are the same)."""
    owner = {coder: coder for coder in labels.coders}
    for group in same:
        for coder in group:
            labels.coder_index(coder)
            owner[coder] = group[0]
    names = tuple(dict.fromkeys(owner.values()))
    return np.array([names.index(owner[coder]) for coder in labels.coders], dtype=np.int64), names


def _own(counts: Reals) -> Reals:
    """Of expected coders x label x class counts, those where the label is the class."""
    return np.diagonal(counts, axis1=1, axis2=2)


def _share_known(knowing: Reals, habit: Reals) -> Reals:
    """Of right labels, the share that were known and not guessed."""
    return knowing[:, None] / np.maximum(knowing[:, None] + (1 - knowing[:, None]) * habit, TINY)


def _mace_response(knowing: Reals, habit: Reals) -> Reals:
    """Coders x label x class: the chance of the label given the class."""
    guess = (1 - knowing)[:, None, None] * habit[:, :, None]
    return np.maximum(guess + knowing[:, None, None] * np.eye(habit.shape[1]), TINY)


def _beta_weights(n_known: Reals, n_guessed: Reals, prior: tuple[float, float]) -> Reals:
    a, b = np.exp(digamma(n_known + prior[0])), np.exp(digamma(n_guessed + prior[1]))
    return np.asarray(a / (a + b))


def _dirichlet_weights(guessed: Reals, prior: float) -> Reals:
    weights = np.exp(digamma(guessed + prior))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def fit_coder_model(labels: Labels, options: CoderOptions) -> CoderModel:
    """The model of the options: ``dawid-skene``, ``dawid-skene-bayes`` or ``mace``."""
    from concurrence.agreement.labels.coders.sampling import bayesian_dawid_skene

    if options.model == "dawid-skene-bayes":
        model = bayesian_dawid_skene(labels, same=options.same, seed=options.seed)
        return replace(model, warnings=labels.losses)
    plain = {"dawid-skene": dawid_skene, "mace": mace}
    if options.model not in plain:
        raise UnknownNameError("model of coders", options.model, CODER_MODELS)
    return replace(plain[options.model](labels, same=options.same), warnings=labels.losses)
