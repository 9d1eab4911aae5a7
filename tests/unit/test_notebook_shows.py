"""Every result of the public API shows itself in a notebook: its figures are there, and text is only text."""

import pickle
import re
from dataclasses import fields, is_dataclass

import polars as pl
import pytest

import concurrence
from concurrence.core.values import same
from concurrence.sampling.power_plan import question_from_precisions

EVIL = "<script>alert(1)</script>"
EVIL_SHOWN = "&lt;script&gt;"
ROWS = [[EVIL, EVIL, "no"], ["no", "no", "no"], [EVIL, "no", "no"], ["no", "no", EVIL], [EVIL, EVIL, EVIL]] * 8


def labels():
    return concurrence.Labels.from_rows(ROWS, coders=("ann", f"bob{EVIL}", "model"))


def grouped():
    table = pl.DataFrame(
        {"item": ["1", "2", "3", "4"], "word": [EVIL, EVIL, "b", "b"], "x": list("abab"), "y": list("abaa")}
    )
    return concurrence.read_labels(table, shape="wide", by="word")


def counted():
    tokens = concurrence.Tokens.from_sentences([[EVIL, "rose", "is"], [EVIL, "rose"], ["a", "rose"]])
    return concurrence.count_pairs(tokens, rule="adjacent")


def candidates():
    scores = {"good": [30.0 - i for i in range(30)], "poor": [float(i % 7) for i in range(30)]}
    return pl.DataFrame({"l1": [f"{EVIL}{i}" for i in range(30)], "l2": "x", **scores})


def sampled():
    return concurrence.draw_sample(candidates(), size=5)


def evaluated():
    gold = candidates().select("l1", "l2", tp=pl.int_range(30) < 8)
    return concurrence.evaluate(candidates().rename({"poor": EVIL}), gold=gold, measures=["good", EVIL], n=[5, 10])


