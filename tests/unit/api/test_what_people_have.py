"""Every verb takes what people have: our value, frames, lists and files, with the same answer."""

import ast
import inspect
from pathlib import Path

import click
import polars as pl
import pytest

import concurrence
from concurrence.cli.app import app
from concurrence.core import InvalidInputError, Labels
from concurrence.core.comparisons import Comparisons
from concurrence.core.pairs import Pairs
from concurrence.core.values import same, to_json
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")

ANN, BOB, EVE = list("yynnynyn"), list("ynnnynyy"), list("yynnyyyn")
ITEMS = [f"i{number}" for number in range(len(ANN))]
CODERS = {"ann": ANN, "bob": BOB, "eve": EVE}
LONG = pl.DataFrame(
    [(item, coder, labels[row]) for coder, labels in CODERS.items() for row, item in enumerate(ITEMS)],
    schema=["item", "coder", "label"],
    orient="row",
)
NUMBERS = {"ann": [9, 6, 8, 7, 10, 6, 3, 4], "bob": [8, 2, 8, 6, 9, 7, 3, 5]}
LONG_NUMBERS = pl.DataFrame(
    [(item, coder, str(ratings[row])) for coder, ratings in NUMBERS.items() for row, item in enumerate(ITEMS)],
    schema=["item", "coder", "label"],
    orient="row",
)
MARKS = pl.DataFrame(
    [("d", "ann", 0, 4, "P"), ("d", "bob", 0, 4, "P"), ("e", "ann", 6, 8, "Q"), ("e", "bob", 6, 9, "Q")],
    schema=["document", "coder", "start", "end", "label"],
    orient="row",
)
WINS = pl.DataFrame(
    [("x", "y", "x"), ("x", "y", "x"), ("y", "x", "y"), ("y", "z", "y"), ("z", "x", "x"), ("z", "y", "tie")],
    schema=["a", "b", "winner"],
    orient="row",
)
LIST = pl.DataFrame(
    [(f"v{i % 5}", f"n{i}", 20 - i, 60, 40, 900, i % 7, i % 3 == 0, i < 9) for i in range(18)],
    schema=["l1", "l2", "f", "f1", "f2", "N", "MI", "model", "tp"],
    orient="row",
).with_columns(pl.col("tp").cast(pl.Int64), pl.col("model").cast(pl.Int64))
GOLD = LIST.select("l1", "l2", "tp")


def forms_of_labels(frame, folder):
    """The same labels as our value, as frames of two libraries, and as a file."""
    frame.write_csv(folder / "labels.csv")
    return {
        "value": concurrence.read_labels(frame),
        "polars": frame,
        "pandas": pd.DataFrame(frame.to_dict(as_series=False)),
        "path": folder / "labels.csv",
        "name": str(folder / "labels.csv"),
        "lists": {coder: frame.filter(pl.col("coder") == coder)["label"].to_list() for coder in CODERS},
    }


def forms_of_table(frame, folder):
    frame.write_csv(folder / "table.csv")
    return {
        "polars": frame,
        "pandas": pd.DataFrame(frame.to_dict(as_series=False)),
        "path": folder / "table.csv",
        "name": str(folder / "table.csv"),
        "rows": frame.to_dicts(),
    }


VERBS_ON_LABELS = {
    "agree": lambda labels: concurrence.agree(labels),
    "compare": lambda labels: concurrence.compare(labels, a=["ann", "bob"], b="ann,eve", bootstrap=50),
    "judge": lambda labels: concurrence.judge(labels, "eve"),
    "judge, several": lambda labels: concurrence.judge(labels, ["bob", "eve"]),
    "merge": lambda labels: concurrence.merge(labels, shuffles=5),
    "soft_labels": lambda labels: concurrence.soft_labels(labels),
    "fit_coder_model": lambda labels: concurrence.fit_coder_model(labels),
    "latent_classes": lambda labels: concurrence.latent_classes(labels, 2, starts=2),
}


@pytest.mark.parametrize("verb", VERBS_ON_LABELS)
def test_labels(verb, tmp_path):
    answers = {form: to_json(VERBS_ON_LABELS[verb](labels)) for form, labels in forms_of_labels(LONG, tmp_path).items()}
    without_items = {"lists"}  # they count the items instead of naming them
    expected = answers.pop("value")
    assert expected
    for form, answer in answers.items():
        if form not in without_items:
            assert answer == expected, form
    if verb == "agree":
        assert answers["lists"]["coefficients"] == expected["coefficients"]


