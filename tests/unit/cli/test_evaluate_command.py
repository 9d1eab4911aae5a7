import csv
import json

import numpy as np
import polars as pl
import pytest

from support.simulated_lists import simulated_list

SIZE = 600
TRUTH, SCORES = simulated_list([1.6, 0.8], size=SIZE, true=90, seed=1)
NAMES = "t_score,MI"


@pytest.fixture
def study(tmp_path):
    """A scored list, its whole truth, and the judgements of a sample that the command drew."""
    table = pl.DataFrame({"l1": [f"w{i:03d}" for i in range(SIZE)], "l2": "x"})
    table.with_columns(t_score=pl.Series(SCORES[0]), MI=pl.Series(SCORES[1])).write_csv(tmp_path / "scored.csv")
    verdict = np.where(TRUTH, "yes", "no")
    table.with_columns(tp=pl.Series(verdict)).write_csv(tmp_path / "full.csv")
    rows = np.random.default_rng(4).choice(SIZE, 200, replace=False)
    table.with_columns(tp=pl.Series(verdict))[rows].write_csv(tmp_path / "gold.csv")
    return tmp_path


def test_the_keys_that_scripts_rely_on(concur, study):
    done = concur(
        "evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m", NAMES, "--n", "50:300:50", "--json"
    )
    found = done.json
    assert done.code == 0
    assert (found["schema"], found["kind"]) == (2, "Evaluation")
    assert set(found["baseline"]) >= {"value", "interval"}
    assert len(found["baseline"]["interval"]) == 2
    curve = found["measures"]["t_score"]
    keys = ["n", "precision", "low", "high", "sampled", "true_positives", "recall", "p_baseline"]
    assert all(len(curve[key]) == 6 for key in keys)
    assert 0 < curve["average_precision"]["value"] < 1
    low, high = curve["average_precision"]["interval"]
    assert low < curve["average_precision"]["value"] < high
    assert curve["ties"] == []
    (pair,) = found["comparisons"]
    for key in ("n", "overlap", "sampled_a", "sampled_b", "true_a", "true_b", "p", "better", "detectable"):
        assert len(pair[key]) == 6
    assert (pair["a"], pair["b"]) == ("t_score", "MI")
    assert {"n", "measure", "not_significantly_worse"} <= set(found["best"][0])
    assert all(set(sentence) == {"code", "text", "warning"} for sentence in found["sentences"])
    named = [sentence["text"] for sentence in found["sentences"] if sentence["code"] == "against_baseline"]
    assert [text.split()[0] for text in named] == ["t-score", "MI"]


def test_list_sizes_are_named_or_a_grid(concur, study):
    arguments = ("evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m", "MI", "--json", "--n")
    assert concur(*arguments, "50,100:300:100").json["measures"]["MI"]["n"] == [50, 100, 200, 300]
    done = concur(*arguments, "50:nine")
    assert done.code == 2
    assert "give list sizes as 100,500,1000 or 100:5000:50" in done.err


def test_a_grid_of_sizes_that_are_not_round_is_seen_on_the_terminal(concur, study):
    done = concur("evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m", "MI", "--n", "5:60:5", "--full")
    table = done.out.partition("true/judged")[2].partition("Recall")[0]
    rows = [line.split()[0] for line in table.splitlines() if "/" in line]
    assert rows == ["5", "15", "25", "35", "45", "55", "60"]
    assert done.err == "seed: 0\n"


def test_a_table_on_the_terminal(concur, study):
    arguments = ("evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m", NAMES, "--n", "100,300")
    done = concur(*arguments)
    assert done.code == 0
    assert "200 of 600 candidates judged" in done.out
    assert (
        "List sizes at which the row beats the column (Fisher's test, minlike, p ≤ 0.05, each test on its own)"
        in done.out
    )
    assert "Precision [95% interval] true/judged, recall" in done.out
    whole = concur(*arguments, "--full").out
    assert "Precision [95% pointwise hypergeometric interval] true/judged" in whole
    assert "Recall [95% interval]" in whole
    assert "t-score beats the baseline (random order) at every list size" in whole


@pytest.mark.parametrize("judged", [40, 120, 600])
def test_four_measures_and_five_list_sizes_fit_on_one_screen(concur, study, judged):
    noise = np.random.default_rng(2).standard_normal((2, SIZE))
    table = pl.read_csv(study / "scored.csv").with_columns(
        frequency=pl.Series(np.round(2 * noise[0])), log_likelihood=pl.Series(np.round(noise[1] + TRUTH, 1))
    )
    table.write_csv(study / "four.csv")
    pl.read_csv(study / "full.csv").head(judged).write_csv(study / "part.csv")
    done = concur(
        *("evaluate", study / "four.csv", "--gold", study / "part.csv"),
        *("-m", "t_score,MI,frequency,log_likelihood", "--n", "50,100,200,300,500"),
    )
    lines = done.out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 120
    rows = [line.split()[0] for line in done.out.partition("true/judged")[2].splitlines() if "/" in line]
    assert rows == ["50", "100", "200", "300", "500"]
    # Warnings come first, then what was judged, then the tables.
    assert done.out.index("Ties:") < done.out.index("candidates judged") < done.out.index("List sizes at which")
    assert " best" not in done.out


