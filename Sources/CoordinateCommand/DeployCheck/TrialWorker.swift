internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging
internal import Synchronization

/// The process in which sessions are tried, since an app can crash it. It reads the ids of sessions from the standard
/// input, a line each, and writes a ``TrialVerdict`` about each to the standard output, in the same order.
///
/// It ends when its input ends. It ends with ``standstillStatus`` if a turn does not end.
struct TrialWorker {
    private let app: HostedApp
    private let store: any Journal
    private let watch: TrialWatch

    /// The status of a process that a turn blocked, as that of a server: EX_SOFTWARE of sysexits.h.
    static let standstillStatus: Int32 = 70
    /// The time after which a turn counts as endless, as on a server.
    static let patience = Duration.seconds(10)
    /// The most entries that are read at a time.
    private static let pageSize = 250

    /// - Parameter isTraced: Whether to write each turn as it begins.
    init(_ app: any CoordinatedApp, in store: any Journal, isTraced: Bool) {
        watch = TrialWatch(isTraced: isTraced)
        self.app = HostedApp(app, logger: Logger(label: "coordinate.deploy-check"), watch: watch, tracing: nil)
        self.store = store
    }

    nonisolated(nonsending) func run() async {
        watch.endStandstills()
        // The store looks up the next sessions while one is replayed.
        for await lookup in lookups() {
            let verdict = await verdict(on: lookup)
            Self.write(verdict)
            if verdict == .unreachable { return }
        }
    }

    /// A session whose head and first entries were requested.
    private struct Lookup: Sendable {
        let session: SessionID
        let head: Future<SessionHead?, JournalError>
        let entries: Future<[JournalEntry], JournalError>
    }

    private func lookups() -> AsyncStream<Lookup> {
        let (lookups, adding) = AsyncStream<Lookup>.makeStream()
        Thread.detachNewThread { [store] in
            while let line = readLine() {
                guard let session = SessionID(line) else { break }
                adding.yield(
                    Lookup(
                        session: session, head: store.head(of: session),
                        entries: store.read(session, after: 0, limit: Self.pageSize)))
            }
            adding.finish()
        }
        return lookups
    }

    private nonisolated(nonsending) func verdict(on lookup: Lookup) async -> TrialVerdict {
        var last: JournalEntry?
        do {
            guard let head = try await lookup.head.value else { return .ended }
            let trial = try WakingTrial(of: head, by: app)
            var entries = try await lookup.entries.value
            while true {
                for entry in entries {
                    last = entry
                    try trial.replay(entry)
                }
                guard entries.count == Self.pageSize, let version = last?.version else { return .ok }
                entries = try await store.read(lookup.session, after: version, limit: Self.pageSize).value
            }
        } catch JournalError.noSuchSession {
            return .ended
        } catch JournalError.damaged(let version) {
            return .problem(WakingProblem(.damaged(version: version), at: nil))
        } catch is JournalError {
            return .unreachable
        } catch let error as SessionError {
            return .problem(WakingProblem(error, at: last))
        } catch {
            return .unreachable
        }
    }

    fileprivate static func write(_ verdict: TrialVerdict) {
        try? FileHandle.standardOutput.write(contentsOf: Data(verdict.line))
    }
}

/// The watch of the one thread that runs the app.
private final class TrialWatch: TurnWatch {
    private let isTraced: Bool
    /// The start of the turn under way, in nanoseconds since the start of the machine; 0 if there is none.
    private let start = Atomic<UInt64>(0)

    init(isTraced: Bool) {
        self.isTraced = isTraced
    }

    // Not a `Duration`: it counts attoseconds in 128 bits, and its divisions are slow.
    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    func turnBegins(_ turn: WatchedTurn) {
        start.store(now, ordering: .relaxed)
        if isTraced { TrialWorker.write(.turn(event: turn.event, version: turn.version)) }
    }

    func turnEnds() {
        start.store(0, ordering: .relaxed)
    }

    var thread: UInt64 { 0 }

    func isStuck(_ thread: UInt64) -> Bool { false }

    /// Ends the process when a turn does not end.
    func endStandstills() {
        let patience = UInt64(TrialWorker.patience / .nanoseconds(1))
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                let begun = start.load(ordering: .relaxed)
                if begun != 0, now - begun > patience { _exit(TrialWorker.standstillStatus) }
            }
        }
    }
}
