"""Agreement: cost against the bare counting it rests on, and against peers."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.rows import LEFT_OUT, Row, best_times, peer_installed
from concurrence import Labels, agree, true_agreement

AREA = "agreement"
IRRCAC = Path(__file__).parents[1] / ".venv-irrcac"
MANY, ITEMS, PEER_ITEMS, VALUES = 1_000_000, 100_000, 1_000, 500_000
CROWD = (44_682, 228, 441)
TABLES = (([[123, 23], [33, 676]], 0.05), ([[300_000, 60_000], [40_000, 600_000]], 0.5))
ENVIRONMENTS = True  # make one for irrCAC where there is none
QUICK = {
    "MANY": 2_000,
    "ITEMS": 1_000,
    "PEER_ITEMS": 50,
    "VALUES": 1_000,
    "CROWD": (500, 20, 41),
    "TABLES": TABLES[:1],
    "ENVIRONMENTS": False,
}


def run() -> list[Row]:
    return [*cohen(), *alpha(), *fleiss(), *many_categories(), *many_values(), *dual_model(), *slow_peers(), *irrcac()]


def labels_of(codes: np.ndarray, n_categories: int) -> Labels:
    names = tuple(str(k) for k in range(n_categories))
    coders = tuple(f"c{c}" for c in range(codes.shape[1]))
    return Labels(codes=codes.astype(np.int32), categories=names, coders=coders)


def simulate_codes(n_items: int, n_coders: int, n_categories: int, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    """Coders who know the answer seven times out of ten and guess otherwise."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_categories, size=(n_items, 1))
    guesses = rng.integers(0, n_categories, size=(n_items, n_coders))
    codes = np.where(rng.random((n_items, n_coders)) < 0.7, truth, guesses)
    return np.where(rng.random((n_items, n_coders)) < missing, -1, codes)


def compare_times(
    work: str,
    peer: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    limit: float | None = None,
    rounds: int = 5,
) -> Row:
    ours()
    one, other = best_times(ours, theirs, rounds=rounds)
    return Row(area=AREA, work=work, quantity="CPU s", ours=one, peer=peer, against=other, limit=limit)


def cohen() -> list[Row]:
    k, codes = 5, simulate_codes(MANY, 2, 5)
    labels, (a, b) = labels_of(codes, k), np.ascontiguousarray(codes.T)
    ours = partial(agree, labels, coefficients=["cohen_kappa"])
    work = f"Cohen's kappa with errors, 2 coders x {MANY:,} items"
    rows = [compare_times(work, "np.bincount(a*k + b)", ours, lambda: np.bincount(a * k + b), limit=5)]
    if peer_installed(AREA, "sklearn"):
        from sklearn.metrics import cohen_kappa_score

        rows.append(compare_times(work, "scikit-learn", ours, lambda: cohen_kappa_score(a, b), rounds=2))
    if peer_installed(AREA, "statsmodels"):
        from statsmodels.stats.inter_rater import cohens_kappa

        table = partial(np.bincount, minlength=k * k)
        rows.append(compare_times(work, "statsmodels", ours, lambda: cohens_kappa(table(a * k + b).reshape(k, k))))
    return rows


def count_matrix(codes: np.ndarray, k: int) -> Callable[[], np.ndarray]:
    items, coders = np.nonzero(codes >= 0)
    labels = codes[items, coders]
    return lambda: np.bincount(items * k + labels, minlength=len(codes) * k).reshape(len(codes), k)


def alpha() -> list[Row]:
    k, codes = 5, simulate_codes(ITEMS, 5, 5, missing=0.2)
    labels, build = labels_of(codes, k), count_matrix(codes, k)
    rows = []
    for scale in ("nominal", "ordinal"):
        ours = partial(agree, labels, scale=scale, coefficients=["krippendorff_alpha"])
        work = f"{scale} alpha with its error, 5 coders x {ITEMS:,} items, 20 % missing"
        rows.append(compare_times(work, "items x categories by np.bincount", ours, build, limit=3))
        if peer_installed(AREA, "krippendorff"):
            import krippendorff

            theirs = partial(krippendorff.alpha, value_counts=build(), level_of_measurement=scale)
            rows.append(compare_times(work, "krippendorff, counts given", ours, theirs, rounds=2))
    return rows


