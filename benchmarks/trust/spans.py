"""Agreement on spans: coefficients, F1 of a label, precision, recall, and what the disagreement is about.

Documents have true spans, which coders miss, move or relabel at a rate that differs between documents. The truth is the
value of 20,000 documents (gamma: 4,000, each aligned with two random ones).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.spans.analyse import analyse_spans
from concurrence.agreement.spans.options import SpansOptions
from concurrence.agreement.spans.results import SpanReport
from concurrence.core import Interval
from support.span_cases import simulated

ROOM = "spans"
DRAWS, RANDOM = 1000, 30
MANY, MANY_ALIGNED = 20_000, 4_000
QUICK = {"MANY": 200, "MANY_ALIGNED": 40}
ALIGNED = ("gamma", "gamma_cat")


@dataclass(frozen=True, kw_only=True)
class World:
    """How many documents and coders, and how the documents are."""

    documents: int
    coders: int = 2
    spans: int = 8
    slip: float = 0.25
    labels: str = "PQR"

    def report(self, random: np.random.Generator, documents: int, **options: Any) -> SpanReport:
        """The report on so many documents."""
        length = 15 * self.spans
        marked = simulated(
            documents,
            random,
            n_coders=self.coders,
            n_spans=self.spans,
            slip=self.slip,
            labels=self.labels,
            length=length,
        )
        return analyse_spans(marked, SpansOptions(reference="c0" if self.coders == 2 else None, **options))


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of a report: its value, its interval, and whether that is trusted."""

    value: float
    interval: Interval | None
    trusted: bool


def figure_of(report: SpanReport, name: str) -> Figure:
    """A coefficient, ``NAME of LABEL``, ``precision``, ``recall`` or ``share about labels``."""
    if name == "share about labels":
        share = report.differences
        return Figure(value=share.share, interval=share.interval, trusted=bool(share.trusted))
    if name in ("precision", "recall"):
        pair = report.pairs[0]
        return Figure(value=getattr(pair, name), interval=pair.intervals.get(name), trusted=bool(pair.trusted))
    whole, _, label = name.partition(" of ")
    one: Any = report[whole]
    one = one.by_category[label] if label else one
    return Figure(value=one.value, interval=one.interval, trusted=bool(one.trusted))


def coefficients_of(name: str) -> list[str]:
    """The coefficients to compute for a figure."""
    whole = name.partition(" of ")[0]
    return (
        [whole] if whole in (*ALIGNED, "alpha_u", "u_alpha", "cu_alpha", "token_kappa", "f1_overlap") else ["f1_exact"]
    )


@cache
def true_report(world: World, names: tuple[str, ...]) -> SpanReport:
    """The report on very many documents."""
    many = MANY_ALIGNED if set(names) & set(ALIGNED) else MANY
    return world.report(np.random.default_rng(1), many, coefficients=names, bootstrap=0, samples=2)


def covered(world: World, name: str) -> Callable[[np.random.Generator], Said]:
    """Whether the interval of a figure holds its value."""
    names = tuple(coefficients_of(name))

    def simulate(random: np.random.Generator) -> Said:
        seed = int(random.integers(1 << 30))
        report = world.report(random, world.documents, coefficients=names, bootstrap=DRAWS, samples=RANDOM, seed=seed)
        figure = figure_of(report, name)
        if figure.interval is None:
            return Said(holds=None)
        truth = figure_of(true_report(World(**{**vars(world), "documents": 0}), names), name).value
        return Said(holds=holds(figure.interval, truth), trusted=figure.trusted)

    return simulate


FEW, MORE, THREE = World(documents=15), World(documents=30), World(documents=30, coders=3)
CLOSE = World(documents=30, spans=4, slip=0.08)
RARE = World(documents=30, labels="PPPPPPPQR")
FIGURES = (
    *((FEW, name) for name in ("alpha_u", "f1_exact", "f1_exact of P", "precision", "recall", "share about labels")),
    *((MORE, name) for name in ("alpha_u", "alpha_u of P", "u_alpha", "cu_alpha", "token_kappa", "f1_exact")),
    *((MORE, name) for name in ("f1_overlap", "f1_overlap of P", "precision", "recall", "share about labels")),
    *((THREE, name) for name in ("alpha_u", "f1_exact", "share about labels")),
    *((CLOSE, name) for name in ("f1_exact", "alpha_u", "share about labels")),
    *((RARE, name) for name in ("f1_exact of Q", "alpha_u of Q")),
    *((world, name) for world in (FEW, MORE) for name in ALIGNED),
)


def described(world: World) -> str:
    """The world in words."""
    parts = f"{world.documents} documents, {world.coders} coders, {world.spans} spans, slips {world.slip:g}"
    return f"{parts}, labels {world.labels}"


SETTINGS: tuple[Setting, ...] = tuple(
    Setting(room=ROOM, statistic=name, where=described(world), simulate=covered(world, name)) for world, name in FIGURES
)
