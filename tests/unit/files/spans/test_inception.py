"""INCEpTION's exports, in the shapes that its user's guide and the specification of the JSON CAS describe.

WebAnno TSV 3.3: https://inception-project.github.io/releases/35.0/docs/user-guide.html (appendix *WebAnno TSV 3.3*);
JSON CAS: github.com/apache/uima-uimaj-io-jsoncas (SPECIFICATION.adoc); XMI: the reference of Apache UIMA.
"""

import json
import zipfile

import pytest

import concurrence
from concurrence import InvalidInputError, read_spans

TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue|coarseValue
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_RL=webanno.custom.Relation|kind|BT_webanno.custom.Span


#Text=Nikola Tesla was 😀 in Smiljan.
1-1\t0-6\tNikola\tNNP\tPROPN\t*[1]\tPER[1]\t_\t_\t
1-2\t7-12\tTesla\tNNP\tPROPN\t*[1]\tPER[1]\tx\t1-1\t
1-3\t13-16\twas\tVBD\tVERB\t_\t_\t_\t_\t
1-4\t17-19\t😀\tSYM\tSYM\t_\t_\t_\t_\t
1-5\t20-22\tin\tIN\tADP\t_\t_\t_\t_\t
1-6\t23-30\tSmiljan\tNNP\tPROPN\t*[2]|*[3]\tLOC[2]|ORG[3]\t_\t_\t
1-6.1\t23-26\tSmi\t_\t_\t*\tA\\_B\t_\t_\t
1-7\t30-31\t.\t.\tPUNCT\t_\t_\t_\t_\t
"""
SPANS = [("ann", 0, 12, "PER"), ("ann", 22, 25, "A_B"), ("ann", 22, 29, "LOC"), ("ann", 22, 29, "ORG")]
TEXT = "Nikola Tesla was 😀 in Smiljan."

ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"


def json_cas(*spans, layer=ENTITY, title="doc.txt"):
    """A CAS as INCEpTION writes it, with a token, a document's title, and a relation beside the spans."""
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": TEXT},
        {"%ID": 2, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData", "@sofa": 1,
         "begin": 0, "end": 31, "documentTitle": title},
        {"%ID": 3, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token", "@sofa": 1,
         "begin": 0, "end": 6},
        {"%ID": 4, "%TYPE": "webanno.custom.Link", "@sofa": 1, "begin": 0, "end": 6, "@Governor": 9, "@Dependent": 9},
        *({"%ID": 9, "%TYPE": layer, "@sofa": 1, "begin": b, "end": e, "value": v} for b, e, v in spans),
    ]  # fmt: skip
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}})


def xmi(*spans):
    elements = "".join(
        f'<type4:NamedEntity xmi:id="9" sofa="1" begin="{b}" end="{e}" value="{v}"/>' for b, e, v in spans
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:cas="http:///uima/cas.ecore" xmlns:tcas="http:///uima/tcas.ecore" '
        'xmlns:type4="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" '
        'xmlns:type7="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" xmi:version="2.0">'
        '<cas:NULL xmi:id="0"/><type7:Token xmi:id="3" sofa="1" begin="0" end="6"/>'
        f'{elements}<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{TEXT}"/>'
        "</xmi:XMI>"
    )


@pytest.fixture
def write(tmp_path):
    def written(text, name):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


def rows(spans):
    columns = zip(spans.coder, spans.start, spans.end, spans.label, strict=True)
    return sorted((spans.coders[c], int(s), int(e), spans.labels[k]) for c, s, e, k in columns)


def test_webanno_tsv(write):
    spans = read_spans(write(TSV, "ann.tsv"))
    assert rows(spans) == sorted(SPANS)
    assert spans.texts == (TEXT,)
    assert spans.text(0, 22, 29) == "Smiljan"


def test_an_exported_project(write, tmp_path, concur):
    write(TSV, "project/annotation/a.txt/ann.tsv")
    write(TSV.replace("LOC", "PER"), "project/annotation/a.txt/bob.tsv")
    write(TSV, "project/annotation/a.txt/INITIAL_CAS.tsv")
    found = concur("spans", tmp_path / "project", "--bootstrap", "20", "--json").json
    assert (found["data"]["coders"], found["data"]["documents"]) == (["ann", "bob"], 1)
    assert found["coefficients"]["f1_exact"]["value"] == pytest.approx(0.75)
    two = concurrence.spans(sorted((tmp_path / "project/annotation/a.txt").glob("[ab]*.tsv")), bootstrap=20)
    assert two["f1_exact"].value == pytest.approx(0.75)