def fleiss() -> list[Row]:
    k, codes = 5, simulate_codes(ITEMS, 10, 5)
    labels, build = labels_of(codes, k), count_matrix(codes, k)
    ours = partial(agree, labels, coefficients=["fleiss_kappa"])
    work = f"Fleiss's kappa with its errors, 10 coders x {ITEMS:,} items"
    rows = [compare_times(work, "items x categories by np.bincount", ours, build, limit=3)]
    if peer_installed(AREA, "statsmodels"):
        from statsmodels.stats.inter_rater import fleiss_kappa

        rows.append(compare_times(work, "statsmodels, from the labels", ours, lambda: fleiss_kappa(build())))
    return rows


def many_categories() -> list[Row]:
    """Very many coders and categories, 89 % missing: time here, memory in a process of its own."""
    items, coders, k = CROWD
    labels = labels_of(sparse_codes(*CROWD), k)
    rows = []
    for scale in ("nominal", "ordinal"):
        seconds = cpu(partial(agree, labels, scale=scale, coefficients=["krippendorff_alpha"]))
        work = f"{scale} alpha, {k} categories x {items:,} items x {coders} coders, 89 % missing"
        rows.append(Row(area=AREA, work=work, quantity="CPU s", ours=seconds, peer="2 s", against=2.0, limit=1))
    rows.append(peak("the same, memory beyond the labels", alpha_of_many_categories, CROWD, 1000.0))
    pairs = cpu(partial(agree, labels, coefficients=["mean_pairwise_kappa"]))
    work = f"Cohen's kappa of all {coders * (coders - 1) // 2:,} pairs of the {coders} coders"
    return [*rows, Row(area=AREA, work=work, quantity="CPU s", ours=pairs, peer="2 s", against=2.0)]


def sparse_codes(items: int, coders: int, categories: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    codes = np.full((items, coders), -1)
    has_label = rng.random(codes.shape) < 0.11
    codes[has_label] = rng.zipf(1.3, has_label.sum()) % categories
    return codes


def many_values() -> list[Row]:
    half_labels, all_labels = real_labels(VALUES // 2), real_labels(VALUES)
    ours = [
        partial(agree, labels, scale="interval", coefficients=["krippendorff_alpha"])
        for labels in (half_labels, all_labels)
    ]
    small, large = best_times(*ours, rounds=3)
    work = f"interval alpha of {2 * VALUES:,} distinct real values"
    return [
        Row(area=AREA, work=work, quantity="CPU s", ours=large, peer="half as many", against=small, limit=3),
        peak(f"{work}, memory beyond the labels", alpha_of_many_values, (VALUES,), 500.0),
        peak("all coefficients of these, memory beyond the labels", all_of_many_values, (VALUES,), 1000.0),
    ]


def real_labels(n_items: int) -> Labels:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, 2))
    distinct, codes = np.unique(values, return_inverse=True)
    names = tuple(map(repr, distinct.tolist()))
    return Labels(codes=codes.reshape(-1, 2).astype(np.int32), categories=names, coders=("a", "b"))


def dual_model() -> list[Row]:
    true_agreement([[40, 15], [20, 25]])
    rows = []
    for table, limit in TABLES:
        seconds = min(cpu(partial(true_agreement, table)) for _ in range(3))
        work = f"true agreement, three intervals, n = {np.sum(table):,}"
        rows.append(
            Row(area=AREA, work=work, quantity="CPU s", ours=seconds, peer=f"{limit} s", against=limit, limit=1)
        )
    return rows


def slow_peers() -> list[Row]:
    if not peer_installed(AREA, "nltk"):
        return []
    from nltk.metrics.agreement import AnnotationTask

    codes = simulate_codes(PEER_ITEMS, 4, 5)
    labels = labels_of(codes, 5)
    triples = [(c, i, int(codes[i, c])) for i in range(codes.shape[0]) for c in range(codes.shape[1])]
    ours = partial(agree, labels, coefficients=["krippendorff_alpha"])
    return [
        compare_times(
            f"alpha, 4 coders x {PEER_ITEMS:,} items",
            "NLTK",
            ours,
            lambda: AnnotationTask(data=triples).alpha(),
            rounds=1,
        ),
        compare_times(
            f"mean pairwise kappa, 4 coders x {PEER_ITEMS:,} items",
            "NLTK",
            partial(agree, labels, coefficients=["mean_pairwise_kappa"]),
            lambda: AnnotationTask(data=triples).kappa(),
            rounds=1,
        ),
    ]


