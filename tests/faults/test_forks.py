"""Worker processes that were forked say what is wrong with them, instead of waiting forever."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="forks only where they are usual")

START = """
    import multiprocessing, sys
    import polars as pl
    import concurrence

    frame = pl.DataFrame({"item": [1, 2, 3, 4], "ann": list("ynyn"), "bob": list("ynnn")})

    def kappa(_):
        return concurrence.agree(frame, shape="wide")["cohen_kappa"].value

    if __name__ == "__main__":
"""


def run(folder, *lines):
    """What a script that starts in this way leaves behind; one that waits forever is a failure after ten minutes."""
    script = folder / "study.py"
    script.write_text(textwrap.dedent(START) + "".join(f"    {line}\n" for line in lines))
    return subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600, check=False)


def pool(kind):
    return f"with multiprocessing.get_context({kind!r}).Pool(2) as workers: print(workers.map(kappa, range(2)))"


@pytest.mark.parametrize("before", ["kappa(0)", "frame.filter(pl.col('item') > 1)"], ids=["a verb", "polars itself"])
def test_a_fork_of_a_process_that_has_computed_is_refused(before, tmp_path):
    done = run(tmp_path, before, pool("fork"))
    last = done.stderr.strip().splitlines()[-1]
    assert "InvalidInputError: This process was forked after polars had started its threads" in last
    assert 'multiprocessing.get_context("spawn")' in last


@pytest.mark.parametrize(("before", "kind"), [("pass", "fork"), ("kappa(0)", "spawn")])
def test_other_workers_compute(before, kind, tmp_path):
    assert run(tmp_path, before, pool(kind)).stdout == "[0.5, 0.5]\n"


EVERY_EXAMPLE = """
    import doctest, inspect, os
    from concurrence.core.errors import InvalidInputError

    verbs = [verb for name in concurrence.__all__ if inspect.isfunction(verb := getattr(concurrence, name))]
    names = {verb: dict(inspect.unwrap(verb).__globals__) for verb in verbs}
    tests = [test for verb in verbs for test in doctest.DocTestFinder().find(verb, globs=names[verb])]
    kappa(0)
    for test in (test for test in tests if test.examples):
        first = next(place for place, example in enumerate(test.examples) if f"{test.name}(" in example.source)
        exec("".join(example.source for example in test.examples[:first]), test.globs)  # its frames come from here
        test.examples = test.examples[first:]
        if (child := os.fork()) == 0:
            said = []
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            failed = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append).failed
            refused = "InvalidInputError: This process was forked" in "".join(said)
            print(test.name, "refused" if refused else "failed" if failed else "computed", flush=True)
            os._exit(0)
        os.waitpid(child, 0)
"""


def test_every_verb_computes_or_refuses_in_a_fork(tmp_path):
    done = run(tmp_path, *textwrap.dedent(EVERY_EXAMPLE).strip().splitlines())
    ends = dict(line.split() for line in done.stdout.splitlines())
    assert {ends["agree"], ends["plan_looks"]} == {"computed"}  # on lists and numbers alone
    assert {ends[name] for name in ("count_pairs", "evaluate", "judge", "read_labels")} == {"refused"}
    assert "failed" not in ends.values(), ends
