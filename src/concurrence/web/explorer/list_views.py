"""What is shown of a list: its rows, its precision, difference sets, and what ties leave open. Plain values out."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import YES
from concurrence.core.values import to_json
from concurrence.web.explorer.lists import NAMES, VERDICTS, ExplorerList

MOST_TIED = 400
MOST_POINTS = 1200

Rows = NDArray[Any]


def rows_view(
    explored: ExplorerList, measure: str, n: int, *, only: str, find: str, offset: int, limit: int
) -> dict[str, Any]:
    """One page of an n-best list, with what people said of each candidate."""
    explored.size(n)
    rows, total = _page(explored, measure, n, only=only, find=find, offset=offset, limit=limit)
    return {
        "measure": measure,
        "n": n,
        "total": total,
        "counts": explored.counts(measure, n),
        "rows": described(explored, rows, explored.best(measure).ranks[rows], measure),
        "tie": tie_at(explored, measure, n),
    }


def _page(
    explored: ExplorerList, measure: str, n: int, *, only: str, find: str, offset: int, limit: int
) -> tuple[Rows, int]:
    """The rows of a page, and how many there are on all; nothing is looked at that lies far behind the page."""
    if only != "all" and only not in VERDICTS:
        raise InvalidInputError("The rows to show are all, true, false or unjudged.")
    if find:
        rows = explored.within(measure, n, explored.holding(find))
        rows = rows if only == "all" else rows[explored.verdicts(rows) == VERDICTS[only]]
        return rows[offset : offset + limit], len(rows)
    if only in ("true", "false"):
        rows = explored.within(measure, n, explored.judged[explored.verdicts(explored.judged) == VERDICTS[only]])
        return rows[offset : offset + limit], len(rows)
    first = explored.first(measure, n)
    if only == "all":
        return first[offset : offset + limit], n
    unjudged = explored.counts(measure, n)["unjudged"]
    rows = first[: offset + limit + n - unjudged]
    return rows[explored.verdicts(rows) == VERDICTS[only]][offset : offset + limit], unjudged


def counts(explored: ExplorerList, rows: Rows) -> dict[str, int]:
    """How many of some candidates are true, false, and not judged."""
    verdicts = explored.verdicts(rows)
    return {name: int(np.count_nonzero(verdicts == code)) for name, code in VERDICTS.items()}


def described(explored: ExplorerList, rows: Rows, ranks: Rows | None, measure: str) -> list[dict[str, Any]]:
    """Candidates with their words, scores and verdicts."""
    part = explored.table[rows.tolist()]
    verdicts = explored.verdicts(rows)
    columns = {name: _scores(part, name) for name in explored.measures}
    frequency = part["f"].to_list() if "f" in part.columns else [None] * len(part)
    words = list(zip(*(part[name].to_list() for name in explored.key), strict=True))
    return [
        {
            "rank": None if ranks is None else int(ranks[k]),
            "words": list(words[k]),
            "f": frequency[k],
            "score": columns[measure][k],
            "scores": {name: column[k] for name, column in columns.items()},
            "verdict": NAMES[int(verdicts[k])],
        }
        for k in range(len(part))
    ]


def _scores(part: pl.DataFrame, name: str) -> list[Any]:
    scores: list[Any] = to_json(part[name].cast(pl.Float64).fill_null(float("nan")).to_numpy())
    return scores


def tie_at(explored: ExplorerList, measure: str, n: int) -> dict[str, Any] | None:
    """The run of equal scores that a list size cuts; none where it cuts none."""
    inner, outer = (int(end[0]) for end in explored.best(measure).run_of(np.array([n])))
    if outer == n:
        return None
    return {"inner": inner, "outer": outer, "places": n - inner, "size": outer - inner}


def tied_view(explored: ExplorerList, measure: str, n: int, *, draw: int) -> dict[str, Any]:
    """The candidates of a run that n cuts: who is in the list now, and who would be by another order of the run."""
    tie = tie_at(explored, measure, explored.size(n))
    if tie is None:
        return {"tie": None, "counts": None, "rows": [], "changed": 0}
    rows = explored.best(measure).best_first[tie["inner"] : tie["outer"]]
    other = np.random.default_rng([explored.seed, draw, tie["inner"]]).permutation(len(rows))[: tie["places"]]
    inside = np.zeros(len(rows), dtype=np.bool_)
    inside[other] = True
    now = np.arange(len(rows)) < tie["places"]
    views = described(explored, rows[:MOST_TIED], None, measure)
    for k, row in enumerate(views):
        row |= {"now": bool(now[k]), "other": bool(inside[k])}
    before = explored.counts(measure, tie["inner"])["true"]
    true = explored.verdicts(rows) == YES
    return {
        "tie": tie,
        "score": views[0]["score"],
        "counts": counts(explored, rows),
        "true_now": before + int((true & now).sum()),
        "true_other": before + int((true & inside).sum()),
        "changed": int((now & ~inside).sum()),
        "rows": views,
    }


def difference_view(
    explored: ExplorerList, a: str, b: str, n: int, *, side: str, only: str, offset: int, limit: int
) -> dict[str, Any]:
    """The two difference sets of a pair of measures, one of them with its candidates, and the test at this size."""
    if a == b:
        raise InvalidInputError("A measure does not differ from itself; choose two.")
    sets = {"a": explored.difference(a, b, n), "b": explored.difference(b, a, n)}
    if side not in sets:
        raise InvalidInputError("The side of a difference is a or b.")
    rows = sets[side]
    rows = rows if only == "all" else rows[explored.verdicts(rows) == VERDICTS[only]]
    measure = a if side == "a" else b
    return {
        "a": a,
        "b": b,
        "n": n,
        "side": side,
        "overlap": n - len(sets["a"]),
        "sizes": {name: len(rows_of_set) for name, rows_of_set in sets.items()},
        "counts": {name: counts(explored, rows_of_set) for name, rows_of_set in sets.items()},
        "cut": any(tie_at(explored, name, n) is not None for name in (a, b)),
        "total": len(rows),
        "rows": described(explored, rows[offset : offset + limit], None, measure),
        "test": _test(explored, a, b, n),
    }


def _test(explored: ExplorerList, a: str, b: str, n: int) -> dict[str, Any] | None:
    """What the evaluation says of two measures at a list size that it looked at."""
    for one in explored.evaluation.comparisons if explored.evaluation is not None else ():
        if {one.a, one.b} == {a, b}:
            at = np.flatnonzero(one.n == n)
            if not len(at):
                return None
            k = int(at[0])
            return {"p": to_json(one.p[k]), "better": one.better[k], "sentence": one.sentence.text}
    return None


def evaluation_view(explored: ExplorerList) -> dict[str, Any] | None:
    """The curves of all measures, the baseline, and what can be said of them."""
    evaluation = explored.evaluation
    if evaluation is None:
        return None
    names = ("n", "precision", "low", "high", "sampled", "true_positives", "recall")
    return {
        "data": to_json(evaluation.data),
        "method": to_json(evaluation.method),
        "baseline": {
            "value": to_json(evaluation.baseline.value),
            "interval": to_json(evaluation.baseline.interval),
            "note": evaluation.baseline.note,
        },
        "measures": {
            name: {column: to_json(getattr(curve, column)) for column in names}
            for name, curve in evaluation.measures.items()
        },
        "best": to_json(evaluation.best),
        "sentences": [{"code": one.code, "text": one.text} for one in evaluation.sentences if not one.warning],
        "warnings": [{"code": one.code, "text": one.text} for one in evaluation.warnings],
    }


def points_view(explored: ExplorerList, measure: str, n: int) -> dict[str, Any]:
    """Frequency against score of the candidates of an n-best list, or of so many of them, evenly by rank."""
    first = explored.first(measure, n)
    places = np.unique(np.linspace(0, len(first) - 1, min(len(first), MOST_POINTS)).astype(np.int64))
    rows = first[places]
    part = explored.table[rows.tolist()]
    if "f" not in part.columns:
        return {"points": [], "shown": 0, "of": n}
    words = [" ".join(row) for row in part.select(explored.key).iter_rows()]
    scores = _scores(part, measure)
    frequency = part["f"].to_list()
    verdicts = [NAMES[int(code)] for code in explored.verdicts(rows)]
    points = [list(row) for row in zip(words, frequency, scores, verdicts, strict=True)]
    return {"points": points, "shown": len(points), "of": n}
