"""Every route under random requests: never a 500, never an answer the document does not name."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.organisers import invite_organiser
from support.campaign_cases import event, make_campaign
from support.lazy_modules import LazyModule
from support.web_door import SECRET, Door

schemathesis, of_any, of_openapi = map(
    LazyModule, ("schemathesis", "schemathesis.checks", "schemathesis.specs.openapi.checks")
)
FAST = {"requests_per_second": 1e6, "burst": 10**6, "address_requests_per_second": 1e6, "address_burst": 10**6}


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("openapi") / "campaigns.db") as store:
        door = Door(store, make_campaign(store, expert="ulla"), failed_links_per_minute=10**6, **FAST)
        for coder in ("anna", "ben"):
            client = door.join(coder)
            items = client.get(f"{door.api}/part").json()["items"]
            events = [event(item["id"], "collocation", "yes" if item["id"] % 3 else "no") for item in items]
            client.post(f"{door.api}/events", json={"events": events})
        yield door


@pytest.fixture(scope="module")
def cookies(door):
    """Sessions of a coder, of the leader and of an organiser, as one browser would hold them."""
    at_desk = door.client()
    token = door.store.write(lambda connection: invite_organiser(connection, "ada", SECRET))
    assert at_desk.post("/api/sessions", json={"token": token}).status_code == 200
    return {**door.join("anna").cookies, **door.join("leader").cookies, **at_desk.cookies}


PROFILE = settings(
    max_examples=settings.default.max_examples // 4,  # of each route, in each mode
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def fitting(value, name=None):
    """Whole numbers as such (a schema lets 7.0 pass for 7), and items that are there, so that rooms are reached."""
    if isinstance(value, dict):
        return {key: fitting(entry, key) for key, entry in value.items()}
    if isinstance(value, list):
        return [fitting(entry) for entry in value]
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    return whole % 6 + 1 if name == "item" and isinstance(whole, int) else whole


def check_operation(operation, door, cookies, mode):
    conformances = (of_openapi.status_code_conformance, of_openapi.content_type_conformance)
    documented = [of_any.not_a_server_error, *conformances, of_openapi.response_schema_conformance]

    @PROFILE
    @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode)))
    def answered_as_documented(case):
        if mode == "positive" and "campaign" in (case.path_parameters or {}):
            case.path_parameters["campaign"] = door.campaign.id
            case.body = fitting(case.body)
        if case.method != "DELETE":  # which would end the session of all that follow
            case.cookies = {**(case.cookies or {}), **cookies}
        case.call_and_validate(checks=documented)

    answered_as_documented()


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_random_requests_are_answered_as_documented(door, cookies, mode):
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", door.app)
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) >= 36
    for operation in operations:
        if mode == "positive" or operation.body or operation.query or operation.path_parameters:
            check_operation(operation, door, cookies, mode)
