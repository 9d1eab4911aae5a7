"""Exports to pass on: workbooks, names of files, codebook and dataset card."""

import re

import fastexcel
import openpyxl
import polars as pl
import pytest

from concurrence.annotation.campaigns.campaign import add_manual, find_coder
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.codebook import codebook_table, dataset_card, export_name
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.core.errors import InvalidInputError
from concurrence.files.tables.workbooks import write_workbook
from support.campaign_cases import make_campaign
from support.databases import ready_database

NOON = 1_795_003_200_000  # 2026-11-18, 12:00 UTC


def judge(store, campaign, who, *answers, version=1):
    """Answer the items of a coder, in the order of their names."""
    number = store.read(lambda c: find_coder(c, campaign, who)).id
    tasks = sorted(store.read(lambda c: load_part(c, campaign, number)).tasks, key=lambda task: task.shown)
    events = [
        NewEvent(
            uuid=f"{who}{version}{task.id}",
            task=task.id,
            question="collocation",
            answer=answer,
            client_time=1,
            manual_version=version,
        )
        for task, answer in zip(tasks, answers, strict=False)
    ]
    receipts = store.write(lambda c: record(c, campaign, number, events))
    assert {one.status for one in receipts} == {"stored"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a database in which two coders judged, one of them again with a newer manual."""
    monkeypatch.chdir(tmp_path)
    with Store(ready_database(tmp_path / "concurrence.db")) as store:
        campaign = make_campaign(store)
        judge(store, campaign, "anna", "yes", "yes", "no", "no")
        judge(store, campaign, "ben", "yes", "no", "no", "yes")
        store.write(lambda c: add_manual(c, campaign, "# What counts\n\nMore | than before. ```x```", note="clearer"))
        judge(store, campaign, "anna", "no", version=2)
    return tmp_path


def test_a_codebook_has_every_label_with_its_words(store):
    campaign = make_campaign(store)
    rows = store.read(lambda c: codebook_table(c, campaign)).to_dicts()
    assert [(row["question"], row["label"], row["label_text"], row["key"], row["asked_if"]) for row in rows] == [
        ("collocation", "yes", "Yes", "y", None),
        ("collocation", "no", "No", "n", None),
        ("kind", "support verb", "support verb", "1", "collocation=yes"),
        ("kind", "figurative", "figurative", "2", "collocation=yes"),
    ]
    assert {(row["rule"], row["manual_version"]) for row in rows[:2]} == {("what-counts", "1")}


def test_a_card_says_who_judged_by_which_manual(folder, concur):
    done = concur("campaign", "export", "verbs", "-o", "labels.csv", "--codebook", "--json").json
    assert done["beside"] == ["labels-codebook.csv", "labels-card.md"]
    card = (folder / "labels-card.md").read_text("utf-8")
    assert "| anna | coder | 5 | 1 to 2 |" in card
    assert "| ben | coder | 4 | 1 |" in card
    assert "leader" not in card
    assert re.search(r"\| 2 \| 20\d\d-\d\d-\d\d \| clearer \|", card)
    assert "````markdown\n# What counts\n\nMore | than before. ```x```\n````" in card
    assert "6 items, 1 round (main)" in card
    assert pl.read_csv(folder / "labels-codebook.csv").height == 4


def test_a_card_holds_no_html_and_keeps_its_tables(store):
    campaign = make_campaign(store, coders=("<b>x", "ben"), name="<script>")
    judge(store, campaign, "<b>x", "no")
    card = store.read(lambda c: dataset_card(c, campaign, file="a.csv", columns=["item"], time=NOON))
    assert "<script>" not in card
    assert "| &lt;b>x | coder | 1 | 1 |" in card


@pytest.mark.parametrize(
    ("campaign_name", "what", "name"),
    [
        ("verbs", "collocation", "verbs-collocation-2026-11-18.csv"),
        ("verbs", "", "verbs-2026-11-18.csv"),
        ("..\\..\\etc x y", "a/b", "etc-x-y-a-b-2026-11-18.csv"),
        ("Über Käse", "q", "Uber-Kase-q-2026-11-18.csv"),
        ("глаголы", "q", "campaign-1-q-2026-11-18.csv"),
        ("v" * 90, "", "v" * 80 + "-2026-11-18.csv"),
    ],
)
def test_names_of_files_say_what_is_in_them(store, campaign_name, what, name):
    campaign = make_campaign(store, name=campaign_name)
    assert export_name(campaign, what, ".csv", time=NOON) == name.replace("campaign-1", f"campaign-{campaign.id}")


def test_without_a_name_the_file_has_one(folder, concur):
    for options, pattern in (
        ((), r"verbs-20\d\d-\d\d-\d\d\.csv"),
        (("--question", "kind"), r"verbs-kind-20.*\.csv"),
        (("--gold", "collocation=yes"), r"verbs-collocation-gold-20.*\.csv"),
        (("--events",), r"verbs-events-20.*\.csv"),
    ):
        done = concur("campaign", "export", "verbs", *options)
        assert done.code == 0, done.err
        name = re.search(r"Written: (.*)\.\n", done.out)[1]
        assert re.fullmatch(pattern, name)
        assert (folder / name).is_file()


def test_a_workbook_is_read_back_and_runs_nothing(folder, concur):
    assert concur("campaign", "export", "verbs", "-o", "labels.csv", "--question", "collocation").code == 0
    assert concur("campaign", "export", "verbs", "-o", "labels.xlsx", "--question", "collocation").code == 0
    assert fastexcel.read_excel(folder / "labels.xlsx").sheet_names == ["labels", "codebook", "about"]
    agreement = [concur("agree", f"labels.{kind}", "--json") for kind in ("csv", "xlsx")]
    assert [one.code for one in agreement] == [0, 0], agreement[1].err
    assert agreement[0].json["coefficients"] == agreement[1].json["coefficients"]
    assert (folder / "labels.xlsx.meta.json").is_file()
    frame = pl.DataFrame({"=a": ["=1+1", "http://x.org", "1.10", None, " a\nb "], "n": ["-2", "+3", "@x", "007", "ä"]})
    write_workbook({"labels": frame}, folder / "cells.xlsx")
    sheet = openpyxl.load_workbook(folder / "cells.xlsx")["labels"]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [["=a", "n"], *map(list, frame.rows())]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value} == {"s"}
    stored = pl.DataFrame(fastexcel.read_excel(folder / "cells.xlsx").load_sheet(0, dtypes="string"))
    assert stored.rows() == frame.rows()


@pytest.mark.parametrize(
    ("cell", "fault"), [("x" * 32_768, "more than 32,767 characters"), ("a\x01", "control characters")]
)
def test_what_a_workbook_would_lose_is_refused(tmp_path, cell, fault):
    frame = pl.DataFrame({"text": ["a", cell]})
    with pytest.raises(InvalidInputError, match=rf"row 3, column 'text' of sheet 'labels' has {fault}"):
        write_workbook({"labels": frame}, tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []
