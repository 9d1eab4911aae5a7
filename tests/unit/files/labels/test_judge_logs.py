"""Logs of programs that run judges; their forms as the programs' own sources and tests show them."""

import json
import zipfile

import pytest

from concurrence import read_labels
from concurrence.core import InvalidInputError


@pytest.fixture
def write(tmp_path):
    def written(content, name):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
        return path

    return written


def table(labels):
    """The labels by coder and item."""
    return {
        coder: {
            item: labels.categories[code]
            for item, code in zip(labels.items.tolist(), labels.codes[:, k].tolist(), strict=True)
            if code >= 0
        }
        for k, coder in enumerate(labels.coders)
    }


# Inspect: inspect_ai's EvalLog, as in its tests/log/test_eval_log/*.json


def score(value, **more):
    return {"value": value, "answer": "Yes", "explanation": "…", **more}


def sample(number, scores, *, epoch=1, **metadata):
    return {
        "id": number,
        "epoch": epoch,
        "input": "Is the answer polite?",
        "target": " Yes",
        "messages": [{"role": "user", "content": "…"}],
        "output": {"model": "gemma3", "choices": []},
        "scores": scores,
        "metadata": metadata,
        "store": {},
    }


def inspect_log(*samples):
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "polite", "model": "ollama/gemma3", "created": "2025-07-05T09:59:40-04:00", "dataset": {}},
        "plan": {"name": "plan", "steps": []},
        "results": {"total_samples": len(samples), "scores": []},
        "samples": list(samples),
    }


INSPECT = inspect_log(
    sample(1, {"model_graded_qa": score("C"), "human": score("C")}, topic="law"),
    sample(2, {"model_graded_qa": score("I"), "human": score("C")}, topic="art"),
)


def test_inspect_json(write):
    labels = read_labels(write(INSPECT, "log.json"), by="topic")
    assert table(labels) == {"model_graded_qa": {"1": "C", "2": "I"}, "human": {"1": "C", "2": "C"}}
    assert labels.groups.tolist() == ["law", "art"]


def packed(tmp_path, log, *, header="header.json", chunked=False, name="log.eval"):
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        head = {key: part for key, part in log.items() if key != "samples"}
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": {}}))
        if header:
            archive.writestr(header, json.dumps(head))
        for one in log["samples"]:
            place = f"samples/{one['id']}_epoch_{one['epoch']}"
            archive.writestr(f"{place}/sample.json" if chunked else f"{place}.json", json.dumps(one))
            if chunked:
                archive.writestr(f"{place}/messages/0.json", json.dumps([{"role": "user"}]))
        archive.writestr("summaries.json", json.dumps([{"id": 1, "epoch": 1}]))
    return path


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("header", ["header.json", None])
def test_an_eval_file_is_its_json_log(write, tmp_path, header, chunked):
    found = table(read_labels(packed(tmp_path, INSPECT, header=header, chunked=chunked)))
    assert found == table(read_labels(write(INSPECT, "log.json")))


def test_a_zip_that_is_no_log(tmp_path):
    path = tmp_path / "other.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(InvalidInputError, match=r"no header\.json"):
        read_labels(path)


def test_a_damaged_sample_is_named(tmp_path):
    path = packed(tmp_path, INSPECT)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/3_epoch_1.json", '{"id": 3, "scores": {')
    with pytest.raises(InvalidInputError, match=r"samples/3_epoch_1\.json: not valid JSON"):
        read_labels(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InvalidInputError, match=r"not a valid \.eval file"):
        read_labels(path)


@pytest.mark.parametrize(
    "log",
    [
        {**INSPECT, "samples": None},
        inspect_log(sample(1, None)),
        {"results": {"version": 3, "results": [{"testIdx": 0, "gradingResult": None}]}},
        {"testCases": [{"name": "a", "metricsData": None}]},
    ],
)
def test_a_log_without_a_score_says_so(write, log):
    with pytest.raises(InvalidInputError, match="contains no annotations"):
        read_labels(write(log, "log.json"))


def test_inspect_answers_scores_and_epochs(write):
    log = inspect_log(
        sample("a", {"match": score({"tone": 3, "fact": 1}, answer="Yes")}),
        sample("a", {"match": score({"tone": 2, "fact": 5}, answer="No")}, epoch=2),
    )
    humans = write('item,coder,label\n"a, epoch 1",ann,Yes\n"a, epoch 2",ann,No\n', "humans.csv")
    with pytest.raises(InvalidInputError, match=r"several values \(tone, fact\)\. Choose one with columns="):
        read_labels([humans, write(log, "log.json")])
    with_answers = read_labels([humans, write(log, "log.json")], columns={"label": "answer"})
    assert table(with_answers)["ollama/gemma3"] == {"a, epoch 1": "Yes", "a, epoch 2": "No"}