def test_groups(tmp_path):
    frame = LONG.with_columns(word=pl.when(pl.col("item") < "i4").then(pl.lit("bank")).otherwise(pl.lit("bass")))
    frame.write_csv(tmp_path / "labels.csv")
    expected = to_json(concurrence.agree_by_group(concurrence.read_labels(frame, by="word")))
    assert list(expected["groups"]) == ["bank", "bass"]
    for form in (frame, pd.DataFrame(frame.to_dict(as_series=False)), tmp_path / "labels.csv"):
        assert to_json(concurrence.agree_by_group(form, by="word")) == expected


def test_true_agreement_and_ratings(tmp_path):
    two = LONG.filter(pl.col("coder") != "eve")
    forms = forms_of_labels(two, tmp_path)
    forms["lists"].pop("eve")
    assert len({concurrence.true_agreement(labels).estimate for labels in forms.values()}) == 1
    assert concurrence.true_agreement(ANN, BOB).estimate == concurrence.true_agreement(two).estimate
    forms = forms_of_labels(LONG_NUMBERS, tmp_path)
    forms["lists"].pop("eve")
    assert len({concurrence.ratings(labels)["icc_2_1"].value for labels in forms.values()}) == 1
    assert concurrence.ratings(*NUMBERS.values())["icc_2_1"].value == concurrence.ratings(LONG_NUMBERS)["icc_2_1"].value


def test_spans_and_preferences(tmp_path):
    reports = [concurrence.spans(marks, length=10) for marks in forms_of_table(MARKS, tmp_path).values()]
    reports += [concurrence.spans(MARKS.rows(), length=10), concurrence.spans(concurrence.read_spans(MARKS, length=10))]
    assert len({report["f1_exact"].value for report in reports}) == 1
    forms = forms_of_table(WINS, tmp_path)
    forms["rows"] = WINS.rows()
    forms["value"] = Comparisons.from_rows(WINS.rows())
    assert len({concurrence.preferences(wins)["x"].strength for wins in forms.values()}) == 1


VERBS_ON_CANDIDATES = {
    "score": lambda table: concurrence.score(table, "log_likelihood").table["log_likelihood"].to_list(),
    "draw_sample": lambda table: concurrence.draw_sample(table, size=6).table.rows(),
    "evaluate": lambda table: to_json(concurrence.evaluate(table, GOLD, measures="MI", n=[5, 10])),
    "rate": lambda table: to_json(concurrence.rate(table, GOLD.head(9), judge="model")),
    "plan_precision": lambda table: to_json(concurrence.plan_precision(table, measures=["MI", "f"], n=5, budget=6)),
    "plan_power": lambda table: to_json(
        concurrence.plan_power(table, measures="MI,f", n=5, precision_a=0.6, precision_b=0.4, draws=50)
    ),
    "benchmark": lambda table: to_json(concurrence.benchmark({"toy": table}, measures="MI,frequency", n=[5], draws=99)),
}


@pytest.mark.parametrize("verb", VERBS_ON_CANDIDATES)
def test_candidates(verb, tmp_path):
    forms = forms_of_table(LIST, tmp_path) | {"value": Pairs.from_frame(LIST)}
    expected = VERBS_ON_CANDIDATES[verb](LIST)
    for form, table in forms.items():
        assert VERBS_ON_CANDIDATES[verb](table) == expected, form


def test_judgements_and_samples(tmp_path):
    sample = concurrence.draw_sample(LIST, size=12)
    concurrence.write_sample(sample, tmp_path / "sample.csv")
    evaluations = [
        to_json(concurrence.evaluate(LIST, gold, measures=["MI"], n=5, sample=drawn))
        for gold in forms_of_table(GOLD, tmp_path).values()
        for drawn in (sample, tmp_path / "sample.csv")
    ]
    assert all(one == evaluations[0] for one in evaluations)
    larger = concurrence.extend_sample(tmp_path / "sample.csv", LIST, size=15)
    assert larger.table.equals(concurrence.extend_sample(sample, LIST, size=15).table)


VERBS_ON_CORPORA = {
    "kwic": lambda corpus: concurrence.kwic(corpus, "rose"),
    "collocates": lambda corpus: concurrence.collocates(corpus, "rose"),
    "words": lambda corpus: concurrence.words(corpus),
    "contrast": lambda corpus: concurrence.contrast(corpus, corpus, draws=9),
    "count_pairs": lambda corpus: concurrence.count_pairs(corpus, rule="window:2").table.to_dicts(),
}


@pytest.mark.parametrize("verb", VERBS_ON_CORPORA)
def test_corpora(verb, tmp_path):
    text = tmp_path / "roses.txt"
    text.write_text("a rose is a rose\nthe rose is red\n" * 3)
    tokens = concurrence.read_corpus(text, format="lines", keeps_text=True)
    concurrence.write_index(tokens, tmp_path / "index")
    forms = {
        "tokens": tokens,
        "index": concurrence.open_index(tmp_path / "index"),
        "folder": tmp_path / "index",
        "name": str(tmp_path / "index"),
        "file": text,
    }
    expected = VERBS_ON_CORPORA[verb](tokens)
    for form, corpus in forms.items():
        assert same(VERBS_ON_CORPORA[verb](corpus), expected), form


