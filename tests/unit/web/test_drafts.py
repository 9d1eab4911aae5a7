"""Uploaded tables are on the disk as long as the server, whether or not somebody closes it."""

import gc

from concurrence.web.desk.drafts import Drafts


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