def test_files_by_their_ending(concur, study):
    arguments = ("evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m", NAMES, "--n", "100,300")
    assert concur(*arguments, "-o", study / "out.csv").code == 0
    rows = list(csv.DictReader((study / "out.csv").read_text().splitlines()))
    assert [row["measure"] for row in rows] == ["t_score", "t_score", "MI", "MI"]
    assert json.loads((study / "out.csv.meta.json").read_text())["command"] == "concur evaluate"
    assert concur(*arguments, "-o", study / "out.svg").code == 0
    assert (study / "out.svg").read_text().startswith("<svg")
    assert concur(*arguments, "-o", study / "out.png").code == 0
    assert (study / "out.png").read_bytes().startswith(b"\x89PNG")
    assert concur(*arguments, "-o", study / "out.html").code == 0
    page = (study / "out.html").read_text()
    assert "baseline" in page
    assert "https://cdn" not in page


@pytest.mark.parametrize("design", [["--design", "union"], ["--design", "strata"], []])
def test_from_a_sample_to_an_evaluation(concur, study, design):
    sample = study / "sample.csv"
    best = ["--best", "50,100,200"] if design else []
    concur("sample", study / "scored.csv", "--size", 150, *design, *best, "-m", NAMES, "-o", sample)
    drawn = pl.read_csv(sample).select("l1", "l2")
    drawn.join(pl.read_csv(study / "full.csv"), on=["l1", "l2"]).write_csv(study / "judged.csv")
    arguments = ("evaluate", study / "scored.csv", "--gold", study / "judged.csv", "--sample", sample, "-m", NAMES)
    found = concur(*arguments, "--n", "50,100,200", "--json").json
    truth = [float(TRUTH[np.argsort(-SCORES[0])[:n]].mean()) for n in (50, 100, 200)]
    curve = found["measures"]["t_score"]
    assert all(
        low - 1e-9 <= real <= high + 1e-9 for low, real, high in zip(curve["low"], truth, curve["high"], strict=True)
    )
    assert (found["baseline"]["value"] is None) == ("union" in design)


def test_several_lists_side_by_side(concur, study):
    other = study / "other.csv"
    other.write_bytes((study / "scored.csv").read_bytes())
    done = concur(
        *("evaluate", study / "scored.csv", other, "--gold", study / "gold.csv", "--gold", study / "full.csv"),
        *("-m", "MI", "--n", "100", "--json"),
    )
    assert set(done.json["data_sets"]) == {"scored", "other"}


def test_bad_input_is_one_sentence_and_exit_2(concur, study):
    arguments = ("evaluate", study / "scored.csv", "--gold", study / "gold.csv", "-m")
    cases = [
        ((*arguments, "MI", "--n", "601"), "n = 601 is beyond the list, which has 600 candidates."),
        ((*arguments, "MY", "--n", "100"), "MY"),
        ((*arguments, "MI", "--threshold", "MI=high"), "needs a number"),
        ((*arguments, "MI", "--simulate-sample", "10%"), "400 are not"),
        ((*arguments, "MI", "--proxy", "model"), "There is no column 'model'"),
        ((*arguments, "MI", "--coder-uncertainty"), "needs a column 'coder'"),
        ((*arguments, "MI", "--filter", "set"), "There is no column 'set'"),
        (("evaluate", study / "scored.csv", "-m", "MI"), "--gold"),
    ]
    for call, sentence in cases:
        done = concur(*call)
        assert done.code == 2, call
        assert sentence in done.err
        assert done.err.count("\n") == 1


def test_judgements_that_do_not_fit_the_list(concur, study):
    gold = study / "gold.csv"
    text = gold.read_text()
    gold.write_text(text + "zzz,x,yes\n")
    done = concur("evaluate", study / "scored.csv", "--gold", gold, "-m", "MI", "-o", study / "out.csv")
    assert (done.code, "'zzz x' is not in the candidate list" in done.err) == (2, True)
    first = text.splitlines()[1]
    gold.write_text(text + first.replace("yes", "maybe").replace("no", "yes").replace("maybe", "no") + "\n")
    done = concur("evaluate", study / "scored.csv", "--gold", gold, "-m", "MI", "-o", study / "out.csv")
    assert (done.code, "is judged both true and false" in done.err) == (2, True)
    assert not (study / "out.csv").exists()


def test_a_sample_whose_weights_do_not_fit_its_design(concur, study):
    sample = study / "sample.csv"
    concur("sample", study / "scored.csv", "--size", 150, "-o", sample)
    drawn = pl.read_csv(sample)
    drawn.select("l1", "l2").join(pl.read_csv(study / "full.csv"), on=["l1", "l2"]).write_csv(study / "judged.csv")
    drawn.with_columns(weight=pl.col("weight") * 2).write_csv(sample)
    done = concur("evaluate", study / "scored.csv", "--gold", study / "judged.csv", "--sample", sample, "-m", "MI")
    assert done.code == 2
    assert "do not match" in done.err


def test_people_read_the_names_of_measures_and_scripts_their_columns(concur, study):
    scored = study / "scored.csv"
    table = pl.read_csv(scored).with_columns(my_score=pl.col("MI") * 2)
    table.write_csv(study / "own.csv")
    arguments = (
        "evaluate",
        study / "own.csv",
        "--gold",
        study / "gold.csv",
        "-m",
        "t_score,my_score",
        "--n",
        "100,300",
    )
    for printed in (concur(*arguments).out, concur(*arguments, "--full").out):
        assert "t-score" in printed
        assert "my_score" in printed
        assert "t_score" not in printed
    found = concur(*arguments, "--json").json
    assert list(found["measures"]) == ["t_score", "my_score"]
    assert found["titles"] == {"t_score": "t-score", "my_score": "my_score"}
    assert not any("t_score" in sentence["text"] for sentence in found["sentences"])
    (study / "result.json").write_text(concur(*arguments, "--json").out)
    concur("report", study / "result.json", "-o", study / "report.md")
    assert "| t-score |" in (study / "report.md").read_text()
