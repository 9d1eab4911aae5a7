"""Take the pictures of ``docs/campaigns.md``, of the types of questions and of the desk: small campaigns.

Run it from the project's folder with the test environment: ``PYTHONPATH=tests python docs/screenshots.py``.
"""

import atexit
import random
import shutil
import tempfile
import uuid
from pathlib import Path

IMAGES = Path(__file__).parent / "images"

QUESTIONS = """
[[question]]
id = "collocation"
text = "Is this a collocation?"
rule = "what-counts"
note = true
choices = [{ id = "yes", text = "Collocation", key = "y" }, { id = "no", text = "Not a collocation", key = "n" }]

[[question]]
id = "kind"
text = "Which kind?"
when = "collocation=yes"
rule = "kinds"
choices = ["support verb", "figurative"]
"""

MANUAL = """# Judging verb and object

Read this once before you start. Decide on every pair; if you are in doubt, decide anyway and flag it as unsure.

## What counts

A pair is a **collocation** if at least one of these holds:

- the verb has lost most of its meaning, which the noun now carries: *take a walk*, *give a talk*;
- the meaning of the whole cannot be worked out from its parts: *spill the beans*;
- neither word can be replaced by a near synonym: *make a mistake*, but not *do a mistake*.

A pair that is merely frequent (*drink water*) is **not a collocation**.

## Kinds

**Support verb**: the noun names an event, and the verb adds little. Test: there is a single verb with the same meaning,
such as *walk* for *take a walk*.

**Figurative**: the pair is meant as an image. Test: taken literally, the sentence sounds odd or comical.
"""

PAIRS = """
take|walk|After lunch they take a long walk along the river.|We could take a walk and talk it over.
spill|beans|Who will spill the beans first?|Nobody dared to spill the beans.
drink|water|The horses drink water from the brook.|You should drink more water.
pay|attention|Please pay attention to the second rule.|They pay little attention to spelling.
make|mistake|Everybody can make a mistake.|It would be easy to make the same mistake.
read|book|She wants to read a book on grammar.|He has to read the whole book.
raise|question|The results raise a new question.|Let me raise one more question.
break|ice|A short joke helped to break the ice.|It took an hour to break the ice.
open|window|Could you open the window?|They open a window every morning.
give|talk|She will give a talk on idioms.|He had to give his talk twice.
bear|fruit|Their patience began to bear fruit.|The plan did not bear fruit.
draw|conclusion|It is too early to draw a conclusion.|Readers may draw their own conclusion.
buy|house|They want to buy a house near the sea.|Few can buy a house here.
catch|cold|Put on a coat or you will catch a cold.|The children often catch colds.
keep|promise|He did not keep his promise.|It is hard to keep every promise.
play|role|Frequency does play a role here.|What role does context play?
write|letter|She used to write a letter every week.|He sat down to write the letter.
hold|breath|All we could do was hold our breath.|He can hold his breath for a minute.
reach|agreement|After two days they reach an agreement.|The coders reach high agreement.
sell|car|My neighbour wants to sell his car.|They sell used cars.
"""


SUPPORT = """
take a bath|take a break|take a decision|take a look|take a nap|take a photo|take a risk|take a seat|take a shower
take a step|make a bet|make a call|make a claim|make a comment|make a deal|make an effort|make a guess|make a list
make a move|make a plan|give advice|give an answer|give a hug|give a reason|give a reply|give a sigh|give a smile
give a speech|give permission|have a chat|have a dream|have a drink|have a fight|have a laugh|have a rest|have a swim
have a try|have an argument|pay a visit|pay homage|do harm|do research|do the shopping|do the washing|ask a question
hold a meeting|hold talks|put a question
"""
FIGURATIVE = """
bite the bullet|kick the bucket|pull strings|bend the rules|save face|lose heart|lose ground|cut corners
face the music|hit the roof|jump the gun|miss the boat|move mountains|pass the buck|push the envelope|rock the boat
run the gauntlet|smell a rat|steal the show|stretch a point|swallow an insult|tip the scales|turn the tables
weather the storm|win hearts
"""
LITERAL = """
paint wall door fence chair|carry bag box tray ladder|wash car shirt plate apple|cut bread paper rope cake
feed cat dog duck|lock door gate drawer|find key coin glove|peel apple potato onion|clean desk oven shoe lamp
fix bike roof chair radio|grow rose tomato bean|visit aunt museum farm|count sheep coins votes|watch bird match boat
boil egg water milk|plant tree bulb|cross street bridge river|pack box suitcase lunch|lift stone crate child
park car van bus|call doctor taxi sister|sweep floor yard stairs|fill glass tank bath|light candle stove lamp
brush hair coat horse|mow lawn field|rent flat boat|build wall shed tower|climb hill tree ladder|draw map face circle
eat soup pear cheese|fold shirt map napkin|hide gift letter|kick ball stone|learn poem song|mix paint dough
order tea soup book|press button grape|print page photo ticket|push cart pram door|ride horse bike camel|ring bell
sew button curtain|sign form card|sing song hymn|slice ham lemon carrot|steal coin bike|tie rope knot shoelace
turn page key handle|use pen hammer map|wear hat coat scarf|wrap gift sandwich|bake cake bread pie
hang picture curtain coat|throw ball stone|cook rice fish stew|burn wood leaf paper|bring towel chair
"""


