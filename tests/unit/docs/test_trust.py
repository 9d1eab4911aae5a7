"""The page on coverage says what was simulated, what is not trusted, and what was missed."""

from dataclasses import replace

from benchmarks import trust as simulations
from benchmarks.trust.settings import Observed

from pages.trust import trust

HELD = Observed(
    room="labels",
    statistic="Cohen's kappa",
    where="20 items",
    kind="interval",
    nominal=0.95,
    replications=2000,
    printed=2000,
    held=1900,
    trusted=1000,
    trusted_held=940,
)
LEVEL = replace(HELD, kind="test", statistic="Cohen's kappa = 0", printed=10_000, held=9_500, replications=10_000)


def test_a_page_without_simulations_says_so():
    assert "No simulation is stored." in trust([])


def test_a_page_says_what_is_still_missing():
    assert "12 further settings have not been simulated yet." in trust([HELD], missing=12)
    assert "further settings" not in trust([HELD])


def test_shares_stand_with_their_error():
    text = trust([HELD, LEVEL])
    assert "| Cohen's kappa | 20 items | 0.95 | 0.950 ± 0.005 | 50% | 0.940 ± 0.008 | 2,000 |" in text
    assert "| labels | Cohen's kappa = 0 | 20 items | 0.050 ± 0.002 | 10,000 |" in text
    assert "Missed" not in text


def test_what_is_missed_is_named_and_what_is_not_trusted_promises_nothing():
    low = replace(HELD, where="30 items", trusted_held=925)
    doubtful = replace(HELD, where="5 items", held=1000, trusted=0, trusted_held=0)
    large = replace(LEVEL, where="9 items", held=9_350)
    text = trust([low, doubtful, large])
    assert "- Missed: labels, Cohen's kappa; 30 items: 0.925 ± 0.008." in text
    assert "- Missed: labels, Cohen's kappa = 0; 9 items: 0.065 ± 0.002." in text
    assert "| 5 items | 0.95 | 0.500 ± 0.011 | 0% | not trusted | 2,000 |" in text
    assert text.count("Missed") == 2


def test_a_plan_for_four_of_five_studies_may_miss_its_share_by_two_hundredths():
    plan = replace(HELD, nominal=0.8, trusted=1000, trusted_held=785)
    assert "Missed" not in trust([plan])
    assert "Missed" in trust([replace(plan, trusted_held=775)])


def test_every_setting_has_a_name_of_its_own_and_nothing_else_is_stored():
    settings = [one for room in simulations.rooms() for one in simulations.settings_of(room)]
    names = {(one.room, one.kind, one.statistic, one.where) for one in settings}
    assert len(names) == len(settings) > 600
    assert {(one.room, one.kind, one.statistic, one.where) for one in simulations.stored()} <= names
