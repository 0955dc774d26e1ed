internal import CoordinateSessions

/// The outcome of replaying one journal.
struct ReplayResult {
    enum Outcome {
        /// It led where it led when it was recorded; with the path at the end.
        case same(path: String)
        /// The first line that leads elsewhere, or cannot be replayed; nil where the app does not even start.
        case differs(line: Int?, reason: String)
        /// It could not be read to its end.
        case unreadable(reason: String)
    }

    /// The journal's name.
    let journal: String
    let outcome: Outcome
    /// The number of events that led where they led when they were recorded.
    let events: Int
    let time: Duration

    /// Replays a journal on a tree of its own.
    nonisolated(nonsending) init(of journal: RecordedJournal, by app: HostedApp) async {
        self.journal = journal.name
        let beginning = ContinuousClock.now
        var events = 0
        do {
            let replay = JournalReplay(app) { _ in events += 1 }
            try await journal.read(replay)
            try replay.finish()
            outcome = .same(path: replay.path)
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

    /// The outcome in one word.
    var word: String {
        switch outcome {
        case .same: "ok"
        case .differs: "differs"
        case .unreadable: "unreadable"
        }
    }

    /// The reason why it is not ok, nil where it is.
    var reason: String? {
        switch outcome {
        case .same: nil
        case .differs(let line?, let reason): "Line \(line): \(reason)"
        case .differs(nil, let reason), .unreadable(let reason): reason
        }
    }
}
