internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// A job that creates sessions, ends them, or keeps them, or checks whether this is possible.
enum ChangeJob: ConnectionJob {
    case create(SessionInsertion)
    case end(SessionID, at: Int?, Promise<Void, JournalError>)
    case update(SessionRecord, replacing: SessionRecord, Promise<Void, JournalError>)
    case record(CrashNote, of: SessionID, Promise<Void, JournalError>)
    /// Writes the moments until which sessions are kept. The promise, if there is one, is fulfilled when they are
    /// written.
    case keep(ExpiryBuffer, Promise<Void, JournalError>?)
    /// Ends the sessions whose expiry has passed, reports each, and deletes entries that no longer belong to any
    /// session.
    case clean(by: Timestamp, @Sendable (SessionID, _ app: String) -> Void)
    case erase(SessionID, Promise<Erasure, JournalError>)
    /// Tries whether an event could be committed now.
    case probe(Readiness, Promise<Void, JournalError>)
    /// Counts the sessions: on this worker, so that no session is counted twice that the worker creates or ends meanwhile.
    case count

    func refuse() { fail(.unavailable) }

    func fail(_ error: JournalError) {
        switch self {
        case .create(let new): new.promise.fulfil(.failure(error))
        case .end(_, _, let promise), .record(_, _, let promise), .update(_, _, let promise):
            promise.fulfil(.failure(error))
        case .keep(let expiries, let promise):
            expiries.endJob()
            promise?.fulfil(.failure(error))
        case .erase(_, let promise): promise.fulfil(.failure(error))
        case .probe(_, let promise): promise.fulfil(.failure(error))
        case .clean, .count: break
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
    let promise: Promise<Void, JournalError>
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
