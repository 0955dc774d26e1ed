internal import Coordinate

/// The compact form of an entry: some thirty bytes.
///
/// Each entry is preceded by its size, so that a reader can skip it; its version is its position. Numbers are written
/// in base 128, names that all sessions share as their number in a ``StringTable``. Rare fields, and fields with their
/// usual value, take no space.
enum EntryCoding {
    private struct Flags: OptionSet {
        let rawValue: Int
        static let isHandled = Flags(rawValue: 1)
        static let hasHandler = Flags(rawValue: 2)
        static let hasRetry = Flags(rawValue: 4)
        static let retryIsMinimal = Flags(rawValue: 8)
        static let hasOrigin = Flags(rawValue: 16)
        static let hasWork = Flags(rawValue: 32)
        static let hasTrace = Flags(rawValue: 64)
        static let hasWake = Flags(rawValue: 128)
    }

    /// Returns an entry without its version, after its size.
    static func encode(_ entry: JournalEntry, _ words: inout StringTable) -> [UInt8] {
        var flags: Flags = entry.isHandled ? .isHandled : []
        if entry.handledBy != nil { flags.insert(.hasHandler) }
        if let retry = entry.retry { flags.formUnion(retry.isMinimal ? [.hasRetry, .retryIsMinimal] : .hasRetry) }
        if entry.origin != .client || entry.pending != nil { flags.insert(.hasOrigin) }
        if !entry.begun.isEmpty || !entry.ended.isEmpty { flags.insert(.hasWork) }
        if entry.traceparent != nil { flags.insert(.hasTrace) }
        if entry.wake != nil { flags.insert(.hasWake) }
        var writer = CompactWriter()
        writer.number(flags.rawValue)
        writer.number(entry.time.seconds)
        writer.word(entry.appVersion, &words)
        writer.word(entry.event, &words)
        writer.plain(entry.payload, &words)
        writer.word(entry.at, &words)
        if let handledBy = entry.handledBy { writer.word(handledBy, &words) }
        writer.word(entry.path, &words)
        if let retry = entry.retry {
            writer.string(retry.key)
            writer.fixed(retry.fingerprint)
        }
        if flags.contains(.hasOrigin) {
            writer.word(entry.origin.rawValue, &words)
            writer.string(entry.pending ?? "")
        }
        if flags.contains(.hasWork) {
            writer.number(entry.begun.count)
            for work in entry.begun {
                writer.string(work.id)
                writer.word(work.name, &words)
                writer.word(work.at, &words)
                writer.byte(work.due == nil ? 0 : 1)
                if let due = work.due { writer.number(due.seconds) }
            }
            writer.number(entry.ended.count)
            for id in entry.ended { writer.string(id) }
        }
        if let traceparent = entry.traceparent { writer.string(traceparent) }
        if let wake = entry.wake { writer.number(wake.seconds) }
        return writer.sized()
    }

    static func decode(version: Int, _ reader: inout CompactReader, _ words: [String]) -> JournalEntry {
        _ = reader.number()
        let flags = Flags(rawValue: reader.number())
        var entry = JournalEntry(
            version: version,
            time: Timestamp(seconds: reader.number()),
            appVersion: reader.word(words),
            event: reader.word(words),
            payload: reader.plain(words),
            at: reader.word(words),
            isHandled: flags.contains(.isHandled),
            handledBy: flags.contains(.hasHandler) ? reader.word(words) : nil,
            path: reader.word(words))
        if flags.contains(.hasRetry) {
            entry.retry = Retry(
                key: reader.string(), fingerprint: reader.fixed(), isMinimal: flags.contains(.retryIsMinimal))
        }
        if flags.contains(.hasOrigin) {
            entry.origin = JournalEntry.Origin(rawValue: reader.word(words)) ?? .client
            let pending = reader.string()
            entry.pending = pending.isEmpty ? nil : pending
        }
        if flags.contains(.hasWork) {
            entry.begun = (0..<reader.number()).map { _ in
                PendingWork(
                    id: reader.string(), name: reader.word(words), at: reader.word(words),
                    due: reader.byte() == 0 ? nil : Timestamp(seconds: reader.number()))
            }
            entry.ended = (0..<reader.number()).map { _ in reader.string() }
        }
        if flags.contains(.hasTrace) { entry.traceparent = reader.string() }
        if flags.contains(.hasWake) { entry.wake = Timestamp(seconds: reader.number()) }
        return entry
    }
}
