"""What the explorer answers: the same as the commands, nothing to write, nothing for other sites."""

import io
import json
import re
import subprocess
import sys
from importlib.resources import files

import numpy as np
import polars as pl
import pytest

from concurrence.api.evaluation import evaluate
from concurrence.api.sketch import sketch
from concurrence.api.words import collocates, kwic
from concurrence.core import InvalidInputError
from concurrence.corpus.index_writer import write_index
from concurrence.corpus.reader import read_corpus
from concurrence.files.pairs.formats import read_candidates
from concurrence.files.pairs.samples import read_sample
from concurrence.kernels.digits import round_score
from concurrence.kernels.ranking import rank_candidates
from concurrence.kernels.verdicts import judgements_from_table
from concurrence.report.render.charts import DASHES, PALETTE
from concurrence.web.explorer import corpus as explored_corpus
from concurrence.web.explorer.app import create_explorer
from concurrence.web.explorer.sources import open_sources
from concurrence.web.network.guard import HEADERS
from support.explorer_cases import MEASURES, make_index, make_list
from support.web_door import client_of

HERE = "http://127.0.0.1:8766"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("explorer")
    make_index(made)
    make_list(made)
    return made


@pytest.fixture(scope="module")
def client(folder):
    explored = open_sources(
        [folder / "tea", folder / "scored.parquet"], gold=[folder / "gold.csv"], samples=[folder / "sample.csv"]
    )
    return client_of(create_explorer(explored), base_url=HERE, raise_server_exceptions=False)


