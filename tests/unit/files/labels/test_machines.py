"""Models and scorers are never taken for people: who counts as what in agree, spans, judge and the other verbs."""

import json
import random

import polars as pl
import pytest

import concurrence
from concurrence import read_labels
from concurrence.core import InvalidInputError, Labels, UndefinedError

ITEMS = 40


@pytest.fixture
def write(tmp_path):
    def written(content, name):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return written


def codes_of(result):
    return {sentence["code"] for sentence in result["warnings"]}


def votes(seed, noise, size=ITEMS, categories="AB"):
    """Labels of one coder, whose right answer is the parity of the item, wrong at a rate."""
    draw = random.Random(seed)
    right = [categories[n % len(categories)] for n in range(size)]
    return [draw.choice(categories) if draw.random() < noise else label for label in right]


# Label Studio: tasks with predictions, as its documentation shows them (labelstud.io/guide/predictions)


def chosen(label):
    return [{"from_name": "s", "type": "choices", "value": {"choices": [label]}}]


def marked(start, end, label):
    value = {"start": start, "end": end, "text": "", "labels": [label]}
    return [{"from_name": "ner", "type": "labels", "value": value}]


def label_studio(people, model, results=chosen):
    """Tasks with the annotations of people and a model's predictions."""
    return [
        {
            "id": n,
            "data": {"text": "x" * 20},
            "annotations": [{"completed_by": who, "result": results(own[n])} for who, own in people.items()],
            "predictions": [{"model_version": "bert", "result": results(model[n])}],
        }
        for n in range(ITEMS)
    ]


PEOPLE = {7: votes(1, 0.1), 9: votes(2, 0.1)}
GUESSES = votes(3, 1)


@pytest.fixture
def export(write):
    return write(label_studio(PEOPLE, GUESSES), "export.json")


def test_agreement_of_people_is_that_without_predictions(export, concur):
    found = concur("agree", export, "--json").json
    alone = concurrence.agree([PEOPLE[7], PEOPLE[9]])
    assert found["coefficients"]["krippendorff_alpha"]["value"] == alone["krippendorff_alpha"].value
    assert found["coders"] == {"7": {"kind": "human"}, "9": {"kind": "human"}}
    assert "machines_left_out" in codes_of(found)
    with_model = concur("agree", export, "--coders", "7,9,bert", "--json").json
    assert with_model["coders"]["bert"] == {"kind": "model"}
    assert "machines_left_out" not in codes_of(with_model)
    assert with_model["coefficients"]["krippendorff_alpha"]["value"] < 0.5 < alone["krippendorff_alpha"].value


def test_what_was_read_before_is_treated_like_a_file(export):
    from_file = concurrence.agree(export)
    labels = read_labels(export)
    assert labels.coders == ("7", "9", "bert")
    assert labels.kinds["bert"] == "model"
    assert concurrence.agree(labels).to_json() == from_file.to_json()
    named = read_labels(export, coders=["9", "bert"])
    assert set(concurrence.agree(named).coders) == {"9", "bert"}
    assert labels.to_frame().filter(pl.col("coder") == "bert")["kind"].unique().to_list() == ["model"]


def test_categories_that_only_a_machine_gave_are_not_there(write):
    path = write(label_studio(PEOPLE, ["refused"] * ITEMS), "export.json")
    for found in (concurrence.agree(path), concurrence.agree(read_labels(path))):
        assert found.data.categories == ("A", "B")
        assert not any("refused" in one.text for one in found.warnings)


@pytest.mark.parametrize("verb", ["merge", "coders", "ratings"])
def test_the_other_commands_say_it_too(write, concur, verb):
    numbers = label_studio({who: votes(who, 0.2, categories="12") for who in PEOPLE}, votes(3, 1, categories="12"))
    assert "bert (model) was left out, since it is not a person" in " ".join(
        concur(verb, write(numbers, "n.json")).out.split()
    )


def test_a_machine_that_an_option_names_stays(export, concur):
    expert = concur("agree", export, "--expert", "bert", "--json").json
    assert {row["coder"] for row in expert["expert"]["rows"]} == {"7", "9"}
    compared = concur("compare", export, "--a", "bert", "--b", "9", "--reference", "7", "--bootstrap", "50", "--json")
    assert compared.json["a"] < compared.json["b"]


def test_spans_of_people_are_those_without_predictions(write, concur):
    people = {who: [(n % 5, n % 5 + 3, label) for n, label in enumerate(own)] for who, own in PEOPLE.items()}
    model = [(9, 12, "A")] * ITEMS
    path = write(label_studio(people, model, lambda mark: marked(*mark)), "export.json")
    found = concur("spans", path, "--bootstrap", "20", "--only", "f1_overlap", "--json").json
    assert found["coders"] == {"7": {"kind": "human"}, "9": {"kind": "human"}}
    assert "machines_left_out" in codes_of(found)
    all_three = concur("spans", path, "--bootstrap", "20", "--coders", "7,9,bert", "--json").json
    assert all_three["coders"]["bert"] == {"kind": "model"}
    assert all_three["coefficients"]["f1_overlap"]["value"] < found["coefficients"]["f1_overlap"]["value"]


