"""Groups of coders: whether coders of one group agree with each other more than with those of other groups.

Items differ in how hard they are, and groups need not share all of them; so every pair of labels is compared with the
mean agreement on its own item. The test assigns the coders to groups of the same sizes anew.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, factorial, nan, prod

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.labels.assess import assess_coefficient, study_evidence
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.diagnosis.diagnose import ALPHA
from concurrence.agreement.labels.diagnosis.sentences import capitalize_coder, coder_name, percent
from concurrence.agreement.labels.one_more_item import METHOD, bounded_change
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import Agreement, CoderGroups, GroupOfCoders
from concurrence.core import Interval
from concurrence.core.arrays import Codes, Reals
from concurrence.core.errors import InvalidInputError, UndefinedError
from concurrence.core.labels import Labels
from concurrence.core.sentences import Sentence, format_p, join_words
from concurrence.kernels.chance import ratio
from concurrence.kernels.coefficients import COEFFICIENTS

MOST_ARRANGEMENTS = 20_000
"""Up to so many ways to assign coders to groups are all gone through; of more, some are drawn."""
DRAWS = 9_999
FEWER_DRAWS = 999
MANY_CODERS = 200
ENOUGH_ITEMS = 30
"""From so many items on, the interval of the difference covers what it promises."""
TINY = 1e-12
MOST_NAMED = 6

PairSums = tuple[Reals, Reals, Reals]
"""Of each pattern: pairs of labels that agree, all pairs, and agreements too many."""
GroupSums = tuple[PairSums, PairSums]
"""Within groups, and between them."""


def compare_coder_groups(labels: Labels, options: AgreeOptions) -> CoderGroups:
    """Agreement within and between the groups of coders that the options name."""
    group_by_coder, without = _group_by_coder(labels, options.coder_groups or {})
    strangers = [coder for coder in options.coder_groups or {} if coder not in labels.coders]
    names = tuple(dict.fromkeys(group_by_coder.values()))
    some = labels.select_coders(list(group_by_coder))
    places = np.array([names.index(group) for group in group_by_coder.values()], dtype=np.intp)
    study = LabelStudy.of(some, convention=options.convention)
    sums = pair_sums(study, places)
    within, between = (float(ratio(study.weights @ agreed, study.weights @ pairs)) for agreed, pairs, _ in sums)
    difference = float(difference_of(sums, study.weights))
    p_value, smallest, method = permutation_test(study, places, seed=options.seed)
    interval = group_difference_interval(study, places, sums, options)
    trusted = study.n_pairable >= ENOUGH_ITEMS and not np.isnan(interval.low)
    trusted_interval = interval if trusted else None
    sentences = _sentences((within, between), difference, trusted_interval, (p_value, smallest), method)
    return CoderGroups(
        groups={name: _group(some, places == place, options) for place, name in enumerate(names)},
        within=within,
        between=between,
        difference=difference,
        interval=interval,
        interval_method=None if np.isnan(interval.low) else interval.method,
        trusted=trusted,
        p_value=p_value,
        p_value_method=method,
        smallest_p_value=smallest,
        without_group=without,
        sentences=(*_left_out(without, strangers), *sentences),
    )


def pair_sums(study: LabelStudy, places: Codes) -> GroupSums:
    """Within groups and between them: pairs of labels of each pattern that agree, all pairs, and agreements too many.

    The last is how many pairs agree beyond what the mean agreement on the item would give.
    """
    alike, pairs = (study.squares - study.sizes) / 2, study.sizes * (study.sizes - 1) / 2
    agreed, inside = np.zeros_like(alike), np.zeros_like(pairs)
    for place in range(int(places.max()) + 1):
        part = study.only(*np.flatnonzero(places == place).tolist())
        agreed += (part.squares - part.sizes) / 2
        inside += part.sizes * (part.sizes - 1) / 2
    rate = np.divide(alike, pairs, out=np.zeros_like(alike), where=pairs > 0)
    other, rest = alike - agreed, pairs - inside
    return (agreed, inside, agreed - rate * inside), (other, rest, other - rate * rest)


def difference_of(sums: GroupSums, weights: Reals) -> Reals:
    """How much more often two labels of an item agree within a group than between groups, items alike."""
    within, between = (ratio(weights @ surplus, weights @ pairs) for _, pairs, surplus in sums)
    return np.asarray(within - between)


def permutation_test(study: LabelStudy, places: Codes, *, seed: int) -> tuple[float, float, str | None]:
    """The share of assignments of coders to groups with so large a difference, the least possible, and the method.

    All assignments are gone through where they are few; else draws are, and the observed one counts as a draw.
    """
    surplus, pairs = pair_matrices(study)
    sizes = np.bincount(places)
    total = arrangement_count(sizes)
    observed = _differences(surplus, pairs, places[None, :])[0]
    if np.isnan(observed):
        return nan, nan, None
    if total <= MOST_ARRANGEMENTS:
        differences = _differences(surplus, pairs, np.array(list(arrangements(sizes.tolist()))))
        finite = differences[np.isfinite(differences)]
        return float(np.mean(finite >= observed - TINY)), _renamings(sizes) / total, "exact"
    draws = DRAWS if study.n_coders <= MANY_CODERS else FEWER_DRAWS
    random = np.random.default_rng(seed)
    drawn = random.permuted(np.repeat(places[None, :], draws, axis=0), axis=1)
    differences = _differences(surplus, pairs, drawn)
    return float((1 + np.sum(differences >= observed - TINY)) / (draws + 1)), 1 / (draws + 1), "permutation"


def pair_matrices(study: LabelStudy) -> tuple[Reals, Reals]:
    """Coders x coders: agreements beyond the mean of each item, and items shared; nothing on the diagonal."""
    rows, columns, given = study.cells
    weights, pairs = study.weights, study.sizes * (study.sizes - 1)
    rate = np.divide(study.squares - study.sizes, pairs, out=np.zeros_like(pairs), where=pairs > 0)
    keys, place = np.unique(rows * study.n_categories + given, return_inverse=True)
    same = sparse.csr_array((np.ones(len(rows)), (place, columns)), shape=(len(keys), study.n_coders))
    labelled = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(weights), study.n_coders))
    agreed = same.T @ same.multiply(weights[keys // study.n_categories][:, None])
    expected = labelled.T @ labelled.multiply((weights * rate)[:, None])
    shared = np.asarray((labelled.T @ labelled.multiply(weights[:, None])).todense())
    surplus = np.asarray((agreed - expected).todense())
    np.fill_diagonal(surplus, 0.0)
    np.fill_diagonal(shared, 0.0)
    return surplus, shared


def arrangements(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Every way to give so many coders to each group, as the group of each coder.

    >>> list(arrangements([1, 2]))
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    free = list(range(sum(sizes)))
    yield from _assignments([-1] * len(free), free, 0, sizes)


def _assignments(places: list[int], free: list[int], group: int, sizes: Sequence[int]) -> Iterator[list[int]]:
    if group == len(sizes):
        yield places.copy()
        return
    for chosen in combinations(free, sizes[group]):
        for coder in chosen:
            places[coder] = group
        yield from _assignments(places, [coder for coder in free if coder not in chosen], group + 1, sizes)


def _renamings(sizes: Codes) -> int:
    """How many assignments make the same groups under other names: groups of one size can change places."""
    return prod(factorial(int(count)) for count in np.bincount(sizes))


def arrangement_count(sizes: Codes) -> int:
    """How many ways there are to give so many coders to each group."""
    left, total = int(sizes.sum()), 1
    for size in sizes.tolist():
        total *= comb(left, size)
        left -= size
    return total


def _differences(surplus: Reals, pairs: Reals, places: Codes) -> Reals:
    """The difference under each assignment (a row of ``places``), in slices that fit the memory."""
    groups, parts = int(places.max()) + 1, []
    step = max(1, (1 << 22) // (groups * places.shape[1]))
    for start in range(0, len(places), step):
        one_hot = (places[start : start + step, None, :] == np.arange(groups)[:, None]).astype(np.float64)
        inside = [np.einsum("pgc,pgc->p", one_hot @ matrix, one_hot) for matrix in (surplus, pairs)]
        outside = [matrix.sum() - part for matrix, part in zip((surplus, pairs), inside, strict=True)]
        parts.append(ratio(inside[0], inside[1]) - ratio(outside[0], outside[1]))
    return np.concatenate(parts)


def group_difference_interval(study: LabelStudy, places: Codes, sums: GroupSums, options: AgreeOptions) -> Interval:
    """That of the difference for these coders: items are weighed at random, beside one more that adds least or most."""
    nowhere = Interval(low=nan, high=nan, level=options.level, method=METHOD)
    if study.n_categories < 2:
        return nowhere
    further = _one_more_item(study, places, sums)
    within, between = (_joined(seen, one_more) for seen, one_more in zip(sums, further, strict=True))
    one = np.ones(1)
    interval, _ = bounded_change(
        lambda weights: difference_of((within, between), weights),
        study.weights,
        one,
        one,
        level=options.level,
        seed=options.seed,
    )
    return interval or nowhere


def _one_more_item(study: LabelStudy, places: Codes, sums: GroupSums) -> GroupSums:
    """The sums of an item that divides every group, and of one that divides the groups from each other.

    All coders label it, and it counts as many pairs as the items do on average.
    """
    turns = np.array([np.sum(places[:coder] == group) for coder, group in enumerate(places)])
    codes = np.stack([turns, places]) % study.n_categories
    extremes = pair_sums(study.with_patterns(codes, np.ones(2)), places)
    within, between = (_scaled(one, study, seen) for one, seen in zip(extremes, sums, strict=True))
    return within, between


def _scaled(extremes: PairSums, study: LabelStudy, seen: PairSums) -> PairSums:
    """Extreme items with the mean number of pairs of those that were seen."""
    mean = float(ratio(study.weights @ seen[1], study.weights.sum()))
    agreed, pairs, surplus = (part * mean / max(float(extremes[1].max()), 1.0) for part in extremes)
    return agreed, pairs, surplus


def _joined(seen: PairSums, further: PairSums) -> PairSums:
    agreed, pairs, surplus = (np.concatenate(parts) for parts in zip(seen, further, strict=True))
    return agreed, pairs, surplus


def _group_by_coder(labels: Labels, groups: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The group of every coder that has one, and the coders that have none."""
    if labels.anonymous:
        raise InvalidInputError("Groups of coders need to know who gave which label; these are counts without coders.")
    group_by_coder = {coder: groups[coder] for coder in labels.coders if coder in groups}
    if not group_by_coder:
        raise InvalidInputError(
            f"None of the coders has a group; the coders are {', '.join(labels.coders[:MOST_NAMED])}, and groups are "
            f"given for {', '.join(list(groups)[:MOST_NAMED]) or 'nobody'}."
        )
    names = list(group_by_coder.values())
    without = tuple(coder for coder in labels.coders if coder not in groups)
    others = f" ({_who(without)} {'has' if len(without) == 1 else 'have'} none)" if without else ""
    if len(set(names)) < 2:
        whole = f"All coders with a group{others}" if without else "All coders with labels"
        raise UndefinedError(f"{whole} are in one group, {names[0]!r}; a comparison needs two.")
    if len(set(names)) == len(names):
        each = f"Every coder with a group{others}" if without else "Every coder"
        raise UndefinedError(
            f"{each} is a group alone, so that nobody can agree within one; give two coders or more the same group."
        )
    return group_by_coder, without


