// The timeline's columns, its pictures, and its second lane. `Tests/InspectorTests/TimelineTests.swift` has what only a
// browser shows.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./fixtures.js";
import { pairs } from "../../public/inspector/changes/replay.js";
import { Columns, windowOf } from "../../public/inspector/timeline/columns.js";
import { OtherLane, parentLane, replayLane } from "../../public/inspector/timeline/other.js";
import { isSamePicture, Pictures } from "../../public/inspector/timeline/pictures.js";

// Columns

test("only the columns near the visible ones have frames", () => {
  const view = { left: 50_000, width: 1000, pitch: 100, count: 10_000 };
  assert.deepEqual(windowOf(view), { first: 496, end: 514 });
  assert.deepEqual(windowOf({ ...view, left: 0 }), { first: 0, end: 14 });
  assert.deepEqual(windowOf({ ...view, left: 0, count: 3 }), { first: 0, end: 3 });
  // While the strip is being measured, it can stand past its end.
  assert.deepEqual(windowOf({ ...view, count: 3 }), { first: 2, end: 3 });
});

const texts = (columns) => Array.from({ length: columns.count }, (_, column) => columns.at(column))
  .map(({ own, other, note }) => `${own ?? "-"} ${other ?? "-"}${note ?? ""}`);

test("a column is a version, and grows with the session", () => {
  const columns = new Columns(1);
  assert.deepEqual(texts(columns), ["0 -", "1 -"]);
  assert.deepEqual(texts(columns.grown(2)), ["0 -", "1 -", "2 -"]);
  assert.equal(columns.columnOf(2), 2);
});

test("a parent's versions stand above those of its fork", () => {
  const columns = new Columns(3, { first: 3, last: 4 });
  assert.deepEqual(texts(columns), ["0 -", "1 -", "2 -", "3 3", "- 4"]);
});

test("the events of a replay stand under those of the original", () => {
  const dropped = new Columns(3, { first: 2, last: 3 }, pairs(3, { version: 2, drop: true }, []));
  assert.deepEqual(texts(dropped), ["0 -", "1 -", "- 2Dropped", "2 3", "3 -"]);
  assert.deepEqual([0, 1, 2, 3].map((version) => dropped.columnOf(version)), [0, 1, 3, 4]);
  const inserted = new Columns(3, { first: 2, last: 2 }, pairs(2, { after: 1, event: "a" }, []));
  assert.deepEqual(texts(inserted), ["0 -", "1 -", "2 -", "3 2"]);
  const refused = pairs(2, { version: 1, event: "a" }, [{ version: 2, problem: { title: "No." } }]);
  assert.deepEqual(texts(new Columns(1, { first: 1, last: 2 }, refused)), ["0 -", "1 1", "- 2Refused"]);
  assert.equal(new Columns(1, { first: 1, last: 2 }, refused).at(2).reason, "No.");
});

// Pictures

/** Pictures whose documents arrive when the test says so. */
function openPictures(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const made = { asked: [], answers: new Map(), signals: new Map(), changes: 0, time: 0 };
  const pictures = new Pictures({ changed: () => { made.changes += 1; }, now: () => made.time });
  const read = (key) => (signal) => {
    made.asked.push(key);
    made.signals.set(key, signal);
    const { promise, resolve, reject } = Promise.withResolvers();
    made.answers.set(key, { resolve, reject });
    return promise;
  };
  return Object.assign(made, {
    pictures,
    want: (...keys) => pictures.want(keys.map((key) => ({ key, read: read(key) }))),
    pass: (milliseconds) => {
      made.time += milliseconds;
      context.mock.timers.tick(milliseconds);
    },
    answer: async (key, document = { screen: key, navigation: null }) => {
      made.answers.get(key).resolve(document);
      await new Promise(setImmediate);
    },
    fail: async (key) => {
      made.answers.get(key).reject(new Error());
      await new Promise(setImmediate);
    },
  });
}

test("a document is read once its frame stays visible, and at most two at once", async (context) => {
  const made = openPictures(context);
  made.want("1", "2", "3");
  made.pass(99);
  assert.deepEqual(made.asked, []);
  // A frame that was visible before does not wait again.
  made.want("2", "3", "4");
  made.pass(1);
  assert.deepEqual(made.asked, ["2", "3"]);
  made.pass(100);
  assert.deepEqual(made.asked, ["2", "3"]);
  await made.answer("2");
  made.pass(0);
  assert.deepEqual([made.asked, made.changes, made.pictures.known("2").screen], [["2", "3", "4"], 1, "2"]);
});

test("the reading of a frame that is scrolled away is aborted", async (context) => {
  const made = openPictures(context);
  made.want("1");
  made.pass(100);
  made.want("2");
  assert.ok(made.signals.get("1").aborted);
  await made.answer("1");
  assert.deepEqual([made.changes, made.pictures.known("1")], [0, undefined]);
  made.pass(100);
  assert.deepEqual(made.asked, ["1", "2"]);
});

