"""A small campaign that tests of several doors start from."""

import time
import uuid

from concurrence.annotation.campaigns.campaign import CampaignPlan, create_campaign, find_campaign
from concurrence.annotation.campaigns.item_rows import item_rows
from concurrence.annotation.campaigns.items import make_display, make_items
from concurrence.annotation.questions.questionnaire import parse_questions

QUESTIONS = """
[[question]]
id = "collocation"
text = "Is this a collocation?"
rule = "what-counts"
note = true
choices = [{ id = "yes", text = "Yes", key = "y" }, { id = "no", text = "No", key = "n" }]

[[question]]
id = "kind"
text = "Which kind?"
when = "collocation=yes"
choices = ["support verb", "figurative"]
"""

MANUAL = "# What counts\n\nA pair that belongs together.\n"


def pair_rows(size):
    return [
        {"l1": f"verb{n}", "l2": f"noun{n}", "f": str(n), "examples": f"They verb{n} a noun{n}."}
        for n in range(1, size + 1)
    ]


def make_campaign(store, *, name="verbs", size=6, coders=("anna", "ben"), rows=None, **plan):
    """Create a campaign of pairs and give it back."""
    rows = rows or pair_rows(size)
    plan = {"questions": QUESTIONS, "manual": MANUAL, **plan}
    questionnaire = parse_questions(plan["questions"])
    if "display" not in plan:
        plan["display"] = make_display(list(rows[0]), needs_text=questionnaire.needs_text)
    campaign_plan = CampaignPlan(
        name=name,
        items=item_rows(make_items(rows), plan["display"], questionnaire),
        coders=tuple(coders),
        **plan,
    )
    store.write(lambda connection: create_campaign(connection, campaign_plan))
    return store.read(lambda connection: find_campaign(connection, name))


def event(task, question, answer, *, at=None, **fields):
    """A decision as a client sends it."""
    return {
        "uuid": str(uuid.uuid4()),
        "item": task,
        "question": question,
        "answer": answer,
        "client_time": int(time.time() * 1000) if at is None else at,
        "manual_version": 1,
        **fields,
    }
