"""An agreement report as a document: the answer in sentences, then tables."""

from dataclasses import replace
from typing import Any

import polars as pl

from concurrence.agreement.labels.diagnosis.scales import SCALES
from concurrence.agreement.labels.diagnosis.sentences import coder_name
from concurrence.agreement.labels.dual.true_agreement import TrueAgreement
from concurrence.agreement.labels.results import Agreement, AgreementReport, ExpertTable, GroupedReport, PairAgreement
from concurrence.core.sentences import count_noun, format_cell, join_words
from concurrence.core.values import to_json
from concurrence.kernels.coefficients import coefficient
from concurrence.kernels.digits import round_score
from concurrence.report.pages.agreement_chart import area_chart, group_chart, interval_chart
from concurrence.report.pages.divisions import division_blocks
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Block, Document, Estimate, Paragraph, Section, Table, to_paragraphs

QUESTION = "How well do the coders agree, and how sure can one be of it?"
HOMOGENEITY = {
    "mcnemar_exact": "McNemar, exact",
    "mcnemar": "McNemar",
    "stuart_maxwell": "Stuart & Maxwell",
    "bowker": "Bowker (symmetry)",
}
CAUSES = ("prevalence", "ceiling", "bias", "pattern", "confused", "categories")
"""Reasons by how much they matter; the screen has the first that holds."""
BRIEF = {
    True: ("cohen_kappa", "scott_pi", "bennett_s"),
    False: ("percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "weighted_kappa"),
}
NAMES = {"scott_pi": "Scott's pi (Siegel & Castellan)", "bennett_s": "2P(A) - 1 (Bennett's S)"}
"""What the three numbers are called where there are two categories."""
MOST_SHOWN = 12
MOST_CATEGORIES = 20

MOST_SHARES = 6
"""Up to so many categories, the table of groups of coders says how often each is used."""


def agreement_document(report: AgreementReport) -> Document:
    """The report of one set of labels."""
    reasons = [one for one in report.diagnosis.sentences if one not in (*report.sentences, *report.warnings)]
    paper = () if report.apa is None else (Paragraph(text=f"In APA style: {report.apa}"),)
    sections = [
        Section(title="Against the expert", blocks=() if report.expert is None else (_expert(report),)),
        Section(title="Where it comes from", blocks=to_paragraphs(reasons)),
        Section(title="Sets", blocks=_sets(report)),
        Section(title="Groups of coders", blocks=_coder_groups(report)),
        Section(title="Coefficients", blocks=(_coefficients(report), *_notes(report), *interval_chart(report))),
        Section(title="In a paper", blocks=paper),
        Section(title="True agreement", blocks=tuple(_true_agreement(report))),
        Section(title="Pairs of coders", blocks=(*_pairs(report), *area_chart(report))),
        Section(title="Categories", blocks=tuple(_categories(report))),
        Section(title="Do the coders use the categories equally often?", blocks=tuple(_homogeneity(report))),
        Section(title="Without each coder", blocks=tuple(_left_out(report))),
        Section(title="Verbal benchmarks", blocks=tuple(_scales(report))),
        _methods(report),
    ]
    kept = tuple(section for section in sections if section.blocks)
    document = Document.of("Agreement", QUESTION, report.sentences, kept, warnings=report.warnings)
    return replace(document, agreement=_to_report(report))


def _to_report(report: AgreementReport) -> Estimate | None:
    one = report.coefficients.get(report.leading or "")
    if one is None or not one.defined:
        return None
    return Estimate(name=one.title, value=one.value, low=one.interval.low, high=one.interval.high, level=report.level)


def brief_agreement_document(report: AgreementReport) -> Document:
    """What fits a screen: the answer, the numbers to report, the cause that matters most, where to read on."""
    reasons = {one.code: one for one in report.diagnosis.sentences if one not in (*report.sentences, *report.warnings)}
    cause = next((reasons[code] for code in CAUSES if code in reasons), None)
    more = Paragraph(text="More: --full for all coefficients and tables, -o report.html for a page with charts.")
    expert = () if report.expert is None else (_expert(report),)
    indices = () if report.diagnosis.bias_index is None else (Paragraph(text=_indices(report)),)
    sets = _sets(report, brief=True)
    causes = to_paragraphs([cause] if cause and not sets else [])
    blocks = (*expert, _numbers(report), *indices, *causes, *sets, *_coder_groups(report), more)
    section = Section(title="Agreement", blocks=blocks)
    return Document.of("Agreement", QUESTION, report.sentences, (section,), warnings=report.warnings)


def _numbers(report: AgreementReport) -> Table:
    """The numbers to report: for two coders the three of Di Eugenio and Glass, else those for many coders."""
    names = BRIEF[report.diagnosis.three_numbers is not None]
    every = set(names) <= set(report.coefficients)  # otherwise some were chosen for, and all of these are shown
    chosen = [one for one in report.rows() if one.coefficient in names or not every]
    leading = [one for one in report.rows() if one.coefficient == report.leading and one not in chosen]
    ordered = (*leading, *(chosen or report.rows()))
    three = [one.coefficient for one in ordered] == list(BRIEF[True]) and len(report.data.categories) == 2
    rows = [
        (
            NAMES.get(one.coefficient, one.title) if three else one.title,
            one.value,
            one.interval,
            "<.001" if one.p_of_chance < 0.0005 else one.p_of_chance,
        )
        for one in ordered
    ]
    caption = "The three numbers of Di Eugenio & Glass" if three else "Coefficients of agreement"
    return Table.of(caption, ("coefficient", "value", f"{report.level:.0%} interval", "p (chance)"), rows)


def _sets(report: AgreementReport, *, brief: bool = False) -> tuple[Block, ...]:
    """The sentences on sets, the table of their labels, and, unless ``brief``, the labels that stand for each other."""
    sets = report.sets
    if sets is None:
        return ()
    columns = ("label", "sets", "share", "agreement", "left out", "replaced", "kappa", f"{report.level:.0%} interval")
    rows = [
        (name, one.count, one.share, one.specific_agreement, one.omitted, one.replaced, one.kappa, one.interval)
        for name, one in sets.labels.items()
    ]
    caption = "Label by label: when one coder gives it, another gives it too (agreement), leaves it out, or replaces it"
    tables = [Table.of(caption, columns, rows)]
    if sets.confused and not brief:
        confused = [(*one.categories, one.pairs, one.share) for one in sets.confused]
        title = "Labels that stand for each other (a pair of sets counts once)"
        tables.append(Table.of(title, ("label", "label", "pairs of sets", "share"), confused))
    return (*to_paragraphs(sets.sentences), *tables)


def _coder_groups(report: AgreementReport) -> tuple[Block, ...]:
    """The sentences on groups, and each group with its agreement and, if they are few, its use of the categories."""
    groups = report.coder_groups
    if groups is None:
        return ()
    categories = list(next(iter(groups.groups.values())).shares)
    if len(categories) > MOST_SHARES:
        categories = []
    rows = [
        (
            name,
            len(one.coders),
            None if one.krippendorff_alpha is None else one.krippendorff_alpha.value,
            None if one.krippendorff_alpha is None else one.krippendorff_alpha.interval,
            *(one.shares[category] for category in categories),
        )
        for name, one in groups.groups.items()
    ]
    columns = (
        "group",
        "coders",
        "alpha within",
        f"{report.level:.0%} interval",
        *(f"share of {name}" for name in categories),
    )
    sentences = [sentence for sentence in groups.sentences if not sentence.warning]
    return (*to_paragraphs(sentences), Table.of("Groups of coders", columns, rows))


def _indices(report: AgreementReport) -> str:
    diagnosis = report.diagnosis
    prevalence = diagnosis.prevalence_index
    skew = "" if prevalence is None else f"Prevalence index {format_cell(prevalence, digits=3)}, "
    bias = f"bias index {format_cell(diagnosis.bias_index, digits=3)}"
    highest = (
        ""
        if diagnosis.kappa_max is None
        else f"; highest kappa possible at these rates {format_cell(diagnosis.kappa_max, digits=3)}"
    )
    text = f"{skew}{bias}{highest}."
    return text[0].upper() + text[1:]


def grouped_document(grouped: GroupedReport) -> Document:
    """The reports of all groups as one table."""
    kept = grouped.leading
    rows: list[tuple[Any, ...]] = [
        (group, report.data.items, *(report[name].value for name in kept)) for group, report in grouped.groups.items()
    ]
    rows += _over_groups(grouped)
    titles = [next(iter(grouped.groups.values()))[name].title for name in kept]
    table = Table.of("Agreement by group", ("group", "items", *titles), rows)
    charts = group_chart(grouped, kept[-1]) if len(kept) > 1 else ()
    section = Section(title="Groups", blocks=(table, *charts))
    return Document.of("Agreement by group", QUESTION, grouped.sentences, (section,), warnings=grouped.warnings)


def _over_groups(grouped: GroupedReport) -> list[tuple[Any, ...]]:
    """What the groups give together: pooled, their mean, and the spread between them."""
    kept, interval = grouped.leading, f"{grouped.level:.0%} interval"
    items = sum(report.data.items for report in grouped.groups.values())
    pooled = [grouped.pooled.get(name) for name in kept]
    return [
        ("pooled", items, *(one.value if one else None for one in pooled)),
        (f"pooled, {interval}", None, *(one.interval if one else None for one in pooled)),
        ("mean of groups", None, *(grouped.mean[name] for name in kept)),
        (f"mean, {interval}", None, *(grouped.mean_interval[name] for name in kept)),
        ("standard deviation between groups", None, *(grouped.sd[name] for name in kept)),
    ]


def coefficient_table(report: AgreementReport) -> pl.DataFrame:
    """The coefficients as a frame, one row each."""
    return pl.DataFrame([_record(name, one) for name, one in report.coefficients.items()], infer_schema_length=None)


def grouped_table(grouped: GroupedReport) -> pl.DataFrame:
    """The coefficients of every group as a frame."""
    rows = [
        {"group": group, **_record(name, one)}
        for group, report in grouped.groups.items()
        for name, one in report.coefficients.items()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _record(name: str, one: Agreement) -> dict[str, Any]:
    """A coefficient as a row of a file: its JSON, the interval as two columns, without what is itself a table."""
    low, high = to_json(one.interval)
    kept = ("value", "observed", "expected", "standard_error")
    more = ("interval_method", "trusted", "p_value", "p_value_method", "items", "dropped", "convention", "note")
    entries = to_json(one)
    head = {"coefficient": name, **{key: entries[key] for key in kept}}
    if one.p_of_chance != one.p_of_chance:  # one column, one kind of test
        entries |= {"p_value": None, "p_value_method": None}
    return {**head, "low": low, "high": high, **{key: entries[key] for key in more}}


def _coefficients(report: AgreementReport) -> Table:
    interval = f"{report.level:.0%} interval"
    columns = ("coefficient", "value", interval, "std. error", "p (chance)", "observed", "expected", "items")
    rows = [
        (
            one.title + (f" (sd {format_cell(one.sd, digits=3)})" if one.sd is not None and one.sd == one.sd else ""),
            one.value,
            one.interval,
            one.standard_error,
            "<.001" if one.p_of_chance < 0.0005 else one.p_of_chance,
            one.observed,
            one.expected if one.expected != 0 else None,
            one.items,
        )
        for one in report.rows()
    ]
    who = "anonymous coders" if report.data.anonymous else f"{len(report.data.coders):,} coders"
    return Table.of(f"Coefficients of agreement ({who}, {count_noun(report.data.items, 'item')})", columns, rows)


def _notes(report: AgreementReport) -> list[Paragraph]:
    """What each coefficient has to say of itself, the same text once; and what alpha compared by."""
    notes: dict[str, list[str]] = {}
    for name, one in report.coefficients.items():
        if one.note and one.coefficient == name:
            notes.setdefault(one.note.removeprefix(f"{one.title} "), []).append(one.title)
    paragraphs = [Paragraph(text=_note_text(note, titles)) for note, titles in notes.items()]
    alpha = report.coefficients.get("krippendorff_alpha")
    if alpha is not None and alpha.defined:
        paragraphs.append(Paragraph(text=f"Alpha: {alpha.convention}; its observed and expected are disagreements."))
    return paragraphs


def _note_text(note: str, titles: list[str]) -> str:
    """A note, and for which other coefficients it holds; what does not speak of one alone comes after their names."""
    if note[0].isupper():
        return f"{join_words(titles)}: {note}"
    return f"{titles[0]} {note}" + (f" The same holds for {join_words(titles[1:])}." if titles[1:] else "")


def _pairs(report: AgreementReport) -> list[Table]:
    pairs, categories = report.pairs, report.data.categories
    if len(pairs) == 1 and pairs[0].confusion is not None and len(categories) <= MOST_SHOWN:
        return [_confusion(pairs[0], categories)]
    if len(pairs) < 2:
        return []
    few = len(pairs) <= 3 * MOST_SHOWN
    by_kappa = sorted(
        (pair for pair in pairs if pair.cohen_kappa == pair.cohen_kappa), key=lambda pair: round_score(pair.cohen_kappa)
    )
    chosen = list(pairs) if few else [*by_kappa[: MOST_SHOWN // 2], *by_kappa[-MOST_SHOWN // 2 :]]
    caption = "Pairs of coders" if few else f"Pairs of coders: lowest and highest of {len(by_kappa):,} with a kappa"
    rows = [(*pair.coders, pair.items, pair.percent_agreement, pair.cohen_kappa, pair.scott_pi) for pair in chosen]
    return [Table.of(caption, ("coder", "coder", "items", "agreement", "Cohen's kappa", "Scott's pi"), rows)]


def _confusion(pair: PairAgreement, categories: tuple[str, ...]) -> Table:
    counts: Any = pair.confusion
    rows = [(name, *map(int, row), int(row.sum())) for name, row in zip(categories, counts, strict=True)]
    rows.append(("all", *(int(x) for x in counts.sum(axis=0)), int(counts.sum())))
    first, second = map(coder_name, pair.coders)
    caption = f"Labels of both coders: {first} in rows, {second} in columns"
    return Table.of(caption, ("", *categories, "all"), rows)


def _true_agreement(report: AgreementReport) -> list[Block]:
    truth = report.true_agreement
    if truth is None:
        return []
    blocks = {"all items": truth} if isinstance(truth, TrueAgreement) else truth.by_category
    columns = ("", "estimate", "homogeneity", "with the error of the rates", "conservative", "conservative (kappa)")
    rows = [
        (name, one.estimate, one.homogeneity, one.homogeneity_exact, one.conservative, one.conservative_kappa)
        for name, one in blocks.items()
    ]
    table = Table.of(f"True agreement, shares of the items ({report.level:.0%} intervals)", columns, rows)
    if not isinstance(truth, TrueAgreement):
        return [table]
    note = [Paragraph(text=truth.note, warning=True)] if truth.note else []
    return [table, *note, *division_blocks(truth)]


def _expert(report: AgreementReport) -> Table:
    columns = ("coder", "items", "Cohen's kappa", f"{report.level:.0%} interval", "homogeneity", "size", "conservative")
    expert: ExpertTable | None = report.expert
    rows = [
        (
            row.coder,
            row.items,
            row.cohen_kappa,
            row.interval,
            row.homogeneity,
            row.size,
            row.conservative,
            row.group,
        )
        for row in (expert.rows if expert else ())
    ]
    return Table.of(f"Every coder against {expert.coder if expert else ''}", (*columns, "group"), rows)


def _categories(report: AgreementReport) -> list[Table]:
    if not 2 <= len(report.categories) <= MOST_CATEGORIES:
        return []
    rows = [(name, one.count, one.share, one.specific_agreement, one.kappa) for name, one in report.categories.items()]
    caption = "Category by category: how often it was given, how often a second coder agrees, kappa against the rest"
    tables = [Table.of(caption, ("category", "labels", "share", "specific agreement", "kappa"), rows)]
    if len(report.categories) >= 3 and report.diagnosis.confused:
        confused = [(*one.categories, one.pairs, one.share) for one in report.diagnosis.confused[:5]]
        columns = ("category", "category", "pairs of labels", "share of disagreements")
        tables.append(Table.of("Most confused", columns, confused))
    return tables


def _homogeneity(report: AgreementReport) -> list[Table]:
    tests = report.diagnosis.homogeneity
    rows = [
        (HOMOGENEITY.get(test.name, test.name), test.statistic, test.degrees_of_freedom, test.p_value, test.note)
        for test in tests
    ]
    columns = ("test", "chi-squared", "df", "p", "note")
    noted = len(columns) if any(test.note for test in tests) else -1
    table = Table.of("Tests of marginal homogeneity", columns[:noted], [row[:noted] for row in rows])
    return [table] if rows else []


def _left_out(report: AgreementReport) -> list[Table]:
    rows = [(one.coder, one.items, one.value, one.change, one.interval) for one in report.leave_one_out]
    name = coefficient(report.leave_one_out[0].coefficient).title if rows else ""
    caption = f"{name} without each coder, on the items that the coder and at least two others labelled"
    columns = ("without", "items", "value", "change", f"{report.level:.0%} interval of the change")
    return [Table.of(caption, columns, rows)] if rows else []


def _scales(report: AgreementReport) -> list[Block]:
    rows = []
    for scale, coefficients in report.scales.items():
        shares = coefficients.get(report.leading, {})
        words = ", ".join(f"{name} {min(round(100 * p), 100)}%" for name, p in shares.items() if p >= 0.005)
        if words:
            rows.append((SCALES[scale].title, words))
    if not rows:
        return []
    title = report[report.leading].title
    table = Table.of(f"Verbal benchmarks for {title}", ("scale", "probability of each band"), rows)
    return [table, *to_paragraphs(report.scales_sentences), Paragraph(text=report.scales_method.words)]


def _methods(report: AgreementReport) -> Section:
    """The formulas of the coefficients that have a value, and of the intervals around them."""
    defined = report.rows()
    used = {one.interval_method or "" for one in defined}
    if report.true_agreement is not None or report.expert is not None:
        used.add("true_agreement")
    return methods_section(coefficients=[one.coefficient for one in defined], procedures=used)


PRESENTERS: Presenters = (
    Presenter(AgreementReport, agreement_document, coefficient_table),
    Presenter(GroupedReport, grouped_document, grouped_table),
)
