internal import CoordinateSessions
internal import Synchronization

/// Passes through the log, in which entries are filed under their sessions: one at a time, in slices, between which
/// others have their turn.
///
/// A slice of many entries of a few sessions takes few pages. A pass that breaks off, as the file was closed or the disk
/// is full, is begun anew some time: what was filed already stays so.
final class Filing: Sendable {
    /// How much is filed, and when.
    struct Rhythm: Sendable {
        /// How many entries may have come since the last pass before the next one begins. With twice as many not filed,
        /// others have to wait.
        var bound = 16_384
        /// How many are enough for a pass that is begun now and then.
        var least = 1
        /// How many are filed at a time.
        var slice = 1_000
    }

    private let log: LogIndex
    private let rhythm: Rhythm
    private let isUnderWay = Atomic(false)
    /// The ids that a pass files, and how many of them it has filed.
    private let progress = Mutex<(ids: [Int64], filed: Int)?>(nil)

    init(of log: LogIndex, _ rhythm: Rhythm) {
        self.log = log
        self.rhythm = rhythm
    }

    /// Begins a pass when there is much to file.
    func beginWhenDue(in writer: GroupWorker<Job>) {
        if log.currentCount >= rhythm.bound { begin(in: writer) }
    }

    /// Begins a pass when there is something to file.
    func beginNowAndThen(in writer: GroupWorker<Job>) {
        if log.count >= rhythm.least { begin(in: writer) }
    }

    private func begin(in writer: GroupWorker<Job>) {
        if !isUnderWay.exchange(true, ordering: .relaxed) { goOn(in: writer) }
    }

    private func goOn(in writer: GroupWorker<Job>) {
        let job = Job { [self] in
            try fileSlice($0)
        } then: { [self, weak writer] filed in
            guard let filed, let writer else { return end() }
            let isDone = progress.withLock { progress in
                progress?.filed = filed
                return filed == progress?.ids.count
            }
            guard isDone else { return goOn(in: writer) }
            log.endFiling()
            progress.withLock { $0 = nil }
            remove(in: writer)
        }
        if !writer.add(job) { end() }
    }

    /// Files some, and returns how many of the pass are filed with them.
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
        if end == ids.count, end > 0 { try transaction.note(filed: generation.lastID) }
        return end
    }

    /// Removes what was filed from the log. It may be there: who reads knows that it is filed.
    private func remove(in writer: GroupWorker<Job>) {
        let job = Job { [rhythm] in
            try $0.removeFiled(limit: 4 * rhythm.slice)
        } then: { [self, weak writer] isMore in
            if isMore == true, let writer { remove(in: writer) } else { end() }
        }
        if !writer.add(job) { end() }
    }

    private func end() {
        isUnderWay.store(false, ordering: .relaxed)
    }
}
