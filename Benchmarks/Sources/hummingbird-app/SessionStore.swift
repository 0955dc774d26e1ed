import Foundation
import Hummingbird
import Synchronization

/// The place where sessions live.
protocol SessionStore: Sendable {
    func create() async throws -> Session

    /// Returns a session. Throws an error for the client if there is none.
    func session(_ id: String) throws -> Session

    /// Applies an event to a session, and returns the session before and after it.
    func apply(_ event: Event, to id: String) async throws -> (before: Session, after: Session)
}

/// Sessions in a dictionary behind a lock.
final class MemorySessions: SessionStore {
    private let season: Season
    private let sessions = Mutex<[String: Session]>([:])

    init(season: Season) { self.season = season }

    func create() -> Session {
        let session = Session(id: UUID().uuidString)
        replace(session)
        return session
    }

    func session(_ id: String) throws -> Session {
        guard let session = sessions.withLock({ $0[id] }) else { throw HTTPError(.notFound) }
        return session
    }

    func replace(_ session: Session) {
        sessions.withLock { $0[session.id] = session }
    }

    func apply(_ event: Event, to id: String) throws -> (before: Session, after: Session) {
        try sessions.withLock { sessions in
            guard let before = sessions[id] else { throw HTTPError(.notFound) }
            var after = before
            try after.apply(event, in: season)
            sessions[id] = after
            return (before, after)
        }
    }
}