IRRCAC_SCRIPT = """
import json, sys, time
import numpy as np, pandas as pd
from irrCAC.raw import CAC
codes = np.load(sys.argv[1]).astype(float)
codes[codes < 0] = np.nan
frame = pd.DataFrame(codes)
seconds = {}
for name in ("gwet", "fleiss", "krippendorff"):
    start = time.process_time()
    getattr(CAC(frame), name)()
    seconds[name] = time.process_time() - start
print(json.dumps(seconds))
"""


def irrcac() -> list[Row]:
    """In an environment of its own, since it pins an old scipy; made on first use."""
    codes = simulate_codes(PEER_ITEMS, 4, 5, missing=0.1)
    seconds = irrcac_seconds(codes)
    if isinstance(seconds, str):
        LEFT_OUT.append(f"{AREA}: irrCAC, {seconds}")
        return []
    labels = labels_of(codes, 5)
    names = {"gwet": "gwet_ac1", "fleiss": "fleiss_kappa", "krippendorff": "krippendorff_alpha"}
    rows = []
    for peer, name in names.items():
        ours = min(cpu(partial(agree, labels, coefficients=[name])) for _ in range(3))
        work = f"{name} with its error, 4 coders x {PEER_ITEMS:,} items, 10 % missing"
        rows.append(Row(area=AREA, work=work, quantity="CPU s", ours=ours, peer="irrCAC", against=seconds[peer]))
    return rows


def irrcac_seconds(codes: np.ndarray) -> dict[str, float] | str:
    """What irrCAC takes, or why it cannot be asked."""
    from tempfile import TemporaryDirectory

    python = IRRCAC / "bin" / "python"
    if not (IRRCAC / ".ready").exists():
        if not ENVIRONMENTS:
            return "which has no environment yet"
        for command in (
            [sys.executable, "-m", "venv", str(IRRCAC)],
            [str(python), "-m", "pip", "install", "-q", "irrCAC"],
        ):
            process = subprocess.run(command, capture_output=True, text=True, check=False)
            if process.returncode:
                return f"its environment cannot be made ({(process.stderr.strip().splitlines() or ['no reason'])[-1]})"
        (IRRCAC / ".ready").touch()
    with TemporaryDirectory() as folder:
        data = Path(folder) / "codes.npy"
        np.save(data, codes)
        process = subprocess.run(
            [str(python), "-W", "ignore", "-c", IRRCAC_SCRIPT, str(data)], capture_output=True, text=True, check=False
        )
    if process.returncode:
        return f"it fails ({(process.stderr.strip().splitlines() or ['no reason'])[-1]})"
    seconds: dict[str, float] = json.loads(process.stdout)
    return seconds


def cpu(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start


def peak(work: str, function: Callable[..., float], sizes: tuple[int, ...], limit: float) -> Row:
    """Memory that a function takes beyond its labels, in a process of its own."""
    script = f"import benchmarks.agreement as b; print(b.{function.__name__}{sizes!r})"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    megabytes = float(process.stdout)
    return Row(area=AREA, work=work, quantity="MB", ours=megabytes, peer=f"{limit:g} MB", against=limit, limit=1)


def alpha_of_many_categories(items: int, coders: int, categories: int) -> float:
    labels = labels_of(sparse_codes(items, coders, categories), categories)
    return peak_megabytes(partial(agree, labels, scale="ordinal", coefficients=["krippendorff_alpha"]))


def alpha_of_many_values(items: int) -> float:
    return peak_megabytes(partial(agree, real_labels(items), scale="interval", coefficients=["krippendorff_alpha"]))


def all_of_many_values(items: int) -> float:
    return peak_megabytes(partial(agree, real_labels(items), scale="interval"))


def peak_megabytes(work: Callable[[], Any]) -> float:
    """The most memory that a work holds at a time, in megabytes."""
    import tracemalloc

    tracemalloc.start()
    work()
    return tracemalloc.get_traced_memory()[1] / 1e6