def ranked():
    rows = [(f"v{i % 9}", f"n{i}", 9 - i // 5, 40, 20, 900, int(i < 8)) for i in range(40)]
    frame = pl.DataFrame(rows, schema=["l1", "l2", "f", "f1", "f2", "N", "tp"], orient="row")
    return concurrence.benchmark({EVIL: frame}, measures="frequency,MI", n=[8])


def expressions(folder):
    lines = "1\tTake\ttake\tVERB\t_\t_\t0\troot\t_\t_\t1:VID\n2\twalks\twalk\tNOUN\t_\t_\t1\tobj\t_\t_\t1\n"
    bank = concurrence.read_corpus(written(folder, "x.cupt", lines), attributes=["lemma", "pos", "head", "mwe"])
    return concurrence.marked_pairs(bank)


def marked():
    rows = [
        (f"d{k}{EVIL}", coder, 2, 5 + (k == 3 and coder != "ann"), EVIL)
        for k in range(12)
        for coder in ("ann", f"bob{EVIL}")
    ]
    frame = pl.DataFrame(rows, schema=["document", "coder", "start", "end", "label"], orient="row")
    return concurrence.read_spans(frame, length=20)


def sentences(ending):
    return pl.DataFrame({"id": [EVIL], "text": [f"he {EVIL} runs fast{ending}"], "word": ["run"], "label": [EVIL]})


def roses():
    return concurrence.Tokens.from_sentences([["red", EVIL], ["red", "rose"]])


def reopened(folder):
    concurrence.write_index(roses(), folder / "index")
    return concurrence.open_index(folder / "index")


def power():
    question = question_from_precisions(n=100, overlap=40, precision_a=0.5, precision_b=0.2, a=EVIL, b="B")
    return concurrence.plan_power(question, population=1000, budget=50, draws=100)


def sketched():
    rows = [
        {"sentence": n, "form": word, "pos": pos} for n in (1, 2) for word, pos in ((EVIL, "ADJ"), ("rose", "NOUN"))
    ]
    return concurrence.sketch(concurrence.read_corpus(pl.DataFrame(rows)), "rose")


def rated():
    table = candidates().with_columns((pl.int_range(30) < 10).cast(pl.Int8).alias(EVIL))
    gold = candidates()[::2].select("l1", "l2", tp=pl.int_range(pl.len()) < 4)
    return concurrence.rate(table, gold, judges=[EVIL])


def without_gold():
    counts = [14, 4, 9, 528, 887, 31, 37, 367]
    table = pl.DataFrame(
        {EVIL: [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "part": [EVIL] * 4 + ["two"] * 4, "count": counts}
    )
    return concurrence.rate_without_gold(table, judges=[EVIL, "b"], by="part")


# what makes the result, and figures that a reader must find in it
RESULTS = {
    "Contingency": (lambda: concurrence.Contingency.from_signature(f=110, f1=2552, f2=221, n=31777), ("2,442", "17.7")),
    "Counted": (lambda: concurrence.Counted(rule=EVIL, tokens=5), ("5 tokens",)),
    "Interval": (lambda: concurrence.Interval(low=0.25, high=0.5, level=0.95, method=EVIL), ("[0.250, 0.500]", "95%")),
    "Labels": (labels, ("40 items", "3 coders", "120 labels", "20 more items")),
    "Pairs": (lambda: concurrence.Pairs.from_frame(counted().table), ("3 pairs", "rose")),
    "Spans": (marked, ("24 spans of 2 coders in 12 documents", "4 more rows")),
    "Corpus": (lambda: concurrence.Corpus.from_sentences([[EVIL, "rose"]]), ("2 tokens in 1 sentence", "rose")),
    "Tokens": (lambda: concurrence.Tokens.from_sentences([[EVIL, "rose"]]), ("2 tokens in 1 sentence", "rose")),
    "agree": (lambda: concurrence.agree(labels()), ("40 items", "Fleiss", "Krippendorff")),
    "agree_by_group": (lambda: concurrence.agree_by_group(grouped()), ("2 groups", "75%", "Cohen&#x27;s kappa")),
    "benchmark": (ranked, ("8 best candidates, frequency (the same ranking: MI) has 85.0%", "85.0*", EVIL_SHOWN)),
    "collocates": (lambda: concurrence.collocates(roses(), "red"), ("red occurs 2 times", "logDice", EVIL_SHOWN)),
    "compare": (
        lambda: concurrence.compare(labels(), a=["ann"], b=["model"], reference=f"bob{EVIL}", draws=100),
        ("No difference could be shown", "a - b", "40"),
    ),
    "contrast": (
        lambda: concurrence.contrast(roses(), concurrence.Tokens.from_sentences([["red"]])),
        ("3 words in A (A: 4 tokens", EVIL_SHOWN),
    ),
    "contrast_counts": (
        lambda: concurrence.contrast_counts(pl.DataFrame({"verb": [EVIL, "tell"], "x": [461, 128], "y": [146, 2]})),
        ("strength", "589 occurrences"),
    ),
    "count_pairs": (counted, ("3 pairs", "adjacent", "7 tokens")),
    "draw_sample": (sampled, ("5 of 30 candidates", "simple", ".167")),
    "evaluate": (evaluated, ("Precision [95% interval]", "good")),
    "extend_sample": (lambda: concurrence.extend_sample(sampled(), candidates(), size=9), ("9 of 30", ".300")),
    "fit_coder_model": (lambda: concurrence.fit_coder_model(labels()), ("is right most often", "competence", "ann")),
    "latent_classes": (lambda: concurrence.latent_classes(labels(), 2), ("The 2 classes hold", "class 1 (60%)")),
    "judge": (lambda: concurrence.judge(labels(), "model", gate="cohen_kappa>=0.7"), ("judge and humans", "misses")),
    "kwic": (lambda: concurrence.kwic(roses(), "red"), ("red occurs 2 times", "node", EVIL_SHOWN)),
    "marked_pairs": (lambda folder: expressions(folder), ("1 pair by the rule", "1 true pair (100.0%)")),
    "match": (lambda: concurrence.match(sentences("."), sentences("")), ("1 matched exactly", "exact")),
    "merge": (lambda: concurrence.merge(labels(), shuffles=9), ("chance p", "s kappa) before and after")),
    "open_index": (lambda folder: reopened(folder), ("4 tokens in 2 sentences",)),
    "plan_agreement": (lambda: concurrence.plan_agreement([0.5, 0.5], kappas=[0.7]), ("items", "in 80% of studies")),
    "plan_looks": (lambda: concurrence.plan_looks([100, 200]), ("100", "level", "bound")),
    "plan_judge": (lambda: concurrence.plan_judge(items=[50], draws=100), ("50", "power", "kappa")),
    "plan_power": (power, ("judgements", "differences", "union")),
    "plan_precision": (lambda: concurrence.plan_precision(n=[500], population=14654), ("6,233", "204 candidates")),
    "preferences": (
        lambda: concurrence.preferences([(EVIL, "y", EVIL), (EVIL, "y", "y"), ("y", EVIL, EVIL)]),
        ("highest strength", ".347"),
    ),
    "rate": (rated, ("of the 30 candidates are true", EVIL_SHOWN)),
    "rate_from_counts": (
        lambda: concurrence.rate_from_counts(45, 150, sensitivity=0.96, specificity=0.89),
        ("22.4% are true", "45 of 150"),
    ),
    "rate_without_gold": (without_gold, ("According to the model, 51.3% are true", EVIL_SHOWN)),
    "ratings": (lambda: concurrence.ratings([9, 6, 8, 7], [8, 2, 8, 6], bootstrap=20), ("ICC(2,1)", ".597", "4 items")),
    "read_comparisons": (
        lambda folder: concurrence.read_comparisons(written(folder, "c.csv", f"a,b,winner,coder\n{EVIL},y,b,ann\n")),
        ("1 comparison of 2 items", "ann"),
    ),
    "read_corpus": (lambda folder: concurrence.read_corpus(written(folder, "c.txt", f"rose {EVIL}\n")), ("2 tokens",)),
    "read_labels": (grouped, ("4 items", "2 coders")),
    "read_pairs": (
        lambda folder: concurrence.read_pairs(written(folder, "p.csv", f"l1,l2,f,f1,f2,N\n{EVIL},b,1,2,3,9\n")),
        ("1 pair.",),
    ),
    "read_sample": (lambda folder: reread(folder), ("5 of 30 candidates",)),
    "read_table": (lambda folder: concurrence.read_table(written(folder, "t.csv", f"a\n{EVIL}\n")), ("alert",)),
    "read_spans": (marked, ("24 spans",)),
    "score": (lambda: concurrence.score(counted(), "MI"), ("3 pairs", "MI")),
    "sketch": (sketched, ("rose occurs 2 times; 1 relation", "modifier", EVIL_SHOWN)),
    "soft_labels": (lambda: concurrence.soft_labels(labels()), ("Soft labels of 40 items", "entropy_low", EVIL_SHOWN)),
    "spans": (lambda: concurrence.spans(marked(), bootstrap=50), ("alpha_U is", "F1 (exact)", "only one label")),
    "true_agreement": (lambda: concurrence.true_agreement([[40, 15], [20, 25]]), ("28.7%", ".090", ".440")),
    "words": (lambda: concurrence.words(roses()), ("4 tokens of 3 words", "Juilland", EVIL_SHOWN)),
}  # fmt: skip
# single facts, texts, and what is a frame already
NO_TABLES = {"Contingency", "Corpus", "Counted", "Interval", "Tokens", "open_index", "read_corpus", "read_table"}
SILENT = {
    *("__version__", "write_index", "write_pairs", "write_sample", "write_table"),
    *("AgreeOptions", "EvaluateOptions", "Sentence", "SpansOptions"),
    *("ConcurrenceError", "InvalidInputError", "MissingExtraError", "UndefinedError", "UnknownNameError"),
}


def written(folder, name, text):
    (folder / name).write_text(text, "utf-8")
    return folder / name


def reread(folder):
    concurrence.write_sample(sampled(), folder / "s.csv")
    return concurrence.read_sample(folder / "s.csv")


def made(name, folder):
    make, _ = RESULTS[name]
    return make(folder) if make.__code__.co_argcount else make()


def shown(name, folder):
    return made(name, folder)._repr_html_(), RESULTS[name][1]


def test_every_public_name_is_tried_here():
    assert set(RESULTS) | SILENT == set(concurrence.__all__)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_shows_its_figures(name, tmp_path):
    page, figures = shown(name, tmp_path)
    words = re.sub(r"<[^>]+>", " ", page)
    assert [figure for figure in figures if figure not in words] == []


@pytest.mark.parametrize("name", RESULTS)
def test_text_stays_text(name, tmp_path):
    page, _ = shown(name, tmp_path)
    assert "<script" not in page


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"read_table"}))
def test_the_answer_comes_before_the_table(name, tmp_path):
    page, _ = shown(name, tmp_path)
    assert page.startswith("<p>")


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_finished(name, tmp_path):
    """It can be pickled, equals what it was and what is made anew, prints the same, and holds nothing to be called."""
    result, anew = made(name, tmp_path), made(name, tmp_path)
    again = pickle.loads(pickle.dumps(result))
    assert same(again, result)
    assert same(anew, result)
    assert str(again) == str(result)
    assert not [entry for entry in parts_of(result) if callable(entry)]


