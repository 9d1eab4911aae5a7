"""The people of a campaign as its leader's desk shows them: their items, their links, the browsers they use."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from concurrence.annotation.campaigns.campaign import Campaign, closings_of, coders_of, manual_version, rounds_of
from concurrence.annotation.database.schema import CODER, INVITATION, ITEM, ROUND_ITEM, SESSION, TASK
from concurrence.annotation.database.store import now
from concurrence.annotation.people.access import DEFAULT_LIMITS, OpenSession, SessionLimits, sessions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person of a campaign; ``links`` are those that still work, ``last_link`` is when the newest was made.

    ``desk`` says whether the person leads the campaign from an organiser's desk, which has links of its own.
    """

    name: str
    role: str
    removed: int | None
    items: int
    links: int
    last_link: int | None
    desk: bool
    sessions: tuple[OpenSession, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """A round: how many items it has, and whether it takes decisions."""

    name: str
    items: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignDesk:
    """What a leader sees of a campaign at her desk."""

    people: tuple[Person, ...]
    rounds: tuple[RoundState, ...]
    parts: tuple[str, ...]
    manual_version: int


def desk_of(connection: Connection, campaign: Campaign, limits: SessionLimits = DEFAULT_LIMITS) -> CampaignDesk:
    """The people, rounds and parts of a campaign."""
    return CampaignDesk(
        people=tuple(_people(connection, campaign, limits)),
        rounds=tuple(_rounds(connection, campaign)),
        parts=tuple(_parts(connection, campaign)),
        manual_version=manual_version(connection, campaign),
    )


def _people(connection: Connection, campaign: Campaign, limits: SessionLimits) -> list[Person]:
    mine = select(CODER.c.id).where(CODER.c.campaign_id == campaign.id)
    counted = select(TASK.c.coder_id, func.count()).where(TASK.c.coder_id.in_(mine)).group_by(TASK.c.coder_id)
    tasks = {row[0]: int(row[1]) for row in connection.execute(counted)}
    works = INVITATION.c.revoked.is_(None) & (INVITATION.c.expires.is_(None) | (INVITATION.c.expires > now()))
    unused = ~INVITATION.c.once | INVITATION.c.used.is_(None)
    query = select(INVITATION.c.coder_id, func.count(), func.max(INVITATION.c.created))
    query = query.where(INVITATION.c.coder_id.in_(mine), works, unused).group_by(INVITATION.c.coder_id)
    links = {coder: (count, last) for coder, count, last in connection.execute(query)}
    open_ = select(SESSION.c.coder_id, SESSION.c.id).where(SESSION.c.coder_id.in_(mine))
    owners = {session: coder for coder, session in connection.execute(open_)}
    people = coders_of(connection, campaign)
    sessions = sessions_of(connection, [person.id for person in people], limits)
    return [
        Person(
            name=person.name,
            role=person.role,
            removed=person.removed,
            items=tasks.get(person.id, 0),
            links=links.get(person.id, (0, None))[0],
            last_link=links.get(person.id, (0, None))[1],
            desk=person.organiser_id is not None,
            sessions=tuple(entry for entry in sessions if owners[entry.id] == person.id),
        )
        for person in people
    ]


def _rounds(connection: Connection, campaign: Campaign) -> list[RoundState]:
    rounds = rounds_of(connection, campaign)
    counted = select(ROUND_ITEM.c.round_id, func.count()).group_by(ROUND_ITEM.c.round_id)
    query = counted.where(ROUND_ITEM.c.round_id.in_([row.id for row in rounds]))
    sizes = {row[0]: int(row[1]) for row in connection.execute(query)}
    closings = closings_of(connection, campaign)
    return [RoundState(name=row.name, items=sizes.get(row.id, 0), closed=closings.closed(row.id)) for row in rounds]


def _parts(connection: Connection, campaign: Campaign) -> list[str]:
    query = select(ITEM.c.part).where(ITEM.c.campaign_id == campaign.id).distinct()
    return sorted(connection.execute(query).scalars(), key=lambda part: (len(part), part))