def _group(labels: Labels, chosen: NDArray[np.bool_], options: AgreeOptions) -> GroupOfCoders:
    coders = tuple(coder for coder, is_member in zip(labels.coders, chosen, strict=True) if is_member)
    part = labels.select_coders(coders)
    counts = np.bincount(part.codes[part.codes >= 0], minlength=len(labels.categories))
    shares = ratio(counts.astype(np.float64), np.float64(counts.sum()))
    alpha: Agreement | None = None
    if len(coders) > 1:
        row, study = COEFFICIENTS["krippendorff_alpha"], label_study(part, options)
        alpha = assess_coefficient(row, study, part, study_evidence(part, study, [row], options))[0]
    named = zip(labels.categories, shares.tolist(), strict=True)
    return GroupOfCoders(coders=coders, shares=dict(named), krippendorff_alpha=alpha)


def _who(coders: Sequence[str]) -> str:
    few = len(coders) <= MOST_NAMED
    return join_words([coder_name(coder) for coder in coders]) if few else f"{len(coders):,} coders"


def _left_out(without: Sequence[str], strangers: Sequence[str]) -> Iterable[Sentence]:
    """Warnings about coders without a group, and about groups of coders that have no labels."""
    if strangers:
        text = (
            f"The groups name {_who(strangers)}, but no label is by {'this coder' if len(strangers) == 1 else 'them'}."
        )
        yield Sentence(code="groups_of_strangers", text=text, warning=True)
    if without:
        has, are = ("has", "is") if len(without) == 1 else ("have", "are")
        text = f"{_who(without)} {has} no group and {are} left out of the comparison of groups."
        yield Sentence(code="coders_without_group", text=capitalize_coder(without[0], text), warning=True)


