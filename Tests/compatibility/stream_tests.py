"""Streams of server-sent events."""

from concurrent.futures import ThreadPoolExecutor
import json

from checks import ServerTests
from server import wait_until


class StreamTests(ServerTests):
    def assert_is_route(self, message, version):
        self.assertEqual((message["event"], message["id"]), ("route", str(version)))
        self.assertEqual(json.loads(message["data"])["version"], version)

    def assert_is_end(self, stream):
        self.assertEqual(stream.message()["event"], "end")
        self.assertIsNone(stream.message())
        self.assertEqual(stream.connection.rest(), b"")

    def select_tabs(self, session, first, last):
        """Creates the versions from the first to the last."""
        for version in range(first, last + 1):
            tab = ["TeamsCoordinator", "DriversCoordinator"][version % 2]
            self.assertEqual(self.server.post(session, "navigation.selectTab", tab=tab), version)

    def test_a_stream_begins_with_the_current_route_and_has_each_turn(self):
        session = self.server.new_session(path="/main/teams")
        stream = self.server.follow(session)
        self.assert_is_route(stream.message(), 1)
        self.select_tabs(session, 2, 30)
        for version in range(2, 31):
            self.assert_is_route(stream.message(), version)
        self.server.ask("DELETE", f"/sessions/{session}")
        self.assert_is_end(stream)

    def test_a_stream_continues_after_the_last_message(self):
        session = self.server.new_session(path="/main/teams")
        self.select_tabs(session, 2, 10)
        stream = self.server.follow(session, "Last-Event-ID: 4")
        for version in range(5, 11):
            self.assert_is_route(stream.message(), version)
        self.select_tabs(session, 11, 11)
        self.assert_is_route(stream.message(), 11)
        stream.close()

    def test_many_clients_get_the_same(self):
        sessions = [self.server.new_session(path="/main/teams") for _ in range(10)]
        streams = [(session, self.server.follow(session)) for session in sessions for _ in range(5)]
        with ThreadPoolExecutor(10) as pool:
            list(pool.map(lambda session: self.select_tabs(session, 2, 21), sessions))
        for _, stream in streams:
            for version in range(1, 22):
                self.assert_is_route(stream.message(), version)
        for session in sessions:
            self.server.ask("DELETE", f"/sessions/{session}")
        for _, stream in streams:
            self.assert_is_end(stream)

    def test_a_client_that_leaves_is_detected(self):
        session = self.server.new_session(path="/main/teams")
        streams = [self.server.follow(session) for _ in range(10)]
        wait_until(lambda: self.server.metric("coordinate_streams") == 10, "ten streams are open")
        for stream in streams:
            stream.close()
        wait_until(lambda: self.server.metric("coordinate_streams") == 0, "the streams are over")
        wait_until(lambda: self.server.metric("coordinate_http_connections") == 1, "their connections are closed")

    def test_a_client_that_leaves_is_detected_at_the_next_turns(self):
        session = self.server.new_session(path="/main/teams")
        leaves, stays = self.server.follow(session), self.server.follow(session)
        leaves.close()
        self.select_tabs(session, 2, 20)
        for version in range(1, 21):
            self.assert_is_route(stays.message(), version)
        wait_until(lambda: self.server.metric("coordinate_streams") == 1, "one stream is open")
        stays.close()

    def test_a_client_that_does_not_read_delays_no_other(self):
        session = self.server.new_session(path="/main/teams")
        lazy, eager = self.server.follow(session), self.server.follow(session)
        # Far more than the sockets' buffers can hold.
        for first in range(2, 2_002, 100):
            self.select_tabs(session, first, first + 99)
            for version in range(1 if first == 2 else first, first + 100):
                self.assert_is_route(eager.message(), version)
        eager.close()
        lazy.close()

    def test_a_quiet_stream_has_a_heartbeat(self):
        session = self.server.new_session(path="/main/teams")
        with self.server.follow(session, patience=60).connection as connection:
            chunks = [connection.chunk()]
            while not chunks[-1].startswith(b":"):
                chunks.append(connection.chunk())
