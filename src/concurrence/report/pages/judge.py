"""A judge compared with the humans, as a document and as a table."""

from typing import Any

import polars as pl

from concurrence.agreement.judge.alternative_annotator import AlternativeTest
from concurrence.agreement.judge.judge import JudgeComparison
from concurrence.agreement.judge.plan import JudgePlans
from concurrence.agreement.judge.several import JudgeComparisons
from concurrence.kernels.coefficients import coefficient
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters, table_row
from concurrence.report.render.document import Document, Section, Table

MOST_PAIRS = 20
MOST_LEANS = 6
MOST_RATES = 60


def judgement_document(judgement: JudgeComparison) -> Document:
    """The answer, then who agrees with whom and how often."""
    sections = [
        Section(title="Agreement", blocks=(_pairs(judgement),)),
        Section(title="How often each coder gives each category", blocks=(_rates(judgement),)),
    ]
    if judgement.alt_test is not None:
        sections.append(Section(title="Alternative annotator", blocks=(_against_humans(judgement.alt_test),)))
    sections += _changes(judgement) + _by_group(judgement)
    sections.append(methods_section(coefficients=[judgement.judge_human.coefficient]))
    question = f"Can {judgement.judge} replace a human coder?"
    return Document.of("Judge", question, judgement.sentences, sections, warnings=judgement.warnings)


def judgements_document(judgements: JudgeComparisons) -> Document:
    """The sentences about every judge, one table of all judges, then the evidence."""
    rows = [
        (name, one.judge_human.value, one.judge_human.interval, *_tested(one), one.gate.passed if one.gate else None)
        for name, one in judgements.judges.items()
    ]
    first = next(iter(judgements.judges.values()))
    title = coefficient(first.judge_human.coefficient).title
    columns = ("judge", title, "interval", "winning rate", "passes the test", "passes the gate")
    whole = Section(title="Judges", blocks=(Table.of("Every judge against the same humans", columns, rows),))
    pairs = Section(title="Agreement", blocks=(_pairs(*judgements.judges.values()),))
    groups = _between_judges(judgements) + _by_group(*judgements.judges.values())
    methods = methods_section(coefficients=[first.judge_human.coefficient])
    question = "Can these judges replace a human coder?"
    return Document.of(
        "Judges", question, judgements.sentences, (whole, pairs, *groups, methods), warnings=judgements.warnings
    )


def judge_plan_document(plans: JudgePlans) -> Document:
    """Every plan as a sentence, then how likely the judge passes with so many items."""
    rows = [
        (plan.humans, plan.kappa, plan.judge_kappa, plan.epsilon, items, power)
        for plan in plans
        for items, power in zip(plan.items, plan.power, strict=True)
    ]
    columns = ("humans", "kappa among humans", "kappa of the judge", "epsilon", "items", "power")
    section = Section(title="Plans", blocks=(Table.of("How likely the judge passes the test", columns, rows),))
    question = "How many items must be labelled to test the judge?"
    return Document.of("Plan", question, [plan.sentence for plan in plans], (section,), warnings=plans.warnings)


def _between_judges(judgements: JudgeComparisons) -> list[Section]:
    """Two judges each: how much they agree with each other, and how much the humans explain of it."""
    if not judgements.same_mistakes:
        return []
    rows = [
        (*test.judges, test.items, test.agreement, test.expected, test.p_value) for test in judgements.same_mistakes
    ]
    columns = ("judge", "judge", "items", "agreement beyond chance", "if they err independently", "p")
    caption = "Judges among themselves: do they share mistakes?"
    return [Section(title="Shared mistakes", blocks=(Table.of(caption, columns, rows[:MOST_PAIRS]),))]


def _against_humans(test: AlternativeTest) -> Table:
    """The judge against every human; the t-test of the paper stands beside the exact test where it is used."""
    both = any(human.p_value != human.exact_p_value for human in test.humans)
    columns: tuple[str, ...] = ("human", "items", "judge at least as close", "human at least as close")
    columns += ("p (t-test)", "p (exact)", "judge wins") if both else ("p (exact)", "judge wins")
    rows = [
        (h.coder, h.items, h.advantage, h.disadvantage)
        + ((h.p_value, h.exact_p_value) if both else (h.exact_p_value,))
        + (h.won and h.exact_won,)
        for h in test.humans
    ]
    return Table.of("Alternative-annotator test: who is closer to the other humans?", columns, rows)


def _tested(one: JudgeComparison) -> tuple[float | None, bool | None]:
    return (None, None) if one.alt_test is None else (one.alt_test.winning_rate, one.alt_test.verdict)


