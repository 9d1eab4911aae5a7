"""What programs that run judges write, and Argilla's exports, as items, coders and labels.

* AltTest: one JSON object, ``{coder: {item: label}}``; people's if the file is called ``human…``, else models'. A file
  with the labels of one model, ``{item: label}``, is called after the model.
* Inspect: a ``.json`` or ``.eval`` log; every scorer is a coder, and its ``value`` the label.
* promptfoo: its JSON or JSON Lines output; every assertion is a coder that says pass or fail, a rating in the viewer
  is the coder ``human``.
* DeepEval: a test run; every metric is a coder that says pass or fail.
* lm-evaluation-harness: ``samples_….jsonl``; the model is the coder, and so is the ``target``, which people set.
* Argilla: records with ``responses`` of users and ``suggestions`` of agents, nested or flat.

Models and scorers are marked as such, for people are compared without them unless they are named.

``label`` among the columns names another field of the judgement, such as ``score``, or the question of an export.
A judge that failed on an item gave no label there.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concurrence.core.coder_kinds import HUMAN, MODEL, SCORER
from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.annotations import Annotation, as_list, as_object, objects, only_question
from concurrence.files.labels.codes import SYNONYMS, columns_option
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet, sheet_of_records

PEOPLE = re.compile(r"human|people|person|expert|crowd|worker|annotator|gold", re.IGNORECASE)
"""What AltTest's files of people's labels are called; models' labels have the same form."""
OLD_SUGGESTION = "-suggestion"
PASS_FAIL = {True: "pass", False: "fail"}
ONE_OBJECT = ("alttest", "alttest-model")


class SeveralValues(dict[str, Any]):
    """A score that holds several values, of which none was named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A kind of log: how a record of it is recognised, the entries it holds, and their annotations."""

    matches: Callable[[Record], bool]
    read: Callable[[Sheet, Mapping[str, str]], Iterator[Annotation]]
    parse_entries: Callable[[Record], list[Record]] | None = None
    entry_noun: str = "entry"

    def entries(self, sheet: Sheet) -> Sheet:
        """The sheet of what was judged; the entries of a log that is one object stand inside it."""
        if self.parse_entries is None or sheet.records is None or not all(map(self.matches, sheet.records)):
            return sheet
        records = [entry for record in sheet.records for entry in self.parse_entries(record)]
        return sheet_of_records(records, sheet.name, lambda row: f"{sheet.name}, {self.entry_noun} {row + 1}")


def detect_log(sheet: Sheet) -> str | None:
    """The kind of log that this is, if it is one."""
    for record in (sheet.records or ())[:1]:
        for name, log in LOGS.items():
            if log.matches(record) and (name not in ONE_OBJECT or len(sheet.records or ()) == 1):
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
        for coder, labels in record.items()
        for item, label in labels.items()
    ]


def _alttest(sheet: Sheet, _: Mapping[str, str]) -> Iterator[Annotation]:
    kind = HUMAN if PEOPLE.search(Path(sheet.name).stem) else MODEL
    for row, entry in enumerate(sheet.records or ()):
        yield Annotation(row=row, item=entry["item"], coder=entry["coder"], labels=[entry["label"]], kind=kind)


def _is_one_model(record: Record) -> bool:
    """AltTest's labels of one model: items with a label each, and no column that a table of labels has."""
    named = {name.strip().lower().replace(" ", "_") for name in record}
    return (
        len(record) > 1
        and not any(isinstance(label, dict | list) for label in record.values())
        and not named & {synonym for names in SYNONYMS.values() for synonym in names}
        and any(label is not None for label in record.values())
    )


def _one_model_entries(record: Record) -> list[Record]:
    return [{"item": item, "label": label} for item, label in record.items()]


def _one_model(sheet: Sheet, _: Mapping[str, str]) -> Iterator[Annotation]:
    name = Path(sheet.name).name.partition(".json")[0]
    kind = HUMAN if PEOPLE.search(name) else MODEL
    for row, entry in enumerate(sheet.records or ()):
        yield Annotation(row=row, item=entry["item"], coder=name, labels=[entry["label"]], kind=kind)


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
        item = _item_name(sample, columns, "id", sample, as_object(sample.get("metadata")))
        item = f"{as_text(item)}, epoch {as_text(sample.get('epoch'))}" if epochs and item is not None else item
        for name, score in as_object(sample.get("scores")).items():
            model = sample.get("model") if field == "answer" and len(scorers) == 1 else None
            labels = [_inspect_label(as_object(score), field)]
            kind = MODEL if model else SCORER
            yield Annotation(row=row, item=item, coder=model or name, labels=labels, kind=kind)


