"""Agreement on labels that are sets: which labels are left out, and which stand for each other.

Two sets that differ do so in one of two ways: one holds all of the other, so that labels were left out, or each has
a label that the other lacks, so that one label stands for another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.labels.assess import assess_coefficient, study_evidence
from concurrence.agreement.labels.coefficients.metrics import label_sets
from concurrence.agreement.labels.coefficients.parts import sharing_pairs
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.diagnosis.categories import MOST_CONFUSED, Confusion, category_agreement, mcnemar
from concurrence.agreement.labels.diagnosis.diagnose import ALPHA, ENOUGH_DISAGREEMENTS, MOST_PAIRS
from concurrence.agreement.labels.diagnosis.sentences import capitalize_coder, coder_name, percent
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import Agreement, MemberAgreement, OmissionLean, SetAgreement
from concurrence.core.labels import Labels
from concurrence.core.sentences import Sentence, count_noun, format_p
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.kernels.digits import round_score

Sets = Sequence[frozenset[str]]

ENOUGH_GIVEN = 10
"""A label is named as forgotten only where it could have been repeated so many times."""
IN_OR_OUT = ("in", "out")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDifferences:
    """How often one coder's label was omitted or replaced by another, and which stand for each other."""

    omitted: dict[str, float]
    replaced: dict[str, float]
    differing: float
    omissions: float
    confused: tuple[Confusion, ...]


def set_agreement(labels: Labels, options: AgreeOptions) -> SetAgreement:
    """Everything about set-valued labels that whole labels do not tell."""
    sets = label_sets(labels.categories, labels.set_separator)
    study = LabelStudy.of(labels, convention=options.convention)
    differences = set_differences(study, sets)
    alpha = {name: _alpha(labels, replace(options, scale="nominal", weights=name)) for name in ("masi", "jaccard")}
    members = sorted(frozenset[str]().union(*sets))
    entries = {member: _member(labels, sets, member, differences, options) for member in members}
    leans, tested = omission_leans(labels, study, sets)
    counts = np.asarray(study.weights @ study.counts)
    return SetAgreement(
        mean_size=float(counts @ [len(one) for one in sets] / max(counts.sum(), 1)),
        alpha=alpha,
        labels=entries,
        differing=round(differences.differing),
        omissions=round(differences.omissions),
        confused=differences.confused,
        leans=leans,
        tested_pairs=tested,
        sentences=tuple(_sentences(labels, alpha, entries, differences, leans, tested)),
    )


def set_differences(study: LabelStudy, sets: Sets) -> SetDifferences:
    """What the pairs of labels on the same item differ in; every two labels of an item are a pair."""
    counts = sparse.csr_array(study.counts)
    together = sparse.coo_array(sparse.triu(counts.T @ counts.multiply(study.weights[:, None]), k=1))
    omitted: dict[str, float] = {}
    replaced: dict[str, float] = {}
    standing: dict[tuple[str, str], float] = {}
    omissions = 0.0
    for i, j, pairs in zip(*together.coords, together.data, strict=True):
        first, second = sets[i] - sets[j], sets[j] - sets[i]
        into = replaced if first and second else omitted
        omissions += 0.0 if first and second else float(pairs)
        for member in first | second:
            into[member] = into.get(member, 0.0) + float(pairs)
        for one in first:
            for other in second:
                names = (min(one, other), max(one, other))
                standing[names] = standing.get(names, 0.0) + float(pairs) / (len(first) * len(second))
    most = sorted(standing.items(), key=lambda entry: (-entry[1], entry[0]))
    total = sum(standing.values())
    confused = tuple(Confusion(categories=names, pairs=n, share=n / total) for names, n in most[:MOST_CONFUSED])
    return SetDifferences(
        omitted=omitted,
        replaced=replaced,
        differing=float(together.data.sum()),
        omissions=omissions,
        confused=confused,
    )


def omission_leans(labels: Labels, study: LabelStudy, sets: Sets) -> tuple[tuple[OmissionLean, ...], int]:
    """Pairs of coders of whom one leaves out more (McNemar's exact test, corrected by Holm), and how many were tested.

    Only pairs with ten omissions or more are tested, of the first five hundred that share an item.
    """
    if labels.anonymous:
        return (), 0
    leans = []
    for first, second in sharing_pairs(study, MOST_PAIRS):
        table = study.cross_table(first, second).apart()
        one_way, back = 0, 0
        for one, other, items in zip(table.first.tolist(), table.second.tolist(), table.items.tolist(), strict=True):
            one_way += int(items) * (sets[one] < sets[other])
            back += int(items) * (sets[other] < sets[one])
        if one_way + back >= ENOUGH_DISAGREEMENTS:
            coders = labels.coders[first], labels.coders[second]
            leans.append(_lean(coders, one_way, back) if one_way >= back else _lean(coders[::-1], back, one_way))
    leans.sort(key=lambda lean: round_score(lean.p_value))
    passed = [lean.p_value * (len(leans) - place) <= ALPHA for place, lean in enumerate(leans)]
    return tuple(leans[: (*passed, False).index(False)]), len(leans)


def member_labels(labels: Labels, sets: Sets, member: str) -> Labels:
    """One member of the sets as a question of its own: whether it is in the set or not."""
    lookup = np.array([*(0 if member in one else 1 for one in sets), -1], dtype=np.int8)
    return replace(
        labels, codes=lookup[labels.codes], categories=IN_OR_OUT, categories_declared=True, set_separator=None
    )


def _lean(coders: tuple[str, ...], this_way: int, other_way: int) -> OmissionLean:
    p_value = mcnemar([[0, this_way], [other_way, 0]], exact=True).p_value
    return OmissionLean(
        coders=(coders[0], coders[1]),
        this_way=this_way,
        other_way=other_way,
        p_value=1.0 if p_value is None else p_value,
    )


