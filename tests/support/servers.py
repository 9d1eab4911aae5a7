"""Real servers for tests: PostgreSQL in a folder of its own, and ``concur serve`` as its own process."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx

from concurrence.annotation.database.store import Store
from support.parts import POSTGRESQL

PATIENCE = 120  # seconds; a busy machine is slow, not wrong
# What was committed outlives a killed server all the same; only a power cut would lose it.
UNPLUGGED = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "autovacuum=off")


def free_port():
    """A port below those that the system lends to clients, so that a killed server finds its own still free."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(ready, *, what="the server"):
    deadline = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} is not there after {PATIENCE} s")
        time.sleep(0.05)


class Postgres:
    """A PostgreSQL server on a free port; it runs as another user where tests run as root."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder), free_port()
        self.bin = POSTGRESQL[-1]
        self.data = self.folder / "data"
        self.process = None
        self._names, self._has_template = 0, False

    def _as_owner(self, *command):
        if os.getuid() != 0:
            return [str(part) for part in command]
        return ["setpriv", f"--reuid={_owner()}", f"--regid={_owner()}", "--clear-groups", *map(str, command)]

    def create(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.getuid() == 0:
            shutil.chown(self.folder, _owner())
        command = (self.bin / "initdb", "-D", self.data, "-U", "tests", "--auth=trust", "-E", "UTF8", "--no-sync")
        subprocess.run(self._as_owner(*command), check=True, capture_output=True, cwd=self.folder)
        return self

    def start(self):
        places = ("-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}")
        command = (self.bin / "postgres", "-D", self.data, "-p", self.port, *places, *UNPLUGGED)
        for _ in range(100):
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(
                    self._as_owner(*command), stdout=log, stderr=log, cwd=self.folder, start_new_session=True
                )
            if self._answers():
                return self
            time.sleep(0.1)  # after kill -9 the orphans must end first
        raise TimeoutError((self.folder / "log").read_text("utf-8")[-2000:])

    def _answers(self):
        while self.process.poll() is None:
            command = [str(self.bin / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
            if subprocess.run(command, check=False).returncode == 0:
                return True
            time.sleep(0.05)
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # at once: what it would write down is thrown away anyway
            self.process.wait(timeout=PATIENCE)

    def new_database(self, *, ready=False):
        """The address of a database: empty, or with its tables, which are made once and copied."""
        self._names += 1
        return self._create(f"campaigns{self._names}", *(("-T", self._template()) if ready else ()))

    def _template(self):
        if not self._has_template:
            with Store(self._create("ready")):
                self._has_template = True
        return "ready"

    def _create(self, name, *options):
        base = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "tests")
        subprocess.run([str(self.bin / "createdb"), *base, *options, name], check=True, capture_output=True)
        return f"postgresql://tests@127.0.0.1:{self.port}/{name}"


def _owner():
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        return pwd.getpwnam("nobody").pw_uid


def postgres_folder():
    # Not pytest's own folder, which no other user may enter.
    return tempfile.mkdtemp(prefix="concurrence-postgres-")


def make_certificate(folder):
    """A certificate for this machine and its key, as options of ``concur serve``."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    subprocess.run([*command, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    return ("--certificate", certificate, "--private-key", key)


class Served:
    """``concur serve`` as its own process, which can be killed and started again on the same port."""

    def __init__(self, database, secret_file, *options, before=None):
        self.database, self.secret_file, self.port = str(database), str(secret_file), free_port()
        self.options, self.before = [str(option) for option in options], before
        self.process = None

    @property
    def url(self):
        return f"http{'s' if '--certificate' in self.options else ''}://127.0.0.1:{self.port}"

    def start(self):
        options = ("--db", self.database, "--port", str(self.port), "--secret-file", self.secret_file, *self.options)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "concurrence", "serve", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
            preexec_fn=self.before,
        )
        wait_until(self._answers, what="concur serve")
        return self

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def _answers(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"concur serve ended with {self.process.returncode}")
        try:
            return httpx.get(self.url, timeout=10, verify=False).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)

    def join(self, link):
        """A client with the session of an invitation link."""
        client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        answer = client.post("/api/sessions", json={"token": link.partition("#")[2]})
        answer.raise_for_status()
        return client
