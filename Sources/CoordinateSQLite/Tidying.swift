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
        writeKeeps { [weak self] in self?.tidy(by: now, ended) }
    }

    /// Writes the moments until which sessions are kept, a batch at a time.
    func writeKeeps(then body: @escaping @Sendable () -> Void) {
        guard file.keeps.withLock({ !$0.isEmpty }) else { return body() }
        let job = Job { [file] in
            try file.writeKeeps($0, limit: Self.expiryBatch)
        } then: { [weak self] isMore in
            if isMore == true { self?.writeKeeps(then: body) } else { body() }
        }
        if !writer.append(job) { body() }
    }

    /// Ends expired sessions and removes entries, a batch at a time, between which other jobs run.
    private func tidy(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        let job = Job { [file] transaction in
            let expired = try transaction.expire(by: now, limit: Self.expiryBatch)
            file.count(-expired.count)
            let isMore = try transaction.clearAway(limit: Self.clearingBatch)
            return (expired, isMore || expired.count == Self.expiryBatch)
        } then: { [weak self] result in
            if let (_, isMore) = result, isMore {
                self?.tidy(by: now, ended)
            } else {
                self?.isUnderWay.store(false, ordering: .relaxed)
            }
            for session in result?.0 ?? [] { ended(session.id, session.app) }
        }
        if !writer.append(job) { isUnderWay.store(false, ordering: .relaxed) }
    }
}