def _alpha(labels: Labels, options: AgreeOptions) -> Agreement:
    row, study = COEFFICIENTS["krippendorff_alpha"], label_study(labels, options)
    return assess_coefficient(row, study, labels, study_evidence(labels, study, [row], options))[0]


def _member(
    labels: Labels, sets: Sets, member: str, differences: SetDifferences, options: AgreeOptions
) -> MemberAgreement:
    alone, plain = member_labels(labels, sets, member), replace(options, scale="nominal", weights=None)
    row, study = COEFFICIENTS["fleiss_kappa"], label_study(alone, plain)
    kappa, _ = assess_coefficient(row, study, alone, study_evidence(alone, study, [row], plain))
    entry = category_agreement(study, IN_OR_OUT)["in"]
    counts: NDArray[np.float64] = np.asarray(study.weights * (study.sizes - 1).clip(min=0)) @ study.counts
    return MemberAgreement(
        count=entry.count,
        share=entry.share,
        specific_agreement=entry.specific_agreement,
        given=round(float(counts[0])),
        omitted=round(differences.omitted.get(member, 0.0)),
        replaced=round(differences.replaced.get(member, 0.0)),
        kappa=kappa.value,
        interval=kappa.interval,
        interval_method=kappa.interval_method,
        trusted=kappa.trusted,
        note=kappa.note,
    )


def _sentences(
    labels: Labels,
    alpha: dict[str, Agreement],
    members: dict[str, MemberAgreement],
    differences: SetDifferences,
    leans: Sequence[OmissionLean],
    tested: int,
) -> Iterable[Sentence]:
    if alpha["masi"].defined:
        yield Sentence(code="set_alpha", text=_alphas(alpha))
    if differences.differing:
        yield _omissions(differences, two=labels.n_coders == 2)
    yield from _forgotten(members, two=labels.n_coders == 2)
    yield from _replacements(differences)
    yield from _leaning(leans, tested)


def _alphas(alpha: dict[str, Agreement]) -> str:
    parts = []
    for name, one in alpha.items():
        low, high = one.interval
        ends = "" if np.isnan(low) else f" ({one.level:.0%} interval {low:.3f} to {high:.3f})"
        parts.append(f"{one.value:.3f} with {name.upper() if name == 'masi' else 'Jaccard'} distances{ends}")
    return f"Counting sets that overlap as partly alike, Krippendorff's alpha is {' and '.join(parts)}."


def _omissions(differences: SetDifferences, *, two: bool) -> Sentence:
    """Whether sets differ by what one of them lacks, or by one label instead of another."""
    count, differing = round(differences.omissions), round(differences.differing)
    every = "disagreements" if two else "pairs of sets that differ"
    where = f"In {count:,} of the {differing:,} {every} ({percent(differences.omissions / differences.differing)})"
    if count in (0, differing):
        where = f"In {'none' if count == 0 else 'all'} of the {differing:,} {every}"
    if differing == 1:
        where = f"In {'no' if count == 0 else 'the only'} disagreement"
    text = f"{where}, one coder gave all labels of the other and more: labels were left out or added, not exchanged."
    if count == 0:
        text = f"{where} did one coder give all labels of the other and more: labels were exchanged, not left out."
    return Sentence(code="omissions", text=text)


def _forgotten(members: dict[str, MemberAgreement], *, two: bool) -> Iterable[Sentence]:
    """The label that is left out most often, unless another is left out as often."""
    rates = {name: one.omitted / one.given for name, one in members.items() if one.given >= ENOUGH_GIVEN}
    first, *rest = sorted(rates, key=lambda name: -rates[name]) or [""]
    if not first or rates[first] == 0 or (rest and rates[rest[0]] == rates[first]):
        return
    one, other = members[first], "the other" if two else "another"
    text = (
        f"The label left out most often is {first!r}: when one coder gives it, {other} leaves it out, with no other "
        f"label in its place, in {one.omitted:,} of {one.given:,} cases ({percent(rates[first])})."
    )
    yield Sentence(code="forgotten", text=text)


def _replacements(differences: SetDifferences) -> Iterable[Sentence]:
    """The two labels that stand for each other most often, unless two others do as often."""
    confused, pairs = differences.confused, differences.differing - differences.omissions
    if not confused or (len(confused) > 1 and confused[1].pairs == confused[0].pairs) or confused[0].share < 0.05:
        return
    one, other = map(repr, confused[0].categories)
    often = "always" if len(confused) == 1 else "mostly" if confused[0].share > 0.5 else "most often"
    cases = count_noun(round(pairs), "disagreement")
    share = "" if len(confused) == 1 else f" ({percent(confused[0].share)})"
    text = f"Where each coder gives a label that the other does not ({cases}), the labels are {often} {one} and {other}"
    yield Sentence(code="confused_labels", text=f"{text}{share}.")


def _leaning(leans: Sequence[OmissionLean], tested: int) -> Iterable[Sentence]:
    if not leans:
        return
    top = leans[0]
    first, second = map(coder_name, top.coders)
    who = (
        f"{first} leaves out labels that {second} gives on {count_noun(top.this_way, 'item')}, the other way round on "
    )
    who += f"{top.other_way:,} (McNemar's exact test, {format_p(top.p_value)})."
    many = f"In {len(leans):,} of the {tested:,} pairs of coders tested, one coder leaves out more labels: " + who
    text = capitalize_coder(top.coders[0], who) if tested == 1 else many
    yield Sentence(code="omission_lean", text=text)
