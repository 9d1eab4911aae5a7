"""A list in which a candidate stands twice is one sentence, whether somebody judged it or not."""

import pytest

LIST = "l1,l2,MI,f,m\na,b,3,9,1\nc,d,2,1,0\ne,f,1,7,1\ne,f,1,7,1\ng,h,0,2,0\ni,j,0,1,0\n"


@pytest.mark.parametrize("judged", ["a,b,1\nc,d,0\n", "a,b,1\ne,f,0\ng,h,1\n"], ids=["not judged", "judged"])
@pytest.mark.parametrize("command", [("evaluate", "-m", "MI,f", "--n", "2"), ("rate", "--judge", "m")])
def test_a_candidate_twice(tmp_path, concur, judged, command):
    scored, gold = tmp_path / "list.csv", tmp_path / "gold.csv"
    scored.write_text(LIST)
    gold.write_text("l1,l2,tp\n" + judged)
    name, *options = command
    done = concur(name, scored, "--gold", gold, *options)
    assert done.code == 2
    assert "The candidate l1='e', l2='f' occurs twice; the columns l1, l2 must identify each candidate." in done.err
