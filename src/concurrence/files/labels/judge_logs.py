"""What programs that run judges write, and Argilla's exports, as items, coders and labels.

* AltTest: one JSON object, ``{coder: {item: label}}``.
* Inspect: a ``.json`` or ``.eval`` log; every scorer is a coder, and its ``value`` the label.
* promptfoo: its JSON or JSON Lines output; every assertion is a coder that says pass or fail, a rating in the viewer
  is the coder ``human``.
* DeepEval: a test run; every metric is a coder that says pass or fail.
* lm-evaluation-harness: ``samples_….jsonl``; the model is the coder, and so is the ``target``.
* Argilla: records with ``responses`` of users and ``suggestions`` of agents, nested or flat.

``label`` among the columns names another field of the judgement, such as ``score``, or the question of an export.
A judge that failed on an item gave no label there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.annotations import Annotation, as_list, as_object, objects, only_question
from concurrence.files.labels.column_roles import naming
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet, sheet_of_records

SAID = {True: "pass", False: "fail"}
FLAT = (".responses", ".suggestion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A kind of log: how a record of it is recognised, the entries it holds, and their annotations."""

    told: Callable[[Record], bool]
    read: Callable[[Sheet, Mapping[str, str]], Iterator[Annotation]]
    inside: Callable[[Record], list[Record]] | None = None
    entry: str = "entry"

    def entries(self, sheet: Sheet) -> Sheet:
        """The sheet of what was judged; the entries of a log that is one object stand inside it."""
        if self.inside is None or sheet.records is None or not all(map(self.told, sheet.records)):
            return sheet
        records = [entry for record in sheet.records for entry in self.inside(record)]
        return sheet_of_records(records, sheet.name, lambda row: f"{sheet.name}, {self.entry} {row + 1}")


def told_log(sheet: Sheet) -> str | None:
    """The kind of log that this is, if it is one."""
    for record in (sheet.records or ())[:1]:
        for name, log in LOGS.items():
            if log.told(record) and (name != "alttest" or len(sheet.records or ()) == 1):
                return name
    return None


def _is_alttest(record: Record) -> bool:
    inner = list(record.values())
    return (
        bool(inner)
        and all(isinstance(labels, dict) and labels for labels in inner)
        and not any(isinstance(label, dict | list) for labels in inner for label in labels.values())
    )


def _alttest_entries(record: Record) -> list[Record]:
    return [
        {"item": item, "coder": coder, "label": label}
        for coder, given in record.items()
        for item, label in given.items()
    ]


def _alttest(sheet: Sheet, _: Mapping[str, str]) -> Iterator[Annotation]:
    for row, entry in enumerate(sheet.records or ()):
        yield Annotation(row=row, item=entry["item"], coder=entry["coder"], chosen=[entry["label"]])


def _is_inspect(record: Record) -> bool:
    return isinstance(record.get("eval"), dict) and "status" in record and "version" in record


def _inspect_entries(record: Record) -> list[Record]:
    model = record["eval"].get("model")
    return [{"model": model, **sample} for sample in objects(record.get("samples"))]


