"""``python -m benchmarks [AREA …]``: run the benchmarks, write one page, fail where a promise is missed.

An area is a module here with a function ``run() -> list[Row]``.
"""

import pkgutil
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.page import write_page
from benchmarks.rows import Row, save

SUPPORT = {"rows", "page", "__main__"}


def areas() -> list[str]:
    return sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name not in SUPPORT)


def show(row: Row) -> str:
    promise = "" if row.limit is None else f"  {row.limit_is} {row.limit:g}: {'kept' if row.kept else 'MISSED'}"
    sides = f"{row.ours:.4g} against {row.against:.4g} ({row.peer})"
    return f"{row.area}: {row.work}: {sides} {row.quantity}, ratio {row.ratio:.3g}{promise}"


def main(wanted: list[str]) -> int:
    missed = 0
    for area in wanted or areas():
        rows = import_module(f"benchmarks.{area}").run()
        save(area, rows)
        for row in rows:
            print(show(row), flush=True)
        missed += sum(not row.kept for row in rows)
    print(f"{missed} promises missed; the page: {write_page()}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
