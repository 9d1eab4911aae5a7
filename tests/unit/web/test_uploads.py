"""What is uploaded is read in a process of its own, within bounds; the server and its writer go on."""

import io
import struct
import sys
import threading
import zipfile

import pytest

from concurrence.annotation.campaigns import item_rows as item_rows_module
from concurrence.annotation.campaigns import items as items_module
from concurrence.annotation.database.store import Store
from concurrence.annotation.questions.questionnaire import Questionnaire
from concurrence.core.errors import InvalidInputError
from concurrence.files.tables import formats
from concurrence.web.desk.upload_jobs import MOST_COLUMNS, UploadedFile, check_workbook, read_upload
from concurrence.web.desk.worker import TOO_MUCH, Worker
from support import worker_jobs
from support.desk_requests import at_desk, error, plan, upload

CELL = '<c r="A{row}" t="s"><v>0</v></c>'
PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/><Relationship Id="r2" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" '
    'Target="sharedStrings.xml"/></Relationships>',
}
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def workbook(text, cells):
    """A workbook that holds one text once and shows it in so many cells."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in PARTS.items():
            archive.writestr(name, part)
        archive.writestr("xl/sharedStrings.xml", f"<sst {MAIN}><si><t>{text}</t></si></sst>")
        rows = "".join(f'<row r="{row}">{CELL.format(row=row)}</row>' for row in range(1, cells + 1))
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>")
    return file.getvalue()


def parquet(text, cells):
    """A Parquet file that holds one text once, in a dictionary: its column would fill the memory of the tests."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    file = io.BytesIO()
    column = pa.DictionaryArray.from_arrays(pa.array([0] * cells, pa.int32()), pa.array([text]))
    pq.write_table(pa.table({"text": column}), file, compression="zstd", store_schema=False)
    return file.getvalue()


def falsified(data, name, size):
    """A .zip in which one file is said to have another size."""
    place = data.rindex(name.encode()) - 46  # in the list of contents at the end
    assert data[place : place + 4] == b"PK\x01\x02"
    return data[: place + 24] + struct.pack("<I", size) + data[place + 28 :]


@pytest.fixture
def ada(door):
    return at_desk(door, "ada")


LARGE = "x" * 5_000_000


@pytest.mark.parametrize(("name", "write"), [("a.xlsx", workbook), ("a.parquet", parquet)], ids=["xlsx", "parquet"])
def test_a_small_file_with_a_long_text_in_many_cells_is_refused(door, ada, name, write):
    content = write(LARGE, 2000)
    assert len(content) < 40_000
    told = error(ada.post("/api/desk/tables", params={"name": name}, content=content))
    assert "longer than 20000 characters" in told
    assert upload(ada)["rows"] == 3


def test_a_workbook_is_as_large_as_it_is_and_not_as_it_says(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_bytes(data := workbook("fine", 3))
    check_workbook(path, path)
    path.write_bytes(falsified(data, "xl/worksheets/sheet1.xml", 10))
    with pytest.raises(InvalidInputError, match="too large inside"):
        check_workbook(path, path)


def test_what_is_unpacked_is_counted(tmp_path, monkeypatch):
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook("fine", 3000))
    monkeypatch.setattr("concurrence.web.desk.upload_jobs.UNPACKED", 10_000)
    with pytest.raises(InvalidInputError, match="too large inside"):
        check_workbook(path, path)


def test_a_table_is_as_wide_as_a_campaign_takes(tmp_path):
    path = tmp_path / "a.csv"
    names = [f"c{n}" for n in range(MOST_COLUMNS + 1)]
    path.write_text(f"{','.join(names)}\n{','.join(names)}\n", "utf-8")
    with pytest.raises(InvalidInputError, match="501 columns are too many"):
        read_upload(UploadedFile(path=path, name="a.csv"))


UMLAUTS = "id,text\n1,schön\n2,häßlich\n"