def _inspect(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    records = sheet.records or []
    epochs = len({as_text(sample.get("epoch")) for sample in records}) > 1
    scorers = {name for sample in records for name in as_object(sample.get("scores"))}
    field = columns.get("label", "value")
    for row, sample in enumerate(records):
        item = _found(sample, columns, "id", sample, as_object(sample.get("metadata")))
        item = f"{as_text(item)}, epoch {as_text(sample.get('epoch'))}" if epochs and item is not None else item
        for name, score in as_object(sample.get("scores")).items():
            model = sample.get("model") if field == "answer" and len(scorers) == 1 else None
            chosen = [_inspect_label(as_object(score), field, sheet, row)]
            yield Annotation(row=row, item=item, coder=model or name, chosen=chosen)


def _inspect_label(score: Record, field: str, sheet: Sheet, row: int) -> Any:
    value = score.get("value")
    if field in score and not (field == "value" and isinstance(value, dict)):
        return score[field]
    if isinstance(value, dict) and field in value:
        return value[field]
    if isinstance(value, dict):
        known = ", ".join(value)
        first = next(iter(value), "")
        raise InvalidInputError(
            f"{sheet.place(row)}: the score has several values ({known}). Choose one with {naming('label', first)}."
        )
    return None


def _is_promptfoo(record: Record) -> bool:
    return isinstance(as_object(record.get("results")).get("results"), list) or {"testIdx", "gradingResult"} <= set(
        record
    )


def _promptfoo_entries(record: Record) -> list[Record]:
    return objects(as_object(record.get("results")).get("results")) or [record]


def _promptfoo(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    records = sheet.records or []
    prompts = {as_text(result.get("promptIdx")) for result in records}
    for row, result in enumerate(records):
        test = as_object(result.get("testCase"))
        fields = (as_object(result.get("vars")), as_object(test.get("vars")), as_object(test.get("metadata")), test)
        item = _found(result, columns, "testIdx", result, *fields)
        if len(prompts) > 1 and item is not None:
            item = f"{as_text(item)}, prompt {as_text(result.get('promptIdx'))}"
        seen: dict[str, int] = {}
        for component in objects(as_object(result.get("gradingResult")).get("componentResults")):
            assertion = as_object(component.get("assertion"))
            name = as_text(assertion.get("metric")) or as_text(assertion.get("type")) or "assertion"
            seen[name] = seen.get(name, 0) + 1
            coder = name if seen[name] == 1 else f"{name} {seen[name]}"
            failed = as_object(component.get("metadata")).get("graderError") is True
            yield Annotation(row=row, item=item, coder=coder, chosen=_verdict(component, columns, "pass", failed))


def _verdict(judged: Record, columns: Mapping[str, str], field: str, failed: bool) -> list[Any]:
    """Pass or fail, or the field that was asked for; nothing if the judge itself failed."""
    label = None if failed else judged.get(columns.get("label", field))
    return [SAID[label] if isinstance(label, bool) else label]


def _is_deepeval(record: Record) -> bool:
    cases = [case for name in CASES for case in objects(record.get(name))]
    return any("metricsData" in case or "metrics_data" in case for case in cases)


CASES = ("testCases", "conversationalTestCases", "test_results", "testResults")


def _deepeval_entries(record: Record) -> list[Record]:
    return [case for name in CASES for case in objects(record.get(name))]


def _deepeval(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    for row, case in enumerate(sheet.records or ()):
        more = as_object(case.get("metadata") or case.get("additional_metadata"))
        item = _found(case, columns, "name", case, more)
        for metric in objects(case.get("metricsData") or case.get("metrics_data")):
            failed = metric.get("error") is not None
            chosen = _verdict(metric, columns, "success", failed)
            yield Annotation(row=row, item=item, coder=metric.get("name"), chosen=chosen)


def _is_harness(record: Record) -> bool:
    return "doc_id" in record and ("filtered_resps" in record or "resps" in record)


def _harness(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    records = sheet.records or []
    path = Path(sheet.name)
    # The harness names the folder after the model, with __ for the slash.
    model = path.parent.name.replace("__", "/") or path.name.partition(".")[0]
    filters = list(dict.fromkeys(as_text(record.get("filter")) for record in records))
    for row, record in enumerate(records):
        item = _found(record, columns, "doc_id", record, as_object(record.get("doc")))
        by = as_text(record.get("filter"))
        coder = model if len(filters) < 2 else f"{model}, {by}"
        label = record.get(columns["label"]) if "label" in columns else _response(record, sheet, row)
        yield Annotation(row=row, item=item, coder=coder, chosen=[label])
        if "label" not in columns and by == filters[0]:
            yield Annotation(row=row, item=item, coder="target", chosen=[record.get("target")])


def _response(record: Record, sheet: Sheet, row: int) -> Any:
    """The text that the model gave, or the number of the choice that it finds likeliest."""
    given: Any = record.get("filtered_resps", record.get("resps"))
    while isinstance(given, list) and len(given) == 1:
        given = given[0]
    if not isinstance(given, list):
        return given.strip() if isinstance(given, str) else given
    likelihoods = [one[0] if isinstance(one, list) and one else one for one in given]
    try:
        numbers = [float(one) for one in likelihoods]
    except (TypeError, ValueError):
        raise InvalidInputError(
            f"{sheet.place(row)}: the model gave several responses. Name a metric as the label with {naming('label')}."
        ) from None
    return str(numbers.index(max(numbers)))


def _is_argilla(record: Record) -> bool:
    nested = {"responses", "suggestions"} <= set(record) and ("fields" in record or "status" in record)
    return nested or any(name.endswith((".responses.users", ".suggestion.agent")) for name in record)


def _argilla(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    given = [(row, record, list(_answers(record))) for row, record in enumerate(sheet.records or ())]
    question = columns.get("label") or only_question(sheet.name, (name for _, _, all_ in given for name, _, _ in all_))
    for row, record, answers in given:
        item = _found(record, columns, "id", record, as_object(record.get("metadata")), as_object(record.get("fields")))
        for name, coder, chosen in answers:
            if name == question:
                yield Annotation(row=row, item=item, coder=coder, chosen=as_list(chosen))


def _answers(record: Record) -> Iterator[tuple[str, Any, Any]]:
    """Question, coder and answer, whichever way the record was exported; drafts and discarded ones are left out."""
    yield from _flat_answers(record)
    responses, suggestions = record.get("responses"), record.get("suggestions")
    for question, several in as_object(responses).items():
        for response in objects(several):
            if response.get("status") in (None, "submitted"):
                yield question, response.get("user_id"), response.get("value")
    for response in objects(responses):  # Argilla 1
        if response.get("status") in (None, "submitted"):
            for question, answer in as_object(response.get("values")).items():
                yield question, response.get("user_id"), as_object(answer).get("value")
    named = [{"question_name": question, **as_object(one)} for question, one in as_object(suggestions).items()]
    for one in [*named, *objects(suggestions)]:
        if one.get("value") is not None:
            yield as_text(one.get("question_name")) or "", one.get("agent") or "suggestion", one["value"]


def _flat_answers(record: Record) -> Iterator[tuple[str, Any, Any]]:
    for name in record:
        if name.endswith(".responses"):
            users = as_list(record.get(f"{name}.users"))
            states = as_list(record.get(f"{name}.status")) or [None] * len(users)
            for user, state, answer in zip(users, states, as_list(record[name]), strict=False):
                if state in (None, "submitted"):
                    yield name.removesuffix(".responses"), user, answer
        elif name.endswith(".suggestion") and record[name] is not None:
            yield name.removesuffix(".suggestion"), record.get(f"{name}.agent") or "suggestion", record[name]


def _found(record: Record, columns: Mapping[str, str], usual: str, *places: Record) -> Any:
    """The item: the field of its name where one is named, else the usual one."""
    if "item" not in columns:
        return record.get(usual)
    return next((place[columns["item"]] for place in places if place.get(columns["item"]) is not None), None)


LOGS = {
    "inspect": Log(told=_is_inspect, read=_inspect, inside=_inspect_entries, entry="sample"),
    "promptfoo": Log(told=_is_promptfoo, read=_promptfoo, inside=_promptfoo_entries, entry="result"),
    "deepeval": Log(told=_is_deepeval, read=_deepeval, inside=_deepeval_entries, entry="test case"),
    "lm-evaluation-harness": Log(told=_is_harness, read=_harness),
    "argilla": Log(told=_is_argilla, read=_argilla),
    "alttest": Log(told=_is_alttest, read=_alttest, inside=_alttest_entries, entry="label"),
}
"""Every kind of log by its name; AltTest's, which has no mark of its own, comes last."""
