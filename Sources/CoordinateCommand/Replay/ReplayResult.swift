internal import CoordinateSessions

/// The result of replaying one journal.
struct ReplayResult {
    enum Outcome {
        /// It replayed as recorded, and ended at this path.
        case same(path: String)
        /// The first line that differs or cannot be replayed; `nil` if the app does not even start.
        case differs(line: Int?, reason: String)
        /// It could not be read completely.
        case unreadable(reason: String)
    }

    /// The journal's name.
    let journal: String
    let outcome: Outcome
    /// The number of events that replayed as recorded.
    let events: Int
    let time: Duration

    /// Replays a journal on a new tree.
    nonisolated(nonsending) init(of journal: RecordedJournal, by app: HostedApp) async {
        self.journal = journal.name
        let beginning = ContinuousClock.now
        var events = 0
        let replay = JournalReplay(app) { _ in events += 1 }
        do {
            try await journal.read(replay)
            try replay.finish()
            outcome = .same(path: replay.path)
        } catch SessionError.invalidJournal(_, let reason) where replay.header == nil {
            outcome = .unreadable(reason: "\(journal.name) is no exported journal. Line 1: \(reason)")
        } catch SessionError.invalidJournal(let line, let reason) {
            outcome = .differs(line: line, reason: reason)
        } catch let error as SessionError {
            outcome = .differs(line: nil, reason: error.description)
        } catch {
            outcome = .unreadable(reason: "\(error)")
        }
        self.events = events
        time = beginning.duration(to: .now)
    }

    /// The result in one word.
    var word: String {
        switch outcome {
        case .same: "ok"
        case .differs: "differs"
        case .unreadable: "unreadable"
        }
    }

    /// The reason why it is not ok; `nil` if it is.
    var reason: String? {
        switch outcome {
        case .same: nil
        case .differs(let line?, let reason): "Line \(line): \(reason)"
        case .differs(nil, let reason), .unreadable(let reason): reason
        }
    }
}
