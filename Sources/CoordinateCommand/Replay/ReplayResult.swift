internal import CoordinateServer
internal import CoordinateSessions

/// The result of replaying one journal.
struct ReplayResult {
    enum Outcome: String, CaseIterable {
        case ok, differs
        /// It could not be read completely.
        case unreadable
    }

    /// The journal's name.
    let journal: String
    let outcome: Outcome
    /// The path at the end; `nil` if it is not ok.
    let path: String?
    /// The first difference, or the reason why it cannot be read; `nil` if it is ok.
    let difference: ReplayDifference?
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
            difference = try await journal.difference(in: replay)
            outcome = difference == nil ? .ok : .differs
        } catch {
            difference = ReplayDifference(line: nil, reason: error.description)
            outcome = .unreadable
        }
        path = outcome == .ok ? replay.path : nil
        self.events = events
        time = beginning.duration(to: .now)
    }
}

/// The first line of a journal that differs or cannot be replayed, and the reason.
struct ReplayDifference: CustomStringConvertible {
    /// `nil` if the app does not even start.
    let line: Int?
    let reason: String

    var description: String { line.map { "Line \($0): \(reason)" } ?? reason }
}

extension RecordedJournal {
    /// Passes the whole journal to a replay.
    ///
    /// - Returns: The first difference; `nil` if it replays as recorded.
    /// - Throws: The reason why the journal cannot be read.
    nonisolated(nonsending) func difference(
        in replay: JournalReplay
    ) async throws(ServerError) -> ReplayDifference? {
        do {
            try await read(replay)
            try replay.finish()
            return nil
        } catch let error as ServerError {
            throw error
        } catch SessionError.invalidJournal(_, let reason) where replay.header == nil {
            throw .configuration("\(name) is no exported journal. Line 1: \(reason)")
        } catch SessionError.invalidJournal(let line, let reason) {
            return ReplayDifference(line: line, reason: reason)
        } catch {
            return ReplayDifference(line: nil, reason: "\(error)")
        }
    }
}
