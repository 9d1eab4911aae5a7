"""Latent classes: kinds of items behind the labels, which need not be the categories."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.labels.coders.models import Fit, LabelVotes, label_votes, maximise
from concurrence.agreement.labels.options import CoderOptions
from concurrence.core.arrays import Reals
from concurrence.core.labels import Labels
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.core.values import from_json, value
from concurrence.kernels.digits import round_score, round_scores

MOST_CLASSES = 6
"""How many classes are tried if their number is not given."""
AS_GOOD = 1e-4
"""Fits whose log-likelihoods differ by less found the same maximum."""


@value
class LatentClasses(Result):
    """Classes of items behind the labels, the most common first.

    ``posterior`` is items x classes; ``response`` is coders x classes x categories: how often a coder gives the
    category to an item of the class. ``bic`` has an entry for each number of classes that was tried.
    ``starts_at_best`` of ``starts`` random starts reached the best log-likelihood.
    """

    coders: tuple[str, ...]
    categories: tuple[str, ...]
    items: NDArray[Any]
    labelled: NDArray[np.bool_]
    posterior: Reals
    prevalence: Reals
    response: Reals
    log_likelihood: float
    parameters: int
    bic: dict[int, float]
    starts: int
    starts_at_best: int
    warnings: tuple[Sentence, ...] = ()

    @property
    def n_classes(self) -> int:
        return len(self.prevalence)

    @property
    def likeliest(self) -> tuple[int | None, ...]:
        """The likeliest class of each item, counted from 1; none where nobody judged it."""
        best = (self.posterior.argmax(axis=1) + 1).tolist()
        return tuple(number if judged else None for number, judged in zip(best, self.labelled, strict=True))

    @property
    def probabilities(self) -> Reals:
        """How probable the likeliest class of each item is, NaN where nobody judged it."""
        return np.where(self.labelled, self.posterior.max(axis=1), np.nan)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """How many classes there are, how items divide, and where the answer is not to be relied on."""
        shares = join_words([f"{share:.0%}" for share in self.prevalence])
        tried = sorted(self.bic)
        if len(tried) == 1:
            chosen = f"The {self.n_classes} classes hold {shares} of the items." if self.n_classes > 1 else "One class."
        elif self.n_classes == 1:
            chosen = f"Of 1 to {tried[-1]} classes, one describes the labels best (lowest BIC)."
        else:
            best = f"Of 1 to {tried[-1]} classes, {self.n_classes} describe the labels best (lowest BIC)"
            chosen = f"{best}; they hold {shares} of the items."
        return (*self._doubts(), Sentence(code="classes", text=chosen))

    def _doubts(self) -> tuple[Sentence, ...]:
        room = len(self.categories) ** len(self.coders) - 1
        if self.parameters > room:
            text = (
                f"The labels of {count_noun(len(self.coders), 'coder')} can determine at most {room} parameters, and "
                f"{self.n_classes} classes have {self.parameters}: other classes would fit as well. "
                "Use fewer classes, or more coders."
            )
            return (Sentence(code="not_identified", text=text, warning=True),)
        if self.starts_at_best < 2 and self.starts > 1:
            text = (
                f"Only one of {self.starts} random starts reached this fit, so a better one may exist. "
                "Try another seed, or fewer classes."
            )
            return (Sentence(code="single_start", text=text, warning=True),)
        return ()

    def as_json(self) -> dict[str, Any]:
        """Coders and categories by their names, classes counted from 1; of an item, its likeliest class."""
        rows = zip(self.items, self.likeliest, self.probabilities.tolist(), strict=True)
        return {
            "model": "latent",
            "classes": self.n_classes,
            "log_likelihood": self.log_likelihood,
            "parameters": self.parameters,
            "bic": self.bic,
            "starts": self.starts,
            "starts_at_best": self.starts_at_best,
            "prevalence": self.prevalence,
            "categories": self.categories,
            "response": dict(zip(self.coders, self.response.tolist(), strict=True)),
            "items": [{"item": str(item), "class": number, "probability": p} for item, number, p in rows],
            "sentences": self.sentences,
            "warnings": self.warnings,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "LatentClasses":
        """The classes as far as their JSON tells: an item's probability is that of its likeliest class alone."""
        items = data["items"]
        posterior = np.zeros((len(items), data["classes"]))
        for place, item in enumerate(items):
            if item["class"] is not None:
                posterior[place, item["class"] - 1] = item["probability"]
        return cls(
            coders=tuple(data["response"]),
            categories=tuple(data["categories"]),
            items=np.array([item["item"] for item in items], dtype=object),
            labelled=np.array([item["class"] is not None for item in items], dtype=bool),
            posterior=posterior,
            prevalence=np.array(data["prevalence"]),
            response=np.array(list(data["response"].values())),
            log_likelihood=data["log_likelihood"],
            parameters=data["parameters"],
            bic={int(number): bic for number, bic in data["bic"].items()},
            starts=data["starts"],
            starts_at_best=data["starts_at_best"],
            warnings=tuple(from_json(Sentence, one) for one in data.get("warnings", ())),
        )

    def __str__(self) -> str:
        return (
            f"latent classes: {self.n_classes}, log-likelihood {self.log_likelihood:.3f}, "
            f"BIC {self.bic[self.n_classes]:.1f}"
        )


