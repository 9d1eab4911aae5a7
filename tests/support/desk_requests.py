"""What a leader asks for at her desk, as tests of its API do."""

from concurrence.annotation.people.organisers import invite_organiser
from support.web_door import SECRET

TABLE = "id,text,part\n1,good morning,1\n2,good night,2\n3,good bye,all\n"


def at_desk(door, name):
    client = door.client()
    token = door.store.write(lambda c: invite_organiser(c, name, SECRET))
    answer = client.post("/api/sessions", json={"token": token})
    assert answer.json() == {"campaign": None, "name": name, "role": "organiser", "page": "/desk"}
    return client


def plan(**fields):
    return {
        "name": "greetings",
        "columns": {"key": "id", "text": ["text"], "part": "part"},
        "questions": [{"id": "polite", "type": "choice", "choices": [{"id": "yes", "key": "y"}, "no"]}],
        "coders": ["anna", "ben"],
        **fields,
    }


def upload(client, content=TABLE, name="items.csv"):
    answer = client.post("/api/desk/tables", params={"name": name}, content=content)
    assert answer.status_code == 200, answer.text
    return answer.json()


def created(client, **fields):
    answer = client.post(f"/api/desk/drafts/{upload(client)['draft']}/campaign", json=plan(**fields))
    assert answer.status_code == 200, answer.text
    return answer.json()


def error(answer, status=422):
    assert answer.status_code == status, answer.text
    return answer.json()["error"]
