import Coordinate
import SeededGenerator
import Testing

@testable import CoordinateServer

/// The compact form of a journal: what goes in comes out.
struct HistoryEncodingTests {
    @Test(arguments: UInt64(1)...20)
    func whateverIsWrittenIsReadAgain(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var words = StringTable()
        var histories = [History(), History()]
        var expected: [[JournalEntry]] = [[], []]
        for _ in 0..<100 {
            let which = Int.random(in: 0...1, using: &generator)
            let entry = JournalEntry.random(version: expected[which].count + 1, using: &generator)
            expected[which].append(entry)
            histories[which].append(History.encode(entry, &words))
        }
        for (history, expected) in zip(histories, expected) {
            #expect(history.count == expected.count)
            let entries = history.entries(after: 0, limit: .max, words.strings)
            #expect(entries == expected)
            // Texts are equal that are written differently, and so are zeros; the bytes tell.
            #expect(entries.map { Array("\($0)".utf8) } == expected.map { Array("\($0)".utf8) })
        }
    }

    @Test func aPageHasSoManyAfterAVersion() {
        var words = StringTable()
        var history = History()
        for version in 1...10 { history.append(History.encode(.make(version: version), &words)) }
        for after in 0...12 {
            for limit in [0, 1, 2, 9, 10, 11, Int.max] {
                let versions = Array(Array(1...10).dropFirst(after).prefix(limit))
                #expect(history.entries(after: after, limit: limit, words.strings).map(\.version) == versions)
            }
        }
        #expect(History().entries(after: 0, limit: 10, words.strings).isEmpty)
    }

    @Test func anEventThatIsRepeatedTakesLittleRoom() {
        var words = StringTable()
        var history = History()
        for version in 1...100 { history.append(History.encode(.make(version: version), &words)) }
        #expect(history.size < 100 * 40)
    }

    @Test(arguments: [
        0, 1, -1, 63, 64, -64, -65, 8_191, 8_192, .max, .min, .max - 1, .min + 1, 1 << 62, -(1 << 62), 1_795_253_400,
    ])
    func aNumberIsReadAsItWasWritten(number: Int) {
        var writer = CompactWriter()
        writer.number(number)
        writer.byte(0xAB)
        var reader = CompactReader(writer.sized)
        _ = reader.number()
        #expect(reader.number() == number)
        #expect(reader.byte() == 0xAB)
    }

    @Test(arguments: [
        0, -0.0, 0.1, -1.5e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, .pi,
    ])
    func aDoubleKeepsItsBits(number: Double) throws {
        var words = StringTable()
        var writer = CompactWriter()
        writer.plain(.double(number), &words)
        var reader = CompactReader(writer.sized)
        _ = reader.number()
        guard case .double(let read) = reader.plain(words.strings) else {
            Issue.record("it is no double any more")
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

    @Test func aLongTextIsNotTakenIn() {
        var words = StringTable()
        #expect(words.number(of: String(repeating: "x", count: 256)) == 0)
        #expect(words.number(of: String(repeating: "x", count: 257)) == nil)
    }

    @Test func textsThatAreSpeltWithOtherCharactersAreKeptApart() {
        var words = StringTable()
        var history = History()
        let spellings = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "é"]
        for (index, text) in spellings.enumerated() {
            let entry = JournalEntry(
                version: index + 1, time: Timestamp(seconds: 0), event: "test.say",
                payload: .object([PlainField(text, .string(text))]), at: text, isHandled: false, handledBy: nil,
                path: text)
            history.append(History.encode(entry, &words))
        }
        let read = history.entries(after: 0, limit: 10, words.strings)
        #expect(read.map { Array($0.path.utf8) } == spellings.map { Array($0.utf8) })
        #expect(read.map { Array($0.at.utf8) } == spellings.map { Array($0.utf8) })
    }

    @Test func aFullTableTakesNoMoreAndForgetsNothing() {
        var words = StringTable()
        for number in 0..<4_096 { _ = words.number(of: "\(number)") }
        #expect(words.number(of: "one more") == nil)
        #expect(words.number(of: "4095") == 4_095)
        var history = History()
        let entry = JournalEntry.make(version: 1, path: "/one/more")
        history.append(History.encode(entry, &words))
        #expect(history.entries(after: 0, limit: 1, words.strings) == [entry])
    }

    // MARK: The journal in memory

    @Test(arguments: [0, 1, 3, 4, Int.max])
    func onlyTheNextVersionIsTaken(version: Int) throws {
        let journal = MemoryJournal()
        let session = SessionID.random()
        try journal.append(.make(version: 1), to: session)
        let error = #expect(throws: JournalError.self) {
            try journal.append(.make(version: version), to: session)
        }
        #expect(error == .conflict)
        try journal.append(.make(version: 2), to: session)
        #expect(journal.read(session, after: 0, limit: 10).map(\.version) == [1, 2])
        #expect(journal.read(.random(), after: 0, limit: 10).isEmpty)
    }

