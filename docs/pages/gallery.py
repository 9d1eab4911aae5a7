"""The charts of the gallery, drawn by the commands that the page prints."""

import shutil
import tempfile
from pathlib import Path

from pages.checksums import checksum_of
from support.console import Shell, console_blocks


def draw_gallery(page: Path, folder: Path) -> None:
    """Run the commands of a page and keep the charts they write; anew only where the page or the code has changed."""
    state_file, checksum = folder / "state", checksum_of([page])
    if state_file.is_file() and state_file.read_text("utf-8") == checksum:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        shell = Shell(Path(place))
        for command in (command for block in console_blocks(page.read_text("utf-8")) for command in block):
            process = shell.run(command.line)
            if process.returncode:
                raise RuntimeError(f"{page.name}: {command.line}\n{process.stderr}")
        for chart in Path(place).rglob("*.png"):
            shutil.copy(chart, folder)
    state_file.write_text(checksum, "utf-8")
