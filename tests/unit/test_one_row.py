"""Everything about a coefficient or a measure stands on its row: a row that is added goes all the way by itself."""

import numpy as np
import pytest
from click.testing import CliRunner

from concurrence import agree
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.imports import import_labels
from concurrence.cli.app import app
from concurrence.core import Labels
from concurrence.kernels.chance import Chance
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.measures.measure import Measure
from concurrence.measures.table import MEASURES
from support.campaign_cases import make_campaign
from support.web_door import Door

TABLE = ",yes,no\nyes,40,15\nno,20,25\n"


def half(shares, _):
    """Chance gives half of the agreement, whatever the habits."""
    return np.full(shares.shape[:-1], 0.5), np.zeros_like(shares)


HALFWAY = CoefficientRow(
    name="halfway_h",
    title="Halfway's H",
    symbol="H",
    words="Chance gives half of the agreement.",
    formula="A_e = 1/2",
    reference="cohen1960",
    pairs="both",
    chance=Chance(name="half", expect=half),
    coders="two",
    for_more=("fleiss_kappa",),
)


@pytest.fixture
def halfway(monkeypatch):
    monkeypatch.setitem(COEFFICIENTS, HALFWAY.name, HALFWAY)


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE, "utf-8")
    return tmp_path / "table.csv"


def test_a_coefficient_reaches_json_table_and_page(halfway, table, concur, tmp_path):
    found = concur("agree", table, "--table", "--json").json["coefficients"]["halfway_h"]
    assert found["value"] == pytest.approx(0.3)
    assert (found["interval_method"], found["trusted"]) == ("gwet_t", True)
    assert found["interval"][0] < 0.3 < found["interval"][1]
    assert "Halfway's H" in concur("agree", table, "--table", "--full").out
    for ending in (".html", ".md", ".tex", ".csv"):
        assert concur("agree", table, "--table", "-o", tmp_path / f"page{ending}").code == 0
        text = (tmp_path / f"page{ending}").read_text("utf-8").replace("&#x27;", "'")
        assert ("halfway_h" if ending == ".csv" else "Halfway's H") in text
    assert "Chance gives half of the agreement." in (tmp_path / "page.md").read_text("utf-8")


def test_a_coefficient_reaches_help_errors_and_other_verbs(halfway, table, concur, tmp_path):
    assert "halfway_h" in CliRunner().invoke(app, ["compare", "--help"]).output
    assert "Did you mean 'halfway_h'?" in concur("compare", table, table, "--table", "--coefficient", "halfway").err
    compared = concur("compare", table, table, "--table", "--coefficient", "halfway_h", "--bootstrap", "50", "--json")
    assert compared.json["a"] == pytest.approx(0.3)


def test_a_coefficient_of_two_coders_says_what_to_use_for_three(halfway):
    report = agree(Labels.from_rows([["a", "b", "a"], ["b", "b", "a"]]))
    assert report["halfway_h"].note == (
        "Halfway's H is defined for two coders, and there are 3. With more than two coders, use Fleiss's kappa."
    )


def test_a_coefficient_reaches_the_leaders_page(halfway, tmp_path):
    with Store(tmp_path / "campaigns.db") as store:
        campaign = make_campaign(store, size=4, questions='[[question]]\nid = "fit"\nchoices = ["yes", "no"]\n')
        for coder, answers in (("ann", "yynn"), ("bob", "ynnn")):
            rows = [{"item": f"l{i} r{i}", "label": {"y": "yes", "n": "no"}[a]} for i, a in enumerate(answers)]
            rows = [{**row, "item": item} for row, item in zip(rows, items_of(store, campaign), strict=True)]
            store.write(lambda connection, c=coder, r=rows: import_labels(connection, campaign, r, coder=c))
        door = Door(store, campaign)
        leader = door.join("leader")
        assert "Halfway&#39;s H" in leader.get(f"{door.pages}/leader/agreement").text
        twin = leader.get(f"{door.api}/agreement").json()["data"]["aspects"][0]["parts"][0]["report"]
        assert twin["coefficients"]["halfway_h"]["value"] == pytest.approx(0.5)


def items_of(store, campaign):
    from concurrence.annotation.decisions.outcomes import item_columns

    return list(store.read(lambda connection: item_columns(connection, campaign)))


def thrice(t):
    """Three times the frequency."""
    return 3.0 * t.o11


def test_a_measure_reaches_scores_lists_errors_and_page(monkeypatch, concur, tmp_path):
    row = Measure(function=thrice, formula="3 * O", symbol="3f", reference="evert2008", kind="heuristic")
    monkeypatch.setitem(MEASURES, row.name, row)
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("l1,l2,f,f1,f2,N\nthe,swiss,110,2552,221,31777\n", "utf-8")
    for asked in ("thrice", "all"):
        assert concur("score", pairs, "-m", asked, "--json").json["rows"][0]["thrice"] == 330
    assert "thrice" in concur("measures").out
    assert "Three times the frequency." in concur("measures", "thrice").out
    assert "Did you mean 'thrice'?" in concur("score", pairs, "-m", "trice").err
    assert concur("score", pairs, "-m", "thrice", "-o", tmp_path / "page.md").code == 0
    page = (tmp_path / "page.md").read_text("utf-8")
    assert "thrice" in page
    assert "330" in page
