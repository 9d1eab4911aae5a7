"""Results are finished values: pickled, printed, compared, and read back from their JSON to the same document."""

import json
import pickle
from dataclasses import FrozenInstanceError, fields
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence import Corpus
from concurrence.api.words import collocates, kwic, words
from concurrence.cli.saved import read_result
from concurrence.core.layers import Layer
from concurrence.core.values import to_json
from concurrence.corpus.index import IndexSummary
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.mwe import marked_pairs
from concurrence.counting.result import summarise_counts
from concurrence.evaluation.krenn import krenn_figures
from concurrence.evaluation.options import KrennOptions
from concurrence.evaluation.results import Evaluations
from concurrence.files.tables.formats import json_lines
from concurrence.kernels.verdicts import judgements_from_table
from concurrence.measures.scoring import scored_pairs
from concurrence.measures.table import list_measures
from concurrence.report import pages as pages_package
from concurrence.report.presenters import document_of, page_presenters, presenter_of, result_of, table_of
from concurrence.sampling.budget import sample_budget
from concurrence.sampling.options import SampleOptions
from concurrence.sampling.power_plan import PowerPlans, question_from_precisions
from support.span_cases import simulated

TOKENS = concurrence.Tokens.from_sentences([["a", "red", "rose"], ["the", "red", ",", "red", "rose"], ["red", "tape"]])
CANDIDATES = pl.DataFrame(
    {
        "l1": [f"w{i}" for i in range(40)],
        "l2": "x",
        "good": [40.0 - i for i in range(40)],
        "poor": [i % 7 for i in range(40)],
    }
)
GOLD = CANDIDATES.select("l1", "l2", tp=pl.int_range(40) % 3 == 0, kind=pl.lit("k"))


def evaluation(n=(5, 10)):
    simulated = {"simulate": 0.5, "tie_draws": 2, "above": [0.2], "correction": "holm"}
    judged = judgements_from_table(GOLD, CANDIDATES.select("l1", "l2"), kinds="kind")
    return concurrence.evaluate(CANDIDATES, judged, measures=["good", "poor"], n=n, **simulated)


def scores():
    pairs = concurrence.Pairs.from_frame(
        pl.DataFrame({"l1": ["a", "b"], "l2": ["c", "d"], "f": [2, 1], "f1": [2, 3], "f2": [2, 4], "N": [9, 9]})
    )
    return scored_pairs(concurrence.score(pairs, "odds_ratio,MI"), ["odds_ratio", "MI"])


