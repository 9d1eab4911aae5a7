"""Connections that say nothing, or too little, keep nobody else from the server."""

import resource
import socket
import threading
from contextlib import ExitStack, closing

import httpx
import pytest

from concurrence.annotation.database.store import Store
from concurrence.web.network.connections import ConnectionLimiter, CountingListener, Phase
from concurrence.web.server import listen, make_server
from concurrence.web.settings import ConnectionLimits, Settings
from support.servers import PATIENCE, Served, free_port, make_certificate, wait_until

OPEN_FILES = 1024
IDLE = 1100


class FakeSocket:
    """A connection that notes whether it was closed."""

    def __init__(self, number):
        self.number, self.open = number, True

    def fileno(self):
        return self.number

    def shutdown(self, _how):
        self.open = False


def limiter_of(*, most, time=None, **limits):
    time = time if time is not None else [0.0]
    return ConnectionLimiter(ConnectionLimits(most=most, **limits), clock=lambda: time[0])


def fill(limiter, addresses, time):
    sockets = []
    for number, address in enumerate(addresses, start=10):
        time[0] += 1
        sockets.append(FakeSocket(number))
        limiter.admit(sockets[-1], address)
    return sockets


def test_the_oldest_of_the_largest_group_makes_room():
    time = [0.0]
    limiter = limiter_of(most=4, time=time)
    sockets = fill(limiter, ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2", "192.0.2.3"], time)
    assert [entry.open for entry in sockets] == [True, False, True, True, True]
    assert len(limiter) == 4


def test_who_is_being_served_stays():
    time = [0.0]
    limiter = limiter_of(most=3, time=time)
    first, second, third = fill(limiter, ["192.0.2.1"] * 3, time)
    limiter.enter(limiter.find(first), Phase.WORKING)
    limiter.enter(limiter.find(second), Phase.BODY)
    limiter.admit(FakeSocket(20), "192.0.2.1")
    assert (first.open, second.open, third.open) == (True, True, False)
    limiter.enter(limiter.find(FakeSocket(20)), Phase.WORKING)
    limiter.admit(late := FakeSocket(21), "192.0.2.1")
    assert (first.open, second.open, late.open) == (True, True, False)


def test_a_place_counts_once_however_often_it_is_given():
    limiter = limiter_of(most=2)
    for _ in range(5):
        limiter.admit(FakeSocket(7), "192.0.2.1")
    assert len(limiter) == 1


@pytest.mark.parametrize(
    ("phase", "received", "lasts"),
    [
        (Phase.HEAD, 0, 20),
        (Phase.IDLE, 0, 75),
        (Phase.BODY, 0, 20),
        (Phase.BODY, 50_000, 25),
        (Phase.WORKING, 0, 10**6),
    ],
)
def test_every_phase_has_its_time(phase, received, lasts):
    time = [100.0]
    limiter = limiter_of(most=5, time=time)
    (made,) = fill(limiter, ["192.0.2.1"], time)
    connection = limiter.find(made)
    limiter.enter(connection, phase)
    limiter.enter(connection, phase, received=received)
    time[0] += lasts - 0.1
    limiter.sweep()
    assert made.open
    time[0] += 0.2 if phase is not Phase.WORKING else 0
    limiter.sweep()
    assert made.open is (phase is Phase.WORKING)


def test_a_head_in_pieces_has_one_deadline():
    time = [0.0]
    limiter = limiter_of(most=5, time=time)
    (made,) = fill(limiter, ["192.0.2.1"], time)
    for _ in range(25):
        time[0] += 1
        limiter.enter(limiter.find(made), Phase.HEAD, received=1) if made.open else None
        limiter.sweep()
    assert not made.open


def test_an_answer_must_be_taken():
    time = [0.0]
    limiter = limiter_of(most=5, time=time)
    (made,) = fill(limiter, ["192.0.2.1"], time)
    connection, waiting = limiter.find(made), [100_000]
    connection.unsent = lambda: waiting[0]
    limiter.enter(connection, Phase.IDLE)
    for _ in range(10):  # slowly, but it is taken
        time[0] += 50
        waiting[0] -= 5_000
        limiter.sweep()
    assert made.open
    time[0] += 61
    limiter.sweep()
    assert not made.open


@pytest.fixture
def many_files():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * IDLE:
        pytest.skip("this machine allows too few open files for so many connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * IDLE), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


@pytest.mark.parametrize(
    "tls", [False, pytest.param(True, marks=[pytest.mark.openssl, pytest.mark.thorough])], ids=["plain", "TLS"]
)
def test_more_idle_connections_than_open_files_keep_nobody_out(tmp_path, many_files, tls):
    options = make_certificate(tmp_path) if tls else ()
    served = Served(tmp_path / "campaigns.db", tmp_path / "secret", *options, before=few_files).start()
    try:
        with ExitStack() as idle:
            for _ in range(IDLE):
                idle.enter_context(closing(socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)))
            for _ in range(3):
                assert httpx.get(f"{served.url}/join", timeout=10, verify=False).status_code == 200
    finally:
        served.stop()


@pytest.fixture
def hasty(tmp_path):
    """A server in this process that waits a fifth of a second."""
    limits = ConnectionLimits(head=0.2, body=0.2, body_rate=10**9, idle=1, answer=0.2)
    with Store(tmp_path / "campaigns.db") as store:
        settings, limiter = Settings(secret=b"s" * 32, connections=limits), ConnectionLimiter(limits)
        port = free_port()
        with CountingListener(listen("127.0.0.1", port), limiter) as accepting:
            server = make_server(store, settings, limiter)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [accepting]})
            thread.start()
            wait_until(lambda: server.started)
            yield port
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_who_does_not_finish_is_sent_away(hasty, sent):
    with closing(socket.create_connection(("127.0.0.1", hasty), timeout=PATIENCE)) as connection:
        connection.sendall(sent)
        assert connection.recv(1000) == b""


def test_an_idle_connection_is_closed_after_its_answer(hasty):
    with closing(socket.create_connection(("127.0.0.1", hasty), timeout=PATIENCE)) as connection:
        connection.sendall(b"GET /join HTTP/1.1\r\nHost: x\r\n\r\n")
        received = b""
        while more := connection.recv(10_000):
            received += more
        assert received.startswith(b"HTTP/1.1 200")
