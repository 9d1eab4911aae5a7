import numpy as np
import pytest
from benchmarks.trust.calibrate import grid

from concurrence import agree
from concurrence.agreement.labels.coefficients import trust
from concurrence.agreement.labels.coefficients.metrics import metric_of
from concurrence.agreement.labels.coefficients.posterior import POSTERIOR
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import Labels
from concurrence.kernels.coefficients import COEFFICIENTS

KAPPA, ALPHA = COEFFICIENTS["cohen_kappa"], COEFFICIENTS["krippendorff_alpha"]


def study_of(n, coders=2, categories=2, *, scale="nominal", seed=0):
    """Coders who mostly agree, on every category of the scale."""
    random = np.random.default_rng(seed)
    truth = np.arange(n)[:, None] % categories
    codes = np.where(random.random((n, coders)) < 0.3, (truth + 1) % categories, truth)
    names = tuple(str(k + 1) for k in range(categories))
    labels = Labels(codes=codes.astype(np.int32), categories=names, coders=tuple(map(str, range(coders))))
    return LabelStudy.of(labels, metric=metric_of(scale, names))


def test_the_table_holds_the_whole_grid_and_nothing_else():
    assert set(trust.calibration()) == set(grid())


def test_every_cell_has_every_coefficient_that_is_asked_for():
    """Those that give no credit for near labels are in the nominal ones."""
    nominal = {"fleiss_kappa", "davies_fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "mean_pairwise_kappa"}
    nominal |= {"percent_agreement", "bennett_s"}
    two = {"cohen_kappa", "scott_pi", "bangdiwala_b"}
    graded = {"gwet_ac2", "weighted_kappa", "krippendorff_alpha", "weighted_alpha"}
    for (scale, labels, *_), shares in trust.calibration().items():
        if scale != "nominal":
            assert graded - {"weighted_kappa"} <= set(shares) <= graded
        else:
            assert nominal | (two if labels == 2 else set()) == set(shares)
        assert all(0 < share <= 1 for share in shares.values())


def test_three_coders_lie_between_two_and_four():
    """Two coders have an exact interval of percent agreement, three have not."""
    labels = Labels.from_rows([["y", "y", "y"]] * 12 + [["n", "n", "n"]] * 6 + [["y", "n", "n"], ["y", "y", "n"]] * 4)
    report = agree(labels)
    assert report["percent_agreement"].interval_method == POSTERIOR
    assert all(report[name].trusted for name in ("percent_agreement", "bennett_s", "fleiss_kappa", "gwet_ac1"))


@pytest.fixture
def small_table(monkeypatch):
    """Four cells, one of which does not hold."""
    table = {
        ("nominal", 2, 2, 10): {"cohen_kappa": 0.95},
        ("nominal", 2, 2, 20): {"cohen_kappa": 0.94},
        ("nominal", 2, 4, 10): {"cohen_kappa": 0.92},
        ("nominal", 2, 4, 20): {"cohen_kappa": 0.96},
    }
    monkeypatch.setattr(trust, "calibration", lambda: table)
    trust.axes.cache_clear()
    yield
    trust.axes.cache_clear()


@pytest.mark.usefixtures("small_table")
@pytest.mark.parametrize(
    ("items", "categories", "covered", "holds"),
    [
        (10, 2, 0.95, True),
        (15, 2, 0.94, True),  # between two cells that hold
        (20, 3, 0.94, True),
        (15, 3, 0.92, False),  # one of the four around it does not
        (10, 4, 0.92, False),
        (500, 4, 0.96, True),  # like the largest
        (9, 2, np.nan, False),  # smaller than any
        (20, 5, np.nan, False),  # more categories than any
    ],
)
def test_an_interval_is_trusted_where_all_cells_around_the_study_hold(items, categories, covered, holds):
    study = study_of(items, categories=categories)
    assert trust.coverage(KAPPA, study) == pytest.approx(covered, nan_ok=True)
    assert trust.interval_holds(KAPPA, POSTERIOR, study, doubts=True) is holds


@pytest.mark.usefixtures("small_table")
@pytest.mark.parametrize(("items", "holds"), [(10, False), (150, True), (200, True)])
def test_an_analytic_interval_is_not_trusted_where_the_posterior_is_known_to_fail(items, holds):
    assert trust.interval_holds(KAPPA, "gwet_t", study_of(items, categories=4), doubts=False) is holds
    assert trust.interval_holds(ALPHA, "gwet_t", study_of(items, categories=4), doubts=False)  # nothing is known of it
    assert not trust.interval_holds(KAPPA, "gwet_t", study_of(items, categories=4), doubts=True)


def test_an_analytic_ac2_of_60_items_is_not_trusted():
    """It held in .927 of 2,000 studies on an ordinal scale of five categories."""
    ac2 = COEFFICIENTS["gwet_ac2"]
    shares = trust.calibration()["ordinal", 2, 5, 50]
    assert shares["gwet_ac2"] < trust.LEAST_COVERED
    names = tuple("12345")
    rows = [[a, b] for a, b in zip("12345" * 12, "22345" * 6 + "13345" * 6, strict=True)]
    report = agree(Labels.from_rows(rows, categories=names), scale="ordinal")
    assert report[ac2.name].trusted is False
    assert "held the true value too rarely" in report[ac2.name].note
    assert report["krippendorff_alpha"].note is None


@pytest.mark.usefixtures("small_table")
def test_no_coefficient_is_trusted_that_was_not_simulated():
    assert not trust.interval_holds(ALPHA, POSTERIOR, study_of(20), doubts=True)


def test_a_graded_scale_without_disagreement_is_never_trusted():
    names = ("1", "2", "3")
    rows = [[name, name] for name in names for _ in range(10)]
    report = agree(Labels.from_rows(rows, categories=names), scale="interval")
    assert report["krippendorff_alpha"].trusted is False
    assert agree(Labels.from_rows(rows, categories=names))["krippendorff_alpha"].trusted is True


def test_credit_for_near_labels_is_that_of_an_ordinal_scale():
    study = study_of(30, categories=5, scale="ordinal")
    assert trust.scale_of(ALPHA, study) == "ordinal"
    assert trust.scale_of(KAPPA, study) == "nominal"
    assert trust.scale_of(ALPHA, study_of(30, scale="interval")) == "interval"
    assert trust.scale_of(ALPHA, study_of(30, scale="ratio")) == "distances"
    assert trust.scale_of(ALPHA, study_of(30)) == "nominal"


def test_labels_per_item_count_where_coders_share_the_items():
    """Twenty coders, three of them on each item, are like three coders."""
    random = np.random.default_rng(1)
    codes = np.full((60, 20), -1, dtype=np.int32)
    for row in codes:
        row[random.choice(20, 3, replace=False)] = random.integers(0, 2, 3)
    names = tuple(f"c{k}" for k in range(20))
    study = LabelStudy.of(Labels(codes=codes, categories=("a", "b"), coders=names))
    cells = [trust.calibration()["nominal", labels, 2, 50]["fleiss_kappa"] for labels in (2, 4)]
    assert trust.coverage(COEFFICIENTS["fleiss_kappa"], study) == min(cells)
