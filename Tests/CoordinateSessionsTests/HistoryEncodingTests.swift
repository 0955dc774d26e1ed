import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The compact form of a journal: entries are read as they were written. The fuzz target `histories` tries random ones.
struct HistoryEncodingTests {
    @Test func aPageHasTheLimitedNumberOfEntriesAfterAVersion() {
        var words = StringTable()
        var history = History()
        for version in 1...10 { history.append(EntryCoding.encode(.make(version: version), &words)) }
        for after in 0...12 {
            for limit in [0, 1, 2, 9, 10, 11, Int.max] {
                let versions = Array(Array(1...10).dropFirst(after).prefix(limit))
                #expect(history.entries(after: after, limit: limit, words.strings).map(\.version) == versions)
            }
        }
        #expect(History().entries(after: 0, limit: 10, words.strings).isEmpty)
    }

    @Test func aRepeatedEventNeedsLittleMemory() {
        var words = StringTable()
        var history = History()
        for version in 1...100 { history.append(EntryCoding.encode(.make(version: version), &words)) }
        #expect(history.size < 100 * 40)
    }

    /// Entries with rare fields.
    static let unusual = [
        JournalEntry.make(version: 1).with { $0.origin = .host },
        .make(version: 1).with {
            $0.origin = .work
            $0.pending = "12-1"
        },
        .make(version: 1).with {
            $0.origin = .timer
            $0.pending = "12-2"
            $0.ended = ["3-1", ""]
        },
        // A client's event, although it ends something: no other field shows it.
        .make(version: 1).with { $0.pending = "1-1" },
        .make(version: 1).with {
            $0.begun = [
                PendingWork(id: "1-1", name: "prices", at: "AppCoordinator", due: nil),
                PendingWork(id: "1-2", name: "é", at: "", due: Timestamp(seconds: 0)),
                PendingWork(id: "1-3", name: "prices", at: "AppCoordinator", due: Timestamp(seconds: 1_795_253_400)),
                // An imported journal may have begun before 1970.
                PendingWork(id: "1-4", name: "prices", at: "AppCoordinator", due: Timestamp(seconds: -1)),
            ]
        },
        .make(version: 1).with { $0.ended = ["1-1"] },
        .make(version: 1).with { $0.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
        .make(version: 1).with { $0.traceparent = "" },
        .make(version: 1).with { $0.retry = Retry(key: "a", fingerprint: .max, isMinimal: true) },
    ]

    @Test(arguments: unusual) func rareFieldsAreReadAsTheyWereWritten(entry: JournalEntry) {
        var words = StringTable()
        var history = History()
        // Between other entries, which must not get any of its fields.
        let entries = [JournalEntry.make(version: 1), entry.at(version: 2), .make(version: 3), entry.at(version: 4)]
        for entry in entries { history.append(EntryCoding.encode(entry, &words)) }
        #expect(history.entries(after: 0, limit: 10, words.strings) == entries)
        #expect(history.last(words.strings) == entries.last)
    }

    @Test func theMarkIsNotStoredInMemoryIfNoResultIsLost() {
        var words = StringTable()
        var history = History()
        history.append(EntryCoding.encode(.make(version: 1).with { $0.mark = 7 }, &words))
        #expect(history.last(words.strings) == .make(version: 1))
    }

    @Test func usualValuesNeedNoMemory() {
        var words = StringTable()
        let usual = JournalEntry.make(version: 1)
        _ = EntryCoding.encode(usual, &words)
        let size = EntryCoding.encode(usual, &words).count
        #expect(EntryCoding.encode(usual.with { $0.origin = .host }, &words).count > size)
        #expect(size < 20)
    }

    @Test(arguments: [
        0, 1, -1, 63, 64, -64, -65, 8_191, 8_192, .max, .min, .max - 1, .min + 1, 1 << 62, -(1 << 62), 1_795_253_400,
    ])
    func aNumberIsReadAsItWasWritten(number: Int) {
        var writer = CompactWriter()
        writer.number(number)
        writer.byte(0xAB)
        var reader = CompactReader(writer.sized())
        _ = reader.number()
        #expect(reader.number() == number)
        #expect(reader.byte() == 0xAB)
    }

    @Test(arguments: [0, 1, 62, 63, 64, 65, 8_191, 8_192, 20_000]) func anEntryIsPrecededByItsSize(size: Int) {
        var writer = CompactWriter()
        for _ in 0..<size { writer.byte(0xAB) }
        let bytes = writer.sized()
        var reader = CompactReader(bytes)
        #expect(reader.number() == size)
        #expect(bytes.suffix(size).allSatisfy { $0 == 0xAB })
        #expect(bytes.count == size + (size < 64 ? 1 : size < 8_192 ? 2 : 3))
    }

    @Test(arguments: [
        0, -0.0, 0.1, -1.5e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, .pi,
    ])
    func aDoubleKeepsItsBits(number: Double) throws {
        var words = StringTable()
        var writer = CompactWriter()
        writer.plain(.double(number), &words)
        var reader = CompactReader(writer.sized())
        _ = reader.number()
        guard case .double(let read) = reader.plain(words.strings) else {
            Issue.record("The value is no longer a double.")
            return
        }
        #expect(read.bitPattern == number.bitPattern)
    }

    // MARK: The table

    @Test func aTextHasOneNumber() {
        var words = StringTable()
        #expect(words.number(of: "a") == 0)
        #expect(words.number(of: "") == 1)
        #expect(words.number(of: "a") == 0)
        #expect(words.strings[0] == "a")
        #expect(words.strings[1] == "")
    }

    @Test func aLongTextIsNotAddedToTheTable() {
        var words = StringTable()
        #expect(words.number(of: String(repeating: "x", count: 256)) == 0)
        #expect(words.number(of: String(repeating: "x", count: 257)) == nil)
    }

    @Test func textsWithDifferentSpellingsAreDistinct() {
        var words = StringTable()
        var history = History()
        let spellings = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "é"]
        for (index, text) in spellings.enumerated() {
            let entry = JournalEntry(
                version: index + 1, time: Timestamp(seconds: 0), appVersion: text, event: "test.say",
                payload: .object([PlainField(text, .string(text))]), at: text, isHandled: false, handledBy: nil,
                path: text)
            history.append(EntryCoding.encode(entry, &words))
        }
        let read = history.entries(after: 0, limit: 10, words.strings)
        #expect(read.map { Array($0.path.utf8) } == spellings.map { Array($0.utf8) })
        #expect(read.map { Array($0.at.utf8) } == spellings.map { Array($0.utf8) })
    }

    @Test func aFullTableAddsNothingAndKeepsEverything() {
        var words = StringTable()
        for number in 0..<4_096 { _ = words.number(of: "\(number)") }
        #expect(words.number(of: "one more") == nil)
        #expect(words.number(of: "4095") == 4_095)
        var history = History()
        let entry = JournalEntry.make(version: 1, path: "/one/more")
        history.append(EntryCoding.encode(entry, &words))
        #expect(history.entries(after: 0, limit: 1, words.strings) == [entry])
    }
}