def _inspect_label(score: Record, field: str) -> Any:
    value = score.get("value")
    if field in score and not (field == "value" and isinstance(value, dict)):
        return score[field]
    if isinstance(value, dict) and field in value:
        return value[field]
    return SeveralValues(value) if isinstance(value, dict) else None


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
        item = _item_name(result, columns, "testIdx", result, *fields)
        if len(prompts) > 1 and item is not None:
            item = f"{as_text(item)}, prompt {as_text(result.get('promptIdx'))}"
        counts: dict[str, int] = {}
        for component in objects(as_object(result.get("gradingResult")).get("componentResults")):
            assertion = as_object(component.get("assertion"))
            name = as_text(assertion.get("metric")) or as_text(assertion.get("type")) or "assertion"
            counts[name] = counts.get(name, 0) + 1
            coder = name if counts[name] == 1 else f"{name} {counts[name]}"
            failed = as_object(component.get("metadata")).get("graderError") is True
            labels = _pass_or_fail(component, columns, "pass", failed)
            kind = HUMAN if assertion.get("type") == "human" else SCORER
            yield Annotation(row=row, item=item, coder=coder, labels=labels, kind=kind)


def _pass_or_fail(judgement: Record, columns: Mapping[str, str], field: str, failed: bool) -> list[Any]:
    """Pass or fail, or the chosen field; nothing if the judge itself failed."""
    label = None if failed else judgement.get(columns.get("label", field))
    return [PASS_FAIL[label] if isinstance(label, bool) else label]


def _is_deepeval(record: Record) -> bool:
    cases = [case for name in CASES for case in objects(record.get(name))]
    return any("metricsData" in case or "metrics_data" in case for case in cases)


CASES = ("testCases", "conversationalTestCases", "test_results", "testResults")


def _deepeval_entries(record: Record) -> list[Record]:
    return [case for name in CASES for case in objects(record.get(name))]