def judgements_table(judgements: JudgeComparisons) -> pl.DataFrame:
    """The pairs of every judge, one row each."""
    each = [
        judgement_table(one).insert_column(0, pl.Series("judge", [name] * judgement_table(one).height))
        for name, one in judgements.judges.items()
    ]
    return pl.concat(each)


def judgement_table(judgement: JudgeComparison) -> pl.DataFrame:
    """Every pair of coders, one row each."""
    rows = []
    for kind, mean in (("judge_human", judgement.judge_human), ("human_human", judgement.human_human)):
        for pair in () if mean is None else mean.pairs:
            names = {"kind": kind, "coder": pair.coders[0], "other": pair.coders[1]}
            names["coefficient"] = judgement.judge_human.coefficient
            rows.append({**names, **table_row(pair, "items", "value", "interval", "note")})
    return pl.DataFrame(rows, infer_schema_length=None)


def _pairs(*judgements: JudgeComparison) -> Table:
    """The means and the pairs of every judge, then those of the humans, who are the same for all."""
    first = judgements[0]
    several = len(judgements) > 1
    means = [(f"{one.judge} and humans" if several else "judge and humans", one.judge_human) for one in judgements] + [
        ("humans", first.human_human)
    ]
    with_pairs = sum(len(mean.pairs) for _, mean in means if mean is not None) <= MOST_PAIRS
    rows: list[tuple[Any, ...]] = []
    for title, mean in means:
        if mean is None:
            continue
        rows.append((title, "mean", None, mean.value, mean.interval))
        if with_pairs or (len(mean.pairs) <= MOST_PAIRS and not several):
            rows.extend((*pair.coders, pair.items, pair.value, pair.interval) for pair in mean.pairs)
    title = coefficient(first.judge_human.coefficient).title
    columns = ("coder", "coder", "items", title, "interval")
    return Table.of("Judge and humans, and humans among themselves", columns, rows)


def _changes(judgement: JudgeComparison) -> list[Section]:
    """What changed since the earlier run."""
    drift = judgement.drift
    if drift is None:
        return []
    change = drift.agreement
    title = coefficient(change.coefficient).title
    rows: list[tuple[Any, ...]] = [
        ("same label as before", drift.same, drift.same_interval),
        (f"{title} with the humans before", change.before, None),
        (f"{title} with the humans now", change.now, None),
        ("change", change.difference, change.interval),
    ]
    rows += [(f"change in {name!r}", lean.value, lean.interval) for name, lean in list(drift.leans.items())[:12]]
    caption = f"{judgement.judge} now and before ({drift.before})"
    return [Section(title="Change", blocks=(Table.of(caption, ("", "value", "interval"), rows),))]


def _by_group(*judgements: JudgeComparison) -> list[Section]:
    """Agreement and leaning by group of items."""
    grouped = [one for one in judgements if one.bias is not None]
    if not grouped:
        return []
    first = next(iter(grouped[0].bias.groups.values())) if grouped[0].bias else None
    leans = [] if first is None else list(first.leans)[:MOST_LEANS]
    rows = [
        (one.judge, name, group.items, group.same, group.judge_human.value, *(group.leans[k].value for k in leans))
        for one in grouped
        for name, group in (one.bias.groups if one.bias else {}).items()
    ]
    title = coefficient(grouped[0].judge_human.coefficient).title
    columns = ("judge", "group", "items", "same label as a human", title, *(f"lean: {name}" for name in leans))
    caption = "Groups of items; a lean is the judge's share of a category, or its score, less the humans'"
    return [Section(title="Groups", blocks=(Table.of(caption, columns, rows[:60]),))]


def _rates(judgement: JudgeComparison) -> Table:
    """One row per coder and category; a report that was kept without intervals has none."""
    intervals = {
        (coder, category): (rate.items, rate.interval)
        for coder, own in judgement.base_rate_intervals.items()
        for category, rate in own.items()
    }
    rows: list[tuple[Any, ...]] = []
    for coder, own in judgement.base_rates.items():
        for category, share in own.items():
            items, interval = intervals.get((coder, category), (None, None))
            rows.append((coder, category, items, share, interval))
    title = "Base rates" if len(rows) <= MOST_RATES else f"Base rates, the first {MOST_RATES} of {len(rows):,}"
    return Table.of(title, ("coder", "category", "items", "share", "interval"), rows[:MOST_RATES])


PRESENTERS: Presenters = (
    Presenter(JudgeComparison, judgement_document, judgement_table),
    Presenter(JudgeComparisons, judgements_document, judgements_table),
    Presenter(JudgePlans, judge_plan_document, JudgePlans.to_frame),
)
