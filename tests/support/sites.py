"""A running server with campaigns, and the Chromium to open them with; for tests and benchmarks."""

import itertools
from contextlib import closing

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import invite, load_secret
from concurrence.annotation.people.organisers import invite_organiser
from support.campaign_cases import make_campaign
from support.servers import Served

ELSEWHERE = "judge.test"  # this machine under a name that browsers do not trust without TLS
ARGUMENTS = (
    *("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--in-process-gpu", "--no-first-run"),
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
)


class Site:
    """A running server with its store: makes campaigns and invitation links."""

    def __init__(self, folder, *options):
        self.database = folder / "campaigns.db"
        self.store = Store(self.database)
        self.secret_file = folder / "secret"
        self.secret = load_secret(self.secret_file)
        self.served = Served(self.database, self.secret_file, *options)
        self._names = itertools.count(1)

    def campaign(self, **plan):
        return make_campaign(self.store, **{"name": f"campaign {next(self._names)}", **plan})

    def link(self, campaign, who):
        token = self.store.write(lambda connection: invite(connection, campaign, who, self.secret))
        return f"{self.served.url}/join#{token}"

    def desk_link(self, organiser):
        token = self.store.write(lambda connection: invite_organiser(connection, organiser, self.secret))
        return f"{self.served.url}/join#{token}"

    def part(self, campaign, who):
        with closing(self.served.join(self.link(campaign, who))) as client:
            return client.get(f"/api/campaigns/{campaign.id}/part").json()

    def decisions(self, campaign, who):
        """What the server holds of a coder, as (item's text, question, answer), oldest first."""
        part = self.part(campaign, who)
        texts = {item["id"]: item["text"] for item in part["items"]}
        return [(texts[entry["item"]], entry["question"], entry["answer"]) for entry in part["decisions"]]
