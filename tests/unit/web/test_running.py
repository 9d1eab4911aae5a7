"""A server that cannot start says why in one sentence, and what to do."""

import socket
import ssl

import pytest

from concurrence.core import InvalidInputError
from concurrence.web.network.uvicorn_server import listen
from concurrence.web.server import serve


def test_a_port_that_is_taken_is_named_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInputError) as caught:
            listen("127.0.0.1", port)
    assert str(caught.value) == (
        f"Cannot listen on 127.0.0.1, port {port}: it is already in use; choose another with --port."
    )


@pytest.mark.parametrize(("host", "end"), [("no.such.name.invalid", "that name has no address."), ("192.0.2.1", ".")])
def test_an_address_that_is_not_here_is_no_port_that_is_taken(host, end):
    with pytest.raises(InvalidInputError) as caught:
        listen(host, 8765)
    assert str(caught.value).startswith(f"Cannot listen on {host}, port 8765: ")
    assert str(caught.value).endswith(end)
    assert "--port" not in str(caught.value)


def test_files_that_are_no_certificate_are_refused_before_the_database_is_made(tmp_path):
    items = tmp_path / "items.csv"
    items.write_text("l1,l2\npay,attention\n", "utf-8")
    with listen("127.0.0.1", 0) as listener, pytest.raises(InvalidInputError) as caught:
        serve(str(tmp_path / "v.db"), listener, ready=pytest.fail, certificate=items, private_key=items)
    assert str(caught.value) == (
        f"{items} and {items} are not a TLS certificate and its private key; give both as PEM files."
    )
    assert isinstance(caught.value.__cause__, ssl.SSLError)
    assert not (tmp_path / "v.db").exists()
