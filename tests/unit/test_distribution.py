"""The sdist has all it takes to make the wheel, and the wheel has every file of the package."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from concurrence import __version__

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "concurrence"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel made from the sdist, as an installer makes it."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.thorough
def test_the_wheel_has_every_file_of_the_package(wheel):
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    ours = {f"concurrence/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in files}
    assert {"concurrence/report/references.json", "concurrence/web/templates/join.html"} <= ours.keys()
    assert {name: data for name, data in wheel.items() if name.startswith("concurrence/")} == ours


def test_the_conda_recipe_has_the_version_and_the_dependencies_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text("utf-8"))
    assert recipe["context"]["version"] == __version__
    assert recipe["package"]["name"] == project["name"]
    wanted = [f"python {project['requires-python']}", *(line.replace(">=", " >=") for line in project["dependencies"])]
    assert recipe["requirements"]["run"] == wanted
    assert recipe["build"]["python"]["entry_points"] == [f"{a} = {b}" for a, b in project["scripts"].items()]


def test_the_workflow_runs_what_there_is():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    paths = [word for command in commands for word in command.split() if word.startswith(("tests/", ".ci/"))]
    assert len(paths) == 5
    assert all((ROOT / path).exists() for path in paths)


def test_the_citation_has_the_version_of_the_package():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == __version__
