"""Servers that the tests start, kill and start again, with their sessions in a file."""

import os
import pathlib
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Server:
    """A server over HTTP, or a program that a client starts. Both keep their sessions in the same file."""

    def __init__(self, program, folder, over):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.over = over
        self.process = None
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("COORDINATE_")}

    @property
    def journal(self):
        return f"sqlite:{self.folder / 'sessions.sqlite'}"

    @property
    def pid_file(self):
        return self.folder / "pid"

    def start(self):
        """Starts to serve over HTTP. A program is started by its client instead."""
        if self.over == "program":
            return
        output = self.folder / "output"
        output.write_text("")
        with open(output, "w") as stdout, open(self.folder / "log", "a") as stderr:
            self.process = subprocess.Popen(
                [self.program, "serve", "--port", "0", "--journal", self.journal],
                stdout=stdout, stderr=stderr, cwd=ROOT, env=self.environment)
        deadline = time.monotonic() + 30
        while "\n" not in output.read_text():
            assert self.process.poll() is None and time.monotonic() < deadline, self.log()
            time.sleep(0.05)
        self.url = output.read_text().split()[-1] + "/mcp"

    @property
    def command(self):
        """A command that tells its process id and becomes the program."""
        script = 'echo $$ >"$0" && exec "$@"'
        return ["sh", "-c", script, str(self.pid_file), self.program, "mcp", "--journal", self.journal]

    def kill(self):
        """Ends the server in the middle of whatever it does."""
        if self.process is None:
            os.kill(int(self.pid_file.read_text()), signal.SIGKILL)
        else:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            assert self.process.wait(10) == 0
            self.process = None

    def log(self):
        file = self.folder / "log"
        return file.read_text() if file.exists() else ""

    def replay(self, journal):
        """Replays an exported journal, and returns the path to which it leads."""
        file = self.folder / "journal.ndjson"
        file.write_text(journal)
        done = subprocess.run(
            [self.program, "replay", str(file)], capture_output=True, text=True, cwd=ROOT, env=self.environment)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout.strip()