@pytest.mark.parametrize("name", sorted(set(RESULTS) - NO_TABLES))
def test_a_result_becomes_a_frame(name, tmp_path):
    frame = made(name, tmp_path).to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height > 0


def test_labels_come_back_from_their_frame():
    labels = grouped()
    assert same(concurrence.read_labels(labels.to_frame(), by="group").codes, labels.codes)


def test_true_agreement_as_a_frame_has_a_row_for_each_assumption():
    frame = concurrence.true_agreement([[40, 15], [20, 25]]).to_frame()
    assert frame["assumption"].to_list() == ["homogeneity", "conservative", "conservative_kappa", "homogeneity_exact"]
    assert frame["low"].to_list()[:2] == pytest.approx([0.09, 0.06], abs=0.0005)


def parts_of(result):
    """All that a value holds, and what that holds."""
    if is_dataclass(result):
        held = [getattr(result, entry.name) for entry in fields(result)]
    elif isinstance(result, dict | list | tuple):
        held = list(result.values() if isinstance(result, dict) else result)
    else:
        return
    for entry in held:
        yield entry
        yield from parts_of(entry)


def test_two_results_differ_where_one_number_does():
    one, other = (concurrence.agree(labels(), level=level) for level in (0.95, 0.9))
    assert one != other
    assert one["fleiss_kappa"] != other["fleiss_kappa"]
    assert one.categories == other.categories
