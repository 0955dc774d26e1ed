import Coordinate
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateSessions

struct StoredFormTests {
    @Test func everyEntryIsReadAsItWasWritten() throws {
        var generator = SeededGenerator(state: 12)
        for version in 1...2_000 {
            var entry = JournalEntry.random(version: version, using: &generator)
            if Bool.random(using: &generator) { entry.mark = .random(in: 0 ... .max, using: &generator) }
            let read = try JournalEntry(version: version, mark: entry.mark, stored: entry.stored)
            #expect(read == entry)
        }
    }

    @Test func anEntryInMemoryIsReadAsInStores() throws {
        var generator = SeededGenerator(state: 13)
        var compactCount = 0
        for version in 1...2_000 {
            var entry = JournalEntry.random(version: version, using: &generator)
            if version.isMultiple(of: 2) {
                (entry.origin, entry.pending, entry.begun, entry.ended) = (.client, nil, [], [])
                (entry.wake, entry.traceparent, entry.retry) = (nil, nil, nil)
            }
            let compact = entry.compact
            if compact != entry.stored { compactCount += 1 }
            let read = try JournalEntry(version: version, compact: compact[...])
            #expect(try read == JournalEntry(version: version, mark: nil, stored: entry.stored))
        }
        #expect(compactCount >= 1_000)
    }

    @Test(arguments: [nil, ForkPoint(session: .random(), version: 17)])
    func everyRecordIsReadAsItWasWritten(parent: ForkPoint?) throws {
        let record = SessionRecord(
            id: .random(), key: parent == nil ? "order/7" : nil, app: "Racing", appVersion: "1.0",
            options: .object([PlainField("locale", .string("de\u{0}"))]),
            createdAt: Timestamp(seconds: 1_795_253_400),
            startedAs: parent.map { _ in (SessionRecord.newReference(), "order/7") }, seed: 1 << 53 - 1,
            path: "/splash", parent: parent, attributes: parent == nil ? ["user": "42", "plan": ""] : [:])
        #expect(try SessionRecord(id: record.id, app: record.app, stored: record.stored) == record)
    }

    @Test func theStoredFormContainsNoNUL() {
        let entry = JournalEntry(
            version: 1, time: Timestamp(seconds: 0), appVersion: "\u{0}", event: "\u{0}",
            payload: .object([PlainField("\u{0}", .string("\u{0}"))]), at: "\u{0}", isHandled: false, handledBy: nil,
            path: "/\u{0}", retry: Retry(key: "\u{0}", fingerprint: .max, isMinimal: true))
        #expect(!entry.stored.contains(0))
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"time":"now"}"#]) func anUnreadableEntryIsRefused(text: String) {
        #expect(throws: UnreadableJSON.self) { try JournalEntry(version: 1, mark: nil, stored: Array(text.utf8)) }
        #expect(throws: UnreadableJSON.self) {
            try SessionRecord(id: .random(), app: "Racing", stored: Array(text.utf8))
        }
    }
}