def rows():
    """The pairs with their examples, and many of each kind beside them."""
    pairs = []
    for line in PAIRS.strip().splitlines():
        l1, l2, *examples = line.split("|")
        pairs.append({"l1": l1, "l2": l2, "examples": " ⏎ ".join(examples)})
    for phrase in (*phrases(SUPPORT), *phrases(FIGURATIVE)):
        l1, *_, l2 = phrase.split()
        pairs.append({"l1": l1, "l2": l2, "examples": f"They want to {phrase}. ⏎ It is never easy to {phrase}."})
    for verb, *nouns in map(str.split, phrases(LITERAL)):
        pairs += [{"l1": verb, "l2": noun, "examples": f"They {verb} the {noun}."} for noun in nouns]
    unique = {(pair["l1"], pair["l2"]): pair for pair in reversed(pairs)}
    return list(reversed(unique.values()))


def phrases(text):
    """The phrases of a list, which stand between lines and bars."""
    return [phrase for line in text.strip().splitlines() for phrase in line.split("|")]


def true_kinds():
    """The kind of every pair that is a collocation."""
    literal = {"drink water", "read book", "open window", "buy house", "write letter", "sell car"}
    figurative = {"spill beans", "break ice", "bear fruit", "hold breath"}
    first = {" ".join(line.split("|")[:2]) for line in PAIRS.strip().splitlines()} - literal
    kinds = {pair: "figurative" if pair in figurative else "support verb" for pair in first}
    for text, kind in ((SUPPORT, "support verb"), (FIGURATIVE, "figurative")):
        kinds |= {f"{words[0]} {words[-1]}": kind for words in map(str.split, phrases(text))}
    return kinds


def decide(client, campaign, coder, *, careful, leave=0, start):
    """Judge like a person: mostly after the same truth, with some noise, at a human pace.

    With ``leave``, stop after so many items, at the next collocation that has examples of its own.
    """
    draw, kinds = random.Random(coder), true_kinds()
    telling = {" ".join(line.split("|")[:2]) for line in PAIRS.strip().splitlines()} & set(kinds)
    items = client.get(f"/api/campaigns/{campaign}/part").json()["items"]
    events, moment = [], start
    stop = next((n for n in range(leave, len(items)) if items[n]["text"] in telling), None) if leave else None
    for item in items[:stop]:
        kind = kinds.get(item["text"], "support verb")
        yes = (item["text"] in kinds) ^ (draw.random() > careful)
        answers = [("collocation", "yes" if yes else "no")]
        if yes:
            other = "support verb" if kind == "figurative" else "figurative"
            answers.append(("kind", kind if draw.random() < careful else other))
        for question, answer in answers:
            moment += int(draw.lognormvariate(7.8, 0.5))
            events.append(
                {"uuid": str(uuid.uuid4()), "item": item["id"], "question": question, "answer": answer}
                | {"unsure": draw.random() < 0.06, "client_time": moment, "manual_version": 1}
            )
    for first in range(0, len(events), 200):
        client.post(
            f"/api/campaigns/{campaign}/events", json={"events": events[first : first + 200]}
        ).raise_for_status()


def shoot(page, name):
    """A picture of what a visitor sees."""
    page.screenshot(path=IMAGES / f"{name}.png")


