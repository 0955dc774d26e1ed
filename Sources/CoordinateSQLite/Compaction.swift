internal import CoordinateSessions
internal import Synchronization

/// The passes that file entries of the log under their sessions. One pass runs at a time, in slices, between which
/// other jobs run.
///
/// A slice of many entries of a few sessions changes few pages. A pass that is interrupted, because the file was closed
/// or the disk is full, begins again later: filed entries stay filed.
package final class Compaction: Sendable {
    /// The sizes at which entries are filed.
    package struct Rhythm: Sendable {
        /// The number of entries since the last pass at which the next one begins. With twice that number unfiled,
        /// other jobs have to wait.
        var bound: Int
        /// The least number of entries for a pass that begins on a timer.
        var least: Int
        /// The number of entries that are filed at a time. Other jobs wait meanwhile, for 3 ms in 99 of 100 cases.
        var slice: Int

        package init(bound: Int = 16_384, least: Int = 1, slice: Int = 250) {
            (self.bound, self.least, self.slice) = (bound, least, slice)
        }
    }

    private let log: LogIndex
    private let rhythm: Rhythm
    private let isUnderWay = Atomic(false)
    /// The number of entries at the last call of ``beginIfQuiet(in:)``.
    private let lastCount = Atomic(0)

    init(of log: LogIndex, _ rhythm: Rhythm) {
        self.log = log
        self.rhythm = rhythm
    }

    /// Begins a pass if there are many entries to file.
    func beginWhenDue(in writer: GroupWorker<Job>) {
        if log.currentCount >= rhythm.bound { begin(in: writer) }
    }

    /// Begins a pass if there are entries to file, and none were added since the last call. Called about once a second.
    ///
    /// While entries arrive, waiting pays: a pass of many entries changes fewer pages than several passes of a few.
    func beginIfQuiet(in writer: GroupWorker<Job>) {
        let count = log.currentCount
        let isQuiet = lastCount.exchange(count, ordering: .relaxed) == count
        if isQuiet, log.count >= rhythm.least { begin(in: writer) }
    }

    private func begin(in writer: GroupWorker<Job>) {
        guard !isUnderWay.exchange(true, ordering: .relaxed) else { return }
        Task.immediate(executorPreference: ResumingExecutor.shared) { [self] in
            try? await fileAll(by: writer)
            isUnderWay.store(false, ordering: .relaxed)
        }
    }

    private func fileAll(by writer: GroupWorker<Job>) async throws(JournalError) {
        let generation = try await writer.perform { [log] _ in log.beginFiling() }
        let ids = generation.idsBySession
        var filed = 0
        repeat {
            let slice = log.count / 2 < rhythm.bound ? rhythm.slice : ids.count
            let next = filed..<min(filed + slice, ids.count)
            try await writer.perform { transaction in
                try transaction.file(ids[next])
                if next.upperBound == ids.count, !ids.isEmpty { try transaction.recordFiling(upTo: generation.lastID) }
            }
            filed = next.upperBound
        } while filed < ids.count
        log.endFiling()
        // Filed entries may stay in the log for a while, since readers know that they are filed.
        let limit = 4 * rhythm.slice
        while try await writer.perform({ try $0.removeFiled(limit: limit) }) {}
    }
}
