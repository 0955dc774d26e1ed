internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// A job that creates sessions, ends them, or keeps them, or checks whether this is possible.
enum ChangeJob: ConnectionJob {
    case create(SessionInsertion)
    /// Ends the sessions whose expiry has passed, reports each, and deletes entries that no longer belong to any
    /// session.
    case clean(by: Timestamp, @Sendable (SessionID, _ app: String) -> Void)
    /// Any other job.
    case single(SingleJob)

    func refuse() {
        switch self {
        case .create(let new): new.caller.resume(returning: .failure(.unavailable))
        case .clean: break
        case .single(let job): job.refuse()
        }
    }
}

/// The last time at which a probe could be committed. Probes that follow soon are not made, since anyone may request them.
final class Readiness: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether the last probe was at most half a second ago.
    var isRecent: Bool { last.withLock { $0.map { $0.duration(to: .now) < .milliseconds(500) } ?? false } }

    func recordCommit() { last.withLock { $0 = .now } }
}

/// A session to create.
struct SessionInsertion: Sendable {
    let record: SessionRecord
    let history: any Sequence<JournalEntry> & Sendable
    let expiry: Timestamp
    let limit: Int
    let caller: JournalCaller<Void>
}

/// An entry of a session to create.
struct NewEntry: Sendable {
    let session: SessionID
    let version: Int32
    let pending: Int32
    let mark: UInt64?
    let content: [UInt8]
}

extension Parameters {
    /// Appends parameters for new sessions: ids, apps, contents, the numbers of pieces of work and timers pending,
    /// expiries, whether work is withheld, references, keys; then for their attributes: sessions, apps, expiries, names,
    /// values.
    mutating func append(_ sessions: [SessionInsertion]) {
        appendIDs(of: sessions) { $0.record.id }
        appendTexts(of: sessions) { $0.record.app }
        appendBytes(of: sessions) { $0.record.stored }
        appendInts(of: sessions) { Int32(clamping: $0.record.begun.count) }
        appendLongs(of: sessions) { Int64($0.expiry.seconds) }
        appendInts(of: sessions) { Int32($0.record.isWorkWithheld ? 1 : 0) }
        appendTexts(of: sessions) { $0.record.reference }
        appendBytes(of: sessions) { $0.record.key.map { Array($0.utf8) } }
        let attributes = sessions.flatMap { new in new.record.attributes.map { (new: new, attribute: $0) } }
        appendIDs(of: attributes) { $0.new.record.id }
        appendTexts(of: attributes) { $0.new.record.app }
        appendLongs(of: attributes) { Int64($0.new.expiry.seconds) }
        append(attributes.map(\.attribute))
    }

    /// Appends parameters for attributes: names, values.
    mutating func append(_ attributes: some Collection<(key: String, value: String)>) {
        appendTexts(of: attributes) { $0.key }
        appendBytes(of: attributes) { Array($0.value.utf8) }
    }

    /// Appends parameters for entries of new sessions: sessions, versions, the numbers of pieces of work and timers
    /// pending, marks, contents.
    mutating func append(_ entries: [NewEntry]) {
        appendIDs(of: entries) { $0.session }
        appendInts(of: entries) { $0.version }
        appendInts(of: entries) { $0.pending }
        appendLongs(of: entries) { $0.mark.map { Int64(bitPattern: $0) } }
        appendBytes(of: entries) { $0.content }
    }
}