# Judges


def test_a_scorer_is_no_human(write, concur):
    """An Inspect log with a judge and two scorers beside it: with only the people, none of the three is one."""
    scorers = {"qa": PEOPLE[7], "match": GUESSES, "includes": GUESSES}
    samples = [
        {
            "id": str(n),
            "epoch": 1,
            "scores": {name: {"value": own[n]} for name, own in scorers.items()},
        }
        for n in range(ITEMS)
    ]
    log = write({"version": 2, "status": "success", "eval": {"model": "m"}, "samples": samples}, "log.json")
    rows = "".join(f"{n},{PEOPLE[7][n]},{PEOPLE[9][n]}\n" for n in range(ITEMS))
    people = write("item,ann,bob\n" + rows, "people.csv")
    found = concur("judge", people, log, "--wide", "--judge", "qa", "--json").json
    assert {name: (one["kind"], one["role"]) for name, one in found["coders"].items()} == {
        "ann": ("human", "human"),
        "bob": ("human", "human"),
        "qa": ("scorer", "judge"),
        "match": ("scorer", None),
        "includes": ("scorer", None),
    }
    assert {human["coder"] for human in found["alt_test"]["humans"]} == {"ann", "bob"}
    assert codes_of(found) >= {"machines_left_out"}
    alone = concur("judge", people, log, "--wide", "--judge", "qa", "--coders", "ann,bob,qa", "--json").json
    assert {**found, "coders": {}, "warnings": [], "provenance": {}} == {
        **alone, "coders": {}, "warnings": [], "provenance": {}
    }  # fmt: skip
    only_log = concur("judge", log, "--judge", "qa")
    assert only_log.code == 2
    assert (
        "No human is left to compare the judge with: match (scorer) and includes (scorer) are not people"
        in only_log.err
    )


def test_the_assertion_human_of_promptfoo_is_one(write, concur):
    """A rating in promptfoo's viewer is the assertion ``human``; the gate that people alone pass is passed."""

    def component(kind, label):
        return {"pass": label == "A", "assertion": {"type": kind}}

    results = [
        {
            "testIdx": n,
            "promptIdx": 0,
            "gradingResult": {
                "componentResults": [
                    component("llm-rubric", PEOPLE[7][n]),
                    component("contains", GUESSES[n]),
                    component("human", PEOPLE[9][n]),
                ]
            },
        }
        for n in range(ITEMS)
    ]
    log = write("\n".join(map(json.dumps, results)), "judge.jsonl")
    done = concur("judge", log, "--judge", "llm-rubric", "--gate", "cohen_kappa>=0.5", "--json")
    assert done.code == 0
    assert [name for name, one in done.json["coders"].items() if one["role"] == "human"] == ["human"]
    with_scorer = concur(
        "judge", log, "--judge", "llm-rubric", "--gate", "cohen_kappa>=0.5", "--humans", "human,contains"
    )
    assert with_scorer.code == 3


def test_models_of_alttest_are_models_and_its_people_are_people(write, concur):
    """SummEval's case: three people and six models, of which one is judged."""
    humans = {name: {str(n): label for n, label in enumerate(votes(k, 0.3))} for k, name in enumerate("abc")}
    models = {f"m{k}": {str(n): label for n, label in enumerate(votes(9, 0.5))} for k in range(6)}
    files = write(humans, "human_annotations.json"), write(models, "llm_annotations.json")
    found = concur("judge", *files, "--judge", "m0", "--json").json
    assert [human["coder"] for human in found["alt_test"]["humans"]] == ["a", "b", "c"]
    assert found["coders"]["m5"] == {"kind": "model", "role": None}
    assert concur("agree", files[0], "--json").json["data"]["coders"] == ["a", "b", "c"]
    only_models = concur("agree", files[1])
    assert only_models.code == 2
    assert "llm_annotations.json has no people and 6 machines" in only_models.err
    assert "--coders m0,m1,m2,m3,m4,m5" in only_models.err


@pytest.fixture
def wide(write):
    """One table, which does not tell people from models: two models copy the judge, and the people do not."""
    columns = {"a": votes(1, 0.2), "b": votes(2, 0.2), "c": votes(4, 0.2), **dict.fromkeys(("m0", "m1", "m2"), GUESSES)}
    rows = "".join(",".join([str(n), *(own[n] for own in columns.values())]) + "\n" for n in range(ITEMS))
    return write(",".join(["item", *columns]) + "\n" + rows, "summeval.csv")


