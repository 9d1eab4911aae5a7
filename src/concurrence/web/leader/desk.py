"""The desk of a campaign, for people and as data: who judges, with which links and browsers, in which rounds."""

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store
from concurrence.annotation.desk.overview import CampaignDesk, desk_of
from concurrence.web.leader.page import LeaderPage, NoQuery


def desk_page(store: Store, campaign: Campaign, _: NoQuery) -> CampaignDesk:
    """The people of the campaign with their items, links and open sessions; its rounds and parts."""
    return store.read(lambda connection: desk_of(connection, campaign))


PAGES = (LeaderPage(name="campaign_desk", tab="Desk", data=desk_page, query=NoQuery, address="/desk", kept=False),)
