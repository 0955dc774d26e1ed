"""Requests that wait for a change of a session."""

import time
from concurrent.futures import ThreadPoolExecutor

from checks import ServerTests
from client import request
from server import wait_until


class WaitingTests(ServerTests):
    def waiting(self, session, tag, seconds):
        return request("GET", f"/sessions/{session}/route", f"If-None-Match: {tag}", f"Prefer: wait={seconds}")

    def tag(self, session):
        return self.server.ask("GET", f"/sessions/{session}/route").field("ETag")

    def wait_until_requests_are_in_flight(self, count):
        # The request for the metrics counts as well.
        wait_until(
            lambda: self.server.metric("coordinate_http_requests_in_flight") > count, f"{count} requests in flight")

    def test_a_change_ends_the_wait(self):
        session = self.server.new_session()
        with self.server.connect(patience=60) as connection:
            connection.send(self.waiting(session, self.tag(session), 50))
            self.wait_until_requests_are_in_flight(1)
            start = time.monotonic()
            self.server.post(session, "splash.didFinish")
            answer = connection.answer()
            self.assertLess(time.monotonic() - start, 20)
            self.assertEqual((answer.status, answer.json()["version"]), (200, 1))
            # The connection is still usable.
            self.assertEqual(connection.ask(request("GET", "/livez")).status, 200)

    def test_without_a_change_the_route_is_unchanged(self):
        session = self.server.new_session()
        with self.server.connect() as connection:
            start = time.monotonic()
            answer = connection.ask(self.waiting(session, self.tag(session), 2))
            self.assertEqual((answer.status, answer.body), (304, b""))
            self.assertGreater(time.monotonic() - start, 1)
            self.assertEqual(connection.ask(request("GET", "/livez")).status, 200)

    def test_an_earlier_change_is_answered_at_once(self):
        session = self.server.new_session()
        tag = self.tag(session)
        self.server.post(session, "splash.didFinish")
        start = time.monotonic()
        with self.server.connect(patience=60) as connection:
            self.assertEqual(connection.ask(self.waiting(session, tag, 50)).json()["version"], 1)
        self.assertLess(time.monotonic() - start, 20)

    def test_a_request_behind_a_waiting_one_is_answered_after_it(self):
        session = self.server.new_session()
        with self.server.connect() as connection:
            connection.send(self.waiting(session, self.tag(session), 15) + request("GET", "/livez"))
            self.wait_until_requests_are_in_flight(1)
            self.server.post(session, "splash.didFinish")
            self.assertEqual(connection.answer().json()["version"], 1)
            self.assertEqual(connection.answer().json(), {"status": "ok"})

    def test_fifty_clients_wait_and_all_are_answered(self):
        session = self.server.new_session()
        tag = self.tag(session)
        connections = [self.server.connect(patience=60) for _ in range(50)]
        for connection in connections:
            connection.send(self.waiting(session, tag, 50))
        self.wait_until_requests_are_in_flight(50)
        self.server.post(session, "splash.didFinish")
        for connection in connections:
            with connection:
                self.assertEqual(connection.answer().json()["version"], 1)

    def test_fifty_clients_wait_without_a_change(self):
        session = self.server.new_session()
        tag = self.tag(session)
        connections = [self.server.connect() for _ in range(50)]
        for connection in connections:
            connection.send(self.waiting(session, tag, 1))
        for connection in connections:
            with connection:
                self.assertEqual(connection.answer().status, 304)

    def test_the_end_of_the_session_ends_the_wait(self):
        session = self.server.new_session()
        with self.server.connect(patience=60) as connection:
            connection.send(self.waiting(session, self.tag(session), 50))
            self.wait_until_requests_are_in_flight(1)
            self.server.ask("DELETE", f"/sessions/{session}")
            self.assertEqual(connection.answer().status, 404)

    def test_clients_leave_while_they_wait(self):
        session = self.server.new_session()
        tag = self.tag(session)
        connections = [self.server.connect() for _ in range(20)]
        for connection in connections:
            connection.send(self.waiting(session, tag, 3))
        self.wait_until_requests_are_in_flight(20)
        for connection in connections:
            connection.close()
        wait_until(
            lambda: self.server.metric("coordinate_http_requests_in_flight") == 1, "no request is in flight any more")

    def test_many_sessions_change_while_clients_wait(self):
        def follow(_):
            session = self.server.new_session(path="/main/teams")
            with self.server.connect() as waiting, self.server.connect() as posting:
                for version in range(2, 12):
                    waiting.send(self.waiting(session, self.tag(session), 15))
                    tab = ["TeamsCoordinator", "DriversCoordinator"][version % 2]
                    event = f'{{"event": "navigation.selectTab", "payload": {{"tab": "{tab}"}}}}'
                    json_type = "Content-Type: application/json"
                    posting.ask(request("POST", f"/sessions/{session}/events", json_type, body=event))
                    self.assertEqual(waiting.answer().json()["version"], version)

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(follow, range(16)))
