"""``python -m benchmarks [--quick] [AREA …]``: run the benchmarks, print one table, fail where a promise is missed.

An area is a module here with a function ``run() -> list[Row]`` and ``QUICK``, the smallest value of every constant that
says how much is done. ``--quick`` runs every area with these values: it shows that all of them run, promises nothing
and keeps nothing. An area that fails is told as such, and the others go on.
"""

import pkgutil
import sys
import traceback
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from types import ModuleType

from benchmarks.page import write_page
from benchmarks.rows import LEFT_OUT, Outcome, save
from benchmarks.table import text_table, write_table

SUPPORT = {"rows", "page", "table", "__main__"}


def areas() -> list[str]:
    """The names of all areas."""
    return sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name not in SUPPORT)


def shrink(module: ModuleType) -> None:
    """Give the constants of a module the values that it names in ``QUICK``."""
    for name, value in module.QUICK.items():
        if not hasattr(module, name):
            raise AttributeError(f"{module.__name__}.QUICK names {name!r}, which the module does not have.")
        setattr(module, name, value)


def shrink_all() -> None:
    """Shrink every area before any runs, since areas take work from each other."""
    for name in ("rows", *areas()):
        try:
            module = import_module(f"benchmarks.{name}")
        except ImportError:
            continue  # told when the area is run
        shrink(module)


def run_area(area: str) -> Outcome:
    """The rows of an area, or why there are none."""
    start, cpu_start = perf_counter(), cpu_seconds()
    try:
        rows, error = import_module(f"benchmarks.{area}").run(), None
    except Exception as failure:  # whatever it is, the other areas go on
        traceback.print_exc()
        rows, error = [], f"{type(failure).__name__}: {failure}".splitlines()[0]
    return Outcome(
        area=area, rows=tuple(rows), error=error, seconds=perf_counter() - start, cpu=cpu_seconds() - cpu_start
    )


def cpu_seconds() -> float:
    """What this process and all that it started have used."""
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def main(arguments: list[str]) -> int:
    """Run the areas, print the table, and give the exit code."""
    quick = "--quick" in arguments
    names = [name for name in arguments if name != "--quick"] or areas()
    if unknown := [name for name in names if name not in areas()]:
        print(f"There is no area {unknown[0]!r}. Known areas: {', '.join(areas())}.", file=sys.stderr)
        return 2
    if quick:
        shrink_all()
    outcomes = []
    for area in names:
        outcomes.append(run_area(area))
        print(f"{area}: {outcomes[-1].seconds:.1f} s, {outcomes[-1].cpu:.1f} s of CPU", flush=True)
        if not quick:
            save(outcomes[-1])
    print(text_table(outcomes, promises=not quick))
    for line in dict.fromkeys(LEFT_OUT):
        print(f"Left out: {line}")
    failed = [outcome.area for outcome in outcomes if outcome.error]
    n_missed = 0 if quick else sum(not row.holds for outcome in outcomes for row in outcome.rows)
    if not quick:
        print(f"{n_missed} promises missed; the table: {write_table().name}; the page: {write_page().name}")
    if failed:
        print(f"Failed: {', '.join(failed)}")
    return 1 if failed or n_missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
