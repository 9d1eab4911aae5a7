"""Indexes on disk: one folder of data at a time, wherever it is named from."""

import tempfile
from pathlib import Path

import pytest

from concurrence.core.corpus import Corpus
from concurrence.corpus.index import open_index
from concurrence.corpus.index_writer import append_to_index, write_index

ROSES = Corpus.from_sentences([["a", "red", "rose"]])


@pytest.mark.parametrize("place", ["index", "./below/index", "../index"])
def test_an_index_is_whole_where_its_folder_is_named_from_here(place, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    make = tempfile.mkdtemp  # whose path begins at the root from Python 3.12 on
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **options: str(Path(make(**options)).absolute()))
    write_index(ROSES, place)
    append_to_index(ROSES, place)
    assert len(list(Path(place).glob("data-*"))) == 1  # the one before has gone
    assert open_index(place, check=True).n_tokens == 6
