"""A ranking learned from the judgements: a logistic regression on the ranks by several measures (Pecina 2010).

Each candidate is scored by a model that saw none of its words: words are dealt into folds, and the model for a
candidate is fitted to judged candidates of which no word is in the folds of its own. A model that has learned words by
heart, and not what a good score is, gains nothing by that.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
from scipy.special import expit, ndtri

from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.judgements import YES, Judgements
from concurrence.core.sentences import Sentence, join_words
from concurrence.evaluation.results import Learned
from concurrence.kernels.digits import round_scores
from concurrence.kernels.strata import SampledList

LEARNED = "learned"
FOLDS = 10
FEWEST_PER_MEASURE = 10
FEWEST_OF_A_KIND = 5
RIDGE = 1.0
STEPS, CLOSE = 50, 1e-10


def learn(
    scores: Mapping[str, Reals], keys: pl.DataFrame, judgements: Judgements, design: SampledList, *, seed: int
) -> tuple[Reals, Learned]:
    """The learned score of every candidate, from a model fitted without its words, and the model's weights."""
    rows = design.rows
    true = (judgements.verdicts[rows] == YES).astype(np.float64)
    _check(list(scores), true, design)
    features = np.stack([_normal_scores(one) for one in scores.values()], axis=1)
    weights = design.weights_of(rows)
    weights = weights / weights.mean()
    folds = folds_of_words(keys, seed=seed)
    lowest, highest = folds.min(axis=1), folds.max(axis=1)
    scored, models = np.full(len(keys), np.nan), []
    for one, other in combinations_with_replacement(range(FOLDS), 2):
        # A key may have more columns than two; then every fold between is left out, too.
        fold_rows = np.flatnonzero((lowest == one) & (highest == other))
        if not len(fold_rows):
            continue
        away = ~np.isin(folds[rows], np.unique(folds[fold_rows])).any(axis=1)
        _check_fold(true[away])
        model = logistic(features[rows[away]], true[away], weights[away])
        scored[fold_rows] = model[0] + features[fold_rows] @ model[1:]
        models.append(model)
    mean = np.mean(models, axis=0)[1:]
    return scored, Learned(
        measures=tuple(scores),
        folds=FOLDS,
        models=len(models),
        judged=len(rows),
        weights={name: float(weight) for name, weight in zip(scores, mean, strict=True)},
    )


def learned_ranking_sentence(learned: Learned, titles: Mapping[str, str]) -> Sentence:
    """How the learned ranking was made."""
    names = [titles.get(name, name) for name in learned.measures]
    text = (
        f"{LEARNED} combines {join_words(names)} by logistic regression on their ranks. Each candidate is scored by a "
        "model that saw no judged candidate with either of its words, so its precision is that for unseen words."
    )
    return Sentence(code="learned", text=text)


def folds_of_words(keys: pl.DataFrame, *, seed: int) -> Integers:
    """The fold of every word of every candidate; a word has the same fold wherever it stands."""
    columns = [column.cast(pl.String).fill_null("") for column in keys]
    words = pl.concat([column.rename("word").unique() for column in columns]).unique().sort()
    folds = np.random.default_rng(seed).permutation(len(words)) % FOLDS
    places = [column.cast(pl.Enum(words)).to_physical().to_numpy() for column in columns]
    return np.stack([folds[place] for place in places], axis=1)


def logistic(features: Reals, true: Reals, weights: Reals, *, ridge: float = RIDGE) -> Reals:
    """The intercept and the weights of a logistic regression, pulled toward 0 but for the intercept.

    The pull keeps weights finite where the data can be separated, and apart where measures are much alike.

    >>> logistic(np.array([[-1.0], [1.0], [-1.0], [1.0]]), np.array([0.0, 1.0, 1.0, 0.0]), np.ones(4)).round(6).tolist()
    [0.0, 0.0]
    """
    design = np.column_stack([np.ones(len(features)), features])
    pull = np.diag([1e-9, *([ridge] * features.shape[1])])
    model = np.zeros(design.shape[1])

    def loss(at: Reals) -> float:
        line = design @ at
        return float((weights * (np.logaddexp(0, line) - true * line)).sum() + at @ pull @ at / 2)

    for _ in range(STEPS):
        share = expit(design @ model)
        slope = design.T @ (weights * (true - share)) - pull @ model
        curve = (design * (weights * share * (1 - share))[:, None]).T @ design + pull
        step = np.linalg.solve(curve, slope)
        while loss(model + step) > loss(model) + CLOSE and np.abs(step).max() > CLOSE:
            step = step / 2
        model = model + step
        if np.abs(step).max() < CLOSE:
            break
    return model


def _normal_scores(scores: Reals) -> Reals:
    """Ranks as quantiles of the normal distribution, ties shared, undefined scores last; no judgement plays a part."""
    from scipy.stats import rankdata  # takes longer to load than all the rest

    lowest = np.where(np.isnan(scores), -np.inf, round_scores(scores))
    return np.asarray(ndtri((rankdata(lowest) - 0.5) / len(lowest)))


def _check(measures: Sequence[str], true: Reals, design: SampledList) -> None:
    if len(measures) < 2:
        raise InvalidInputError("A combination is learned from at least two measures; name more of them.")
    if not design.whole_list:
        raise InvalidInputError(
            f"A learned ranking needs judgements from the whole list, and a {design.kind} sample has none from outside "
            f"of its lists; leave out {option_or_keyword('--learn', 'learn')}, or draw a simple or a strata sample."
        )
    needed, rarer = FEWEST_PER_MEASURE * len(measures), int(min(true.sum(), len(true) - true.sum()))
    if rarer < needed:
        raise InvalidInputError(
            f"Too few judgements to learn from: {len(measures)} measures need {needed} true and {needed} false "
            f"candidates, and there are {int(true.sum())} and {int(len(true) - true.sum())}; name fewer measures, or "
            "judge more."
        )


def _check_fold(true: Reals) -> None:
    if min(true.sum(), len(true) - true.sum()) < FEWEST_OF_A_KIND:
        raise InvalidInputError(
            "Too few judgements to learn from: some candidates share their words with nearly all judged ones, so that "
            "nothing is left to learn from without them; judge candidates of more different words."
        )
