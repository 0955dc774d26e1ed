"""Shared by the tests: one running server per group, and its checks after each test."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from server import Server


class ServerTests(unittest.TestCase):
    """Tests against one server, which must be well after each test and end cleanly after all of them."""

    server = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        try:
            assert cls.server.is_well(), "an ordinary request is not answered with 200"
        except BaseException:
            cls.server.process.kill()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def tearDown(self):
        self.assertTrue(self.server.is_running, f"the server has ended: {self.server.log()}")
        self.assertTrue(self.server.is_well())

    def check_each(self, rows, check, at_once=16):
        """Runs a check for each row of a table, several at a time. Each row counts as a test."""
        with ThreadPoolExecutor(at_once) as pool:
            outcomes = [(row, pool.submit(check, row)) for row in rows]
        for row, outcome in outcomes:
            with self.subTest(row=str(row)[:200]):
                outcome.result()
