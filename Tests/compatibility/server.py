"""A coordinate-server for the tests, which is stopped by its process id."""

import atexit
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

from client import Connection, EventStream, json_request, request


class Installation:
    """The place of the program: a folder of this system, or of a root that chroot uses."""

    def __init__(self, folder, root=None):
        self.folder = folder
        self.root = root

    def command(self, *arguments):
        # The program replaces chroot, so that its process id is the server's.
        prefix = ["chroot", self.root] if self.root else []
        program, data = f"{self.folder}/coordinate-server", f"{self.folder}/config/racing.json"
        return prefix + [program, "serve", "--port", "0", "--app-data", data, *arguments]

    def outside(self, path):
        """Returns the path on this system for a path in the installation."""
        return (self.root or "") + path


installation = None
"""The installation to test. `run` sets it."""


def wait_until(condition, what, within=60):
    """Returns when a condition holds. Fails if it does not hold within a number of seconds."""
    end = time.monotonic() + within
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {within} s: {what}")
        time.sleep(0.01)


class Server:
    """A running server with its own sessions."""

    def __init__(self, *arguments):
        self.errors = tempfile.NamedTemporaryFile()
        # Swift's backtraces need half a minute for a program of this size.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COORDINATE_")}
        self.process = subprocess.Popen(
            installation.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
            cwd="/", env=environment | {"SWIFT_BACKTRACE": "enable=no"},
        )  # fmt: skip
        atexit.register(self.process.kill)
        match = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", self.first_line())
        if not match:
            self.process.kill()
            raise AssertionError(f"the server did not start: {self.log()}")
        self.port = int(match[1])

    def first_line(self):
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(self.process.stdout.readline()), daemon=True).start()
        try:
            return lines.get(timeout=60).decode()
        except queue.Empty:
            return ""

    @property
    def is_running(self):
        return self.process.poll() is None

    def log(self):
        with open(self.errors.name, errors="replace") as errors:
            return errors.read()[-3_000:]

    def ask_to_stop(self):
        self.process.send_signal(signal.SIGTERM)

    def exit_status(self, within=10):
        """Returns the exit status. Fails if the server does not end within a number of seconds."""
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not end within {within} s: {self.log()}") from None
        finally:
            atexit.unregister(self.process.kill)
            self.process.stdout.close()

    def stop(self):
        if self.is_running:
            self.ask_to_stop()
        status = self.exit_status()
        assert status == 0, f"the server ended with the status {status}: {self.log()}"

    # Requests, each on a new connection.

    def connect(self, patience=20):
        return Connection(self.port, patience)

    def ask(self, method, target, *fields, **options):
        with self.connect() as connection:
            return connection.ask(request(method, target, *fields, **options))

    def ask_json(self, method, target, document, *fields):
        with self.connect() as connection:
            return connection.ask(json_request(method, target, document, *fields))

    def new_session(self, **wishes):
        answer = self.ask_json("POST", "/sessions", wishes)
        assert answer.status == 201, answer
        return answer.json()["id"]

    def post(self, session, event, **payload):
        """Posts one event and returns the version that it created."""
        document = {"event": event, "payload": payload}
        answer = self.ask_json("POST", f"/sessions/{session}/events", document, "Prefer: return=minimal")
        assert answer.status == 200, answer
        return json.loads(answer.body)["version"]

    def follow(self, session, *fields, patience=20):
        return EventStream(self.connect(patience), session, *fields)

    def metric(self, name):
        """Returns the value of a metric in `/metrics`."""
        text = self.ask("GET", "/metrics").body.decode()
        match = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        assert match, f"no {name} in /metrics"
        return float(match[1])

    def is_well(self):
        """Whether the server runs and answers an ordinary request on a new connection."""
        return self.is_running and self.ask("GET", "/livez").status == 200