test("what could not be read is not asked for again until the session changes", async (context) => {
  const made = openPictures(context);
  made.want("1");
  made.pass(100);
  await made.fail("1");
  made.want("1");
  made.pass(100);
  assert.deepEqual([made.asked, made.pictures.known("1")], [["1"], null]);
  made.pictures.retry();
  made.want("1");
  made.pass(1000);
  assert.deepEqual(made.asked, ["1", "1"]);
});

test("a slow or busy server is asked for one document at a time, with rests", async (context) => {
  const made = openPictures(context);
  made.want("1", "2", "3", "4");
  made.pass(100);
  made.pass(400);
  await made.answer("1");
  await made.answer("2");
  // As long as the last one took.
  made.pass(399);
  assert.deepEqual(made.asked, ["1", "2"]);
  made.pass(1);
  assert.deepEqual(made.asked, ["1", "2", "3"]);
  await made.fail("3");
  made.pass(999);
  assert.deepEqual(made.asked, ["1", "2", "3"]);
  made.pass(1);
  assert.deepEqual(made.asked, ["1", "2", "3", "4"]);
});

test("while events arrive, no document is read", (context) => {
  const made = openPictures(context);
  made.pictures.rest(500);
  made.want("1");
  made.pass(499);
  assert.deepEqual(made.asked, []);
  made.pass(1);
  assert.deepEqual(made.asked, ["1"]);
});

test("the last 300 documents are kept", () => {
  const pictures = new Pictures({ changed: () => {} });
  for (let index = 0; index < 400; index += 1) {
    pictures.keep(`${index}`, { screen: index, navigation: null });
    pictures.known("0");
  }
  const kept = Array.from({ length: 400 }, (_, index) => index).filter((index) => pictures.known(`${index}`));
  assert.deepEqual([kept.length, kept[0], kept[1]], [300, 0, 101]);
});

const document = (title, version = 0) => ({ version, path: `/${version}`, screen: { title }, navigation: { tabs: [] } });

test("pictures are the same if their screens and their navigation are", () => {
  assert.ok(isSamePicture(document("Teams", 1), document("Teams", 2)));
  assert.ok(!isSamePicture(document("Teams"), document("Drivers")));
});

// The second lane

const entry = (version, more) => ({ version, event: "a", handledBy: "App", path: "/", ...more });

test("frames differ by what they led to, as soon as that is known", () => {
  const lane = new OtherLane({ entries: [entry(1)], documentOf: () => null });
  const [one, other] = [document("Teams"), document("Drivers")];
  assert.equal(lane.differs(1, [undefined, one], [entry(1), entry(1)]), null);
  assert.equal(lane.differs(1, [one, document("Teams")], [entry(1), entry(1)]), false);
  assert.equal(lane.differs(2, [one, other], [entry(1), entry(1)]), true);
  assert.equal(lane.differs(3, [undefined, undefined], [entry(1), entry(1, { path: "/b" })]), true);
  assert.equal(lane.differs(4, [null, one], [undefined, undefined]), false);
  // What is known stays, even if the documents are no longer kept.
  assert.equal(lane.differs(2, [undefined, undefined], []), true);
});

/** Readers of another session. */
const readers = {
  readEvents: async (session, after, limit) =>
    [1, 2, 3, 4].map((version) => entry(version, { event: session })).slice(after, after + limit),
  readRoute: async (session, version) => document(session, version),
};

test("a fork's parent has its events after the fork", async () => {
  const lane = await parentLane({ session: "p", version: 2 }, readers);
  assert.deepEqual([lane.first, lane.last, lane.entryOf(4).event, lane.compares], [3, 4, "p", false]);
  assert.equal(lane.addressOf(3), "#session=p&version=3");
  assert.equal((await lane.documentOf(3)).version, 3);
  assert.equal(await parentLane({ session: "p", version: 4 }, readers), null);
});

test("a replay counts the events that differ once all of them are compared", async () => {
  const edited = { kept: 2, changed: 1, inserted: 0, dropped: 0, refused: [{ version: 4, problem: { title: "No." } }] };
  const lane = await replayLane({ parent: { session: "p", version: 4 }, edited }, { version: 2, event: "b" }, readers);
  assert.deepEqual([lane.first, lane.compared, lane.sentence], [2, [2, 3], "Replayed 4 events."]);
  lane.differs(2, [document("A"), document("B")], []);
  lane.differs(3, [document("A"), document("A")], []);
  assert.equal(lane.sentence, "Replayed 4 events. 1 differs, 1 was refused. Step 4: No.");
});

test("an event inserted at the end has nothing above it", async () => {
  const edited = { kept: 4, changed: 0, inserted: 1, dropped: 0, refused: [] };
  const lane = await replayLane({ parent: { session: "p", version: 4 }, edited }, { after: 4, event: "b" }, readers);
  assert.ok(lane.first > lane.last);
  assert.equal(lane.sentence, "Replayed 5 events. Nothing differs.");
});