def test_a_score_that_is_not_a_number_is_missing(write):
    text = json.dumps(INSPECT).replace('"value": "I"', '"value": NaN')
    assert table(read_labels(write(text, "log.json")))["model_graded_qa"] == {"1": "C"}


# promptfoo: the summary that `promptfoo eval -o out.json` writes; ratings in its viewer are assertions of type human


def graded(kind, passed, number, *, metric=None, **more):
    assertion = {"type": kind, "value": "is polite", **({"metric": metric} if metric else {})}
    return {"pass": passed, "score": number, "reason": "…", "assertion": assertion, **more}


def result(test, components, *, prompt=0):
    grade = {"pass": True, "score": 1, "reason": "All assertions passed", "componentResults": components}
    return {
        "promptIdx": prompt,
        "testIdx": test,
        "provider": {"id": "openai:gpt-4o", "label": ""},
        "vars": {"question": f"q{test}"},
        "testCase": {"vars": {"question": f"q{test}"}, "metadata": {"case": f"c{test}"}},
        "success": True,
        "score": 1,
        "gradingResult": grade,
        "response": {"output": "…"},
    }


def promptfoo(*results):
    inner = {"version": 3, "timestamp": "2026-10-04T00:00:00.000Z", "results": list(results), "stats": {}}
    return {"evalId": "eval-abc", "results": inner, "config": {}, "shareableUrl": None}


PROMPTFOO = promptfoo(
    result(0, [graded("llm-rubric", True, 0.9), graded("human", True, 1)]),
    result(1, [graded("llm-rubric", False, 0.2), graded("human", True, 1)]),
    result(2, [graded("llm-rubric", False, 0, metadata={"graderError": True}), graded("human", False, 0)]),
)


def test_promptfoo(write):
    path = write(PROMPTFOO, "out.json")
    assert table(read_labels(path)) == {
        "llm-rubric": {"0": "pass", "1": "fail"},
        "human": {"0": "pass", "1": "pass", "2": "fail"},
    }
    scores = read_labels(path, columns={"label": "score", "item": "case"})
    assert table(scores)["llm-rubric"] == {"c0": "0.9", "c1": "0.2"}


def test_promptfoo_lines_prompts_and_metrics(write):
    rows = [
        result(0, [graded("llm-rubric", True, 1, metric="tone"), graded("llm-rubric", False, 0, metric="facts")]),
        result(0, [graded("llm-rubric", True, 1), graded("llm-rubric", False, 0)], prompt=1),
    ]
    labels = read_labels(write("\n".join(map(json.dumps, rows)), "out.jsonl"))
    assert table(labels) == {
        "tone": {"0, prompt 0": "pass"},
        "facts": {"0, prompt 0": "fail"},
        "llm-rubric": {"0, prompt 1": "pass"},
        "llm-rubric 2": {"0, prompt 1": "fail"},
    }


# DeepEval: its test run (camel case) and its EvaluationResult (snake case)


def metric(name, success, number, **more):
    more = {"threshold": 0.5, "reason": "…", "evaluationModel": "gpt-4o", **more}
    return {"name": name, "success": success, "score": number, **more}


@pytest.mark.parametrize(("cases", "data"), [("testCases", "metricsData"), ("test_results", "metrics_data")])
def test_deepeval(write, cases, data):
    first = [metric("Polite [GEval]", True, 0.8), metric("Bias", True, 1.0)]
    second = [metric("Polite [GEval]", False, 0.1), metric("Bias", None, None, error="judge timed out")]
    run = {
        "identifier": "run",
        cases: [
            {"name": "case_0", "input": "…", "actualOutput": "…", "success": True, data: first, "order": 0},
            {"name": "case_1", "input": "…", "actualOutput": "…", "success": False, data: second, "order": 1},
        ],
        "conversationalTestCases": [],
        "metricsScores": [],
    }
    path = write(run, "test_run.json")
    verdicts = {"Polite [GEval]": {"case_0": "pass", "case_1": "fail"}, "Bias": {"case_0": "pass"}}
    assert table(read_labels(path)) == verdicts
    scores = table(read_labels(path, columns={"label": "score"}))
    assert scores["Polite [GEval]"] == {"case_0": "0.8", "case_1": "0.1"}


