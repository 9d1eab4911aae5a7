"""The whole way: create, judge by keyboard, see agreement, adjudicate, export, agree and evaluate."""

import json
import re

import pytest
from playwright.sync_api import expect

from browser.test_kinds_of_judgement import unfold
from support.campaign_cases import MANUAL, QUESTIONS
from support.servers import Served

SIZE = 100


def answers(who, number):
    """What a coder thinks of a pair: both lean on the same evidence, each with a mind of their own."""
    noise = {"anna": 7, "ben": 11}[who]
    yes = (number * 37) % SIZE < 55
    if number % noise == 0:
        yes = not yes
    kind = "12"[(number % 3 == 0) ^ (number % (noise + 2) == 0)]
    return f"y{kind}" if yes else "n"


@pytest.fixture
def files(tmp_path, concur_process):
    rows = [f"verb{n},noun{n},{5 + n % 20},{60 + n},{50 + 2 * n},20000,They verb{n} the noun{n}." for n in range(SIZE)]
    (tmp_path / "pairs.csv").write_text("l1,l2,f,f1,f2,N,examples\n" + "\n".join(rows) + "\n", "utf-8")
    (tmp_path / "questions.toml").write_text(QUESTIONS, "utf-8")
    (tmp_path / "manual.md").write_text(MANUAL, "utf-8")
    return tmp_path


@pytest.fixture
def run(files, concur_process):
    def command(*arguments):
        done = concur_process(*arguments, cwd=files)
        assert done.code == 0, done.err
        return done

    return command


@pytest.fixture
def served(files):
    server = Served(files / "verbs.db", files / "verbs.db.secret")
    yield server
    server.stop()


def judge_everything(page, who):
    expect(page.locator("#page--count")).to_have_text(f"0 of {SIZE}")
    for turn in range(SIZE):
        text = page.locator("#page--item").inner_text()
        keys = answers(who, int(re.search(r"verb(\d+)", text).group(1)))
        if turn % 20 == 7:
            wrong = "n" if keys[0] == "y" else "y"
            page.keyboard.press(wrong)
            page.keyboard.press("Backspace")
        if turn == 50:
            page.reload()
            expect(page.locator("#page--count")).to_have_text(f"50 of {SIZE}")
            expect(page.locator("#page--item")).to_have_text(text)
        for key in keys:
            page.keyboard.press(key)
    expect(page.locator("#page--item")).to_have_text("All done. Thank you!")
    expect(page.locator("#page--saved")).to_have_text("All saved")


def shown_figures(page):
    """The first table of the agreement page: value and interval by coefficient."""
    table = page.locator("section").first.locator("tbody tr")
    cells = [row.locator("td").all_inner_texts() for row in table.all()]
    names = [row.locator("[data-coefficient]").get_attribute("data-coefficient") for row in table.all()]
    return {name: tuple(cell[:2]) for name, cell in zip(names, cells, strict=True)}


def printed_figure(entry):
    low, high = entry["interval"]
    return f"{entry['value']:.3f}", f"[{low:.3f}, {high:.3f}]"


@pytest.mark.thorough
def test_from_create_to_evaluate(files, run, served, visits):
    run("score", "pairs.csv", "-m", "log_likelihood,t_score", "-o", "scored.csv")
    create = ("campaign", "create", "verbs", "--items", "pairs.csv", "--questions", "questions.toml")
    run(*create, "--manual", "manual.md", "--coders", "anna,ben", "--db", "verbs.db")
    served.start()
    links = run("campaign", "links", "verbs", "--db", "verbs.db", "--url", served.url, "--json").json["links"]
    for who in ("anna", "ben"):
        judge_everything(visits.open(links[who]), who)

    leader = visits.open(links["leader"])
    expect(leader.locator(".answer")).to_contain_text(f"{2 * SIZE} of {2 * SIZE} judgements are done")
    leader.get_by_role("link", name="Agreement", exact=True).click()
    unfold(leader)
    run("campaign", "export", "verbs", "--db", "verbs.db", "--question", "collocation", "-o", "labels.csv")
    agreed = run("agree", "labels.csv", "--json").json["coefficients"]
    figures = shown_figures(leader)
    for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha", "gwet_ac1"):
        assert figures[name] == printed_figure(agreed[name]), name
    expect(leader.locator("h2").nth(1)).to_contain_text("called collocation yes")
    expect(leader.locator("h2").nth(2)).to_contain_text("three-way label")

    expected = {n: (answers("anna", n)[0], answers("ben", n)[0]) for n in range(SIZE)}
    cell = sum(pair == ("y", "n") for pair in expected.values())
    leader.get_by_role("link", name="Pairs of coders").click()
    leader.get_by_role("link", name=f"{cell} items: anna yes, ben no").click()
    expect(leader.locator(".answer")).to_have_text(f"{cell} found.")
    leader.locator("table.items tbody a").first.click()
    disputed = leader.locator("h1").inner_text()
    form = leader.locator("form.adjudicate").first
    form.get_by_label("Yes").check()
    form.get_by_label("Reason").fill("The manual's first rule covers it.")
    form.get_by_role("button", name="Record").click()
    expect(leader.locator("legend").first).to_have_text("Adjudicated: yes")
    expect(leader.get_by_text("The manual's first rule covers it.")).to_be_visible()

    with leader.expect_download() as download:
        leader.get_by_role("link", name="Labels as CSV").click()
    download.value.save_as(files / "download.csv")
    lines = (files / "download.csv").read_text("utf-8").splitlines()
    assert len(lines) == 1 + sum(len(answers(who, n)) for who in ("anna", "ben") for n in range(SIZE))

    gold = ("campaign", "export", "verbs", "--db", "verbs.db", "--gold", "collocation=yes", "--by", "adjudicated")
    run(*gold, "-o", "gold.csv")
    judged = dict(line.rsplit(",", 1) for line in (files / "gold.csv").read_text("utf-8").splitlines()[1:])
    same = [n for n, (anna, ben) in expected.items() if anna == ben]
    assert len(judged) == len(same) + 1
    assert judged[disputed.replace(" ", ",")] == "1"
    evaluated = run(
        "evaluate", "scored.csv", "--gold", "gold.csv", "-m", "log_likelihood,t_score", "--n", "20,50", "--json"
    )
    true_share = sum(value == "1" for value in judged.values()) / len(judged)
    assert evaluated.json["baseline"]["value"] == pytest.approx(true_share)
    assert set(evaluated.json["measures"]) == {"log_likelihood", "t_score"}
    assert json.dumps(evaluated.json)
