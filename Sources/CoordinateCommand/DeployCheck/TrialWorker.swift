internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc
internal import Logging

/// The process that replays sessions, since an app can crash it. It reads lines with ids of sessions from the standard
/// input, and writes a ``TrialResult`` for each id to the standard output, in the same order.
///
/// A turn that does not end ends it with SIGALRM.
struct TrialWorker {
    /// The time after which a turn counts as endless, in seconds, as on a server.
    static let patience: UInt32 = 10
    /// The most entries that are read at a time.
    private static let pageSize = 250

    private let app: HostedApp
    private let store: any Journal
    private let output: TrialOutput

    /// - Parameter isTraced: Whether to write each turn as it begins.
    init(_ app: any CoordinatedApp, in store: any Journal, _ output: TrialOutput, isTraced: Bool) {
        self.output = output
        let watch = TrialWatch(trace: isTraced ? output : nil)
        self.app = HostedApp(app, logger: Logger(label: "coordinate.deploy-check"), watch: watch, tracing: nil)
        self.store = store
    }

    /// Replays sessions until the input ends.
    nonisolated(nonsending) func run() async throws {
        while let line = readLine() {
            // The store looks up the next sessions while one is replayed.
            let lookups = line.split(separator: " ").compactMap { SessionID(String($0)) }.map { [store] session in
                (
                    session, Task { try await store.head(of: session) },
                    Task { try await store.read(session, after: 0, limit: Self.pageSize) }
                )
            }
            for (session, head, entries) in lookups { try output.write(try await result(session, head, entries)) }
        }
    }

    private nonisolated(nonsending) func result(
        _ session: SessionID, _ head: Task<SessionHead?, any Error>, _ firstEntries: Task<[JournalEntry], any Error>
    ) async throws -> TrialResult {
        var last: JournalEntry?
        do {
            guard let head = try await head.value else { return .ended }
            if let reason = app.quarantine(of: head) { throw reason.error }
            let tree = try SessionTree(app, head.record.beginning, of: session)
            var entries = try await firstEntries.value
            while true {
                for entry in entries {
                    last = entry
                    try tree.replay(entry)
                }
                guard entries.count == Self.pageSize, let version = last?.version else { return .ok }
                entries = try await store.read(session, after: version, limit: Self.pageSize)
            }
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
        try file.write(contentsOf: JSONEncoder().encode(result) + [UInt8(ascii: "\n")])
    }
}

/// The watch of the one thread that runs the app.
private struct TrialWatch: TurnWatch {
    /// The output for each turn that begins; `nil` for none.
    let trace: TrialOutput?

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
