"""One connection: pipelined requests, bodies in pieces, HEAD, expectations, HTTP/1.0."""

import json

from checks import ServerTests
from client import Closed, json_request, request

LIVEZ = request("GET", "/livez")
EVENT = {"event": "splash.didFinish"}


class ConnectionTests(ServerTests):
    def assert_is_usable(self, connection):
        """Fails if the connection is not kept, or if unread bytes remain on it."""
        answer = connection.ask(LIVEZ)
        self.assertEqual((answer.status, answer.json()), (200, {"status": "ok"}))
        self.assertEqual(connection.received, b"")

    def test_a_connection_is_kept(self):
        with self.server.connect() as connection:
            for _ in range(100):
                self.assert_is_usable(connection)

    def test_a_connection_is_closed_on_request(self):
        with self.server.connect() as connection:
            answer = connection.ask(request("GET", "/livez", "Connection: close"))
            self.assertEqual((answer.status, answer.is_last), (200, True))
            self.assertEqual(connection.rest(), b"")

    def test_pipelined_requests_are_answered_in_order(self):
        session = self.server.new_session()
        target = f"/sessions/{session}"
        tabs = ["DriversCoordinator", "ProfileCoordinator", "TeamsCoordinator"]
        requests = [json_request("POST", f"{target}/events", EVENT, "Prefer: return=minimal")]
        for tab in tabs:
            event = {"event": "navigation.selectTab", "payload": {"tab": tab}}
            requests += [
                json_request("POST", f"{target}/events", event, "Prefer: return=minimal"),
                request("GET", f"{target}/route"), request("HEAD", f"{target}/route"), request("GET", "/nowhere"),
            ]  # fmt: skip
        with self.server.connect() as connection:
            connection.send(b"".join(requests))
            self.assertEqual(connection.answer().json()["version"], 1)
            for version, path in enumerate(["/main/drivers", "/main/profile", "/main/teams"], 2):
                self.assertEqual(connection.answer().json()["version"], version)
                self.assertEqual(connection.answer().json()["path"], path)
                self.assertEqual(connection.answer(to_head=True).status, 200)
                self.assertEqual(connection.answer().status, 404)
            self.assert_is_usable(connection)

    def test_many_pipelined_requests_are_answered(self):
        with self.server.connect() as connection:
            connection.send(LIVEZ * 500)
            for _ in range(500):
                self.assertEqual(connection.answer().status, 200)
            self.assert_is_usable(connection)

    def test_a_request_can_arrive_byte_by_byte(self):
        session = self.server.new_session()
        with self.server.connect() as connection:
            connection.send_bytewise(json_request("POST", f"/sessions/{session}/events", EVENT, "Cookie: a=b; c=d"))
            self.assertEqual(connection.answer().json()["path"], "/main/teams")
            connection.send_bytewise(request("GET", f"/sessions/{session}/route?version=0", "A: " + "x" * 5_000))
            self.assertEqual(connection.answer().json()["path"], "/splash")
            self.assert_is_usable(connection)

    def test_a_request_can_be_split_anywhere(self):
        session = self.server.new_session()
        data = json_request("PUT", f"/sessions/{session}/route", {"path": "/main/teams"}, "Prefer: return=minimal")

        def check(place):
            with self.server.connect() as connection:
                connection.send(data[:place])
                self.assertTrue(self.server.is_well())
                connection.send(data[place:] + LIVEZ)
                self.assertEqual(connection.answer().json()["path"], "/main/teams")
                self.assertEqual(connection.answer().status, 200)

        head = data.index(b"\r\n\r\n")
        self.check_each([1, 4, 20, head, head + 1, head + 2, head + 3, head + 4, head + 5, len(data) - 1], check)

    def test_a_body_can_have_64_kib(self):
        session = self.server.new_session()
        body = json.dumps(EVENT).ljust(65_536)
        data = request("POST", f"/sessions/{session}/events", "Content-Type: application/json", body=body)
        for size in (65_536, 4_096, 1_000):
            with self.subTest(size=size), self.server.connect() as connection:
                for place in range(0, len(data), size):
                    connection.send(data[place : place + size])
                self.assertEqual(connection.answer().status, 200)
                self.assert_is_usable(connection)

    def test_a_body_can_follow_a_large_header(self):
        session = self.server.new_session()
        body = json.dumps(EVENT).ljust(60_000)

        def check(size):
            with self.server.connect() as connection:
                connection.send(
                    request(
                        "POST", f"/sessions/{session}/events", "Content-Type: application/json", "A: " + "x" * size,
                        body=body,
                    ))  # fmt: skip
                self.assertEqual(connection.answer().status, 200)
                self.assert_is_usable(connection)

        self.check_each(range(1_000, 9_000, 1_000), check)

    def test_a_client_that_expects_100_gets_it(self):
        session = self.server.new_session()
        data = json_request("POST", f"/sessions/{session}/events", EVENT, "Expect: 100-continue")
        head, body = data.split(b"\r\n\r\n", 1)
        with self.server.connect() as connection:
            connection.send(head + b"\r\n\r\n")
            interim = connection.head()
            self.assertEqual((interim.status, interim.fields), (100, []))
            self.assertEqual(connection.received, b"")
            connection.send(body)
            self.assertEqual(connection.answer().json()["version"], 1)
            self.assert_is_usable(connection)

    def test_a_body_that_is_too_large_gets_no_100(self):
        with self.server.connect() as connection:
            connection.send(
                request("POST", "/sessions", "Content-Type: application/json", "Expect: 100-continue",
                        "Content-Length: 70000"))  # fmt: skip
            answer = connection.answer()
            self.assertEqual((answer.status, answer.is_problem, answer.is_last), (413, True, True))
            self.assertEqual(connection.rest(), b"")

    def test_a_head_request_gets_only_the_header(self):
        session = self.server.new_session(path="/main/teams")
        rows = [
            ("/", 200), ("/livez", 200), ("/nowhere", 404), ("/metrics", 200), ("/openapi.json", 200),
            (f"/sessions/{session}", 200), (f"/sessions/{session}/route", 200), (f"/sessions/{session}/events", 200),
        ]  # fmt: skip

        def check(row):
            target, status = row
            with self.server.connect() as connection:
                get = connection.ask(request("GET", target))
                # The length of the metrics can have changed.
                length = None if target == "/metrics" else get.field("Content-Length")
                connection.send(request("HEAD", target) * 2 + LIVEZ)
                for _ in range(2):
                    head = connection.answer(to_head=True)
                    self.assertEqual(head.status, status)
                    self.assertIn(length, (None, head.field("Content-Length")))
                self.assertEqual(connection.answer().json(), {"status": "ok"})

        self.check_each(rows, check)

    def test_a_head_request_for_a_stream_gets_only_the_header(self):
        session = self.server.new_session(path="/main/teams")
        for form in ("text/event-stream", "application/x-ndjson"):
            with self.subTest(form=form), self.server.connect() as connection:
                head = connection.ask(request("HEAD", f"/sessions/{session}/events", f"Accept: {form}"))
                self.assertEqual((head.status, head.field("Content-Type")), (200, form))
                if head.is_last:
                    self.assertEqual(connection.rest(), b"")
                else:
                    self.assert_is_usable(connection)

    def test_an_older_client_gets_one_answer(self):
        session = self.server.new_session()
        with self.server.connect() as connection:
            answer = connection.ask(request("GET", "/livez", version="1.0", host=None))
            self.assertEqual((answer.status, answer.json()), (200, {"status": "ok"}))
            self.assertEqual(connection.rest(), b"")
        with self.server.connect() as connection:
            json_type = "Content-Type: application/json"
            body = json.dumps(EVENT)
            answer = connection.ask(
                request("POST", f"/sessions/{session}/events", json_type, body=body, version="1.0"))
            self.assertEqual((answer.status, answer.json()["version"]), (200, 1))
            self.assertEqual(connection.rest(), b"")

    def test_an_older_client_can_keep_the_connection(self):
        with self.server.connect() as connection:
            answer = connection.ask(request("GET", "/livez", "Connection: keep-alive", version="1.0"))
            self.assertEqual(answer.status, 200)
            if (answer.field("Connection") or "").lower() == "keep-alive":
                self.assert_is_usable(connection)
            else:
                self.assertEqual(connection.rest(), b"")

    def test_an_older_client_can_follow_a_session(self):
        session = self.server.new_session(path="/main/teams")
        with self.server.connect() as connection:
            target = f"/sessions/{session}/events"
            connection.send(request("GET", target, "Accept: text/event-stream", version="1.0"))
            answer = connection.head()
            self.assertEqual((answer.status, answer.field("Transfer-Encoding")), (200, None))
            self.assertEqual(connection.take_until(b"\n"), b"id: 1")
            self.server.ask("DELETE", f"/sessions/{session}")
            self.assertIn(b"event: end", connection.rest())

    def test_a_client_can_leave_at_any_time(self):
        session = self.server.new_session()
        target = f"/sessions/{session}"
        whole = json_request("POST", f"{target}/events", {"event": "no.event"})
        for data in (b"", whole[:10], whole[:-1], whole, LIVEZ * 50, request("GET", f"{target}/route")):
            for ends in (False, True):
                with self.subTest(data=data[:40], ends=ends):
                    for _ in range(20):
                        with self.server.connect() as connection:
                            connection.send(data)
                            if ends:
                                connection.finish_sending()
                    self.assertTrue(self.server.is_well())

    def test_a_client_that_closes_its_side_gets_its_answer(self):
        with self.server.connect() as connection:
            connection.send(LIVEZ)
            connection.finish_sending()
            try:
                self.assertEqual(connection.answer().status, 200)
            except Closed as closed:
                self.fail(f"no answer: {closed}")