def _sentences(
    agreement: tuple[float, float],
    difference: float,
    interval: Interval | None,
    p_values: tuple[float, float],
    method: str | None,
) -> Iterable[Sentence]:
    (within, between), (p_value, smallest) = agreement, p_values
    if method is None:
        text = "The groups cannot be compared: no item has labels of two coders of one group, or of two groups."
        yield Sentence(code="groups_apart", text=text, warning=True)
        return
    text = f"Two coders of the same group agree on {percent(within)} of the items, two of different groups on "
    yield Sentence(code="group_agreement", text=f"{text}{percent(between)}.")
    if smallest > ALPHA:
        text = f"Too few coders to test whether the groups differ: the smallest possible p-value is {smallest:.2g}."
        yield Sentence(code="too_few_coders", text=text, warning=True)
        return
    ends = ""
    if interval is not None:
        ends = f" ({interval.level:.0%} interval for these coders {interval.low:.3f} to {interval.high:.3f})"
    on = "On the same items, agreement within groups is"
    if difference > 0:
        more = "significantly more" if p_value <= ALPHA else "not significantly more"
        text = f"{on} {difference:.3f} higher than between{ends}: {more} than in random groups (permutation test, "
    else:
        text = f"{on} no higher than between{ends or f' ({difference:.3f})'} (permutation test, "
    text += f"{format_p(p_value)})."
    yield Sentence(code="groups_differ" if p_value <= ALPHA else "groups_alike", text=text)
