"""Random documents for gamma, how many of them, and the limit of the alignment."""

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest

from concurrence import spans
from concurrence.agreement.spans import alignment
from concurrence.agreement.spans.gamma import ChanceSampling, Dissimilarity, align_with_chance, alignment_units
from concurrence.agreement.spans.options import SpansOptions
from concurrence.agreement.spans.samplers import SAMPLERS, draw
from concurrence.agreement.spans.study import SpanStudy
from support.span_cases import simulated


@pytest.fixture
def study():
    return SpanStudy.of(simulated(4, np.random.default_rng(0), n_coders=3))


def kinds(units, rows):
    return Counter(zip((units.end - units.start)[rows].tolist(), units.label[rows].tolist(), strict=True))


def test_a_shuffled_coder_is_a_real_one_shifted(study):
    units = alignment_units(study)
    drawn = draw(units, study.spans.lengths, "shuffle", 3, (0,))
    real = {
        (task, coder): kinds(units, (units.task == task) & (units.coder == coder))
        for task in range(4)
        for coder in range(3)
    }
    for task in range(12):
        for coder in range(3):
            found = kinds(drawn, (drawn.task == task) & (drawn.coder == coder))
            assert found in [real[task % 4, other] for other in range(3)]
    assert ((drawn.start >= 0) & (drawn.start < 120)).all()


def test_a_statistical_document_looks_like_the_real_one(study):
    units = alignment_units(study)
    drawn = draw(units, study.spans.lengths, "statistical", 200, (0,))
    assert len(drawn) / 200 == pytest.approx(len(units), rel=0.1)
    assert (drawn.end - drawn.start).mean() == pytest.approx((units.end - units.start).mean(), rel=0.1)
    shares = [np.bincount(one.label, minlength=3) / len(one) for one in (units, drawn)]
    assert shares[1] == pytest.approx(shares[0], abs=0.03)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_seed_decides_the_draws(study, sampler):
    units = alignment_units(study)
    one, same, other = (draw(units, study.spans.lengths, sampler, 2, (seed,)) for seed in (0, 0, 1))
    assert one.start.tolist() == same.start.tolist() != other.start.tolist()


def test_the_option_offers_the_samplers_that_there_are():
    choices = {entry.name: entry.metadata.get("choices") for entry in fields(SpansOptions)}
    assert choices["sampler"] == tuple(SAMPLERS)


def test_more_precision_takes_more_draws(study):
    rough, fine = (
        align_with_chance(study, Dissimilarity(), ChanceSampling(precision=one)).draws for one in (0.2, 0.02)
    )
    assert rough < fine
    assert align_with_chance(study, Dissimilarity(), ChanceSampling(draws=7)).draws == 7


def test_too_many_ways_to_align_are_a_note_and_not_an_error(monkeypatch):
    monkeypatch.setattr(alignment, "MOST_COLUMNS", 10)
    report = spans(simulated(4, np.random.default_rng(0), n_coders=3), bootstrap=20)
    assert not report["gamma"].defined
    assert "could not be found" in report["gamma"].note
    assert report["alpha_u"].defined


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_tasks_are_drawn_one_after_the_other_as_an_obvious_loop_does(study, sampler):
    """Units stand in any order, and a task may have none."""
    units = alignment_units(study)
    units = units.only(np.random.default_rng(3).permutation(np.flatnonzero(units.task != 2)))
    lengths, starts, tasks = study.spans.lengths, [], []
    for time in range(2):
        random = np.random.default_rng([5, time])
        for task in (0, 1, 3):
            some = units.only(np.flatnonzero(units.task == task))
            starts += SAMPLERS[sampler](some, int(lengths[task]), 3, random)[1].tolist()
            tasks += [4 * time + task] * (len(starts) - len(tasks))
    drawn = draw(units, lengths, sampler, 2, (5,))
    assert (drawn.start.tolist(), drawn.task.tolist()) == (starts, tasks)
