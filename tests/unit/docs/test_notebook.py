"""The worked notebooks run, their results show themselves, and no output is kept in the files."""

import ast
import contextlib
import json
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[3] / "docs" / "notebooks"
# what a reader must find in each result, in the order of the cells
SHOWN = {
    "agreement": (
        "Cohen",
        "homogeneity",
        "between model and the humans",
        "Too few items for a verdict",
        "is right most often",
        "knows the answer most often",
        "222 items",
        "coin | go move",
        "Of 2 left and 2 right sentences, 1 matched exactly",
        "6 pairs by the rule adjacent",
        "3 of 6 candidates",
        "Shown to be worse than another at some: poor",
        "To separate A from B at n = 500",
        "6,233",
    ),
    "paper": ("positive", "0.695", "krippendorff_alpha"),
    "collocates": ("strong occurs 9 times; ", "own", "review.txt", "3 documents", "logDice"),
    "judge": (
        "ann",
        "between good and the humans",
        "between poor and the humans",
        "Too few items for a verdict",
        "1,000 candidates",
    ),
    "measures": ("log_likelihood", "88 candidates", "Not shown to be worse than any other"),
}


def cells_of(name):
    book = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def pages_here(name, folder):
    """The pages that a notebook would show for the last line of each cell; it is run in this process."""
    names, pages = {"__name__": "__main__"}, []
    for source in cells_of(name):
        cell = ast.parse(source)
        last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
        with contextlib.chdir(folder):
            exec(compile(cell, name, "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), names)
            if hasattr(value, "_repr_html_"):
                pages.append(value._repr_html_())
    return pages


def pages_of_kernel(name, folder):
    """The pages that Jupyter's own kernel gives back."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    where = {"metadata": {"path": str(folder)}}
    done = nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in done.cells for output in cell.get("outputs", ())]
    return [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]


@pytest.mark.parametrize("name", SHOWN)
def test_every_result_shows_itself(name, tmp_path):
    pages = pages_here(name, tmp_path)
    assert [words for words, page in zip(SHOWN[name], pages, strict=True) if words not in page] == []
    assert name != "agreement" or ">.286</td>" in pages[0]


@pytest.mark.filterwarnings("ignore")  # the libraries of the kernel are not ours to mend
@pytest.mark.thorough
def test_a_kernel_shows_what_is_shown_here(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    pages = pages_of_kernel("paper", there)
    assert [words for words, page in zip(SHOWN["paper"], pages, strict=True) if words not in page] == []
    assert len(pages) == len(pages_here("paper", here))


def test_no_notebook_is_left_out_and_no_output_is_kept():
    assert sorted(SHOWN) == sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb"))
    page = (NOTEBOOKS.parent / "notebooks.md").read_text("utf-8")
    for file in NOTEBOOKS.glob("*.ipynb"):
        assert '"execution_count": null' in file.read_text("utf-8")
        assert '"output_type"' not in file.read_text("utf-8")
        assert f"(notebooks/{file.name})" in page
        assert f"\n_generated/notebook-{file.stem}\n" in page
