internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// The moments until which sessions are kept that are not written to PostgreSQL yet.
final class ExpiryBuffer: Sendable {
    private struct State {
        var moments: [SessionID: Timestamp] = [:]
        /// Whether the worker has a job to write them.
        var isAnnounced = false
    }

    private let state = Mutex(State())

    /// The most sessions that are written in one statement.
    private static let limit = 1_000

    /// Whether all moments have been written.
    var isWritten: Bool { state.withLock { $0.moments.isEmpty && !$0.isAnnounced } }

    /// Inserts a moment. Returns whether the worker needs a job to write it.
    func insert(_ session: SessionID, _ moment: Timestamp) -> Bool {
        state.withLock { state in
            state.moments[session] = max(moment, state.moments[session] ?? moment)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
    }

    /// Writes all moments. Those that could not be written stay for the next job.
    func flush(_ link: inout Link) throws(PostgreSQLError) {
        while let batch = next() {
            do throws(PostgreSQLError) {
                _ = try link.ask(
                    Statements.keep { parameters in
                        parameters.appendIDs(of: batch) { $0.key }
                        parameters.appendLongs(of: batch) { Int64($0.value.seconds) }
                    })
            } catch {
                for (session, moment) in batch { _ = insert(session, moment) }
                endJob()
                throw error
            }
        }
    }

    /// Records that the worker's job ended before it wrote all moments: the next moment needs another job.
    func endJob() {
        state.withLock { $0.isAnnounced = false }
    }

    private func next() -> [SessionID: Timestamp]? {
        state.withLock { state in
            state.isAnnounced = !state.moments.isEmpty
            guard state.moments.count > Self.limit else {
                defer { state.moments = [:] }
                return state.moments.isEmpty ? nil : state.moments
            }
            let batch = Dictionary(uniqueKeysWithValues: state.moments.prefix(Self.limit).map { ($0.key, $0.value) })
            for session in batch.keys { state.moments[session] = nil }
            return batch
        }
    }
}