def test_people_are_named(wide, concur):
    found = concur("judge", wide, "--wide", "--judge", "m0", "--humans", "a,b,c", "--json").json
    assert {name: one["kind"] for name, one in found["coders"].items()} == {
        **dict.fromkeys("abc", "human"),
        **dict.fromkeys(("m0", "m1", "m2"), "model"),
    }
    assert [human["coder"] for human in found["alt_test"]["humans"]] == ["a", "b", "c"]
    assert found["alt_test"]["verdict"] is False
    assert {coder for pair in found["human_human"]["pairs"] for coder in pair["coders"]} == {"a", "b", "c"}
    shown = " ".join(concur("judge", wide, "--wide", "--judge", "m0", "--humans", "a,b,c").out.split())
    assert "a, b and c count as humans. m1 (model) and m2 (model) are left out." in shown
    everyone = " ".join(concur("judge", wide, "--wide", "--judge", "m0").out.split())
    assert "a, b, c, m1 and m2 count as humans." in everyone
    several = concur("judge", wide, "--wide", "--judge", "m0,m1", "--humans", "a,b,c", "--json").json
    assert [human["coder"] for human in several["judges"]["m1"]["alt_test"]["humans"]] == ["a", "b", "c"]


def test_python_takes_the_same_names(wide):
    for humans in ("a,b,c", ["a", "b", "c"]):
        found = concurrence.judge(wide, "m0", humans=humans, wide=True)
        assert [name for name, one in found.coders.items() if one.role == "human"] == ["a", "b", "c"]


def test_disagreements_are_those_with_the_humans(wide, concur, tmp_path):
    out = tmp_path / "d.csv"
    concur("judge", wide, "--wide", "--judge", "m0", "--humans", "a,b,c", "--disagreements", out)
    assert pl.read_csv(out)["human_labels"].max() == 3


@pytest.mark.parametrize(
    ("humans", "says"),
    [
        ("a,m0", "'m0' is judged and cannot be one of the humans"),
        ("a,zoe", "There is no coder 'zoe'"),
    ],
)
def test_people_who_cannot_be(wide, concur, humans, says):
    done = concur("judge", wide, "--wide", "--judge", "m0", "--humans", humans)
    assert done.code == 2
    assert says in done.err


def test_nobody_is_left():
    labels = Labels.from_rows([["y", "y"], ["n", "n"]], coders=("gpt", "match"))
    labels = concurrence.core.labels.replace(labels, kinds={"match": "scorer"})
    with pytest.raises(UndefinedError, match=r"match \(scorer\) is not a person"):
        concurrence.judge(labels, "gpt")


# Tables that say it


def test_a_column_kind_says_who_is_a_machine(write):
    rows = "1,ann,x,human\n1,bob,x,\n1,gpt,y,model\n2,ann,y,human\n2,bob,y,human\n2,gpt,y,model\n"
    path = write("item,coder,label,kind\n" + rows, "labels.csv")
    assert read_labels(path).kinds == {"ann": "human", "bob": "human", "gpt": "model"}
    assert concurrence.agree(path).data.coders == ("ann", "bob")
    other = write("item,coder,label,kind\n" + rows.replace("model", "noun").replace("human", "verb"), "nouns.csv")
    assert read_labels(other).kinds == {}


def test_labels_with_a_prompt_are_a_model_s(write):
    rows = "1,ann,x,\n1,bob,x,\n1,gpt,y,a1b2\n2,ann,y,\n2,bob,y,\n2,gpt,y,a1b2\n"
    path = write("item,coder,label,prompt_sha256\n" + rows, "labels.csv")
    assert read_labels(path).kinds == {"gpt": "model"}


def test_a_machine_in_one_file_is_one_in_all(write):
    table = write("item,coder,label\n1,ann,x\n2,ann,y\n1,gpt,x\n3,ann,x\n", "people.csv")
    log = write({"gpt": {"2": "x", "3": "x"}}, "llm_annotations.json")
    assert read_labels([table, log]).kinds == {"gpt": "model"}


def test_spans_of_a_table_with_kinds(write):
    rows = "a,ann,0,5,P,human\na,bob,0,4,P,human\na,gpt,1,2,P,model\n"
    path = write("document,coder,start,end,label,kind\n" + rows, "spans.csv")
    assert concurrence.spans(path, length=9, bootstrap=20).data.coders == ("ann", "bob")
    with pytest.raises(InvalidInputError, match=r"only one person \('ann'\) and 1 machine: gpt \(model\)"):
        concurrence.read_spans(
            write("coder,start,end,label,kind\nann,0,1,P,human\ngpt,0,1,P,model\n", "two.csv"), length=9
        )