@pytest.mark.parametrize(
    "content",
    [
        "id,text\n\n1,a\n\n2,b\n\n",
        "\n\nid,text\n1,a\n2,b\n",
        "id,text\r\n\r\n1,a\r\n2,b\r\n",
        "id,text,\n1,a,\n2,b,\n",
        "id,text,,\n1,a,,\n,,,\n2,b,,\n",
        "sep=;\nid;text\n1;a\n2;b\n",
        '"sep=,"\r\nid,text\r\n1,a\r\n2,b\r\n',
        "id;text\n1;a\n;\n2;b\n;\n",
        'id,text,\n1,"a",\n\n2,b,\n',
    ],
)
def test_blanks_and_what_spreadsheets_add_are_left_out(tmp_path, content):
    path = tmp_path / "table"
    path.write_bytes(content.encode())
    frame = read_upload(UploadedFile(path=path, name="a.csv"))
    assert (frame.columns, frame.rows()) == (["id", "text"], [("1", "a"), ("2", "b")])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("id,text\n\n1,a,b\n", "a.csv, line 3: 3 fields, but the header names 2"),
        ("sep=;\nid;text\n\n1\n", "a.csv, line 4: 1 field, but the header names 2"),
        ("id,,text\n1,,a\n", "a column has no name"),
        ("id,text,\n1,a,lost\n", "a.csv, line 2: 3 fields"),
        ('id,text\n\n1,"a\n', "a.csv, line 3"),
        ("id,text\n,\n", "no rows found"),
    ],
)
def test_what_is_not_blank_is_not_left_out(tmp_path, content, sentence):
    path = tmp_path / "table"
    path.write_bytes(content.encode())
    with pytest.raises(InvalidInputError, match=sentence):
        read_upload(UploadedFile(path=path, name="a.csv"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252", "mac-roman"])
def test_a_text_may_have_another_encoding(tmp_path, encoding):
    path = tmp_path / "table"
    path.write_bytes(UMLAUTS.encode(encoding))
    chosen = None if encoding.startswith("utf") else encoding
    frame = read_upload(UploadedFile(path=path, name="a.csv", encoding=chosen))
    assert frame.rows() == [("1", "schön"), ("2", "häßlich")]


def test_the_encoding_is_chosen_at_the_desk(ada):
    content = UMLAUTS.encode("cp1252")
    told = error(ada.post("/api/desk/tables", params={"name": "a.csv"}, content=content))
    assert told.startswith("a.csv, line 2: not valid UTF-8; choose the encoding of the file")
    answer = ada.post("/api/desk/tables", params={"name": "a.csv", "encoding": "cp1252"}, content=content).json()
    assert answer["first"] == [["1", "schön"], ["2", "häßlich"]]
    made = ada.post(f"/api/desk/drafts/{answer['draft']}/campaign", json=plan(columns={"text": ["text"]})).json()
    more = "id,text\n3,größer\n".encode("cp1252")
    items = f"/api/campaigns/{made['campaign']}/desk/items"
    assert ada.post(items, params={"name": "m.csv", "encoding": "cp1252"}, content=more).json()["items"] == 1


@pytest.fixture
def worker():
    made = Worker(seconds=60)
    yield made
    made._stop()


def test_a_worker_gives_what_its_jobs_give(worker):
    assert worker.run(worker_jobs.count_to, 3) == [0, 1, 2]
    with pytest.raises(InvalidInputError, match="a cell is too long"):
        worker.run(worker_jobs.refuse, "a cell is too long")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        worker.run(worker_jobs.fail)
    assert worker.run(worker_jobs.count_to, 1) == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit no address space")
def test_a_job_that_takes_too_much_memory_ends(worker):
    with pytest.raises(InvalidInputError, match="cannot be read with the memory"):
        worker.run(worker_jobs.take_memory, 1 << 40)
    assert worker.run(worker_jobs.count_to, 1) == [0]


def test_a_job_that_crashes_takes_nothing_with_it(worker):
    with pytest.raises(InvalidInputError, match="cannot be read with the memory"):
        worker.run(worker_jobs.crash)
    assert worker.run(worker_jobs.count_to, 1) == [0]


def test_a_job_that_does_not_end_is_ended(worker):
    assert worker.run(worker_jobs.count_to, 1) == [0]
    worker._seconds = 0.2
    with pytest.raises(InvalidInputError) as told:
        worker.run(worker_jobs.wait_for_ever)
    assert str(told.value) == TOO_MUCH
    worker._seconds = 60
    assert worker.run(worker_jobs.count_to, 1) == [0]


def test_a_process_that_has_left_is_started_again(worker):
    assert worker.run(worker_jobs.count_to, 2) == [0, 1]
    worker._pipe.send((worker_jobs.leave, ()))
    assert worker._pipe.recv() == ("piece", "last")
    assert worker.run(worker_jobs.count_to, 2) == [0, 1]


@pytest.fixture
def watched(monkeypatch):
    """Fail where something is read or prepared while the writer's transaction is open."""
    inside, problems = threading.local(), []
    submit = Store.submit

    def watch(owner, name):
        original = getattr(owner, name)

        def call(*arguments, **options):
            if getattr(inside, "transaction", False):
                problems.append(name)
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, call)

    def submit_watched(self, work):
        def whole(connection):
            inside.transaction = True
            try:
                return work(connection)
            finally:
                inside.transaction = False

        return submit(self, whole)

    for owner, name in (
        (item_rows_module, "_item_row"),
        (item_rows_module, "shown_json"),
        (items_module, "segments"),
        (items_module, "make_items"),
        (Questionnaire, "check_item"),
        (Questionnaire, "expected"),
        (formats, "parse_table"),
    ):
        watch(owner, name)
    monkeypatch.setattr(Store, "submit", submit_watched)
    return problems


def test_nothing_is_read_or_prepared_inside_a_transaction(door, ada, watched):
    draft = f"/api/desk/drafts/{upload(ada)['draft']}"
    assert ada.post(f"{draft}/preview", json=plan()).status_code == 200
    made = ada.post(f"{draft}/campaign", json=plan()).json()
    more = "id,text,part\n4,good evening,1\n"
    assert ada.post(f"/api/campaigns/{made['campaign']}/desk/items?name=m.csv", content=more).status_code == 200
    assert watched == []


def test_nor_by_the_command_line(concur, tmp_path, monkeypatch, watched):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("text\none\ntwo\n", "utf-8")
    (tmp_path / "more.csv").write_text("text\nthree\n", "utf-8")
    (tmp_path / "q.toml").write_text('[[question]]\nid = "good"\nchoices = ["yes", "no"]\n', "utf-8")
    assert concur("campaign", "create", "x", "--items", "items.csv", "--questions", "q.toml", "--coders", "a").code == 0
    assert concur("campaign", "import", "x", "more.csv", "--as", "items", "--round", "two").code == 0
    assert watched == []


@pytest.mark.parametrize("words", [1, 20, 400])
def test_work_grows_with_the_text_and_not_with_its_square(words, monkeypatch):
    """A word is compared with those of a context that begin like it, and a long text with none."""
    compared = []
    monkeypatch.setattr(items_module, "_shared", lambda word, token: compared.append(word) or 0)
    display = items_module.make_display(["text", "context"])
    text = " ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26)}word{n}" for n in range(words))
    context = " ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26)}text{n}" for n in range(600))
    items_module.context_lines({"text": text, "context": context}, display)
    assert len(compared) <= items_module.MOST_MARKED


def test_a_campaign_is_made_while_coders_go_on(tmp_path):
    """The whole way at its smallest size; how long a save waits is measured by the benchmark of the server."""
    from support.uploads import save_while_uploading

    waits, _ = save_while_uploading(str(tmp_path / "campaigns.db"), tmp_path / "secret", items=200, characters=3000)
    assert len(waits) > 1