    @Test func aHistoryHasItsLimit() throws {
        let journal = MemoryJournal(maximumSize: 100)
        let sessions = [SessionID.random(), SessionID.random()]
        for session in sessions {
            var version = 1
            let error = #expect(throws: JournalError.self) {
                while version < 1_000 {
                    try journal.append(.make(version: version), to: session)
                    version += 1
                }
            }
            #expect(error == .full)
            #expect(version > 1)
            #expect(journal.read(session, after: 0, limit: 1_000).count == version - 1)
        }
    }

    @Test func anEndedSessionIsForgotten() throws {
        let journal = MemoryJournal()
        let sessions = (0..<200).map { _ in SessionID.random() }
        for session in sessions { try journal.append(.make(version: 1), to: session) }
        for session in sessions.prefix(100) { journal.end(session) }
        #expect(
            sessions.map { journal.read($0, after: 0, limit: 1).count } == Array(repeating: 0, count: 100)
                + Array(repeating: 1, count: 100))
        try journal.append(.make(version: 1), to: sessions[0])
        #expect(journal.read(sessions[0], after: 0, limit: 10).count == 1)
    }
}

extension JournalEntry {
    fileprivate static func make(version: Int, path: String = "/main/teams") -> JournalEntry {
        JournalEntry(
            version: version, time: Timestamp(seconds: 1_795_253_400), event: "navigation.back", payload: .object([]),
            at: "AppCoordinator", isHandled: true, handledBy: "AppCoordinator", path: path)
    }

    fileprivate static func random(version: Int, using generator: inout SeededGenerator) -> JournalEntry {
        let isHandled = Bool.random(using: &generator)
        let retry = Retry(
            key: .random(using: &generator), fingerprint: .random(in: 0 ... .max, using: &generator),
            isMinimal: .random(using: &generator))
        return JournalEntry(
            version: version, time: Timestamp(seconds: .random(in: -10...4_000_000_000, using: &generator)),
            event: .random(using: &generator), payload: .random(depth: 0, using: &generator),
            at: .random(using: &generator), isHandled: isHandled,
            handledBy: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            path: .random(using: &generator), retry: Bool.random(using: &generator) ? retry : nil)
    }
}

extension PlainValue {
    fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> PlainValue {
        let count = Int.random(in: 0...3, using: &generator)
        switch Int.random(in: 0...(depth < 4 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(.random(in: -100...100, using: &generator))
        case 3: return .int(.random(in: .min ... .max, using: &generator))
        case 4: return .double(.random(in: -1e9...1e9, using: &generator))
        case 5: return .string(.random(using: &generator))
        case 6: return .array((0..<count).map { _ in .random(depth: depth + 1, using: &generator) })
        default:
            return .object(
                (0..<count).map { _ in
                    PlainField(.random(using: &generator), .random(depth: depth + 1, using: &generator))
                })
        }
    }
}

extension String {
    fileprivate static func random(using generator: inout SeededGenerator) -> String {
        let letters = ["", "a", "/", "é", "ß", "🏁", "\0", "\n", "\"", "日本", "teams.didSelect", "\u{10FFFF}"]
        let count = Bool.random(using: &generator) ? 1 : Int.random(in: 0...150, using: &generator)
        return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }
}
