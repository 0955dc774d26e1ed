"""Runs a session of the racing app as a test with pytest: `flow.py SERVER DEFECT`.

The test passes with the server on which the session was recorded. It fails with a server whose app calls Ferrari otherwise.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import requests


def send(method, address, **request):
    answer = requests.request(method, address, **request)
    answer.raise_for_status()
    return answer.json()


def recorded(server):
    session = server + send("POST", server + "/sessions", json={"options": {"liveResults": True}})["links"]["self"]
    for event in [
        {"event": "splash.didFinish"},
        {"event": "teams.didSelect", "payload": {"team": "ferrari"}},
        {"event": "navigation.back"},
        {"event": "navigation.dismiss"},
        {"event": "drivers.didSelect", "payload": {"driver": "leclerc"}},
    ]:
        send("POST", session + "/events", json=event)
    send("GET", session + "/route?until=settled", headers={"Prefer": "wait=30"})
    send("PUT", session + "/route", json={"path": "/main/profile/edit"})
    name = "Zoë \"O'Neill\" ''' \"\"\" \\n 🏁 {x} %s"
    send("POST", session + "/events", json={"event": "profile.rename", "payload": {"name": name}})
    test = send("GET", session + "/test?as=python")
    return "".join([test["opening"], *test["steps"], test["closing"]])


def run(test, server):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    return subprocess.run(command, env={**os.environ, "SERVER": server}, capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    server, defect = sys.argv[1:]
    test = pathlib.Path(folder) / "test_flow.py"
    test.write_text(recorded(server))
    passed = run(test, server)
    assert passed.returncode == 0, passed.stdout
    failed = run(test, defect)
    assert failed.returncode == 1, failed.stdout
    assert "0 buttons 'Ferrari' at /main/teams. Offered: [" in failed.stdout, failed.stdout
print("A session runs as a test with pytest, and fails with a defect.")
