internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// Writes down how long sessions are kept, ends those that have expired, and removes what is left of them.
final class Tidying: Sendable {
    private let file: JournalFile
    private let writer: GroupWorker<Job>
    /// Whether expired sessions are being removed.
    let isUnderWay = Atomic(false)

    /// The number of sessions that expire or are extended in a group: few, since other jobs wait for it.
    static let expiryBatch = 250
    /// The number of entries that are removed in a group.
    private static let clearingBatch = 1_000

    init(of file: JournalFile, by writer: GroupWorker<Job>) {
        self.file = file
        self.writer = writer
    }

    /// Begins, unless it is under way.
    func begin(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard !isUnderWay.exchange(true, ordering: .relaxed) else { return }
        Task.immediate(executorPreference: ResumingExecutor.shared) { [self] in
            await writeKeeps()
            // After a failure it begins again later.
            while (try? await tidy(by: now, ended)) == true {}
            isUnderWay.store(false, ordering: .relaxed)
        }
    }

    /// Writes the moments until which sessions are kept, a batch at a time.
    func writeKeeps() async {
        while file.keeps.withLock({ !$0.isEmpty }) {
            let isMore = try? await writer.perform { [file] in try file.writeKeeps($0, limit: Self.expiryBatch) }
            guard isMore == true else { return }
        }
    }

    /// Ends some expired sessions and removes some entries. Returns whether there may be more.
    private func tidy(
        by now: Timestamp, _ ended: @Sendable (SessionID, _ app: String) -> Void
    ) async throws(JournalError) -> Bool {
        let (expired, isMore) = try await writer.perform { [file] transaction in
            let expired = try transaction.expire(by: now, limit: Self.expiryBatch)
            file.count(-expired.count)
            let isMore = try transaction.clearAway(limit: Self.clearingBatch)
            return (expired, isMore || expired.count == Self.expiryBatch)
        }
        for session in expired { ended(session.id, session.app) }
        return isMore
    }
}