def _deepeval(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    for row, case in enumerate(sheet.records or ()):
        metadata = as_object(case.get("metadata") or case.get("additional_metadata"))
        item = _item_name(case, columns, "name", case, metadata)
        for metric in objects(case.get("metricsData") or case.get("metrics_data")):
            failed = metric.get("error") is not None
            labels = _pass_or_fail(metric, columns, "success", failed)
            yield Annotation(row=row, item=item, coder=metric.get("name"), labels=labels, kind=SCORER)


def _is_harness(record: Record) -> bool:
    return "doc_id" in record and ("filtered_resps" in record or "resps" in record)


def _harness(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    records = sheet.records or []
    path = Path(sheet.name)
    # The harness names the folder after the model, with __ for the slash.
    model = path.parent.name.replace("__", "/") or path.name.partition(".")[0]
    filters = list(dict.fromkeys(as_text(record.get("filter")) for record in records))
    for row, record in enumerate(records):
        item = _item_name(record, columns, "doc_id", record, as_object(record.get("doc")))
        filter_name = as_text(record.get("filter"))
        coder = model if len(filters) < 2 else f"{model}, {filter_name}"
        label = record.get(columns["label"]) if "label" in columns else _response(record, sheet, row)
        yield Annotation(row=row, item=item, coder=coder, labels=[label], kind=MODEL)
        if "label" not in columns and filter_name == filters[0]:
            yield Annotation(row=row, item=item, coder="target", labels=[record.get("target")])


def _response(record: Record, sheet: Sheet, row: int) -> Any:
    """The text that the model gave, or the number of the choice that it finds likeliest."""
    responses: Any = record.get("filtered_resps", record.get("resps"))
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    if not isinstance(responses, list):
        return responses.strip() if isinstance(responses, str) else responses
    likelihoods = [value[0] if isinstance(value, list) and value else value for value in responses]
    try:
        numbers = [float(value) for value in likelihoods]
    except (TypeError, ValueError):
        raise InvalidInputError(
            f"{sheet.place(row)}: the model gave several responses. Name a metric as the label with "
            f"{columns_option('label')}."
        ) from None
    return str(numbers.index(max(numbers)))


def is_argilla(record: Record) -> bool:
    """Whether a record, or a table with such columns, is one of Argilla."""
    nested = {"responses", "suggestions"} <= set(record) and ("fields" in record or "status" in record)
    flat = any(name.endswith((".responses.users", ".suggestion.agent")) for name in record)
    return nested or flat or any(f"{name}{OLD_SUGGESTION}" in record for name in record)


def _argilla(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    records = [(row, record, list(_answers(record))) for row, record in enumerate(sheet.records or ())]
    question = columns.get("label") or only_question(
        sheet.name, (name for _, _, answers in records for name, *_ in answers)
    )
    for row, record, answers in records:
        item = _item_name(
            record, columns, "id", record, as_object(record.get("metadata")), as_object(record.get("fields"))
        )
        for name, coder, label, kind in answers:
            if name == question:
                yield Annotation(row=row, item=item, coder=coder, labels=as_list(label), kind=kind)


def _answers(record: Record) -> Iterator[tuple[str, Any, Any, str]]:
    """Question, coder, answer and what the coder is, whichever way the record was exported.

    Drafts and discarded responses are left out.
    """
    yield from _flat_answers(record)
    responses, suggestions = record.get("responses"), record.get("suggestions")
    for question, all_responses in as_object(responses).items():
        for response in objects(all_responses):
            if response.get("status") in (None, "submitted"):
                yield question, response.get("user_id"), response.get("value"), HUMAN
    for response in objects(responses):  # Argilla 1
        if response.get("status") in (None, "submitted"):
            for question, answer in as_object(response.get("values")).items():
                yield question, response.get("user_id"), as_object(answer).get("value"), HUMAN
    from_mapping = [
        {"question_name": question, **as_object(suggestion)} for question, suggestion in as_object(suggestions).items()
    ]
    for suggestion in [*from_mapping, *objects(suggestions)]:
        if suggestion.get("value") is not None:
            yield (
                as_text(suggestion.get("question_name")) or "",
                suggestion.get("agent") or "suggestion",
                suggestion["value"],
                MODEL,
            )


def _flat_answers(record: Record) -> Iterator[tuple[str, Any, Any, str]]:
    for name in record:
        if name.endswith(".responses"):
            users = as_list(record.get(f"{name}.users"))
            states = as_list(record.get(f"{name}.status")) or [None] * len(users)
            for user, state, answer in zip(users, states, as_list(record[name]), strict=False):
                if state in (None, "submitted"):
                    yield name.removesuffix(".responses"), user, answer, HUMAN
        elif f"{name}{OLD_SUGGESTION}" in record:
            yield from _old_answers(record, name)
        elif name.endswith(".suggestion") and record[name] is not None:
            agent = record.get(f"{name}.agent") or "suggestion"
            yield name.removesuffix(".suggestion"), agent, record[name], MODEL


def _old_answers(record: Record, question: str) -> Iterator[tuple[str, Any, Any, str]]:
    """The answers to a question in Argilla 1's columns: a list of responses, and a suggestion beside it."""
    for response in objects(record[question]):
        if response.get("status") in (None, "submitted"):
            yield question, response.get("user_id"), response.get("value"), HUMAN
    suggestion = record[f"{question}{OLD_SUGGESTION}"]
    if suggestion is not None:
        agent = as_object(record.get(f"{question}{OLD_SUGGESTION}-metadata")).get("agent")
        yield question, agent or "suggestion", suggestion, MODEL


def _item_name(record: Record, columns: Mapping[str, str], default_field: str, *records: Record) -> Any:
    """The item: the field of its name where one is named, else the usual one."""
    if "item" not in columns:
        return record.get(default_field)
    return next((source[columns["item"]] for source in records if source.get(columns["item"]) is not None), None)


LOGS = {
    "inspect": Log(matches=_is_inspect, read=_inspect, parse_entries=_inspect_entries, entry_noun="sample"),
    "promptfoo": Log(matches=_is_promptfoo, read=_promptfoo, parse_entries=_promptfoo_entries, entry_noun="result"),
    "deepeval": Log(matches=_is_deepeval, read=_deepeval, parse_entries=_deepeval_entries, entry_noun="test case"),
    "lm-evaluation-harness": Log(matches=_is_harness, read=_harness),
    "argilla": Log(matches=is_argilla, read=_argilla),
    "alttest": Log(matches=_is_alttest, read=_alttest, parse_entries=_alttest_entries, entry_noun="label"),
    "alttest-model": Log(matches=_is_one_model, read=_one_model, parse_entries=_one_model_entries, entry_noun="label"),
}
"""Every kind of log by its name; AltTest's, which have no mark of their own, come last."""
