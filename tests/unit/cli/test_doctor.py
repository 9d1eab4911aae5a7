"""``concur doctor`` tells what is there, and how to get what is not."""

import re
import tomllib
from pathlib import Path

import pytest

from concurrence.cli.commands import doctor


def test_every_part_of_the_test_environment_is_named_with_its_version(concur):
    parts = {part["name"]: part for part in concur("doctor", "--json").json["parts"]}
    assert parts["polars"]["found"][0].isdigit()
    assert {"numpy", "fastapi", "pyspark", "psycopg", "java"} <= parts.keys()


def test_every_dependency_is_looked_for():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    stated = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, names in doctor.PARTS.items():
        wanted = {re.match(r"[\w.-]+", line)[0] for line in stated[extra]} - {"concurrence"}
        assert set(names) == wanted
        assert doctor.SERVES[extra]


def test_missing_parts_are_named_once_with_the_way_out(concur, monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("pyspark", "fastapi", "nh3") else "1.0")
    monkeypatch.setattr(doctor, "_system", list)
    done = concur("doctor")
    assert done.code == 0
    assert done.err.splitlines() == [
        "Missing for concur campaign, serve and explore: fastapi, nh3. To fix this: pip install 'concurrence[web]'.",
        "Missing for concur pairs --engine spark: pyspark. To fix this: pip install 'concurrence[spark]'.",
    ]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('openjdk version "17.0.9" 2023-10-17', "17.0.9"),
        ('openjdk version "21-ea" 2023-09-19', "21-ea"),
        ('java version "1.8.0_392"', None),
        ("The operation could not be completed. Unable to locate a Java Runtime.", None),
    ],
)
def test_only_a_java_that_runs_spark_counts(tmp_path, monkeypatch, said, found):
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\necho '{said}' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert doctor._java() == found
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert doctor._java() is None
