"""The worked notebooks run, their results show themselves, and no output is kept in the files."""

from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[3] / "docs" / "notebooks"
# what a reader must find in each result, in the order of the cells
SHOWN = {
    "agreement": (
        "Cohen",
        "homogeneity",
        "between model and the humans",
        "Side a agrees better",
        "is right most often",
        "knows the answer most often",
        "196 items",
        "coin | go move",
        "Of 2 left and 2 right sentences, 1 matched exactly",
        "6 pairs by the rule adjacent",
        "3 of 6 candidates",
        "good is significantly better than poor",
        "To separate A from B at n = 500",
        "5,862",
    ),
    "paper": ("positive", "0.695", "krippendorff_alpha"),
    "collocates": ("strong occurs 9 times; ", "own", "review.txt", "3 documents", "logDice"),
    "judge": (
        "ann",
        "between good and the humans",
        "between poor and the humans",
        "Side a agrees better",
        "1,000 candidates",
    ),
    "measures": ("log_likelihood", "87 candidates", "is significantly better than"),
}


@pytest.mark.filterwarnings("ignore")  # the notebooks' own libraries are not ours to mend
@pytest.mark.parametrize("name", SHOWN)
def test_every_result_shows_itself(name, tmp_path):
    pages = [
        output["data"]["text/html"]
        for cell in executed(NOTEBOOKS / f"{name}.ipynb", tmp_path).cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert [words for words, page in zip(SHOWN[name], pages, strict=True) if words not in page] == []
    assert name != "agreement" or "<td>.286</td>" in pages[0]


def executed(file, folder):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book, where = nbformat.read(file, as_version=4), {"metadata": {"path": str(folder)}}
    return nbclient.NotebookClient(book, timeout=240, kernel_name="python3", resources=where).execute()


def test_no_notebook_is_left_out_and_no_output_is_kept():
    assert sorted(SHOWN) == sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb"))
    page = (NOTEBOOKS.parent / "notebooks.md").read_text("utf-8")
    for file in NOTEBOOKS.glob("*.ipynb"):
        assert '"execution_count": null' in file.read_text("utf-8")
        assert '"output_type"' not in file.read_text("utf-8")
        assert f"(notebooks/{file.name})" in page
        assert f"\n_generated/notebook-{file.stem}\n" in page
