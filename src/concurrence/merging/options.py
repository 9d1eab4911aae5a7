"""The options of ``merge``: each with its default, its help and the values it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.options import Progress, check_choices, option

if TYPE_CHECKING:  # the command line reads the options and needs no arrays for that
    from concurrence.merging.constraints import ByGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """Merges only inside a subtree of ``tree`` (child to parent), none of ``keep``, and ``together`` at the start."""

    tree: "ByGroup | None" = None
    keep: Sequence[str] = option((), "Categories that are never merged.", kind="names", metavar="A,B")
    together: Sequence[Sequence[str]] = option(
        (), "Merge these first; may be repeated.", kind="names", metavar="A,B", multiple=True
    )

    def check(self, categories: Sequence[str]) -> None:
        """Refuse names that are not categories, contradictions, and hierarchies with cycles."""
        joined = [name for names in self.together for name in names]
        for name in (*self.keep, *joined):
            if name not in categories:
                raise UnknownNameError("category", name, categories)
        for name in self.keep:
            if name in joined:
                raise InvalidInputError(
                    f"The category {name!r} cannot both be kept separate and be merged with others."
                )
        for parents in self.tree.texts.values() if self.tree else ():
            refuse_cycles(parents, self.tree.name if self.tree else "")


def refuse_cycles(parents: Mapping[str, str], name: str) -> None:
    """Refuse a hierarchy in which something is above itself."""
    cleared: set[str] = set()
    for child in parents:
        way = [child]
        while way[-1] in parents and way[-1] not in cleared:
            above = parents[way[-1]]
            if above in way:
                circle = " → ".join([*way[way.index(above) :], above])
                raise InvalidInputError(f"{name} has a cycle: {circle}; nothing can be above itself.")
            way.append(above)
        cleared.update(way)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """What is raised, when the search stops, how its result is tested, and groupings of categories by people.

    ``classes`` are used as they are, without a search; ``reference`` is compared with the outcome. ``progress`` is
    called with how many groups are done, and the total.
    """

    min_kappa: float = option(0.8, "Merge until this value is reached.", kind="number")
    coefficient: str | None = option(
        None, "Coefficient to raise. Default: scott_pi, or fleiss_kappa with more than two coders.", metavar="NAME"
    )
    faithful: bool = option(False, "Merge once before testing, as the printed algorithm does.")
    stop: str = option(
        "threshold",
        "Stop at --min-kappa, or at the best held-out value.",
        choices=("threshold", "heldout"),
        what="rule for stopping",
    )
    guards: bool = option(True, "Skip held-out values and shuffles.", kind="off", flags=("--no-guards",))
    shuffles: int = option(99, "Number of shuffles.", kind="count")
    seed: int = 0
    constraints: Constraints = Constraints()
    classes: "ByGroup | None" = None
    reference: "ByGroup | None" = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if not -1 <= self.min_kappa <= 1:
            raise InvalidInputError(f"The value to reach must lie between -1 and 1, not {self.min_kappa}.")
        check_choices(self)

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn at random."""
        return self.classes is None and (self.guards or self.stop == "heldout")
