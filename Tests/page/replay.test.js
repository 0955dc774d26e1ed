import assert from "node:assert/strict";
import { test } from "node:test";

import { atEdit, editOf, pairs, replaySentence, versionBefore } from "../../public/inspector/changes/replay.js";
import { Problem } from "../../public/inspector/api.js";
import { Session } from "../../public/inspector/session.js";
import { FakeServer, happened } from "./server.js";

test("an edit names its version and has an event unless it drops one", () => {
  const request = { event: "teams.didSelect", payload: { team: "haas" } };
  assert.deepEqual(editOf("change", 2, request), { version: 2, ...request });
  assert.deepEqual(editOf("insert", 0, request), { after: 0, ...request });
  assert.deepEqual(editOf("drop", 3, null), { version: 3, drop: true });
  assert.deepEqual([editOf("change", 2, null), editOf("insert", 2, null)], [null, null]);
});

test("a problem of the edit points to the dialog's fields", () => {
  const inside = new Problem({ title: "Wrong", pointer: "/edit/0/payload/team" });
  assert.equal(atEdit(inside).pointer, "/payload/team");
  assert.equal(atEdit(inside).title, "Wrong");
  assert.equal(atEdit(new Problem({ title: "Wrong", pointer: "/edit/0" })).pointer, "");
  for (const pointer of ["/payload/team", "/edit/01/x", undefined]) {
    assert.equal(atEdit(new Problem({ title: "Wrong", pointer })).pointer, pointer);
  }
});

const shown = (...given) => pairs(...given)
  .map(({ left, right, note, reason }) => `${left ?? "-"} ${right ?? "-"}${[note, reason].filter(Boolean).join(": ")}`);

test("a changed event keeps its place", () => {
  assert.deepEqual(shown(3, { version: 2, event: "a" }, []), ["1 1", "2 2", "3 3"]);
});

test("after a dropped or inserted event, the versions differ by one", () => {
  assert.deepEqual(shown(3, { version: 2, drop: true }, []), ["1 1", "2 -Dropped", "3 2"]);
  assert.deepEqual(shown(2, { after: 1, event: "a" }, []), ["1 1", "- 2", "2 3"]);
  assert.deepEqual(shown(1, { after: 0, event: "a" }, []), ["- 1", "1 2"]);
  assert.deepEqual(shown(1, { after: 1, event: "a" }, []), ["1 1", "- 2"]);
});

test("an event that was not accepted has no counterpart, with the reason", () => {
  assert.deepEqual(
    shown(3, { version: 1, drop: true }, [{ version: 2, problem: { title: "Gone", detail: "Its work is not requested." } }]),
    ["1 -Dropped", "2 -Refused: Its work is not requested.", "3 1"]);
  assert.deepEqual(
    shown(1, { after: 0, event: "a" }, [{ after: 0, problem: { title: "Unknown event" } }]),
    ["- -Refused: Unknown event", "1 1"]);
});

test("an edit has a last version before it", () => {
  assert.equal(versionBefore({ version: 3, drop: true }), 2);
  assert.equal(versionBefore({ after: 3, event: "a" }), 3);
});

test("a replay is summed up in a sentence", () => {
  const edited = { kept: 12, changed: 1, inserted: 0, dropped: 0, refused: [{ version: 6, problem: { title: "No." } }] };
  assert.equal(replaySentence(edited, 2), "Replayed 14 events. 2 differ, 1 was refused. Step 6: No.");
  // The number of events that differ is known later.
  assert.equal(replaySentence({ ...edited, refused: [] }, null), "Replayed 13 events.");
  assert.equal(replaySentence({ ...edited, refused: [] }, 0), "Replayed 13 events. Nothing differs.");
  assert.equal(replaySentence({ kept: 1, changed: 0, inserted: 0, dropped: 2, refused: [] }, 1),
    "Replayed 1 event. 1 differs.");
});

async function following(version) {
  const server = new FakeServer(version);
  const session = new Session("A".repeat(22));
  session.open();
  await happened(session, () => session.route !== null);
  return { server, session };
}

test("all events are replayed with the edit", async () => {
  const { server, session } = await following(3);
  server.edited = { kept: 2, changed: 0, inserted: 0, dropped: 1, refused: [] };
  const fork = await session.replay({ version: 2, drop: true });
  assert.equal(fork.id, "F".repeat(22));
  assert.deepEqual(server.bodies.at(-1), { version: 3, edit: [{ version: 2, drop: true }] });
  session.close();
});

test("if the edit itself is not accepted, no fork is left", async () => {
  const { server, session } = await following(3);
  const problem = { title: "Invalid payload", detail: "Too long.", pointer: "/payload/name" };
  server.edited = { kept: 3, changed: 0, inserted: 0, dropped: 0, refused: [{ after: 1, problem }] };
  await assert.rejects(session.replay({ after: 1, event: "a" }), { title: "Invalid payload", pointer: "/payload/name" });
  assert.equal(server.requests.at(-1), `DELETE /sessions/${"F".repeat(22)}`);
  // The event of version 1 is another one.
  server.edited = { ...server.edited, refused: [{ version: 1, problem }] };
  assert.equal((await session.replay({ after: 1, event: "a" })).id, "F".repeat(22));
  session.close();
});
