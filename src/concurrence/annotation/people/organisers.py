"""Organisers: people who may make campaigns. They come with a link as coders do, and lead what they made.

An organiser leads a campaign through a leader of it, a person of the campaign like any other, whose row names her.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from concurrence.annotation.campaigns.campaign import Campaign, coders_of, insert_person
from concurrence.annotation.campaigns.names import check_name, check_new, find_name
from concurrence.annotation.database.schema import CAMPAIGN, CODER, ITEM, ORGANISER
from concurrence.annotation.database.store import now
from concurrence.annotation.people.access import Organiser, Visitor, end_access, make_link
from concurrence.annotation.people.security_log import log_act
from concurrence.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class LedCampaign:
    """A campaign on an organiser's desk."""

    id: int
    name: str
    created: int
    items: int
    coders: int


def organiser_names(connection: Connection) -> list[str]:
    return list(connection.execute(select(ORGANISER.c.name).order_by(ORGANISER.c.id)).scalars())


def _organiser_id(connection: Connection, name: str) -> int:
    names = organiser_names(connection)
    meant = find_name(name, names)
    if meant is None:
        raise UnknownNameError("organiser", name, names or ["none yet"])
    return int(connection.execute(select(ORGANISER.c.id).where(ORGANISER.c.name == meant)).scalar_one())


def invite_organiser(
    connection: Connection, name: str, secret: bytes, *, days: float | None = None, once: bool = False
) -> str:
    """A link to the desk for a person, who gets the right to make campaigns with the first; older links stay valid."""
    names = organiser_names(connection)
    if find_name(name, names) is None:
        check_name(name)
        check_new("organiser", name, names)
        connection.execute(insert(ORGANISER).values(name=name, created=now()))
    owner = {"organiser_id": _organiser_id(connection, name)}
    token = make_link(connection, owner, secret, days=days, once=once)
    log_act(connection, "link made", person=name, detail="desk")
    return token


def revoke_organiser(connection: Connection, name: str) -> int:
    """End all links and sessions of an organiser; return how many links there were."""
    return end_access(connection, "organiser_id", _organiser_id(connection, name), person=name)


def put_on_desk(connection: Connection, campaign: Campaign, organiser_id: int, *, leader: int | None = None) -> None:
    """Let an organiser lead a campaign, as a leader who is named or as the one of her own name, made where needed."""
    if leader_id_of(connection, organiser_id, campaign.id) is None:
        coder_id = _own_leader(connection, campaign, organiser_id) if leader is None else leader
        connection.execute(update(CODER).where(CODER.c.id == coder_id).values(organiser_id=organiser_id))


def _own_leader(connection: Connection, campaign: Campaign, organiser_id: int) -> int:
    name = connection.execute(select(ORGANISER.c.name).where(ORGANISER.c.id == organiser_id)).scalar_one()
    people = {person.name: person for person in coders_of(connection, campaign)}
    mine = people.get(name)
    if mine is not None and mine.role == "leader" and mine.organiser_id is None:
        return int(mine.id)
    return insert_person(connection, campaign, free_name(name, list(people)), "leader")


def put_named_on_desk(connection: Connection, campaign: Campaign, name: str) -> None:
    """Let the organiser of a name lead a campaign."""
    put_on_desk(connection, campaign, _organiser_id(connection, name))


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or the first of its kind that looks like nobody else's in the campaign."""
    kinds = (name, f"{name} (leader)", *(f"{name} (leader {n})" for n in range(2, len(taken) + 3)))
    return next(kind for kind in kinds if find_name(kind, taken) is None)


def leader_id_of(connection: Connection, organiser_id: int, campaign_id: int) -> int | None:
    """The number of the person as whom an organiser leads a campaign."""
    mine = (CODER.c.organiser_id == organiser_id) & (CODER.c.campaign_id == campaign_id)
    rows = connection.execute(select(CODER.c.id).where(mine, CODER.c.role == "leader", CODER.c.removed.is_(None)))
    return rows.scalar()


def leader_in(connection: Connection, organiser: Organiser, campaign_id: int) -> Visitor | None:
    """An organiser as the leader of one campaign, where she leads it."""
    coder_id = leader_id_of(connection, organiser.organiser_id, campaign_id)
    if coder_id is None:
        return None
    name = connection.execute(select(CODER.c.name).where(CODER.c.id == coder_id)).scalar_one()
    return Visitor(
        coder_id=coder_id,
        campaign_id=campaign_id,
        name=name,
        role="leader",
        session_id=organiser.session_id,
        seen=organiser.seen,
        organiser_id=organiser.organiser_id,
    )


def campaigns_on_desk(connection: Connection, organiser_id: int) -> list[LedCampaign]:
    """The campaigns that an organiser leads, the newest first."""
    items = select(func.count()).where(ITEM.c.campaign_id == CAMPAIGN.c.id).scalar_subquery()
    people = CODER.alias()
    working = (people.c.campaign_id == CAMPAIGN.c.id) & (people.c.role == "coder") & people.c.removed.is_(None)
    coders = select(func.count()).select_from(people).where(working).scalar_subquery()
    query = (
        select(CAMPAIGN.c.id, CAMPAIGN.c.name, CAMPAIGN.c.created, items.label("items"), coders.label("coders"))
        .join(CODER, CODER.c.campaign_id == CAMPAIGN.c.id)
        .where(CODER.c.organiser_id == organiser_id, CODER.c.role == "leader", CODER.c.removed.is_(None))
        .order_by(CAMPAIGN.c.id.desc())
    )
    return [LedCampaign(**row) for row in connection.execute(query).mappings()]
