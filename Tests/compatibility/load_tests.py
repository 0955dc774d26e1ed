"""Health, metrics, and many connections at once."""

import re
from concurrent.futures import ThreadPoolExecutor

from checks import ServerTests
from client import json_request, request
from server import wait_until


class LoadTests(ServerTests):
    def test_the_server_is_alive_and_ready(self):
        for target in ("/livez", "/readyz"):
            answer = self.server.ask("GET", target)
            self.assertEqual((answer.status, answer.json()), (200, {"status": "ok"}))

    def test_metrics_are_for_prometheus(self):
        answer = self.server.ask("GET", "/metrics")
        self.assertEqual(answer.status, 200)
        self.assertIn("text/plain; version=0.0.4", answer.field("Content-Type"))
        for line in answer.body.decode().splitlines():
            self.assertRegex(line, re.compile(r'^(# (HELP|TYPE) .+|[a-z_]+(\{.+\})? [0-9.e+-]+)$'))
        before = self.server.metric("coordinate_events_total")
        session = self.server.new_session()
        self.server.post(session, "splash.didFinish")
        self.assertEqual(self.server.metric("coordinate_events_total"), before + 1)
        self.assertGreaterEqual(self.server.metric("coordinate_sessions"), 1)

    def test_two_hundred_connections_are_kept_and_answered(self):
        sessions = [self.server.new_session(path="/main/teams") for _ in range(200)]
        connections = [self.server.connect(patience=60) for _ in sessions]
        pairs = list(zip(sessions, connections))

        def use(share):
            for turn in range(20):
                for session, connection in share:
                    tab = ["TeamsCoordinator", "DriversCoordinator"][turn // 2 % 2]
                    event = {"event": "navigation.selectTab", "payload": {"tab": tab}}
                    connection.send(
                        [
                            json_request("POST", f"/sessions/{session}/events", event, "Prefer: return=minimal"),
                            request("GET", f"/sessions/{session}/route"),
                        ][turn % 2])
                for _, connection in share:
                    self.assertEqual(connection.answer().json()["version"], 2 + turn // 2)

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(use, [pairs[start::20] for start in range(20)]))
        for connection in connections:
            connection.close()
        wait_until(lambda: self.server.metric("coordinate_http_connections") == 1, "the connections are closed")

    def test_connections_come_and_go(self):
        def use(_):
            for _ in range(50):
                self.assertEqual(self.server.ask("GET", "/livez", "Connection: close").status, 200)

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(use, range(20)))