def ask(client, path, **parameters):
    answer = client.get(f"/api/{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_collocates_are_those_of_the_command(client, folder):
    expected = collocates(folder / "tea", "tea", span=3, lower=True, min_freq=2)
    found = ask(client, "collocates", q="tea", left=3, right=3)
    assert found["node"] == {"query": "tea", "frequency": expected.node.frequency, "exact": True}
    assert [row["word"] for row in found["collocates"]] == [row.word for row in expected.collocates]
    for row, one in zip(found["collocates"], expected.collocates, strict=True):
        assert (row["f"], row["f2"], row["range"]) == (one.f, one.f2, one.range)
        assert row["scores"] == pytest.approx(one.scores)


@pytest.mark.parametrize("sort", ["word", "f", "f2", "range", "MI"])
@pytest.mark.parametrize("descending", [True, False])
def test_collocates_can_be_sorted_by_every_column(client, sort, descending):
    rows = ask(client, "collocates", q="tea", sort=sort, descending=descending, min_freq=1)["collocates"]
    column = [row[sort] if sort in row else row["scores"][sort] for row in rows]
    column = [round_score(value) if isinstance(value, float) else value for value in column]  # as they are compared
    assert column == sorted(column, reverse=descending)
    assert len(column) > 3


def test_a_link_to_a_word_opens_its_page_of_the_table(client):
    whole = ask(client, "collocates", q="tea", min_freq=1)["collocates"]
    last = whole[-1]["word"]
    found = ask(client, "collocates", q="tea", min_freq=1, limit=2, show=last)
    assert found["offset"] == (len(whole) - 1) // 2 * 2
    assert last in [row["word"] for row in found["collocates"]]


def test_lines_are_those_of_the_command(client, folder):
    expected = kwic(folder / "tea", "tea", lower=True).lines
    found = ask(client, "lines", q="tea")
    assert found["total"] == len(expected)
    assert [(line["document"], line["sentence"], line["node"]) for line in found["lines"]] == [
        (line.document, line.sentence, line.node) for line in expected
    ]
    spaced = ["".join(text for text, _ in line["left"]).strip() for line in found["lines"]]
    assert spaced == [line.left.strip() for line in expected]


def test_lines_with_a_collocate_mark_it(client):
    found = ask(client, "lines", q="tea", word="strong")
    (f,) = (row["f"] for row in ask(client, "collocates", q="tea")["collocates"] if row["word"] == "strong")
    assert found["total"] == len(found["lines"]) == f == 5
    for line in found["lines"]:
        marked = [text.strip() for side in ("left", "right") for text, is_marked in line[side] if is_marked]
        assert marked == ["strong"]
        assert line["node"] == "tea"


def test_the_strip_and_the_documents_hold_every_occurrence(client):
    found = ask(client, "spread", q="tea")
    assert sum(found["bins"]) == found["occurrences"] == sum(row["f"] for row in found["top"]) == 7
    assert (found["range"], found["documents"]) == (3, 3)
    assert [row["document"] for row in found["top"]] == ["menu", "review", "diary"]


def test_a_sketch_is_that_of_the_command(client, folder):
    expected = sketch(folder / "tea", "tea", lower=True, min_freq=1)
    found = ask(client, "sketch", q="tea", unit="lemma", min_freq=1)
    assert {name: [row["word"] for row in rows] for name, rows in found["relations"].items()} == {
        name: [row.word for row in rows] for name, rows in expected.relations.items()
    }
    assert "obj of" in found["relations"]


def test_a_frequent_node_is_looked_around_in_part_and_says_so(client, monkeypatch):
    whole = ask(client, "collocates", q="strong", min_freq=1)
    assert whole["used"] == whole["node"]["frequency"] == 8
    assert "some_occurrences" not in [one["code"] for one in whole["warnings"]]
    monkeypatch.setattr(explored_corpus, "MOST_NODES", 3)
    found = ask(client, "collocates", q="strong", min_freq=1, left=4, right=4)
    assert (found["used"], found["node"]["frequency"]) == (3, 8)
    assert "some_occurrences" in [one["code"] for one in found["warnings"]]
    assert found["f1"] < ask(client, "collocates", q="strong", min_freq=1, left=4, right=4, whole=True)["f1"]


def test_a_pattern_is_tried_at_some_places_and_says_so(client, monkeypatch):
    pattern = '[pos="ADJ"] [pos="NOUN"]'
    monkeypatch.setattr(explored_corpus, "MOST_PLACES", 4)
    found = ask(client, "collocates", q=pattern, min_freq=1)
    assert not found["node"]["exact"]
    assert "some_places" in [one["code"] for one in found["warnings"]]
    whole = ask(client, "collocates", q=pattern, min_freq=1, whole=True)
    assert whole["node"] == {"query": pattern, "frequency": 9, "exact": True}
    assert whole["used"] == 9 > found["used"]
    assert "some_places" not in [one["code"] for one in whole["warnings"]]


@pytest.fixture(scope="module")
def study(folder):
    table, keys = read_candidates(folder / "scored.parquet")
    sample = read_sample(folder / "sample.csv")
    gold = judgements_from_table(pl.read_csv(folder / "gold.csv"), table.select(keys))
    return table, sample, gold


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n", [1, 17, 120, 300])
def test_a_list_is_that_of_the_recorded_ranks(client, study, measure, n):
    table, sample, gold = study
    ranks = rank_candidates(table, [measure], seed=sample.rank_seed)[measure].ranks
    best = np.argsort(ranks)[:n]
    found = ask(client, "rows", measure=measure, n=n, limit=500)
    assert [row["words"] for row in found["rows"]] == [list(table.row(int(k)))[:2] for k in best]
    assert [row["rank"] for row in found["rows"]] == list(range(1, n + 1))
    names = {1: "true", 0: "false", -1: "unjudged"}
    expected = [names[int(code)] for code in gold.verdicts[best]]
    assert [row["verdict"] for row in found["rows"]] == expected
    assert found["counts"] == {name: expected.count(name) for name in names.values()}
    for only in names.values():
        some = ask(client, "rows", measure=measure, n=n, only=only, limit=500)
        assert [row["words"] for row in some["rows"]] == [
            row["words"] for row in found["rows"] if row["verdict"] == only
        ]
        assert some["total"] == expected.count(only)


def test_pages_of_a_list_follow_each_other(client):
    whole = ask(client, "rows", measure="MI", n=120, only="unjudged", limit=500)["rows"]
    pages = [ask(client, "rows", measure="MI", n=120, only="unjudged", offset=k, limit=25)["rows"] for k in (0, 25, 50)]
    assert [row for page in pages for row in page][: len(whole)] == whole


def test_a_word_is_found_in_a_list(client):
    found = ask(client, "rows", measure="MI", n=200, find="VERB1", limit=500)
    assert found["total"] == len(found["rows"]) > 10
    assert all(row["words"][0].startswith("verb1") for row in found["rows"])
    assert [row["rank"] for row in found["rows"]] == sorted(row["rank"] for row in found["rows"])


def test_the_curves_are_those_of_the_evaluation(client, study):
    table, sample, gold = study
    expected = evaluate(table, gold, measures=MEASURES, sample=sample)
    found = ask(client, "evaluation")["evaluation"]
    assert found["baseline"]["value"] == pytest.approx(expected.baseline.value)
    for name, curve in expected.measures.items():
        for column in ("n", "precision", "low", "high", "sampled", "true_positives"):
            assert found["measures"][name][column] == pytest.approx(getattr(curve, column).tolist())


@pytest.mark.parametrize("n", [5, 100, 250])
def test_difference_sets_are_what_one_list_has_and_the_other_has_not(client, n):
    lists = {m: {tuple(r["words"]) for r in ask(client, "rows", measure=m, n=n, limit=500)["rows"]} for m in MEASURES}
    a, b = MEASURES
    for side, expected in (("a", lists[a] - lists[b]), ("b", lists[b] - lists[a])):
        found = ask(client, "difference", a=a, b=b, n=n, side=side, limit=500)
        assert {tuple(row["words"]) for row in found["rows"]} == expected
        assert found["sizes"][side] == len(expected)
        assert found["overlap"] == len(lists[a] & lists[b])


def test_ties_tell_what_another_order_would_change(client, study):
    table = study[0]
    scores = np.sort(table["MI"].to_numpy())[::-1]
    n = next(k for k in range(30, 200) if scores[k - 1] == scores[k])
    found = ask(client, "ties", measure="MI", n=n)
    same = int((scores == scores[n - 1]).sum())
    assert found["tie"]["size"] == same == len(found["rows"])
    assert found["tie"]["places"] == n - int((scores > scores[n - 1]).sum())
    assert sum(row["now"] for row in found["rows"]) == sum(row["other"] for row in found["rows"])
    assert found["changed"] == sum(row["now"] and not row["other"] for row in found["rows"])
    untied = next(k for k in range(30, 200) if scores[k - 1] != scores[k])
    assert ask(client, "ties", measure="MI", n=untied)["tie"] is None


def test_what_to_judge_is_a_sample_that_an_evaluation_can_read(client, tmp_path):
    answer = client.get("/api/sample.parquet", params={"measure": "MI", "n": 50, "size": 20, "other": MEASURES[0]})
    (tmp_path / "sample.parquet").write_bytes(answer.content)
    sample = read_sample(tmp_path / "sample.parquet")
    assert (sample.design, sample.size, sample.best) == ("union", 20, (50,))
    assert set(sample.measures) == set(MEASURES)


def test_the_command_draws_the_same_sample(client, folder, concur, tmp_path, monkeypatch):
    parameters = {"measure": "MI", "n": 50, "size": 20}
    line = ask(client, "judging", **parameters)["commands"][0].split()
    monkeypatch.chdir(tmp_path)
    assert concur(*line[1:]).code == 0
    (tmp_path / "sample.parquet").write_bytes(client.get("/api/sample.parquet", params=parameters).content)
    assert read_sample("sample.csv").table.equals(read_sample("sample.parquet").table)


@pytest.mark.parametrize(
    ("path", "parameters", "rows"),
    [
        ("collocates.csv", {"q": "tea", "min_freq": 1}, None),
        ("lines.csv", {"q": "tea"}, 7),
        ("rows.csv", {"measure": "MI", "n": 70}, 70),
        ("difference.csv", {"a": "MI", "b": "log_likelihood", "n": 70}, None),
    ],
)
def test_what_is_seen_can_be_kept(client, path, parameters, rows):
    answer = client.get(f"/api/{path}", params=parameters)
    assert answer.headers["content-disposition"].startswith("attachment;")
    table = pl.read_csv(io.BytesIO(answer.content))
    assert len(table) == rows if rows else len(table) > 0


@pytest.mark.parametrize(
    ("path", "parameters", "status", "words"),
    [
        ("collocates", {"q": "[lemma="}, 422, "not understood"),
        ("collocates", {"q": " "}, 422, "empty"),
        ("collocates", {"q": "tea", "left": 0, "right": 0}, 422, "span"),
        ("collocates", {"q": "tea", "left": 21}, 422, "left must be at most 20."),
        ("collocates", {"q": "tea", "left": -4}, 422, "left must be at least 0."),
        ("collocates", {"q": "tea", "min_freq": "abc"}, 422, "min must be a whole number."),
        ("collocates", {"q": "tea", "lower": "abc"}, 422, "lower must be true or false."),
        ("collocates", {"q": "t" * 3000}, 422, "The query may have at most 1,000 characters."),
        ("collocates", {"q": "tea", "unit": "abc"}, 422, "unit must be 'form' or 'lemma'."),
        ("collocates", {}, 422, "The query is missing."),
        ("collocates", {"q": "tea", "sort": "length"}, 422, "length"),
        ("collocates", {"q": "tea", "corpus": "coffee"}, 404, "coffee"),
        ("lines", {"q": "tea", "order": "length"}, 422, "length"),
        ("rows", {"measure": "dice", "n": 5}, 404, "dice"),
        ("rows", {"measure": "MI", "n": 301}, 422, "300"),
        ("difference", {"a": "MI", "b": "MI", "n": 5}, 422, "two"),
        ("sample.parquet", {"measure": "MI", "n": 5, "size": 50}, 422, "only 5"),
        ("nothing", {}, 404, "Not found"),
    ],
)
def test_a_problem_is_one_sentence(client, path, parameters, status, words):
    answer = client.get(f"/api/{path}", params=parameters)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_what_to_try_is_found_here(client):
    (corpus,) = ask(client, "about")["corpora"]
    assert corpus["examples"] == ["strong", "serv*", '[lemma="strong"]', '[lower="strong|serve"]']
    for query in corpus["examples"]:
        assert ask(client, "collocates", q=query)["node"]["frequency"] > 0


def test_a_corpus_without_words_has_nothing_to_try(tmp_path):
    (tmp_path / "signs.txt").write_text("12 , 13\n", "utf-8")
    write_index(read_corpus(tmp_path / "signs.txt", format="text", keeps_text=True), tmp_path / "signs")
    (corpus,) = open_sources([tmp_path / "signs"]).corpora
    assert corpus.examples == ()


@pytest.mark.parametrize(
    "text", ['tea <b>x</b> cup\n"q" tea it\'s\nstrong tea\n', "tea in another document\n", "tea, and coffee\n", ""]
)
def test_a_plain_text_is_no_list(tmp_path, text):
    (tmp_path / "x5.txt").write_text(text, "utf-8")
    with pytest.raises(InvalidInputError) as caught:
        open_sources([tmp_path / "x5.txt"])
    path = tmp_path / "x5.txt"
    expected = f"{path} is neither an index nor a table of scores; of a corpus, make an index with concur index."
    assert str(caught.value) == expected


def test_a_table_that_is_called_text_keeps_its_own_problem(tmp_path):
    (tmp_path / "list.txt").write_text("l1\tmeaning\tMI\npay\tattention\t3\n", "utf-8")
    with pytest.raises(InvalidInputError, match="no column 'l2'"):
        open_sources([tmp_path / "list.txt"])
    (tmp_path / "list.txt").write_text("l1\tl2\tMI\npay\tattention\t3\n", "utf-8")
    assert len(open_sources([tmp_path / "list.txt"]).lists) == 1


def test_every_answer_has_the_headers_of_the_door(client):
    for path in ("/", "/api/about", "/api/nothing", "/static/base.css", "/explorer/main.js", "/nothing"):
        answer = client.get(path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_nothing_can_be_written(client):
    for method in ("post", "put", "patch", "delete"):
        assert getattr(client, method)("/api/about").status_code == 405


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8766", "127.0.0.1.evil.example", "", "8766"])
def test_a_name_that_another_site_points_here_is_refused(client, host):
    answer = client.get("/api/about", headers={"host": host})
    assert answer.status_code == 403
    assert "corpora" not in answer.text


def test_the_explorer_knows_nothing_of_campaigns():
    program = (
        "import sys, concurrence.web.explorer.app; "
        "print([name for name in sys.modules if name.startswith(('sqlalchemy', 'concurrence.annotation'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["folder"], "no index"),
        (["missing.csv"], "does not exist"),
        (["corpus.conllu"], "concur index"),
        (["scored.parquet", "--gold", "gold.csv", "--gold", "gold.csv"], "one for each list"),
        (["scored.parquet", "--sample", "sample.csv"], "--gold"),
        (["scored.parquet", "-m", "dice"], "dice"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_sentence(concur, folder, monkeypatch, arguments, words):
    from support.servers import free_port

    monkeypatch.chdir(folder)
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "corpus.conllu").touch()
    done = concur("explore", *arguments, "--port", free_port())
    assert done.code == 2
    assert words in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_list_without_judgements_has_no_evaluation(folder):
    explored = open_sources([folder / "scored.parquet"])
    client = client_of(create_explorer(explored), base_url=HERE)
    assert ask(client, "evaluation") == {"evaluation": None}
    assert ask(client, "rows", measure="MI", n=10)["counts"] == {"true": 0, "false": 0, "unjudged": 10}
    with pytest.raises(InvalidInputError, match="without a corpus"):
        explored.corpus("")


def test_the_explorer_draws_in_the_colours_and_dashes_of_all_charts():
    static = files("concurrence.web.explorer").joinpath("static")
    css, script = (static.joinpath(name).read_text("utf-8") for name in ("explorer.css", "precision.js"))
    light = css.split("@media", maxsplit=1)[0]
    assert tuple(re.findall(r"--s\d: (#\w+)", light)) == tuple(colour.lower() for colour in PALETTE)
    (dashes,) = re.findall(r"DASHES = (\[.*?\]);", script)
    assert json.loads(dashes) == [" ".join(map(str, dash)) for dash in DASHES]