def latent_classes(labels: Labels, options: CoderOptions) -> LatentClasses:
    """Classes of items, each with its own habits of every coder, from the best of several seeded starts.

    The classes need not be the categories: two categories may hide three kinds of item. If their number is not given,
    that from 1 to 6 with the lowest BIC is taken, among those that as many coders and categories can tell apart.

    References: Lazarsfeld and Henry (1968); Agresti (2002, section 13.1).
    """
    votes, random = label_votes(labels, options.same), np.random.default_rng(options.seed)
    judged = np.asarray((labels.codes >= 0).any(axis=1))
    numbers = _identifiable_classes(votes) if options.classes is None else (options.classes,)
    fits = {number: _fits(votes, number, options, random) for number in numbers}
    best = {number: max(tries, key=lambda fit: round_score(fit[3])) for number, tries in fits.items()}
    bic = {
        number: _parameters(votes, number) * float(np.log(judged.sum())) - 2 * fit[3] for number, fit in best.items()
    }
    chosen = min(bic, key=lambda number: round_score(bic[number]))
    posterior, prevalence, response, log_likelihood, _, _ = best[chosen]
    order = np.argsort(-round_scores(prevalence), kind="stable")
    return LatentClasses(
        coders=votes.coders,
        categories=labels.categories,
        items=labels.items,
        labelled=judged,
        posterior=posterior[:, order],
        prevalence=prevalence[order],
        response=response.transpose(0, 2, 1)[:, order],
        log_likelihood=log_likelihood,
        parameters=_parameters(votes, chosen),
        bic=bic,
        warnings=labels.losses,
        starts=len(fits[chosen]),
        starts_at_best=sum(fit[3] > log_likelihood - AS_GOOD for fit in fits[chosen]),
    )


def _fits(votes: LabelVotes, classes: int, options: CoderOptions, random: np.random.Generator) -> list[Fit]:
    """One fit for each random start; a single class has nothing to start from."""
    n_items = votes.table.shape[0]
    return [
        maximise(votes, random.dirichlet(np.ones(classes), n_items), max_iterations=options.max_iterations)
        for _ in range(options.starts if classes > 1 else 1)
    ]


def _parameters(votes: LabelVotes, classes: int) -> int:
    return classes - 1 + classes * votes.n_coders * (votes.n_labels - 1)


def _identifiable_classes(votes: LabelVotes) -> tuple[int, ...]:
    """The numbers of classes with no more parameters than there are patterns of labels to tell them by."""
    room = votes.n_labels**votes.n_coders - 1
    return tuple(n for n in range(1, MOST_CLASSES + 1) if n == 1 or _parameters(votes, n) <= room)
