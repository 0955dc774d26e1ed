"""Stopping a server: open requests are answered, and the process ends in time."""

import unittest

from client import Closed, Silent, json_request, request
from server import Server, wait_until


class DrainingTests(unittest.TestCase):
    def test_an_idle_server_stops(self):
        server = Server()
        idle = server.connect()
        self.assertTrue(server.is_well())
        server.stop()
        self.assertEqual(idle.rest(), b"")

    def test_streams_end_and_waiting_requests_are_answered(self):
        server = Server()
        session = server.new_session(path="/main/teams")
        tag = server.ask("GET", f"/sessions/{session}/route").field("ETag")
        streams = [server.follow(session) for _ in range(20)]
        for stream in streams:
            self.assertEqual(stream.message()["id"], "1")
        waiting = [server.connect() for _ in range(20)]
        for connection in waiting:
            connection.send(
                request("GET", f"/sessions/{session}/route", f"If-None-Match: {tag}", "Prefer: wait=60"))
        half = server.connect()
        half.send(json_request("POST", f"/sessions/{session}/events", {"event": "navigation.back"})[:-5])
        # The request for the metrics counts as well.
        wait_until(lambda: server.metric("coordinate_http_requests_in_flight") >= 42, "all requests are in flight")
        server.ask_to_stop()
        for stream in streams:
            self.assertLessEqual(len(stream.messages_until_the_end()), 1)
            self.assertEqual(stream.connection.rest(), b"")
        for connection in waiting:
            answer = connection.answer()
            self.assertIn(answer.status, (200, 304, 503))
            self.assertEqual(connection.rest(), b"")
        self.assertEqual(server.exit_status(within=10), 0)
        self.assertIn(half.rest().count(b"HTTP/1.1 "), (0, 1))

    def test_a_request_that_is_completed_while_the_server_stops_is_answered_or_refused(self):
        server = Server()
        session = server.new_session(path="/main/teams")
        data = json_request("PUT", f"/sessions/{session}/route", {"path": "/main/drivers"}, "Prefer: return=minimal")
        half = server.connect()
        half.send(data[:-5])
        wait_until(lambda: server.metric("coordinate_http_requests_in_flight") >= 2, "the request is in flight")
        server.ask_to_stop()
        wait_until(lambda: "stopping" in server.log(), "the server has heard the signal")
        try:
            half.send(data[-5:])
            answer = half.answer()
            self.assertIn(answer.status, (200, 503))
            self.assertEqual(half.rest(), b"")
        except (Closed, ConnectionError):
            pass
        self.assertEqual(server.exit_status(within=10), 0)

    def test_a_server_stops_while_it_refuses(self):
        for _ in range(5):
            server = Server()
            for data in (
                request("GET", "/livez", "Content-Length: x"), request("GET", "/livez", version="2.0"),
                request("GET", "/livez", "Cookie: " + ";" * 900), request("GET", "/livez", "Host: twice"),
                request("GET", "/livez", "Transfer-Encoding: chunked"),
            ):  # fmt: skip
                for _ in range(4):
                    server.connect().send(data)
            server.stop()

    def test_a_server_stops_under_load(self):
        server = Server()
        connections = [server.connect() for _ in range(50)]
        for connection in connections:
            connection.send(request("GET", "/metrics") * 20)
        server.ask_to_stop()
        for connection in connections:
            try:
                # Each answer that has started is completed.
                while not connection.answer().is_last:
                    pass
            except Closed as closed:
                self.assertIn("after b''", str(closed))
            except Silent as silent:
                self.fail(silent)
        self.assertEqual(server.exit_status(within=10), 0)