def take_pictures(browser, links, item):
    """All pictures in both schemes."""
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
        coder = context.new_page()
        coder.goto(links["carla"])
        coder.wait_for_timeout(1500)
        shoot(coder, f"coder-{scheme}")
        if scheme == "light":
            coder.keyboard.press("y")
            coder.wait_for_timeout(400)
            shoot(coder, "coder-follow-up-light")
            coder.keyboard.press("Backspace")
            coder.keyboard.press("?")
            coder.wait_for_timeout(400)
            shoot(coder, "coder-keys-light")
            coder.keyboard.press("Escape")
            coder.wait_for_timeout(1000)
        leader = context.new_page()
        leader.goto(links["leader"])
        leader.wait_for_timeout(1500)
        shoot(leader, f"leader-progress-{scheme}")
        base = leader.url
        for name, path in (
            ("agreement", "/agreement"),
            ("expert", "/expert"),
            ("pairs", "/pairs"),
            ("items", "/items"),
            ("adjudicate", "/adjudicate"),
        ):
            leader.goto(base + path)
            leader.wait_for_timeout(600)
            shoot(leader, f"leader-{name}-{scheme}")
        leader.goto(f"{base}/items/{item}")
        shoot(leader, f"leader-item-{scheme}")
        context.close()
    phone = browser.new_context(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto(links["carla"])
    page.wait_for_timeout(1500)
    shoot(page, "coder-phone-light")
    phone.close()


SPANS = """
[[question]]
id = "names"
type = "span"
text = "Mark every person and every place."
labels = [{ id = "PER", text = "Person", key = "p" }, { id = "LOC", text = "Place", key = "l" }]
"""

PREFERENCE = """
[[question]]
id = "better"
type = "preference"
text = "Which translation is better?"
"""

LETTER = (
    "Last summer, Ada went to Rome, where she met her old friend Ben at the station, although nobody had told her that "
    "he would be there. They took the night train to Vienna and talked until the lights of Bologna were behind them."
)
TRANSLATIONS = {
    "id": "1",
    "source": "Sie setzten alles auf eine Karte.",
    "a": "They put all their eggs in one basket.",
    "b": "They set everything on one card.",
}


def take_type_pictures(browser, store, url, secret):
    """A page with marked stretches, and one with two texts side by side."""
    from concurrence.annotation.campaigns.items import make_display
    from concurrence.annotation.people.access import invite
    from support.campaign_cases import make_campaign

    plans = {
        "span": ({"rows": [{"id": "1", "text": LETTER}], "questions": SPANS}, "text"),
        "preference": ({"rows": [TRANSLATIONS], "questions": PREFERENCE}, "source"),
    }
    keys = {"span": ["ArrowRight"] * 4 + ["p"] + ["ArrowRight"] * 3 + ["l"], "preference": []}
    for name, (plan, text) in plans.items():
        display = make_display(list(plan["rows"][0]), text=(text,))
        campaign = make_campaign(store, name=name, manual="", display=display, **plan)
        token = store.write(lambda c, campaign=campaign: invite(c, campaign, "anna", secret))
        page = browser.new_page(viewport={"width": 1280, "height": 640})
        page.goto(f"{url}/join#{token}")
        page.wait_for_timeout(1500)
        for key in [".", *keys[name]]:
            page.keyboard.press(key)
        page.wait_for_timeout(400)
        shoot(page, f"question-{name}-light")
        page.close()


def main():
    """Make the campaign, judge, take the pictures."""
    import time

    from playwright.sync_api import sync_playwright

    from concurrence.annotation.database.store import Store
    from concurrence.annotation.people.access import invite, load_secret
    from concurrence.annotation.people.organisers import invite_organiser
    from desk_pictures import take_desk_pictures
    from support.campaign_cases import make_campaign
    from support.parts import CHROMIUM
    from support.servers import Served

    folder = Path(tempfile.mkdtemp())
    IMAGES.mkdir(exist_ok=True)
    server = Served(folder / "verbs.db", folder / "secret")
    secret = load_secret(folder / "secret")
    start = int(time.time() * 1000) - 3_600_000
    with Store(folder / "verbs.db") as store:
        people = ("anna", "ben", "carla")
        campaign = make_campaign(
            store,
            name="verbs and objects",
            rows=rows(),
            coders=people,
            expert="ulla",
            questions=QUESTIONS,
            manual=MANUAL,
        )
        server.start()
        atexit.register(server.kill)
        links = {
            person: f"{server.url}/join#{store.write(lambda c, person=person: invite(c, campaign, person, secret))}"
            for person in (*people, "ulla", "leader")
        }
        for person, careful, leave in (("anna", 0.95, 0), ("ben", 0.9, 0), ("ulla", 0.98, 0), ("carla", 0.8, 150)):
            client = server.join(links[person])
            decide(client, campaign.id, person, careful=careful, leave=leave, start=start)
            client.close()
        leader = server.join(links["leader"])
        differing = leader.get(f"/api/campaigns/{campaign.id}/items?only=differing").json()["data"]["items"]
        leader.close()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            take_pictures(browser, links, differing[0]["item_id"])
            take_type_pictures(browser, store, server.url, secret)
            desk = store.write(lambda connection: invite_organiser(connection, "ada", secret))
            take_desk_pictures(browser, server.url, desk, folder)
            browser.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