def test_a_frames_own_index_is_the_item():
    wide = pd.DataFrame(CODERS, index=ITEMS)
    named = wide.rename_axis("sentence")
    for frame in (wide, named):
        assert concurrence.soft_labels(frame, wide=True).labels.items.tolist() == ITEMS
    both = LONG.to_dict(as_series=False)
    long = pd.DataFrame(both).set_index(["item", "coder"])
    assert concurrence.agree(long).data.coders == ("ann", "bob", "eve")
    counted = pd.DataFrame({"item": ITEMS, **CODERS})
    assert concurrence.agree(counted[counted["item"] != "i0"], wide=True).data.items == 7


def test_plain_forms():
    renamed = LIST.with_columns(id=pl.col("l2")).drop("l1", "l2")
    gold = GOLD.select(id="l2", tp="tp")
    assert concurrence.evaluate(renamed, gold, measures="MI", key="id", n=5).measures["MI"].n.tolist() == [5]
    assert len(concurrence.plan_judge(humans=3, items=30, draws=20).plans) == 1


def test_older_names_are_understood():
    assert list(concurrence.agree(ANN, BOB, coefficients=["cohen_kappa"]).coefficients) == ["cohen_kappa"]
    with pytest.raises(InvalidInputError, match="use only="):
        concurrence.agree(ANN, BOB, coefficients=["cohen_kappa"], only=["scott_pi"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: concurrence.agree(ANN), "One list of labels is one coder"),
        (lambda: concurrence.agree({"ann": ANN, "bob": BOB, "eve": EVE[:3]}), "their lists have 3 to 8"),
        (lambda: concurrence.agree(Labels.from_rows(list(zip(ANN, BOB, strict=True))), sets="+"), "sets= says how"),
        (lambda: concurrence.agree(LONG, wide=True, shape="long"), "Labels have one shape"),
        (lambda: concurrence.true_agreement(LONG), "two coders and two categories, not 3 and 2"),
        (lambda: concurrence.plan_power(LIST, measures="MI,f"), "n=500"),
        (lambda: concurrence.draw_sample(LIST, size=3, between="MI,f"), "between= is for the design 'difference'"),
    ],
)
def test_what_is_wrong_is_one_sentence(call, words):
    with pytest.raises(InvalidInputError, match=words):
        call()


COMMANDS = {
    "agree": "agree", "compare": "compare", "judge": "judge", "spans": "spans", "ratings": "ratings",
    "preferences": "preferences", "evaluate": "evaluate", "score": "score", "sample": "draw_sample",
}  # fmt: skip
OF_THE_TERMINAL = {"json", "output", "full", "disagreements", "soft", "expect", "extend"}
"""What a command prints or writes; in Python the result has it."""
OF_FILES = {"tp", "coder", "ties", "kinds", "posterior"}
"""How a file of judgements is read; in Python, judgements_from_table does."""


@pytest.mark.parametrize("command", COMMANDS)
def test_keywords_have_the_names_of_the_options(command):
    options = {
        name.lstrip("-").replace("-", "_")
        for option in app.get_command(click.Context(app), command).params
        if isinstance(option, click.Option)
        for name in option.opts
        if name.startswith("--")
    }
    from concurrence.api.inputs import LabelsReading

    keywords = set(inspect.signature(getattr(concurrence, COMMANDS[command])).parameters)
    if "reading" in keywords:
        keywords |= set(LabelsReading.__annotations__)
    known = {"judge": {"judge"}, "preferences": {"columns", "encoding", "sheet"}, "sample": {"level"}}
    assert options - keywords - OF_THE_TERMINAL - OF_FILES == known.get(command, set())


def test_docstrings_explain_every_keyword():
    for name in concurrence.__all__:
        verb = getattr(concurrence, name)
        if not inspect.isfunction(verb) or not verb.__module__.startswith("concurrence.api"):
            continue
        words = inspect.getdoc(verb) or ""
        unexplained = [
            keyword
            for keyword, parameter in inspect.signature(verb).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and f"``{keyword}" not in words
        ]
        assert set(unexplained) <= set(inspect.signature(concurrence.agree).parameters) | {"progress", "seed"}, name


def test_no_parameter_has_the_name_of_its_function():
    source = Path(concurrence.__file__).parent
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
                assert node.name not in names, f"{path}: {node.name}"


def test_the_public_list_is_what_can_be_imported():
    stub = ast.parse(Path(concurrence.__file__).with_suffix(".pyi").read_text("utf-8"))
    names = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names == set(concurrence.__all__)
    assert all(getattr(concurrence, name) is not None for name in names)
