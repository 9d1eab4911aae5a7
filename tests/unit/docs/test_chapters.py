"""The commands of the pages in depth run too, on files such as the pages speak of.

These pages go on with files of the reader's own. Here each block starts in a folder that has them.
"""

import re
from pathlib import Path

import pytest

from support.console import BLOCK, Shell, parse_commands

DOCS = Path(__file__).parents[3] / "docs"
RUN_ELSEWHERE = {
    "concur serve": "tests of the web app start it",
    "python -m benchmarks.designs docs/sampling-designs.md": "takes minutes; makes the table of the page",
}
ANSWERED = {"concur campaign delete verbs": "concur campaign delete verbs --yes"}  # asks where there is a terminal
CAMPAIGN = """
[[question]]
id = "collocation"
text = "Is this a collocation?"
choices = ["yes", "no"]
"""
TREE = """# sent_id = 1
1\tEr\ter\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tstellt\tstellen\tVERB\t_\t_\t0\troot\t_\t_
3\talles\talles\tPRON\t_\t_\t2\tobj\t_\t_
4\tin\tin\tADP\t_\t_\t5\tcase\t_\t_
5\tFrage\tFrage\tNOUN\t_\t_\t2\tobl\t_\t_

"""


def candidates(folder):
    rows = [f"w{n},x,{6000 - n},{(n * 7919) % 6007}" for n in range(6000)]
    scores = [f"{row},{(n * 104729) % 5987}" for n, row in enumerate(rows)]
    (folder / "scored.csv").write_text("l1,l2,t_score,log_likelihood,MI\n" + "\n".join(scores) + "\n", "utf-8")
    judged = [f"w{n},x,{int(n % 3 == 0)}" for n in range(6000)]
    (folder / "judged.csv").write_text("l1,l2,tp\n" + "\n".join(judged) + "\n", "utf-8")


def senses(folder):
    labels = [("a", "a"), ("a", "b"), ("b", "a"), ("c", "c"), ("c", "c"), ("b", "b")] * 3
    rows = [f"{n},{who},{label},bank" for n, both in enumerate(labels) for who, label in zip("xy", both, strict=True)]
    (folder / "labels.csv").write_text("item,coder,label,word\n" + "\n".join(rows) + "\n", "utf-8")


def treebank(folder):
    (folder / "gsd.conllu").write_text(TREE * 3, "utf-8")


def campaign(folder):
    text = (DOCS / "campaigns.md").read_text("utf-8")
    (folder / "sample.csv").write_text(re.search(r"```text\n(l1,l2,part.*?)```", text, re.DOTALL)[1], "utf-8")
    (folder / "more.csv").write_text("l1,l2\nred,tape\n", "utf-8")
    (folder / "questions.toml").write_text(CAMPAIGN, "utf-8")
    (folder / "manual.md").write_text("# What counts\n", "utf-8")
    pairs = ("take,walk", "spill,beans", "drink,water", "read,book")
    rows = "\n".join(f"{pair},{4 - n},{n}" for n, pair in enumerate(pairs))
    (folder / "scored.csv").write_text(f"l1,l2,log_likelihood,t_score\n{rows}\n", "utf-8")


MADE = (
    "concur campaign create verbs --items sample.csv --questions questions.toml --coders anna,ben --expert ulla",
    "printf 'l1,l2,label\\ntake,walk,yes\\nspill,beans,yes\\ndrink,water,no\\nread,book,no\\n' > model.csv",
    "concur campaign import verbs model.csv --as labels --coder model",
    "concur campaign import verbs model.csv --as labels --coder other",
)
PAGES = {"campaigns": campaign, "counting": treebank, "difference-sets": candidates, "sampling-designs": candidates,
         "merging-guards": senses}  # fmt: skip
BLOCKS = [
    pytest.param(name, match["body"], id=f"{name}-{at}")
    for name in PAGES
    for at, match in enumerate(BLOCK.finditer((DOCS / f"{name}.md").read_text("utf-8")))
    if "not run" not in (match["mark"] or "")
]


@pytest.mark.parametrize(("name", "body"), BLOCKS)
def test_the_commands_run(name, body, tmp_path):
    shell = Shell(tmp_path)
    PAGES[name](tmp_path)
    begun = "campaign create" in body
    before = MADE if name == "campaigns" and not begun else ()
    lines = [line for line in (*before, *(shown.line for shown in parse_commands(body))) if line not in RUN_ELSEWHERE]
    assert lines or body.removeprefix("$ ").strip() in RUN_ELSEWHERE
    for line in lines:
        done = shell.run(ANSWERED.get(line, line))
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_no_page_with_commands_is_left_out():
    run = {*PAGES, "index", "tutorial", "gallery"}
    for page in [*DOCS.glob("*.md"), *(DOCS / "reference").glob("*.md"), *(DOCS / "explanation").glob("*.md")]:
        unmarked = [
            match for match in BLOCK.finditer(page.read_text("utf-8")) if "not run" not in (match["mark"] or "")
        ]
        assert page.stem in run or not unmarked, page.name
