internal import CoordinateSessions
internal import Synchronization

/// The passes that file entries of the log under their sessions. One pass runs at a time, in slices, between which
/// other jobs run.
///
/// A slice of many entries of a few sessions changes few pages. A pass that is interrupted, because the file was closed
/// or the disk is full, begins again later: filed entries stay filed.
final class Compaction: Sendable {
    /// The sizes at which entries are filed.
    struct Rhythm: Sendable {
        /// The number of entries since the last pass at which the next one begins. With twice that number unfiled,
        /// other jobs have to wait.
        var bound = 16_384
        /// The least number of entries for a pass that begins on a timer.
        var least = 1
        /// The number of entries that are filed at a time. Other jobs wait meanwhile, for 3 ms in 99 of 100 cases.
        var slice = 250
    }

    private let log: LogIndex
    private let rhythm: Rhythm
    private let isUnderWay = Atomic(false)
    /// The number of entries at the last call of ``beginIfQuiet(in:)``.
    private let lastCount = Atomic(0)
    /// The ids that a pass files, and the number of them that are filed already.
    private let progress = Mutex<(ids: [Int64], filed: Int)?>(nil)

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
        if !isUnderWay.exchange(true, ordering: .relaxed) { fileNextSlice(in: writer) }
    }

    private func fileNextSlice(in writer: GroupWorker<Job>) {
        let job = Job { [self] in
            try fileSlice($0)
        } then: { [self, weak writer] filed in
            guard let filed, let writer else { return end() }
            let isDone = progress.withLock { progress in
                progress?.filed = filed
                return filed == progress?.ids.count
            }
            guard isDone else { return fileNextSlice(in: writer) }
            log.endFiling()
            progress.withLock { $0 = nil }
            remove(in: writer)
        }
        if !writer.append(job) { end() }
    }

    /// Files some entries, and returns the number of the pass' entries that are filed with them.
    private func fileSlice(_ transaction: Transaction) throws -> Int {
        let generation = log.beginFiling()
        let (ids, filed) = progress.withLock { progress in
            let known = progress ?? (generation.idsBySession, 0)
            progress = known
            return known
        }
        let slice = log.count / 2 < rhythm.bound ? rhythm.slice : ids.count
        let end = min(filed + slice, ids.count)
        try transaction.file(ids[filed..<end])
        if end == ids.count, end > 0 { try transaction.recordFiling(upTo: generation.lastID) }
        return end
    }

    /// Removes filed entries from the log. They may stay there for a while, since readers know that they are filed.
    private func remove(in writer: GroupWorker<Job>) {
        let job = Job { [rhythm] in
            try $0.removeFiled(limit: 4 * rhythm.slice)
        } then: { [self, weak writer] isMore in
            if isMore == true, let writer { remove(in: writer) } else { end() }
        }
        if !writer.append(job) { end() }
    }

    private func end() {
        isUnderWay.store(false, ordering: .relaxed)
    }
}
