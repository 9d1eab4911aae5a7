"""``concur doctor`` tells what is there, and how to get what is not."""

from concurrence.cli.commands import doctor


def test_every_part_of_the_test_environment_is_named_with_its_version(concur):
    parts = {part["name"]: part for part in concur("doctor", "--json").json["parts"]}
    assert parts["polars"]["found"][0].isdigit()
    assert {"numpy", "fastapi", "pyspark", "psycopg", "java"} <= parts.keys()


def test_a_missing_part_is_named_with_the_way_out(concur, monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "pyspark" else "1.0")
    done = concur("doctor")
    assert done.code == 0
    assert "pyspark is missing" in done.err
    assert "pip install 'concurrence[spark]'" in done.err
