internal import Coordinate

/// The entries of one session, in one run of bytes: some thirty each.
///
/// A million idle sessions are kept like this. Each entry is preceded by its size, so that others can be passed over;
/// its version is its position. Numbers are written in base 128, the names that all sessions share as their number in a
/// ``StringTable``.
struct History: Sendable {
    private(set) var count = 0
    private var bytes: [UInt8] = []

    /// In bytes.
    var size: Int { bytes.count }

    /// Appends an entry that ``encode(_:_:)`` made.
    mutating func append(_ record: [UInt8]) {
        bytes.append(contentsOf: record)
        count += 1
    }

    /// The entries after a version, oldest first, at most `limit`.
    func entries(after version: Int, limit: Int, _ words: [String]) -> [JournalEntry] {
        let count = max(0, min(limit, count - version))
        var reader = CompactReader(bytes)
        for _ in 0..<(count == 0 ? 0 : version) { reader.skip(reader.number()) }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(count)
        for offset in 0..<count { entries.append(Self.decode(version: version + offset + 1, &reader, words)) }
        return entries
    }

    // MARK: One entry

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let isHandled = Flags(rawValue: 1)
        static let hasHandler = Flags(rawValue: 2)
        static let hasRetry = Flags(rawValue: 4)
        static let retryIsMinimal = Flags(rawValue: 8)
    }

    /// An entry without its version, after its size.
    static func encode(_ entry: JournalEntry, _ words: inout StringTable) -> [UInt8] {
        var flags: Flags = entry.isHandled ? .isHandled : []
        if entry.handledBy != nil { flags.insert(.hasHandler) }
        if let retry = entry.retry { flags.formUnion(retry.isMinimal ? [.hasRetry, .retryIsMinimal] : .hasRetry) }
        var writer = CompactWriter()
        writer.byte(flags.rawValue)
        writer.number(entry.time.seconds)
        writer.word(entry.event, &words)
        writer.plain(entry.payload, &words)
        writer.word(entry.at, &words)
        if let handledBy = entry.handledBy { writer.word(handledBy, &words) }
        writer.word(entry.path, &words)
        if let retry = entry.retry {
            writer.string(retry.key)
            writer.fixed(retry.fingerprint)
        }
        return writer.sized
    }

    private static func decode(version: Int, _ reader: inout CompactReader, _ words: [String]) -> JournalEntry {
        _ = reader.number()
        let flags = Flags(rawValue: reader.byte())
        return JournalEntry(
            version: version,
            time: Timestamp(seconds: reader.number()),
            event: reader.word(words),
            payload: reader.plain(words),
            at: reader.word(words),
            isHandled: flags.contains(.isHandled),
            handledBy: flags.contains(.hasHandler) ? reader.word(words) : nil,
            path: reader.word(words),
            retry: flags.contains(.hasRetry)
                ? Retry(
                    key: reader.string(), fingerprint: reader.fixed(), isMinimal: flags.contains(.retryIsMinimal))
                : nil)
    }
}
