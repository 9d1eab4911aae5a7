"""One question of every type, from which campaigns of tests are put together.

A question is what a table of ``questions.toml`` holds, so that a test can say what it needs otherwise:
``questionnaire(TOPICS | {"when": "good=yes"}, FLUENCY)``.
"""

import json

YES_NO = [{"id": "yes", "key": "y"}, {"id": "no", "key": "n"}]
PERSON, PLACE = {"id": "PER", "text": "Person", "key": "p"}, {"id": "LOC", "text": "Place", "key": "l"}

GOOD = {"id": "good", "text": "Is it good?", "choices": YES_NO}
CLEAR = {"id": "clear", "choices": YES_NO}
TOPICS = {
    "id": "topics",
    "type": "choices",
    "text": "Which topics?",
    "choices": [{"id": "sport", "key": "s"}, {"id": "money", "key": "m"}, {"id": "art", "key": "a"}],
    "most": 2,
}
FLUENCY = {
    "id": "fluency",
    "type": "scale",
    "text": "How fluent is it?",
    "from": 1,
    "to": 5,
    "low": "not at all",
    "high": "perfectly",
}
GIST = {"id": "gist", "type": "text", "text": "What is it about?"}
NAMES = {"id": "names", "type": "span", "text": "Mark all names.", "labels": [PERSON, PLACE]}
BETTER = {"id": "better", "type": "preference", "text": "Which translation is better?"}
AUTHORS = {"names": ["a_by", "b_by"]}


def questionnaire(*questions):
    """The text of a ``questions.toml``."""
    return "\n".join("[[question]]\n" + "".join(f"{k} = {_toml(v)}\n" for k, v in one.items()) for one in questions)


def _toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
