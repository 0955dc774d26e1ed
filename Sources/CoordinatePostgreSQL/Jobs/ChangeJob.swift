internal import Coordinate
internal import CoordinateSessions

/// A job that creates sessions, ends them, or keeps them.
enum ChangeJob: ConnectionJob {
    case create(SessionInsertion)
    case end(SessionID, at: Int?, Promise<Void, JournalError>)
    case update(SessionRecord, Promise<Void, JournalError>)
    case note(CrashNote, of: SessionID, Promise<Void, JournalError>)
    /// Writes the moments until which sessions are kept. The promise, if there is one, is fulfilled when they are
    /// written.
    case keep(ExpiryBuffer, Promise<Void, JournalError>?)
    /// Ends the sessions whose expiry has passed, reports each, and deletes entries that no longer belong to any
    /// session.
    case clean(by: Timestamp, @Sendable (SessionID, _ app: String) -> Void)
    /// Lists sessions of an app that have ended and are kept, after those that have expired have ended.
    case ended(EndedQuery, Promise<[SessionHead], JournalError>)
    case removeEnded(SessionID, Promise<Void, JournalError>)
    case erase(SessionID, Promise<Erasure, JournalError>)
    /// Counts the sessions: on this worker, so that no session is counted twice that the worker creates or ends meanwhile.
    case count

    func refuse() { fail(.unavailable) }

    func fail(_ error: JournalError) {
        switch self {
        case .create(let new): new.promise.fulfil(.failure(error))
        case .end(_, _, let promise), .note(_, _, let promise), .update(_, let promise): promise.fulfil(.failure(error))
        case .keep(let expiries, let promise):
            expiries.giveUp()
            promise?.fulfil(.failure(error))
        case .ended(_, let promise): promise.fulfil(.failure(error))
        case .removeEnded(_, let promise): promise.fulfil(.failure(error))
        case .erase(_, let promise): promise.fulfil(.failure(error))
        case .clean, .count: break
        }
    }
}

/// A query for sessions that have ended and are kept.
struct EndedQuery: Sendable {
    let app: String
    let now: Timestamp
    let after: SessionID?
    let limit: Int
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
    /// Adds parameters for new sessions: ids, apps, contents, the numbers of pieces of work and timers pending,
    /// expiries, whether work is withheld.
    mutating func add(_ sessions: [SessionInsertion]) {
        add(.text, sessions) { session, bytes in
            session.record.id.write(to: &bytes)
            return true
        }
        add(.text, sessions) { session, bytes in
            bytes += session.record.app.utf8
            return true
        }
        add(.bytes, sessions) { session, bytes in
            bytes += session.record.stored
            return true
        }
        add(.int32, sessions) { session, bytes in
            bytes.appendBigEndian(Int32(clamping: session.record.begun.count))
            return true
        }
        add(.int64, sessions) { session, bytes in
            bytes.appendBigEndian(Int64(session.expiry.seconds))
            return true
        }
        add(.int32, sessions) { session, bytes in
            bytes.appendBigEndian(Int32(session.record.isWorkWithheld ? 1 : 0))
            return true
        }
    }

    /// Adds parameters for entries of new sessions: sessions, versions, the numbers of pieces of work and timers
    /// pending, marks, contents.
    mutating func add(_ entries: [NewEntry]) {
        add(.text, entries) { entry, bytes in
            entry.session.write(to: &bytes)
            return true
        }
        add(.int32, entries) { entry, bytes in
            bytes.appendBigEndian(entry.version)
            return true
        }
        add(.int32, entries) { entry, bytes in
            bytes.appendBigEndian(entry.pending)
            return true
        }
        add(.int64, entries) { entry, bytes in
            guard let mark = entry.mark else { return false }
            bytes.appendBigEndian(Int64(bitPattern: mark))
            return true
        }
        add(.bytes, entries) { entry, bytes in
            bytes += entry.content
            return true
        }
    }
}
