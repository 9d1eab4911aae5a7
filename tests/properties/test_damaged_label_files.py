"""Damaged files of labels and spans: read or refused in a sentence, never a traceback; what is there is counted."""

import json
import random
import zipfile
from io import BytesIO

import polars as pl
import pytest

from concurrence import read_labels, read_spans
from concurrence.core import ConcurrenceError

ITEMS = 6


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def result(label):
    return [{"from_name": "s", "type": "choices", "value": {"choices": [label]}}]


def region(label):
    return [{"from_name": "n", "type": "labels", "value": {"start": 0, "end": 3, "labels": [label]}}]


def tasks(make):
    return json.dumps([
        {
            "id": n,
            "data": {"text": "Hello you"},
            "annotations": [{"completed_by": who, "result": make("AB"[(n + who) % 2])} for who in (1, 2)],
            "predictions": [{"model_version": "m", "result": make("A")}],
        }
        for n in range(ITEMS)
    ])  # fmt: skip


def inspect_log():
    samples = [{"id": n, "epoch": 1, "scores": {"qa": {"value": "CI"[n % 2]}, "m": {"value": 1}}} for n in range(ITEMS)]
    return {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": samples}


def archive(members):
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return data.getvalue()


def parquet(columns):
    data = BytesIO()
    pl.DataFrame(columns).write_parquet(data)
    return data.getvalue()


LONG = "item,coder,label\n" + "".join(f"{n},{who},{'xy'[n % 2]}\n" for n in range(ITEMS) for who in "ab")
WEBANNO = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n#Text=Ada met Bob\n1-1\t0-3\tAda\tP[1]\n1-2\t4-7\tmet\t_\n1-3\t8-11\tBob\tQ\n"  # noqa: E501
CAS = {"%TYPES": {}, "%FEATURE_STRUCTURES": [
    {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Ada met Bob"},
    {"%ID": 2, "%TYPE": "custom.Span", "@sofa": 1, "begin": 0, "end": 3, "value": "P"},
]}  # fmt: skip
XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///custom.ecore">'
    '<c:Span begin="0" end="3" value="P"/><cas:Sofa sofaString="Ada met Bob"/></xmi:XMI>'
)
TURK = "HITId,WorkerId,AssignmentStatus,Answer.taskAnswers\n" + "".join(
    f'h{n},{who},Approved,"[{{""q"":{{""label"":""x""}}}}]"\n' for n in range(ITEMS) for who in "ab"
)
POTATO = lines(
    {
        "user_id": who,
        "instance_id": n,
        "displayed_text": "Hello",
        "label_annotations": {"q": {"x": "1"}},
        "span_annotations": [{"start": 0, "end": 3, "annotation": "P"}],
    }
    for n in range(ITEMS)
    for who in "ab"
)
PRODIGY = lines(
    {"text": "Hello", "_input_hash": n, "_task_hash": n, "_annotator_id": who, "answer": "accept", "accept": ["x"],
     "options": [{"id": "x"}], "spans": [{"start": 0, "end": 3, "label": "P"}]}
    for n in range(ITEMS) for who in "ab"
)  # fmt: skip
DOCCANO = lines({"id": n, "text": "Hello", "label": ["x"], "user": who} for n in range(ITEMS) for who in "ab")
ONE_FILE = lines({"id": n, "text": "Hello", "label": ["x"]} for n in range(ITEMS))
PROMPTFOO = lines(
    {"testIdx": n, "promptIdx": 0, "gradingResult": {"componentResults": [
        {"pass": True, "assertion": {"type": "llm-rubric"}}, {"pass": False, "assertion": {"type": "human"}}]}}
    for n in range(ITEMS)
)  # fmt: skip
METRICS = [{"name": name, "success": True} for name in "ab"]
DEEPEVAL = {"testCases": [{"name": f"t{n}", "metricsData": METRICS} for n in range(ITEMS)]}
HARNESS = lines({"doc_id": n, "target": "1", "filtered_resps": ["1"], "filter": "none"} for n in range(ITEMS))
ARGILLA = {
    "id": ["r1", "r2"],
    "t.responses": [["x", "y"], ["x"]],
    "t.responses.users": [["u1", "u2"], ["u1"]],
    "t.suggestion": ["x", None],
    "t.suggestion.agent": ["g", None],
}
ALTTEST = {who: {str(n): "xy"[n % 2] for n in range(ITEMS)} for who in "ab"}
CONLL = "# coders = a b\n" + "Ada B-P B-P\nmet O O\n\nBob B-P O\n" * 3
TOLOKA = "INPUT:text\tOUTPUT:q\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status\n" + "".join(
    f"Hi\tx\tt{n}\t{who}\tAPPROVED\n" for n in range(ITEMS) for who in "ab"
)

SAMPLES = {f"samples/{n}_epoch_1.json": json.dumps(one) for n, one in enumerate(inspect_log()["samples"])}

LABELS = {
    "long.csv": (LONG, {}),
    "wide.csv": ("item,a,b,secs\n" + "".join(f"{n},x,y,{n * 7.5}\n" for n in range(ITEMS)), {"shape": "wide"}),
    "form.csv": ("Timestamp,Email,Q1,Q2\n" + "".join(f"1/1,{who}@x,x,y\n" for who in "abc"), {"transpose": True}),
    "counts.csv": ("item,label,count\n1,x,2\n1,y,1\n2,x,3\n", {}),
    "table.csv": (",x,y\nx,3,1\ny,2,4\n", {"shape": "table"}),
    "judged.csv": ("l1,l2,coder,tp\n" + "".join(f"a,b{n},{who},1\n" for n in range(ITEMS) for who in "xy"), {}),
    "batch.csv": (TURK, {}),
    "assignments.tsv": (TOLOKA, {}),
    "label-studio.json": (tasks(result), {}),
    "prodigy.jsonl": (PRODIGY, {}),
    "doccano.jsonl": (DOCCANO, {}),
    "doccano.zip": (archive({"ann.jsonl": ONE_FILE, "bob.jsonl": ONE_FILE}), {}),
    "annotated_instances.jsonl": (POTATO, {}),
    "inspect.json": (json.dumps(inspect_log()), {}),
    "inspect.eval": (archive({"header.json": '{"eval": {"model": "m"}, "version": 2}', **SAMPLES}), {}),
    "promptfoo.jsonl": (PROMPTFOO, {}),
    "deepeval.json": (json.dumps(DEEPEVAL), {}),
    "samples_x.jsonl": (HARNESS, {}),
    "alttest.json": (json.dumps(ALTTEST), {}),
    "argilla.parquet": (parquet(ARGILLA), {}),
    "argilla.json": (json.dumps([{"id": 1, "fields": {}, "responses": {"t": [{"user_id": "u", "value": "x"}]},
                                  "suggestions": {"t": {"value": "x"}}}]), {}),
    "lists.jsonl": (lines({"id": n, "annotators": ["a", "b"], "labels": ["x", "y"]} for n in range(ITEMS)), {}),
}  # fmt: skip
SPANS = {
    "spans.csv": ("document,coder,start,end,label\na,x,0,3,P\na,y,1,4,P\nb,x,2,3,Q\n", {"length": 9}),
    "label-studio.json": (tasks(region), {}),
    "prodigy.jsonl": (PRODIGY, {}),
    "annotated_instances.jsonl": (POTATO, {}),
    "ann.tsv": (WEBANNO, {}),
    "ann.json": (json.dumps(CAS), {}),
    "ann.xmi": (XMI, {}),
    "bob.zip": (archive({"bob.xmi": XMI}), {}),
    "two.conll": (CONLL, {}),
}
ODD = (
    b"\0",
    b"\xff",
    b'"',
    b"\n",
    b"{",
    b"]",
    b",",
    b"\t",
    b"null",
    b"1e999",
    b"-1",
    b"\\",
    b"\xef\xbb\xbf",
    b"NaN",
    b"[]",
)


def damage(data, draw):
    """The bytes with one to three things wrong: cut off, changed, doubled, left out, or put into another place."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(changed) + 1)
        kind = draw.randrange(6)
        if kind == 0:
            del changed[place:]
        elif kind == 1:
            changed[place : place + 1] = draw.choice(ODD)
        elif kind == 2:
            changed[place:place] = draw.choice(ODD)
        elif kind == 3:
            del changed[place : place + draw.randint(1, 20)]
        elif kind == 4:
            changed[place:place] = changed[place : place + draw.randint(1, 60)]
        else:
            rows = bytes(changed).split(b"\n")
            draw.shuffle(rows)
            changed = bytearray(b"\n".join(rows))
    return bytes(changed)


def try_all(read, name, seed, options, folder, times):
    """Read so many damaged files; everything that is no error of ours is a traceback."""
    data = seed.encode("utf-8") if isinstance(seed, str) else seed
    path = folder / name
    path.write_bytes(data)
    read(path, **options)
    for number in range(times):
        path.write_bytes(damaged := damage(data, random.Random(number)))
        try:
            read(path, **options)
        except ConcurrenceError:
            continue
        except Exception as error:
            raise AssertionError(f"{name}, damage {number}: {error!r} for {damaged!r}") from error


TIMES = pytest.mark.parametrize("times", [25, pytest.param(2000, marks=pytest.mark.thorough)])


@TIMES
@pytest.mark.parametrize("name", LABELS)
def test_damaged_files_of_labels(tmp_path, name, times):
    seed, options = LABELS[name]
    try_all(read_labels, name, seed, options, tmp_path, times)


@TIMES
@pytest.mark.parametrize("name", SPANS)
def test_damaged_files_of_spans(tmp_path, name, times):
    seed, options = SPANS[name]
    try_all(read_spans, name, seed, options, tmp_path, times)


@pytest.mark.parametrize("number", range(40))
def test_rows_read_and_rows_refused_are_the_rows_there(tmp_path, number):
    """A long table in which cells are emptied, rows are blank and some are not wanted: each row is accounted for."""
    draw = random.Random(number)
    rows, labelled = [], 0
    for n in range(30):
        kind = draw.choice(("label", "label", "label", "empty", "blank", "unwanted"))
        labelled += kind == "label"
        cells = {"label": f"{n},ann,x,ok", "empty": f"{n},ann,,ok", "blank": ",,,", "unwanted": f"{n},ann,x,no"}
        rows.append(cells[kind])
    rows.append("0,bob,y,ok")
    path = tmp_path / "labels.csv"
    path.write_text("item,coder,label,status\n" + "\n".join(rows) + "\n")
    assert read_labels(path, rows="status = ok").n_labels == labelled + 1
