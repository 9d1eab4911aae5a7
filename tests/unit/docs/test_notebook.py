"""The worked notebook runs, its results show themselves, and no output is kept in the file."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs" / "notebooks" / "agreement.ipynb"
# what a reader must find in each result, in the order of the cells
SHOWN = (
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
)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(NOTEBOOK, as_version=4)
    where = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    return nbclient.NotebookClient(book, timeout=240, kernel_name="python3", resources=where).execute()


@pytest.mark.filterwarnings("ignore")  # the notebook's own libraries are not ours to mend
def test_every_result_shows_itself(executed):
    pages = [
        output["data"]["text/html"]
        for cell in executed.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert [words for words, page in zip(SHOWN, pages, strict=True) if words not in page] == []
    assert "<td>.286</td>" in pages[0]


def test_no_output_is_kept():
    assert '"execution_count": null' in NOTEBOOK.read_text("utf-8")
    assert '"output_type"' not in NOTEBOOK.read_text("utf-8")