@pytest.mark.parametrize("kind", ["json", "xmi", "zip"])
def test_uima_cas(write, tmp_path, kind):
    """Offsets count units of UTF-16: what stands behind the emoji is one character further to the front."""
    for who, spans in (("ann", [(0, 12, "PER"), (23, 30, "LOC")]), ("bob", [(0, 12, "PER")])):
        if kind == "zip":
            folder = tmp_path / "annotation/a.txt"
            folder.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(folder / f"{who}.zip", "w") as archive:
                archive.writestr("TypeSystem.xml", "<x/>")
                archive.writestr(f"{who}.xmi", xmi(*spans))
        else:
            write(json_cas(*spans) if kind == "json" else xmi(*spans), f"annotation/a.txt/{who}.{kind}")
    spans = read_spans(tmp_path / "annotation")
    assert rows(spans) == [("ann", 0, 12, "PER"), ("ann", 22, 29, "LOC"), ("bob", 0, 12, "PER")]
    assert (spans.documents, spans.texts) == (("a.txt",), (TEXT,))


def test_files_beside_each_other_take_the_title_of_the_document(write):
    files = [write(json_cas((0, 12, "PER"), title=title), f"{who}.json") for who, title in (("ann", "d"), ("bob", "d"))]
    spans = read_spans(files)
    assert (spans.documents, spans.coders) == (("d",), ("ann", "bob"))


def test_several_layers_are_asked_about(write):
    text = TSV.replace("#T_RL", "#T_SP=webanno.custom.Mood|tone\n#T_RL").replace("\tPER[1]\t", "\tPER[1]\tcalm\t")
    text = text.replace("\tLOC[2]|ORG[3]\t", "\tLOC[2]|ORG[3]\t_\t").replace("\tA\\_B\t", "\tA\\_B\t_\t")
    lines = [line.replace("\t_\t_\t_\t_\t", "\t_\t_\t_\t_\t_\t") for line in text.split("\n")]
    path = write("\n".join(lines), "ann.tsv")
    with pytest.raises(InvalidInputError, match=r"several layers \(.*NamedEntity, webanno.custom.Mood\)"):
        read_spans(path)
    assert rows(read_spans(path, columns={"label": "Mood"})) == [("ann", 0, 6, "calm"), ("ann", 7, 12, "calm")]
    assert len(read_spans(path, columns={"label": "NamedEntity|value"})) == 4
    with pytest.raises(InvalidInputError, match="has no feature 'tone'"):
        read_spans(path, columns={"label": "NamedEntity|tone"})


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.tsv", TSV.replace("0-6", "0_6"), r"a.tsv, line 8: '0_6' is no range"),
        ("a.tsv", TSV.replace("\t_\t_\t_\t_\t", ""), r"a.tsv, line 10: 5 columns, but the layers .* have 9"),
        ("a.tsv", TSV.partition("1-1")[0], "holds no tokens"),
        ("a.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": 3}', "no list %FEATURE_STRUCTURES"),
        ("a.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": [', "not valid JSON"),
        ("a.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}', "holds no text"),
        ("a.xmi", "<xmi", "not valid XML"),
        ("a.xmi", "<!DOCTYPE x><x/>", "declares no document type"),
    ],
)
def test_what_is_damaged_is_a_sentence(write, name, text, says):
    with pytest.raises(InvalidInputError, match=says):
        read_spans(write(text, name))


def test_a_folder_without_annotations(tmp_path):
    (tmp_path / "annotation").mkdir()
    with pytest.raises(InvalidInputError, match="Export the project with its annotations"):
        read_spans(tmp_path)


def test_other_tables_are_still_tables(write):
    table = write("coder\tstart\tend\tlabel\nann\t0\t3\tP\n", "marks.tsv")
    assert read_spans(table, length=5).coders == ("ann",)