# lm-evaluation-harness: samples_TASK_DATE.jsonl in a folder named after the model


def harness(number, answer, target, **more):
    return {
        "doc_id": number,
        "doc": {"question": "…", "key": f"k{number}"},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": "…"}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": "f0",
        "prompt_hash": "f1",
        "target_hash": "f2",
        "exact_match": float(answer == target),
        **more,
    }


def test_the_harness(write):
    rows = [harness(0, " yes\n", "yes"), harness(1, "no", "yes")]
    path = write("\n".join(map(json.dumps, rows)), "google__gemma-2b/samples_polite_2026-01-05T00-00-00.jsonl")
    assert table(read_labels(path)) == {"google/gemma-2b": {"0": "yes", "1": "no"}, "target": {"0": "yes", "1": "yes"}}
    keyed = read_labels(path, columns={"item": "key"})
    assert keyed.items.tolist() == ["k0", "k1"]


def test_the_harness_with_choices_and_filters(write):
    pairs = [["-3.0", "False"], ["-1.5", "True"]]
    rows = [
        harness(0, "", "1", filtered_resps=pairs, filter=by, resps=[[one] for one in pairs])
        for by in ("strict-match", "flexible-extract")
    ]
    path = write("\n".join(map(json.dumps, rows)), "m/samples_x.jsonl")
    assert table(read_labels(path)) == {
        "m, strict-match": {"0": "1"},
        "target": {"0": "1"},
        "m, flexible-extract": {"0": "1"},
    }
    several = [harness(0, "", "1", filtered_resps=["a", "b"])]
    with pytest.raises(InvalidInputError, match="several responses"):
        read_labels(write(json.dumps(several), "m/several.json"))


# Argilla: records.to_json (nested), to_list(flatten=True), and FeedbackDataset of Argilla 1

NESTED = [
    {
        "id": "r1",
        "fields": {"text": "…"},
        "metadata": {"part": "x"},
        "suggestions": {"tone": {"value": "polite", "score": 0.9, "agent": "gpt-4o"}},
        "responses": {"tone": [{"value": "polite", "user_id": "u1"}, {"value": "rude", "user_id": "u2"}]},
        "vectors": {},
        "status": "completed",
        "_server_id": "s1",
    },
    {
        "id": "r2",
        "fields": {"text": "…"},
        "metadata": {"part": "y"},
        "suggestions": {"tone": {"value": "rude", "score": None, "agent": "gpt-4o"}},
        "responses": {"tone": [{"value": "rude", "user_id": "u1"}]},
        "vectors": {},
        "status": "completed",
        "_server_id": "s2",
    },
]
FLAT = [
    {
        "id": one["id"],
        "status": "completed",
        "text": "…",
        "tone.responses": [*(r["value"] for r in one["responses"]["tone"]), "polite"],
        "tone.responses.users": [*(r["user_id"] for r in one["responses"]["tone"]), "u9"],
        "tone.responses.status": [*("submitted" for _ in one["responses"]["tone"]), "discarded"],
        "tone.suggestion": one["suggestions"]["tone"]["value"],
        "tone.suggestion.score": None,
        "tone.suggestion.agent": "gpt-4o",
    }
    for one in NESTED
]
DRAFT = {"value": "rude", "user_id": "u9", "status": "draft"}
WITH_DRAFTS = [{**one, "responses": {"tone": [*one["responses"]["tone"], DRAFT]}} for one in NESTED]
FIRST = [
    {
        "id": one["id"],
        "fields": one["fields"],
        "metadata": one["metadata"],
        "responses": [
            {"user_id": r["user_id"], "values": {"tone": {"value": r["value"]}}, "status": "submitted"}
            for r in one["responses"]["tone"]
        ],
        "suggestions": [{"question_name": "tone", "value": one["suggestions"]["tone"]["value"], "agent": "gpt-4o"}],
    }
    for one in NESTED
]


@pytest.mark.parametrize("records", [NESTED, WITH_DRAFTS, FLAT, FIRST], ids=["nested", "drafts", "flat", "argilla 1"])
def test_argilla(write, records):
    assert table(read_labels(write(records, "records.json"))) == {
        "u1": {"r1": "polite", "r2": "rude"},
        "u2": {"r1": "rude"},
        "gpt-4o": {"r1": "polite", "r2": "rude"},
    }


