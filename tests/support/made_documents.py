"""Small documents in the formats of word processors, e-books and PDF, made by hand."""

import io
import zipfile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tea</dc:title>'
    "<dc:creator>Ann</dc:creator></cp:coreProperties>"
)


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def docx(*paragraphs):
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    deleted = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    table = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>In a cell.</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}{deleted}{table}</w:body></w:document>'
    return zipped({"word/document.xml": document, "docProps/core.xml": CORE})


def odt(*paragraphs):
    body = "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
    names = f'xmlns:office="{OFFICE}office:1.0" xmlns:text="{OFFICE}text:1.0"'
    note = "<text:p>With<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p>"
    note += "</text:note-body></text:note> sugar.</text:p>"
    content = f"<office:document-content {names}><office:body>{body}{note}</office:body></office:document-content>"
    return zipped({"content.xml": content, "meta.xml": CORE})


def epub(*chapters):
    container = '<container><rootfiles><rootfile full-path="o/c.opf"/></rootfiles></container>'
    items = "".join(f'<item id="c{k}" href="c%20{k}.xhtml"/>' for k in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{k}"/>' for k in reversed(range(len(chapters))))
    about = '<metadata xmlns:dc="d"><dc:title>Tea</dc:title><dc:creator>Ann</dc:creator></metadata>'
    opf = f"<package>{about}<manifest>{items}</manifest><spine>{spine}</spine></package>"
    pages = {f"o/c {k}.xhtml": f"<html><body><p>{text}</p></body></html>" for k, text in enumerate(chapters)}
    return zipped({"META-INF/container.xml": container, "o/c.opf": opf, **pages})


def pdf(*lines):
    """One page with these lines, and an index of its objects."""
    shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
    stream = f"BT /F1 12 Tf 72 700 Td {shown}ET" if lines else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    data_end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return data + f"{data_end}startxref\n{len(data)}\n%%EOF\n".encode()
