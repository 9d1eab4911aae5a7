"""The table of all measures, and how a name finds its row."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from concurrence.core.errors import UnknownNameError
from concurrence.core.results import Result
from concurrence.core.values import value
from concurrence.kernels.dispersion import TITLES
from concurrence.measures.effect_size import EFFECT_SIZE
from concurrence.measures.heuristic import HEURISTIC
from concurrence.measures.information import INFORMATION
from concurrence.measures.likelihood import LIKELIHOOD
from concurrence.measures.measure import Measure
from concurrence.measures.significance import SIGNIFICANCE

KINDS = {
    "heuristic": HEURISTIC,
    "significance": SIGNIFICANCE,
    "effect size": EFFECT_SIZE,
    "information": INFORMATION,
    "likelihood": LIKELIHOOD,
}

MEASURES: dict[str, Measure] = {row.name: replace(row, kind=kind) for kind, rows in KINDS.items() for row in rows}

DEFAULT = ("frequency", "t_score", "log_likelihood", "chi_squared", "MI", "dice")


def _plain(name: str) -> str:
    return name.strip().lower().removeprefix("am.").replace(".", "_").replace("-", "_")


def _of_ucs() -> dict[str, Measure]:
    return {_plain(row.ucs): row for row in MEASURES.values() if row.ucs}


def _of_ours() -> dict[str, Measure]:
    return {_plain(known): row for row in MEASURES.values() for known in (*row.aliases, row.name)}


def _set(name: str) -> tuple[str, ...]:
    """The names that ``all``, ``default`` or ``ucs`` stands for; any other name stands for itself."""
    sets = {
        "all": tuple(MEASURES),
        "default": DEFAULT,
        "ucs": tuple(row.name for row in MEASURES.values() if row.ucs),
    }
    return sets.get(name.strip().lower(), (name,))


def find_measure(name: str) -> Measure:
    """The row of a name or alias, whatever the case; ``am.`` before it means UCS's own name.

    >>> find_measure("am.log.likelihood").name, find_measure("LL").name
    ('log_likelihood', 'log_likelihood')
    >>> find_measure("MI").base, find_measure("am.MI").base
    ('2', '10')
    """
    known = _of_ours() | _of_ucs() if name.strip().lower().startswith("am.") else _of_ucs() | _of_ours()
    if _plain(name) not in known:
        raise UnknownNameError("association measure", name, MEASURES)
    return known[_plain(name)]


def titles_of(names: Iterable[str]) -> dict[str, str]:
    """The title of each name that is a measure's, unless another name has it too; every other name is its own.

    >>> titles_of(["t_score", "my_score"])
    {'t_score': 't-score', 'my_score': 'my_score'}
    """
    rows = {name: _of_ucs().get(_plain(name)) if name.startswith("am.") else MEASURES.get(name) for name in names}
    titles = {name: row.title if row else TITLES.get(name, name) for name, row in rows.items()}
    shared = Counter(titles.values())
    return {name: title if shared[title] == 1 else name for name, title in titles.items()}


@value
class MeasureList(Result):
    """Some measures, or all; in JSON each is what is known of it, and comes back by its name."""

    measures: tuple[Measure, ...]

    def __str__(self) -> str:
        return ", ".join(row.name for row in self.measures)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MeasureList":
        return cls(measures=tuple(find_measure(row["name"]) for row in data["measures"]))


def list_measures(name: str | None = None) -> MeasureList:
    """All measures, or the one of a name."""
    return MeasureList(measures=tuple(MEASURES.values()) if name is None else (find_measure(name),))


def find_measures(names: str | Iterable[str]) -> tuple[Measure, ...]:
    """The rows of several names, each once; ``default``, ``all`` and ``ucs`` stand for sets of them."""
    wanted = names.split(",") if isinstance(names, str) else names
    single = (entry for name in wanted for entry in _set(name))
    return tuple({row.name: row for row in map(find_measure, single)}.values())
