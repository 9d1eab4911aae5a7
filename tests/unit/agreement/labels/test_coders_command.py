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


@pytest.fixture
def hidden(tmp_path):
    """Two categories that hide three kinds of item: clear yes, clear no, and one that ann and bob call differently."""
    rows = ["y,y,y,y"] * 20 + ["n,n,n,n"] * 20 + ["y,n,y,n"] * 20
    path = tmp_path / "hidden.csv"
    path.write_text("item,ann,bob,cy,dee\n" + "".join(f"{k},{row}\n" for k, row in enumerate(rows)))
    return path


def test_kinds_of_items_that_are_not_the_categories(concur, hidden, tmp_path):
    done = concur("coders", hidden, "--wide", "--model", "latent", "--json", "-o", tmp_path / "classes.csv")
    result = done.json
    assert result["classes"] == 3
    assert result["prevalence"] == pytest.approx([1 / 3] * 3)
    assert min(result["bic"], key=result["bic"].get) == "3"
    classes = {row["item"]: row["class"] for row in result["items"]}
    assert len({classes[str(k)] for k in range(20)}) == 1
    assert len({classes["0"], classes["20"], classes["40"]}) == 3
    disputed = classes["40"] - 1
    assert result["response"]["ann"][disputed][result["categories"].index("y")] == pytest.approx(1)
    assert result["response"]["bob"][disputed][result["categories"].index("y")] == pytest.approx(0)
    assert (tmp_path / "classes.csv").read_text().startswith("item,class,probability,p(class 1)")
    assert "3 describe the labels best" in concur("coders", hidden, "--wide", "--model", "latent").out


def test_more_classes_than_the_labels_can_tell(concur, votes, hidden):
    many = concur("coders", votes, "--wide", "--model", "latent", "--classes", "3").out
    assert "other classes would fit as well" in many
    assert "other classes" not in concur("coders", hidden, "--wide", "--model", "latent").out
    refused = concur("coders", votes, "--wide", "--classes", "3")
    assert (refused.code, refused.err.strip()) == (2, "concur: --classes goes with --model latent.")
