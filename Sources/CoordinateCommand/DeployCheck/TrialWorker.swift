internal import ArgumentParser
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc
internal import Logging

/// The process that replays sessions, since an app can crash it. It reads lines with ``Trial``s from the standard input,
/// and writes a ``TrialResult`` for each to the standard output, in the same order.
///
/// A turn that does not end ends it with SIGALRM.
struct TrialWorker {
    /// What is done with the sessions that can be replayed.
    enum Mode {
        case check
        case record
        case compare(PlacesFile)
    }

    /// The time after which a turn counts as endless, in seconds, as on a server.
    static let patience: UInt32 = 10
    /// The most entries that are read at a time.
    private static let pageSize = 250

    private let app: HostedApp
    private let store: any Journal
    private let mode: Mode
    private let output: TrialOutput

    /// - Parameters:
    ///   - policy: The policy of the servers for sessions that differ. If they accept differences, it matters where a
    ///     session arrives.
    ///   - isTraced: Whether to write each turn as it begins.
    init(
        _ app: any CoordinatedApp, in store: any Journal, _ mode: Mode, policy: AppChangePolicy, _ output: TrialOutput,
        isTraced: Bool
    ) {
        self.output = output
        self.mode = mode
        let watch = TrialWatch(trace: isTraced ? output : nil)
        var logger = Logger(label: "coordinate.deploy-check")
        var onChange = AppChangePolicy.quarantine
        if case .compare = mode, policy == .accept {
            onChange = .accept
            logger.logLevel = .error
        }
        self.app = HostedApp(app, onChange: onChange, logger: logger, watch: watch, tracing: nil)
        self.store = store
    }

    /// Replays sessions until the input ends.
    nonisolated(nonsending) func run() async throws {
        while let line = readLine() {
            // The store looks up the next sessions while one is replayed.
            let lookups = line.split(separator: " ").compactMap { Trial(String($0)) }.map { [store] trial in
                (
                    trial, Task { try await store.head(of: trial.session) },
                    Task { try await store.read(trial.session, after: 0, limit: Self.pageSize) }
                )
            }
            for (trial, head, entries) in lookups { try output.write(try await result(trial, head, entries)) }
        }
    }

    private nonisolated(nonsending) func result(
        _ trial: Trial, _ head: Task<SessionHead?, any Error>, _ firstEntries: Task<[JournalEntry], any Error>
    ) async throws -> TrialResult {
        let session = trial.session
        var last: JournalEntry?
        do {
            guard let head = try await head.value else { return .ended }
            if let reason = app.quarantine(of: head) { throw reason.error }
            let tree = try SessionTree(app, head.record.beginning, of: session)
            let comparing = try recordedPlace(for: trial)
            var comparison: PlaceComparison?
            func compare() {
                guard let (place, appVersion) = comparing, place.version == tree.version else { return }
                comparison = PlaceComparison(of: tree, with: place, from: appVersion, last)
            }
            compare()
            var entries = try await firstEntries.value
            while true {
                for entry in entries {
                    last = entry
                    try tree.replay(entry)
                    compare()
                }
                guard entries.count == Self.pageSize, let version = last?.version else { break }
                entries = try await store.read(session, after: version, limit: Self.pageSize)
            }
            if case .record = mode { return .place(Place(of: tree).line(of: session)) }
            guard let (place, _) = comparing else { return .ok }
            return .compared(comparison ?? PlaceComparison(of: place, missingAfter: tree.version))
        } catch JournalError.noSuchSession {
            return .ended
        } catch JournalError.damaged(let version) {
            return .problem(SessionProblem(.damaged(version: version), at: nil))
        } catch let error as SessionError {
            return .problem(SessionProblem(error, at: last))
        } catch let error as JournalError {
            throw ServerError(reading: error)
        }
    }

    private func recordedPlace(for trial: Trial) throws -> (place: Place, appVersion: String)? {
        guard case .compare(let places) = mode, let line = trial.place else { return nil }
        return (try places.place(of: trial.session, at: line), places.header.appVersion)
    }
}

/// The output for results. From its creation on, what the app prints goes to the standard error.
struct TrialOutput {
    private let file = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: false)

    init() {
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // Ends a line that the program may have begun.
        try? file.write(contentsOf: [UInt8(ascii: "\n")])
    }

    /// - Throws: If the process that requested the result has ended.
    func write(_ result: TrialResult) throws {
        let line = try result.line
        do {
            try file.write(contentsOf: line)
        } catch {
            throw ExitCode.unavailable
        }
    }
}

/// The watch of the one thread that runs the app.
private final class TrialWatch: TurnWatch {
    /// The output for each turn that begins; `nil` for none.
    let trace: TrialOutput?

    init(trace: TrialOutput?) {
        self.trace = trace
    }

    func turnBegins(_ turn: WatchedTurn) {
        alarm(TrialWorker.patience)
        try? trace?.write(.turn(event: turn.event, version: turn.version))
    }

    func turnEnds() {
        alarm(0)
    }

    var thread: UInt64 { 0 }

    func isStuck(_ thread: UInt64) -> Bool { false }
}
