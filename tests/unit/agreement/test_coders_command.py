import pytest


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,ann,bob,cy\n1,y,y,n\n2,n,n,n\n3,y,y,y\n4,n,n,y\n5,y,y,y\n6,,,\n")
    return path


@pytest.mark.parametrize("model", ["dawid-skene", "dawid-skene-bayes", "mace"])
def test_labels_and_competence(concur, votes, tmp_path, model):
    done = concur("coders", votes, "--wide", "--model", model, "--json", "-o", tmp_path / "labels.csv")
    found = done.json
    assert found["competence"]["ann"] > found["competence"]["cy"]
    assert sum(found["prevalence"].values()) == pytest.approx(1)
    labels = [row.split(",")[1] for row in (tmp_path / "labels.csv").read_text().splitlines()[1:6]]
    assert labels == ["y", "n", "y", "n", "y"]


def test_on_the_terminal(concur, votes):
    assert "How often each coder is right" in concur("coders", votes, "--wide").out


def test_the_same_coder_twice(concur, votes):
    done = concur("coders", votes, "--wide", "--json", "--same", "ann,bob")
    assert set(done.json["competence"]) == {"ann", "cy"}
    assert concur("coders", votes, "--wide", "--same", "ann,zoe").code == 2
