"""Sessions in SQLite: the system's library keeps them over a restart."""

import os
import unittest
import uuid

import server
from server import Server


class StoreTests(unittest.TestCase):
    def test_sessions_survive_a_restart(self):
        store = f"/tmp/compatibility-{uuid.uuid4()}.sqlite"
        self.addCleanup(self.remove, store)
        first = Server("--journal", f"sqlite:{store}")
        session = first.new_session(path="/main/teams")
        first.post(session, "teams.didSelect", team="ferrari")
        tag = first.ask("GET", f"/sessions/{session}/route").field("ETag")
        first.stop()
        second = Server("--journal", f"sqlite:{store}")
        route = second.ask("GET", f"/sessions/{session}/route")
        self.assertEqual((route.status, route.field("ETag")), (200, tag))
        self.assertEqual(second.post(session, "navigation.back"), 3)
        second.stop()

    def remove(self, store):
        path = server.installation.outside(store)
        for name in os.listdir(os.path.dirname(path)):
            if name.startswith(os.path.basename(path)):
                os.remove(os.path.join(os.path.dirname(path), name))
