"""The charts of the gallery, drawn by the commands that the page prints."""

import shutil
import tempfile
from pathlib import Path

from pages.kept import state_of
from support.console import Shell, console_blocks


def draw_gallery(page: Path, folder: Path) -> None:
    """Run the commands of a page and keep the charts they write; anew only where the page or the code has changed."""
    mark, state = folder / "state", state_of([page])
    if mark.is_file() and mark.read_text("utf-8") == state:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        shell = Shell(Path(place))
        for shown in (shown for block in console_blocks(page.read_text("utf-8")) for shown in block):
            done = shell.run(shown.line)
            if done.returncode:
                raise RuntimeError(f"{page.name}: {shown.line}\n{done.stderr}")
        for chart in Path(place).rglob("*.png"):
            shutil.copy(chart, folder)
    mark.write_text(state, "utf-8")
