"""Agents that have never seen the apps use them: the racing app, and the shop's checkout. In the middle, the server is
killed and started again."""

import contextlib
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest

import anyio

from clients import MODES, Agent, connected
from servers import Server


class AgentTests(unittest.TestCase):
    def run_each(self, variable, first_half, second_half):
        """Runs both halves of a test with every client over every transport. Between them, the server is killed.

        The first half returns what the agent knows: the arguments of the second half.
        """
        for over in ["HTTP", "program"]:
            for mode in MODES:
                with self.subTest(over=over, mode=mode), tempfile.TemporaryDirectory() as folder:
                    server = Server(os.environ[variable], folder, over)
                    try:
                        known = anyio.run(self.run_half, server, mode, first_half, True)
                        anyio.run(self.run_half, server, mode, second_half, False, *known)
                        server.stop()
                    except BaseException:
                        print(server.log())
                        raise
                    finally:
                        if server.process is not None:
                            server.process.kill()

    async def run_half(self, server, mode, half, is_killed, *known):
        server.start()
        result = None
        # A client may complain that its server was killed, but only then.
        with contextlib.suppress(Exception) if is_killed else contextlib.nullcontext():
            async with connected(server, mode) as (client, revision):
                agent = Agent(client, revision)
                self.assertEqual(revision, "2026-07-28" if mode == "auto" else "2025-11-25")
                try:
                    await agent.list_tools()
                    result = await half(agent, server, *known)
                except Exception as error:
                    result = error
                if is_killed:
                    server.kill()
        if isinstance(result, Exception):
            raise result
        self.assertIsNotNone(result, "the client could not connect")
        return result

    @unittest.skipUnless(importlib.util.find_spec("playwright"), "the TypeScript SDK comes with the packages of 1.x")
    def test_typescript(self):
        driver = pathlib.Path(importlib.util.find_spec("playwright").origin).parent / "driver"
        script = pathlib.Path(__file__).with_name("typescript.mjs")
        with tempfile.TemporaryDirectory() as folder:
            server = Server(os.environ["RACING_SERVER"], folder, "HTTP")
            server.start()
            try:
                subprocess.run(
                    [driver / "node", script, driver / "package/lib/utilsBundle.js", server.url], check=True, timeout=60)
                server.stop()
            finally:
                if server.process is not None:
                    server.process.kill()

    def test_racing(self):
        self.run_each("RACING_SERVER", self.mark_a_team, self.take_the_other_way)

    async def mark_a_team(self, agent, server):
        self.assertEqual(len(agent.tools), 10)
        catalog = await agent.use("list_events")
        self.assertIn("teams.didSelect", [event["name"] for event in catalog["events"]])
        opened = await agent.use("open_session")
        session = opened["session"]
        self.assertEqual(opened["changed"], [])
        await agent.use("press", session=session, title=opened["screen"]["actions"][0]["title"])

        wrong = await agent.mistake("press", session=session, title="Ferari")
        self.assertEqual(wrong["didYouMean"], "Ferrari")
        team = await agent.use("press", session=session, title=wrong["didYouMean"])
        self.assertEqual(team["changed"], ["screen: Teams → Ferrari"])
        marked = await agent.use("press", session=session, title="Add to favorites", version=team["version"])
        self.assertIn("tab Profile: badge none → 1", marked["changed"])
        late = await agent.mistake("press", session=session, title="Profile", version=team["version"])
        self.assertEqual(late["version"], marked["version"])

        several = await agent.mistake("press", session=session, title="Teams")
        back = next(action for action in several["known"] if action["place"] == "back")
        teams = await agent.use("press", session=session, event=back["event"], payload=back["payload"])
        self.assertEqual(teams["path"], "/main/teams")
        return session, teams

    async def take_the_other_way(self, agent, server, session, shown):
        screen = await agent.use("read_screen", session=session)
        self.assertEqual({**screen, "changed": []}, {name: value for name, value in {**shown, "changed": []}.items()
                                                     if name not in ("handled", "handled_by")})
        waited = await agent.use("wait", session=session, until="changed", version=2, seconds=1)
        self.assertIn("tab Profile: badge none → 1", waited["changed"])
        history = await agent.use("read_history", session=session, limit=3)
        self.assertEqual([event["event"] for event in history["events"]][:2], ["splash.didFinish", "teams.didSelect"])
        fork = await agent.use("fork_session", session=session, version=history["events"][1]["version"])
        self.assertEqual(fork["screen"]["title"], "Ferrari")
        driver = await agent.use("press", session=fork["session"], title="Charles Leclerc")
        self.assertEqual(driver["screen"]["title"], "Charles Leclerc")
        wrong = await agent.mistake("open_link", session=fork["session"], path="/main/profil")
        profile = await agent.use("open_link", session=fork["session"], path=wrong["didYouMean"])
        await agent.use("press", session=fork["session"], title="Edit profile")
        renamed = await agent.fill_in(fork["session"], "Save", name="Max")
        self.assertEqual((profile["path"], renamed["screen"]["title"]), ("/main/profile", "Max"))
        for one, path in [(session, "/main/teams"), (fork["session"], "/main/profile")]:
            journal = (await agent.use("export_journal", session=one))["journal"]
            self.assertEqual(server.replay(journal), path)
            self.assertEqual(await agent.use("end_session", session=one), {"ended": True})
            gone = await agent.mistake("read_screen", session=one)
            self.assertEqual(gone["type"], "/problems/session-not-found")
        return True

    def test_shop(self):
        self.run_each("SHOP_SERVER", self.log_in_and_fill_the_cart, self.pay_in_two_ways)

    async def log_in_and_fill_the_cart(self, agent, server):
        catalog = await agent.use("list_events")
        password = next(event for event in catalog["events"] if event["name"] == "account.logIn")["payload"]["password"]
        self.assertTrue(password["secret"])
        session = (await agent.use("open_session", options={"locale": "en"}))["session"]
        await agent.use("wait", session=session, until="settled")

        parked = await agent.use("press", session=session, title="Orders")
        self.assertEqual((parked["screen"]["title"], parked["changed"][-1]), ("Log in", "parked link: none → /orders"))
        await agent.fill_in(session, "Log in", user="anna", password="sesame")
        wrong = await agent.use("wait", session=session, until="settled")
        inputs = wrong["screen"]["actions"][0]["inputs"]
        self.assertEqual([field["error"] for field in inputs], [None, "The password is wrong."])
        await agent.fill_in(session, "Log in", user="anna", password="open sesame")
        orders = await agent.use("wait", session=session, until="settled")
        self.assertEqual(orders["path"], "/orders")

        await agent.use("press", session=session, title="Catalogue")
        several = await agent.mistake("press", session=session, title="Lamp")
        await agent.use("press", session=session, title=next(title for title in several["known"] if "lamp" in title))
        added = await agent.use("press", session=session, title="Add to cart")
        self.assertIn("tab Cart: badge none → 1", added["changed"])
        await agent.use("press", session=session, title="Cart")
        more = await agent.use("press", session=session, title="+")
        self.assertIn("row Desk lamp: subtitle Quantity 1 → Quantity 2", more["changed"])
        return session, more["version"]

    async def pay_in_two_ways(self, agent, server, session, version):
        screen = await agent.use("read_screen", session=session)
        self.assertEqual(screen["version"], version)
        await agent.use("press", session=session, title="Check out")
        wrong = await agent.fill_in(session, "Save address", zip="80")
        self.assertIn("input Zip: error none → Enter a zip of 4 digits.", wrong["changed"])
        delivery = await agent.fill_in(session, "Save address", zip="8002")
        self.assertEqual(delivery["screen"]["title"], "Delivery")

        # Standard in the session, express in a fork.
        fork = (await agent.use("fork_session", session=session, version=delivery["version"]))["session"]
        ways = {}
        for one, way in [(session, "Standard, three days"), (fork, "Express, tomorrow")]:
            await agent.use("press", session=one, title=way)
            await agent.use("press", session=one, title="Continue")
            await agent.use("press", session=one, title="Place order")
            placed = await agent.use("wait", session=one, until="settled", seconds=30)
            if placed["screen"]["status"] == "failed":
                await agent.use("press", session=one, title="Try again")
                placed = await agent.use("wait", session=one, until="settled", seconds=30)
            self.assertEqual(placed["screen"]["status"], "ready", placed)
            ways[one] = placed["screen"]["message"]
            journal = (await agent.use("export_journal", session=one))["journal"]
            self.assertNotIn("sesame", journal)
            self.assertEqual(server.replay(journal), placed["path"])
        self.assertNotEqual(ways[session], ways[fork])
        return True


if __name__ == "__main__":
    unittest.main()
