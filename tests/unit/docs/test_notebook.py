"""The worked notebook runs, its results show themselves, and no output is kept in the file."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs" / "notebooks" / "agreement.ipynb"


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
    assert len(pages) == 4
    assert "Cohen" in pages[0]
    assert "<td>0.286</td>" in pages[0]
    assert "homogeneity" in pages[1]
    assert "coin | go move" in pages[2]
    assert "good is significantly better than poor" in pages[3]


def test_no_output_is_kept():
    assert '"execution_count": null' in NOTEBOOK.read_text("utf-8")
    assert '"output_type"' not in NOTEBOOK.read_text("utf-8")