def test_argilla_asks_which_question(write):
    two = [{**one, "suggestions": {**one["suggestions"], "fact": {"value": "yes", "agent": "m"}}} for one in NESTED]
    with pytest.raises(InvalidInputError, match=r"several questions \(tone, fact\)"):
        read_labels(write(two, "records.json"))
    assert read_labels(write(NESTED, "records.json"), by="part").groups.tolist() == ["x", "y"]


# AltTest: {coder: {item: label}}, people and models in a file each

HUMANS = {"ann": {"i1": "A", "i2": "B"}, "bob": {"i1": "A", "i2": "C", "i3": "A"}}
MODELS = {"gpt-4o": {"i1": "A", "i2": "B", "i3": "A"}, "llama": {"i1": "B", "i2": "B", "i3": "A"}}


def test_alttest(write):
    assert table(read_labels(write(HUMANS, "human_annotations.json"))) == HUMANS
    both = read_labels([write(HUMANS, "human_annotations.json"), write(MODELS, "llm_annotations.json")])
    assert table(both) == HUMANS | MODELS
    on_one_line = write(json.dumps(HUMANS), "one_line.json")
    assert table(read_labels(on_one_line)) == HUMANS


# Several files together


def test_people_in_a_sheet_and_a_judge_in_a_log(write):
    humans = write("item,ann,bob\n1,C,C\n2,I,C\n", "humans.csv")
    log = write(INSPECT, "log.json")
    labels = read_labels([humans, log], shape="wide")
    assert labels.coders == ("ann", "bob", "model_graded_qa", "human")
    only = read_labels([humans, log], shape="wide", coders=["ann", "model_graded_qa"])
    assert table(only) == {"ann": {"1": "C", "2": "I"}, "model_graded_qa": {"1": "C", "2": "I"}}


def test_the_same_judge_in_two_logs_is_told_apart_by_the_file(write):
    labels = read_labels(
        [write(INSPECT, "may.json"), write(INSPECT, "june.json")], coders=["may: human", "june: human"]
    )
    assert table(labels)["june: human"] == {"1": "C", "2": "C"}


def test_one_spelling_of_numbers_across_files(write):
    humans = write("item,coder,label\n1,ann,4\n2,ann,5\n", "humans.csv")
    log = write({"judge": {"1": 4.0, "2": 3}}, "judge.json")
    assert read_labels([humans, log]).categories == ("3", "4", "5")


def test_files_without_a_common_item(write):
    humans = write("item,coder,label\n7,ann,C\n", "humans.csv")
    with pytest.raises(InvalidInputError, match=r"no item in common with the other files: its items are '7'"):
        read_labels([humans, write(INSPECT, "log.json")])


def test_groups_come_from_the_file_that_names_them(write):
    humans = write("item,coder,label,topic\n1,ann,C,law\n2,ann,C,art\n", "humans.csv")
    labels = read_labels([humans, write({"judge": {"1": "C", "2": "I"}}, "judge.json")], by="topic")
    assert labels.groups.tolist() == ["law", "art"]
    more = write({"judge": {"1": "C", "3": "I"}}, "more.json")
    with pytest.raises(InvalidInputError, match="No file names the group of the item '3'"):
        read_labels([humans, more], by="topic")


def test_names_that_no_file_has(write):
    humans = write("item,coder,label\n1,ann,C\n2,ann,C\n", "humans.csv")
    for options, said in (
        ({"columns": {"label": "scor"}}, "nothing in it is named 'scor'"),
        ({"by": "topc"}, "'topc'"),
    ):
        with pytest.raises(InvalidInputError, match=said):
            read_labels([humans, write(INSPECT, "log.json")], **options)
    with pytest.raises(InvalidInputError, match="has no column 'scor'"):
        read_labels([humans, humans], columns={"label": "scor"})


def test_a_contingency_table_cannot_be_matched(write):
    square = write("x,a,b\na,1,2\nb,3,4\n", "square.csv")
    with pytest.raises(InvalidInputError, match="cannot be matched"):
        read_labels([square, write(MODELS, "m.json")], shape="table")


# What must not be taken for a log


@pytest.mark.parametrize(
    "records",
    [
        [{"item": "1", "coder": "a", "label": "x"}, {"item": "1", "coder": "b", "label": "y"}],
        [{"item": "1", "coder": "a", "label": "x", "meta": {"k": "v"}}, {"item": "1", "coder": "b", "label": "x"}],
    ],
)
def test_plain_records_are_no_log(write, records):
    for text, name in ((json.dumps(records), "r.json"), ("\n".join(map(json.dumps, records)), "r.jsonl")):
        assert read_labels(write(text, name)).coders == ("a", "b")
