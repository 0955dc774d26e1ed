internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import Logging

extension FuzzTarget {
    /// A line of an exported journal that can be read is the same after it is written and read again, and after it is
    /// stored.
    package static let journalLines = FuzzTarget("journal-lines") { input in
        if let entry = try? JournalEntry(line: input, recordedBy: "1.0") { try checkLine(of: entry) }
        if let header = try? JournalHeader(line: input) { try checkLine(of: header) }
    }

    private static func checkLine(of entry: JournalEntry) throws {
        let line = line { $0.entry(entry, recordedBy: "1.0") }
        let again = try JournalEntry(line: line, recordedBy: "1.0")
        try require(again == entry, "\(entry) is read again as \(again)")
        try require(again.payload.isSame(as: entry.payload), "the payload is \(again.payload)")
        try require(FuzzTarget.line { $0.entry(again, recordedBy: "1.0") } == line, "it is then written differently")
        let stored = try JournalEntry(version: entry.version, mark: nil, stored: entry.stored)
        try require(stored == entry && stored.payload.isSame(as: entry.payload), "\(entry) is stored as \(stored)")
        try require(Timestamp(entry.time.description) == entry.time, "\(entry.time.seconds) is another moment")
    }

    private static func checkLine(of header: JournalHeader) throws {
        let record = SessionRecord(
            id: SessionID(bits: 0), app: header.app, appVersion: header.appVersion, options: header.options,
            createdAt: header.createdAt, startedAs: (header.reference ?? "", header.key), seed: header.seed,
            path: header.path, isWorkWithheld: header.isWorkWithheld)
        let line = line { $0.line(JournalHeader(of: record)) }
        let again = try JournalHeader(line: line)
        try require(again.options.isSame(as: header.options), "the options are \(again.options)")
        try require(again == header, "\(header) is read again as \(again)")
        let stored = try SessionRecord(
            id: record.id, app: record.app, stored: record.stored, isWorkWithheld: header.isWorkWithheld)
        try require(stored == record, "\(record) is stored as \(stored)")
    }

    private static func line(_ write: (inout JSONWriter<[UInt8]>) -> Void) -> [UInt8] {
        var json = JSONWriter<[UInt8]>()
        write(&json)
        let line = json.finish()
        return line.last == 0x0A ? line.dropLast() : line
    }

    // MARK: Whole journals

    /// A journal means the same however it is split into parts on its way. If it can be replayed, so can its export.
    package static let journals = FuzzTarget("journals") { input in
        let whole = Replayed([input])
        let size = 1 + Int(input.first ?? 0) % 61
        let parts = stride(from: 0, to: input.count, by: size).map { Array(input[$0..<min($0 + size, input.count)]) }
        let inParts = Replayed(parts)
        try require(whole.isSame(as: inParts), "in parts of \(size) bytes it is \(inParts) instead of \(whole)")
        guard whole.error == nil, var header = whole.header else { return }
        header.path = whole.firstPath
        var text = line { [header] in $0.line(header) } + [0x0A]
        for entry in whole.entries {
            text += line { $0.entry(entry, recordedBy: header.appVersion) } + [0x0A]
        }
        let again = Replayed([text])
        try require(again.error == nil, "exported again, it is refused: \(again)")
        try require(again.entries == whole.entries && again.path == whole.path, "\(whole) is exported as \(again)")
    }
}

/// The result of a replay.
private struct Replayed {
    private static let app = HostedApp(
        JotterApp(), logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() }))

    var entries: [JournalEntry] = []
    var header: JournalHeader?
    var path = ""
    var firstPath = ""
    var error: String?

    init(_ parts: [[UInt8]]) {
        var taken: [JournalEntry] = []
        let replay = JournalReplay(Self.app, maximumLineLength: 1_000) { entry throws(SessionError) in
            taken.append(entry)
        }
        do throws(SessionError) {
            for part in parts { try replay.read(part) }
            try replay.finish()
        } catch {
            self.error = error.description
        }
        entries = taken
        header = replay.header
        path = replay.path
        firstPath = replay.firstPath
    }

    func isSame(as other: Replayed) -> Bool {
        error == other.error && entries == other.entries && header == other.header && path == other.path
    }
}