def ranked():
    rows = [(f"v{i % 9}", f"n{i}", 9 - i // 5, 40, 20 + i % 7, 900, int(i % 5 == 0)) for i in range(40)]
    frame = pl.DataFrame(rows, schema=["l1", "l2", "f", "f1", "f2", "N", "tp"], orient="row")
    return concurrence.benchmark({"one": frame, "two": frame.head(30)}, measures="frequency,MI,dice,jaccard", n=[5, 8])


def marked():
    columns = {
        "form": ["take", "walk", "dog"],
        "lemma": ["take", "walk", "dog"],
        "pos": ["VERB", "NOUN", "NOUN"],
        "mwe": ["1:LVC.full", "1", "*"],
    }
    held = {name: Layer.of([words]) for name, words in columns.items()}
    return marked_pairs(Corpus(layers=held, heads=np.array([-1, 0, 0, -1], dtype=np.int32)))


def figures():
    scores = {"frequency": "poor", "t_score": "good", "log_likelihood": "poor", "chi_squared_corr": "good"}
    table = CANDIDATES.with_columns(**{name: pl.col(other) for name, other in scores.items()}, tp=GOLD["tp"])
    return krenn_figures(table, KrennOptions(rate=0.5, upto=20))


def matching():
    left = pl.DataFrame({"id": ["1", "2"], "text": ["he ran .", "a b c d e"], "word": "run", "label": "x"})
    right = pl.DataFrame({"id": ["1", "2"], "text": ["he ran", "a b c d f"], "word": "run", "label": "x"})
    return concurrence.match(left, right)


def merging():
    rows = [["a", "b"], ["b", "a"], ["c", "c"], ["a", "a"], ["c", "d"]] * 4
    return concurrence.merge(concurrence.Labels.from_rows(rows), shuffles=9)


def power():
    question = question_from_precisions(n=100, overlap=40, precision_a=0.5, precision_b=0.2)
    return PowerPlans.of([concurrence.plan_power(question, population=1000, budget=5, draws=100)])


def sample():
    return concurrence.draw_sample(CANDIDATES, size=12, design="strata", best=[5, 10], measures=["good", "poor"])


def sketch_of_red():
    rows = [("a", "DET"), ("red", "ADJ"), ("rose", "NOUN"), ("red", "ADJ"), ("tape", "NOUN")]
    table = pl.DataFrame([{"sentence": 1, "form": form, "lemma": form, "pos": pos} for form, pos in rows])
    return concurrence.sketch(concurrence.read_corpus(table), "red", examples=1)


RESULTS = {
    "AgreementPlans": lambda: concurrence.plan_agreement([0.5, 0.5], kappas=[0.7], null_kappa=0.4),
    "Collocates": lambda: collocates(TOKENS, "red", examples=1),
    "Kwic": lambda: kwic(TOKENS, "red", "rose", rule="adjacent"),
    "Sketch": lambda: sketch_of_red(),
    "Contrast": lambda: concurrence.contrast(TOKENS, concurrence.Tokens.from_sentences([["a", "rose"]])),
    "WordList": lambda: words(TOKENS),
    "IndexSummary": lambda: IndexSummary(path="x", tokens=5, sentences=1, documents=1, layers={"form": 3}, bytes=99),
    "CountsSummary": lambda: summarise_counts(count_to_rows(TOKENS, CountOptions(rule="window:2"))),
    "Benchmark": ranked,
    "PrecisionFigures": figures,
    "Evaluation": evaluation,
    "Evaluations": lambda: Evaluations(data_sets={"one": evaluation(), "two": evaluation((8,))}),
    "MarkedPairs": marked,
    "MatchCounts": lambda: matching().counts,
    "MeasureList": list_measures,
    "Merging": merging,
    "LooksPlan": lambda: concurrence.plan_looks([100, 200, 300], population=1000),
    "PowerPlans": power,
    "RateReport": lambda: concurrence.rate_from_counts(45, 150, sensitivity=0.96, specificity=(89, 100)),
    "LatentReport": lambda: concurrence.rate_without_gold(
        pl.DataFrame(
            {"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "p": list("xxxxyyyy"), "count": [9, 2, 3, 80, 70, 6, 8, 30]}
        ),
        judges=["a", "b"],
        by="p",
    ),
    "PreferenceReport": lambda: concurrence.preferences([("x", "y", "x"), ("y", "x", "y"), ("x", "y", "tie")]),
    "RatingsReport": lambda: concurrence.ratings([9, 6, 8, 7], [8, 2, 8, 6], bootstrap=20),
    "PrecisionPlans": lambda: concurrence.plan_precision(n=[50], population=400, budget=3),
    "SampleBudget": lambda: sample_budget(
        concurrence.draw_sample(CANDIDATES, size=12, design="strata", best=[5, 10], measures=["good", "poor"]),
        CANDIDATES,
        SampleOptions(),
    ),
    "ScoredPairs": scores,
    "SpanReport": lambda: concurrence.spans(simulated(3, np.random.default_rng(0)), bootstrap=20),
}


def as_json(result):
    """The JSON of a result as a program reads it, tables row by row."""

    def rows(entry):
        return [json.loads(line) for part in json_lines(entry) for line in part.splitlines()]

    whole = {key: rows(entry) if isinstance(entry, pl.DataFrame) else entry for key, entry in to_json(result).items()}
    return json.loads(json.dumps(whole, allow_nan=False))


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_is_a_value(kind):
    result = RESULTS[kind]()
    assert type(result).__name__ == kind
    assert presenter_of(result).result is type(result)
    assert pickle.loads(pickle.dumps(result)) == result == RESULTS[kind]()
    assert str(result)
    with pytest.raises(FrozenInstanceError):
        setattr(result, fields(result)[0].name, None)


@pytest.mark.parametrize("kind", RESULTS)
def test_its_json_leads_back_to_the_same_document(kind):
    result = RESULTS[kind]()
    again = result_of(kind, as_json(result))
    assert type(again) is type(result)
    assert document_of(again) == document_of(result)
    if presenter_of(result).table is not None:
        assert table_of(again).equals(table_of(result))


@pytest.mark.parametrize("kind", RESULTS)
def test_what_is_saved_as_json_is_what_the_report_reads(kind, tmp_path):
    result = RESULTS[kind]()
    result.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text("utf-8")) == json.loads(json.dumps(result.to_json()))
    assert read_result(tmp_path / "result.json").document == document_of(result)


def test_every_page_is_found_by_the_types_it_presents():
    pages = [import_module(f"concurrence.report.pages.{page.name}") for page in iter_modules(pages_package.__path__)]
    presenters = [one for page in pages for one in getattr(page, "PRESENTERS", ())]
    assert len(presenters) > 40
    assert [one.result for one in presenters if one not in page_presenters(one.result.__name__)] == []


def difference_sets():
    drawn = concurrence.draw_sample(CANDIDATES, design="difference", best=[10], measures=["good", "poor"])
    judged = drawn.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    return concurrence.evaluate(CANDIDATES, judged, measures=["good", "poor"], sample=drawn)


def learned():
    size = 300
    rng = np.random.default_rng(0)
    true = np.arange(size) % 3 == 0
    words = {"l1": [f"n{i}" for i in range(size)], "l2": [f"v{i}" for i in range(size)]}
    table = pl.DataFrame({**words, "one": rng.normal(size=size) + true, "two": rng.normal(size=size) + true})
    return concurrence.evaluate(table, table.select("l1", "l2", tp=true), measures=["one", "two"], n=[50], learn=True)


def judged_next():
    table = CANDIDATES.with_columns(model=pl.int_range(40) % 2)
    return concurrence.rate(table, GOLD.select("l1", "l2", "tp").head(20), judges=["model"], next_items=5)


@pytest.mark.parametrize("make", [difference_sets, learned, judged_next])
def test_what_only_some_results_have_leads_back_too(make):
    result = make()
    kind = type(result).__name__
    again = result_of(kind, as_json(result))
    assert document_of(again) == document_of(result)
    assert table_of(again).equals(table_of(result))
    assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize("make", [matching, merging, sample, lambda: concurrence.score(scores().rows, "MI")])
def test_what_the_verbs_give_is_a_value_too(make):
    result = make()
    assert pickle.loads(pickle.dumps(result)) == result == make()


def test_sentences_of_results_have_codes():
    plans = concurrence.plan_precision(n=[50], population=400, budget=3)
    assert [(plan.sentence.code, plan.sentence.warning) for plan in plans] == [("over_budget", True)]
    assert plans.warnings == (plans[0].sentence,)
    assert power().warnings == (power()[0].sentence,)
    merged = merging()
    assert {sentence.code for sentence in merged.sentences} == {"merged"}
    assert all(sentence.warning for sentence in merged.warnings)
