"""Uploaded tables are on the disk as long as the server, whether or not somebody closes it."""

import gc
import os
import subprocess
import sys

from concurrence.web.desk.drafts import PREFIX, Drafts


def test_an_uploaded_table_goes_with_the_drafts():
    drafts = Drafts()
    folder = drafts.folder
    (folder / "table.csv").write_text("id,text\n", "utf-8")
    del drafts
    gc.collect()
    assert not folder.exists()


def test_closed_drafts_take_their_folder_along():
    drafts = Drafts()
    folder = drafts.folder
    drafts.close()
    assert not folder.exists()
    assert drafts.folder != folder


def test_folders_of_killed_servers_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for process in (ended.pid, os.getpid()):
        (tmp_path / f"{PREFIX}{process}-x").mkdir()
    (tmp_path / "other").mkdir()
    drafts = Drafts()
    folder = drafts.folder
    assert {path.name for path in tmp_path.iterdir()} == {f"{PREFIX}{os.getpid()}-x", "other", folder.name}
