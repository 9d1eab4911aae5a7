"""The interval that ``agree --bootstrap`` prints, for the coders of ``labels``."""

from itertools import product

import numpy as np

from benchmarks.trust.labels import World, draw_study, template, true_value
from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.assess import StudyEvidence, interval_to_report
from concurrence.agreement.labels.coefficients.inference import reasons_for_doubt, standard_error
from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.resampled import bootstrap_coefficients
from concurrence.kernels.coefficients import coefficient

DRAWS = 1000
QUICK = {"DRAWS": 20}


def bootstrap_setting(name: str, n: int, world: World) -> Setting:
    """The bootstrap's interval of a coefficient."""
    row = coefficient(name)

    def simulate(random: np.random.Generator) -> Said:
        study = draw_study(world, n, random)
        value = float(values(row, study, study.weights))
        if not np.isfinite(value):
            return Said(holds=None)
        seed = int(random.integers(2**31))
        drawn = bootstrap_coefficients(study, [row], draws=DRAWS, level=0.95, seed=seed)
        evidence = StudyEvidence(level=0.95, doubts=reasons_for_doubt(study), bootstraps=dict(drawn))
        report = interval_to_report(row, study, value, standard_error(row, study), evidence)
        assert report.interval is not None
        return Said(holds=holds(report.interval, true_value(name, world)), trusted=bool(report.trusted))

    shares = "" if world.shares == "even" else f", {world.shares} categories"
    where = f"{n} items, {world.coders} coders, {len(template(world)[0].categories)} categories{shares}"
    return Setting(room="bootstrap", statistic=row.title, where=f"{where}, noise {world.noise:g}", simulate=simulate)


SETTINGS = (
    *(
        bootstrap_setting("cohen_kappa", n, World(noise=noise, shares=shares))
        for n, noise, shares in product((50, 200), (0.1, 0.3), ("even", "rare"))
    ),
    *(bootstrap_setting("krippendorff_alpha", n, World(coders=3, categories=4, noise=0.2)) for n in (30, 100)),
)
